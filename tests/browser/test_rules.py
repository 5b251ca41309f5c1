"""Cards, pay lines, apportionment, money and roads: computed twice, equal each time."""

import random
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from typing import Any

import pytest

from cutcard.ledger import Entry, Ledger, Post, Transfer, Void, post
from cutcard.refusals import Refusal
from cutcard.roads import Result, parse, roads
from cutcard.round.apportion import Share, apportion, seated_first
from cutcard.round.events import BetPlaced, Laid
from cutcard.round.excess import cut_at_close
from cutcard.round.state import fold
from cutcard.round.terms import Apportioning, Terms
from cutcard.round.terms import Entry as HowBetsAreTaken
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.cards import DECK, format_cards
from cutcard.rules.coup import Coup, check_dealt
from cutcard.rules.facts import coups_by_value, facts
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.settlement import pay
from tests.browser.conftest import Ask

# --- coups


def coups(seed: int, count: int) -> list[Coup]:
    chance = random.Random(seed)
    return [Coup.deal(chance.sample(DECK * 8, 6)) for _ in range(count)]


def test_every_coup_that_the_tableau_can_tell_apart(ask: Ask) -> None:
    found = [*coups_by_value(), *coups(1, 500)]

    answers = ask("coup", [str(coup) for coup in found])

    for coup, answer in zip(found, answers, strict=True):
        assert answer == {"next": None, "facts": facts(coup), "result": result(coup)}, str(coup)


def result(coup: Coup) -> str:
    """A result as the log writes it."""
    one = Result.of(coup)
    letter = {"player": "P", "banker": "B", "tie": "T"}[coup.winner.value]
    flags = {
        "pp": one.player_pair,
        "bp": one.banker_pair,
        "pn": one.player_natural,
        "bn": one.banker_natural,
    }
    marks = [mark for mark, there in flags.items() if there]
    return " ".join((letter, str(one.player_points), str(one.banker_points), *marks))


def test_coups_that_lie_wrongly(ask: Ask) -> None:
    """Cards taken away, doubled and moved to the other side."""
    chance = random.Random(2)
    texts, expected = [], []
    for coup in coups(3, 300):
        hands = [list(coup.player), list(coup.banker)]
        here, there = chance.sample(hands, 2)
        match chance.randrange(4):
            case 0:
                here.pop()
            case 1:
                here.append(chance.choice(DECK))
            case 2:
                there.append(here.pop())
            case 3:
                here.clear()
        wrong = Coup(tuple(hands[0]), tuple(hands[1]))
        if max(map(len, hands)) > 3:
            continue
        try:
            check_dealt(wrong)
        except Refusal as refusal:
            texts.append(f"{format_cards(wrong.player)} / {format_cards(wrong.banker)}")
            expected.append({"refused": refusal.code, "params": dict(refusal.params)})

    assert ask("coup", texts) == expected
    assert len(texts) > 150


# --- pay lines


@pytest.mark.parametrize("book", [*rulebooks(), *rulebooks(MORE)], ids=lambda book: book.id)
def test_every_spot_of_every_book_on_every_kind_of_coup(ask: Ask, book: Any) -> None:
    chance = random.Random(4)
    found = [*chance.sample(coups_by_value(), 150), *coups(5, 150)]
    texts = [str(coup) for coup in found]
    for spot in book.spots.values():
        stake = spot.step * chance.randrange(1, 10**12)
        lines = [
            {
                "when": {name: list(values) for name, values in line.when.items()},
                "odds": str(line.odds),
                "commission": str(line.commission),
                "clause": line.clause,
            }
            for line in spot.table.lines
        ]
        paid = [pay(spot.table.line(facts(coup)), spot.id, stake) for coup in found]

        (answer,) = ask("paytable", [[lines, texts, stake]])

        assert answer == {
            "step": spot.step,
            "reserve": spot.reserve,
            "paid": [
                {"net": one.net, "commission": one.commission, "clause": one.clause} for one in paid
            ],
        }, spot.id


# --- apportionment


def test_shares_of_a_heavy_side(ask: Ask) -> None:
    chance = random.Random(6)
    questions, expected = [], []
    for _ in range(300):
        unit, minimum = chance.choice([1, 5, 20, 25]), chance.choice([0, 1, 300, 1_000])
        bets = [
            Share(
                (f"p{number}", chance.randrange(1, 4), "banker"),
                chance.randrange(1, 10 ** chance.randrange(2, 15)),
                chance.random() < 0.5,
                number,
            )
            for number in range(chance.randrange(1, 9))
        ]
        target = chance.randrange(sum(bet.stake for bet in bets) + 1)
        for seats, share in ((False, apportion), (True, seated_first)):
            found = share(bets, target, minimum, unit)
            questions.append([[asdict(bet) for bet in bets], target, minimum, unit, seats])
            expected.append([found.get(bet) for bet in bets])

    assert ask("apportion", questions) == expected


