"""The verifiable shoe: both verifiers go the same way and stop at the same step."""

import json
import random
from copy import deepcopy
from typing import Any

import pytest

from cutcard.fairness import merkle, seal, verify
from cutcard.fairness.house import abort
from cutcard.fairness.order import patrons_order
from cutcard.fairness.record import parse, plain
from cutcard.fairness.steps import Commitment
from cutcard.fairness.uniform import StreamDice
from cutcard.refusals import Refusal
from cutcard.rules.cards import format_cards
from cutcard.rules.shoe import shuffled
from tests.browser.conftest import Ask
from tests.fairness.playing import (
    SEEDS,
    Played,
    burned,
    closed,
    committed,
    dealt,
    finished,
    ready,
    sealed,
)
from tests.fairness.test_drbg import CASES

Record = dict[str, Any]

PLAYED = finished(committed())
SHOES = {
    "fresh": committed(),
    "sealed": sealed(committed()),
    "closed": closed(committed()),
    "ready": ready(committed()),
    "burned": burned(ready(committed())),
    "dealt": dealt(committed()),
    "finished": PLAYED,
    "six decks": finished(committed(decks=6, seed=6)),
    "eight decks": finished(committed(decks=8, seed=8)),
}


def records(played: Played) -> list[Record]:
    return [plain(one) for one in (played.commitment, *played.steps)]


def verdict(shoe: list[Record]) -> object:
    """What Python says of plain records, in the words of asking.js."""
    read: list[Any] = []
    unread: Refusal | None = None
    for record in shoe:
        try:
            read.append(parse(record))
        except Refusal as refusal:
            unread = refusal
            break
    if not read or not isinstance(read[0], Commitment):
        return {"findings": [finding(0, Refusal("fairness/record"))], "phase": None} | NOTHING
    found = verify(read[0], read[1:])
    findings = []
    if found.refusal is not None and found.wrong is not None:
        findings = [finding(found.wrong, found.refusal)]
    elif unread is not None:
        findings = [finding(len(read), unread)]
    if found.shoe is None:
        return {"findings": findings, "phase": None} | NOTHING
    return {
        "findings": findings,
        "phase": found.shoe.phase.value,
        "left": found.shoe.left,
        "dealt": format_cards(found.shoe.dealing_order),
    }


NOTHING = {"left": 0, "dealt": ""}


def finding(number: int, refusal: Refusal) -> Record:
    return {"record": number, "code": refusal.code, "params": dict(refusal.params)}


# --- the parts


def test_nists_published_answers(ask: Ask) -> None:
    """The same file that Python is held to."""
    questions = []
    for lines in CASES.values():
        one = {name: value.hex() for name, value in lines}
        more = [value.hex() for name, value in lines if name == "AdditionalInput"]
        fresh = [value.hex() for name, value in lines if name == "EntropyInputPR"]
        asked: list[list[object]] = [
            ["seed", one["EntropyInput"], one["Nonce"], one.get("PersonalizationString", "")]
        ]
        if "EntropyInputReseed" in one:
            asked.append(
                ["reseed", one["EntropyInputReseed"], one.get("AdditionalInputReseed", "")]
            )
        for place, additional in enumerate(more):
            if fresh:
                asked += [["reseed", fresh[place], additional], ["generate", 128]]
            else:
                asked.append(["generate", 128, additional])
        questions.append(asked)

    assert ask("drbg", questions) == [dict(one)["ReturnedBits"].hex() for one in CASES.values()]


@pytest.mark.parametrize("cards", [2, 3, 52, 416, 832])
def test_the_order_that_seeds_give(ask: Ask, cards: int) -> None:
    chance = random.Random(cards)
    bound = chance.randbytes(32)
    seeds = {f"giver {number} 庄": chance.randbytes(32) for number in range(3)}
    plain_seeds = {giver: seed.hex() for giver, seed in seeds.items()}

    assert ask("order", [[bound.hex(), plain_seeds, cards]]) == [
        list(patrons_order(bound, seeds, cards))
    ]