def test_bets_at_the_close(ask: Ask) -> None:
    chance = random.Random(7)
    book = load("rws-commission")
    questions, expected = [], []
    for _ in range(150):
        limits = tuple(some_limits(chance))
        reading = chance.choice(list(Apportioning))
        terms = Terms(book.id, "", limits, 5, HowBetsAreTaken.WARN, reading)
        bets = [
            Laid(f"p{who}", box, spot, 20 * chance.randrange(1, 500), who == box, number, 0)
            for number, (box, who, spot) in enumerate(product((1, 2, 3), (1, 2, 3), SPOTS))
            if chance.random() < 0.6
        ]
        state = fold([BetPlaced(bet, None, 0) for bet in bets])
        cut = cut_at_close(state, terms, book)
        plain = [
            {
                "kind": one.kind.value,
                "scope": one.scope.value,
                "spots": one.spots,
                "amount": one.amount,
            }
            for one in limits
        ]
        steps = {spot: book.spots[spot].step for spot in SPOTS}
        questions.append([[asdict(bet) for bet in state.bets], plain, reading.value, steps])
        expected.append([cut.get(bet) for bet in state.bets])

    assert ask("close", questions) == expected
    assert sum(any(one) for one in expected) > 100


SPOTS = ("player", "banker")


def some_limits(chance: random.Random) -> Iterator[Limit]:
    yield Limit(Kind.MINIMUM, Scope.BET, SPOTS, chance.choice([20, 300, 1_000]), "x")
    for scope in Scope:
        if chance.random() < 0.6:
            amount = chance.randrange(20, 8_000)
            yield Limit(Kind.DIFFERENTIAL, scope, SPOTS, amount, "x")


# --- roads


def test_the_roads_of_many_shoes(ask: Ask) -> None:
    chance = random.Random(8)
    shoes = ["", "T", "TTB", "B" * 20, "BP" * 30, "B" * 7 + "P" * 9 + "BBB" + "P" * 12]
    shoes += [
        "".join(chance.choices("BPT", (46, 45, 9), k=chance.randrange(90))) for _ in range(80)
    ]

    assert ask("roads", [list(shoe) for shoe in shoes]) == [
        roads(parse(shoe)).document() for shoe in shoes
    ]


# --- the ledger


def test_the_ledger(ask: Ask) -> None:
    """Batches that stand and batches that fall, judged alike to the last figure."""
    chance = random.Random(9)
    questions, expected = [], []
    for _ in range(40):
        ledger = Ledger()
        refused: list[dict[str, Any] | None] = []
        batches = [batch(chance, number) for number in range(30)]
        for entries in batches:
            try:
                ledger = post(ledger, entries)
                refused.append(None)
            except Refusal as refusal:
                refused.append({"code": refusal.code, "params": dict(refusal.params)})
        questions.append(
            [[{"is": type(one).__name__, **asdict(one)} for one in entries] for entries in batches]
        )
        accounts = {name: [one.posted, one.held] for name, one in ledger.accounts.items()}
        expected.append({"refused": refused, "accounts": accounts, "total": 0})

    answers = ask("ledger", questions)

    assert answers == expected
    told = {one["code"] for case in expected for one in case["refused"] if one}  # type: ignore[attr-defined]
    assert len(told) >= 9, told


ACCOUNTS = (
    "cage", "stack:t7:ann", "stack:t7:bob", "house:t7", "layout:t7", "commission:t7", "debt:ann",
    "wallet:ann", "stack:t7", "purse:ann", "wallet:",
)  # fmt: skip
WEIGHTS = (9, 9, 6, 9, 9, 6, 4, 6, 0.3, 0.3, 0.3)


def batch(chance: random.Random, number: int) -> list[Any]:
    """A few entries; now and then one that cannot stand."""
    entries: list[Entry] = []
    for place in range(chance.randrange(1, 4)):
        event = number if chance.random() < 0.97 else chance.randrange(30)
        id: Any = f"t7:{event}.{place}" if chance.random() < 0.98 else "t7:01.0"
        earlier: Any = f"t7:{chance.randrange(max(0, number - 3), number + 1)}.{place}"
        debit, credit = chance.choices(ACCOUNTS, WEIGHTS, k=2)
        amount = chance.choice([1, 5, 100, 10**6, 10**15, 10**18])
        if chance.random() < 0.05:
            amount = chance.choice([0, -5, 10**18 + 1, 10**30])
        reason = "stake" if chance.random() < 0.97 else " "
        kind = chance.randrange(6)
        if kind == 0:
            entries.append(Void(id, earlier))
        elif kind == 1:
            part = chance.choice([None, 1, amount])
            entries.append(Post(id, earlier, part))
        else:
            pending = chance.random() < 0.4
            entries.append(Transfer(id, debit, credit, amount, reason, pending))  # type: ignore[arg-type]
    return entries