def test_words_that_belong_to_nobody_are_thrown_away(ask: Ask) -> None:
    """Every second word is the highest there is, which no bound but a power of two can use."""
    chance = random.Random(5)
    stream = b"".join(b"\xff" * 8 + chance.randbytes(8) for _ in range(60))
    expected = list(shuffled(range(52), StreamDice(stream)))
    used_up = {"refused": "fairness/entropy-used-up", "params": {}}

    assert ask("shuffled", [[52, stream.hex()], [52, stream[:400].hex()]]) == [expected, used_up]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 52])
def test_roots_and_paths(ask: Ask, size: int) -> None:
    chance = random.Random(size)
    leaves = [chance.randbytes(32) for _ in range(size)]
    tree = merkle.grow(leaves)
    questions: list[list[object]] = []
    expected: list[str | None] = []
    for position, leaf in enumerate(leaves):
        right = merkle.path(tree, position)
        for path in (right, right[:-1], (*right, bytes(32)), right[::-1], ()):
            for at in (position, (position + 1) % size):
                found = merkle.climb(leaf, at, size, path)
                questions.append([leaf.hex(), at, size, [one.hex() for one in path]])
                expected.append(None if found is None else found.hex())

    assert ask("root", [[leaf.hex() for leaf in leaves]]) == [merkle.root(tree).hex()]
    assert ask("climb", questions) == expected


def test_commitments_and_seals(ask: Ask) -> None:
    shoes = [committed(seed=seed, number=seed).commitment for seed in (1, 2, 2**60)]
    plains = [plain(one) for one in shoes]
    givers = ["ann", "庄家 №1", 'a"b\\c']
    pairs = [(one, giver) for one in shoes for giver in givers]

    assert ask("commitment", plains) == [one.hash.hex() for one in shoes]
    assert ask("seal", [[plain(one), giver, SEEDS["ann"].hex()] for one, giver in pairs]) == [
        seal(one, giver, SEEDS["ann"]).hex() for one, giver in pairs
    ]


# --- whole shoes


@pytest.mark.parametrize("name", SHOES)
def test_a_sound_shoe(ask: Ask, name: str) -> None:
    shoe = records(SHOES[name])
    aborted = [*shoe, plain(abort(SHOES[name].secret, "fire alarm"))]

    answers = ask("shoe", [shoe, aborted])

    assert answers == [verdict(shoe), verdict(aborted)]
    sound = answers[0]
    assert isinstance(sound, dict)
    assert sound["findings"] == []


def test_every_card_by_itself(ask: Ask) -> None:
    shown = [plain(one) for one in PLAYED.steps if "CardShown" in repr(one)]
    other = [{**one, "card": "9h" if one["card"] != "9h" else "8h"} for one in shown]
    bound = plain(PLAYED.commitment)

    assert ask("card", [[bound, one] for one in shown]) == [True] * len(shown)
    assert ask("card", [[bound, one] for one in other]) == [False] * len(shown)
    assert ask("card", [[bound, {**shown[0], "position": at}] for at in (-1, 52, 2**70)]) == [
        False, False, False,
    ]  # fmt: skip


def test_tampered_shoes(ask: Ask) -> None:
    """Four hundred changes, each judged alike: the same record, the same code, the same figures."""
    chance = random.Random(2026)
    sources = [records(SHOES[name]) for name in ("fresh", "sealed", "closed", "burned", "finished")]
    shoes = [tampered(chance.choice(sources), chance) for _ in range(400)]
    expected = [verdict(shoe) for shoe in shoes]

    answers = ask("shoe", shoes)

    for shoe, answer, said in zip(shoes, answers, expected, strict=True):
        assert answer == said, json.dumps(shoe)[:400]
    codes = {one["code"] for said in expected for one in said["findings"]}  # type: ignore[index]
    assert len(codes) >= 14, sorted(codes)


def tampered(source: list[Record], chance: random.Random) -> list[Record]:
    """A shoe's records with one thing changed."""
    shoe = deepcopy(source)
    place = chance.randrange(len(shoe))
    # Most records are cards; the few others matter as much.
    if chance.random() < 0.5:
        place = chance.choice([at for at, one in enumerate(shoe) if one["step"] != "CardShown"])
    match chance.randrange(8):
        case 0:
            del shoe[place]
        case 1:
            # A second commitment is no step, and Python's verifier is never given one.
            shoe.insert(max(1, place), deepcopy(shoe[max(1, place) % len(shoe)]))
            if shoe[1]["step"] == "Commitment":
                del shoe[1]
        case 2 if len(shoe) > 2:
            at = chance.randrange(1, len(shoe) - 1)
            shoe[at], shoe[at + 1] = shoe[at + 1], shoe[at]
        case _:
            name = chance.choice([key for key in shoe[place] if key != "step"])
            shoe[place][name] = changed(shoe[place][name], chance)
    return shoe


def changed(value: object, chance: random.Random) -> object:
    if chance.random() < 0.1:
        return chance.choice([None, True, 1.5, "", [], {}, "7", 2**70, -1, "\ud800", "a\nb", "庄"])
    if isinstance(value, int):
        return value + chance.choice([-1000, -1, 1, 1000, 2**64])
    if isinstance(value, list):
        return chance.choice(
            [value[:-1], value[::-1], [*value, "00" * 32], [], value[1:] + value[:1]]
        )
    assert isinstance(value, str)
    if " " in value:
        words = value.split(" ")
        chance.shuffle(words)
        return " ".join(words[: len(words) - chance.randrange(2)])
    if len(value) == 2:
        return chance.choice(["9h", "8h", "Ts", "10s", "th", "X"])
    if len(value) == 64:
        digit = chance.randrange(64)
        other = f"{(int(value[digit], 16) + 1) % 16:x}"
        flipped = value[:digit] + other + value[digit + 1 :]
        return chance.choice(
            [flipped, flipped, value[:-2], value + "00", value.upper(), value[:-1]]
        )
    return chance.choice([value + "x", " ", "", "\u202e", value + "\x85"])


@pytest.mark.parametrize(
    "record",
    [
        None, [], "CardTaken", {}, {"step": "CardTaken"}, {"step": "cardtaken", "place": 7},
        {"step": [], "place": 7}, {"step": "CardTaken", "place": "7"},
        {"step": "CardTaken", "place": 7.0}, {"step": "CardTaken", "place": True},
        {"step": "CardTaken", "place": 7, "card": "9h"}, {"step": "toString"},
        {"step": "SeedGiven", "giver": 7, "seed": "00"},
        {"step": "SeedGiven", "giver": "ann", "seed": "0"},
        {"step": "SeedGiven", "giver": "ann", "seed": "AA"},
        {"step": "SeedGiven", "giver": "ann", "seed": "aa bb"},
        {"step": "SeedGiven", "giver": "ann", "seed": None},
        {"step": "ShoeOpened", "cards": "10h", "nonces": ["00"]},
        {"step": "ShoeOpened", "cards": "Th  9h", "nonces": ["00"]},
        {"step": "ShoeOpened", "cards": "Xh", "nonces": ["00"]},
        {"step": "ShoeOpened", "cards": "", "nonces": []},
        {"step": "ShoeOpened", "cards": [], "nonces": []},
        {"step": "ShoeOpened", "cards": "Th", "nonces": "00"},
    ],
    ids=json.dumps,
)  # fmt: skip
def test_records_that_would_not_have_been_written(ask: Ask, record: object) -> None:
    with pytest.raises(Refusal) as refused:
        parse(record)

    assert ask("step", [record]) == [{"refused": refused.value.code, "params": {}}]
