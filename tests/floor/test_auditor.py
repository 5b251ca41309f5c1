"""The auditor: agrees with what is right, and finds whatever is tampered with."""

import ast
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import cutcard.floor.auditor as auditor
from cutcard.floor.auditor import audit
from cutcard.floor.auditor.limits import Lying, apportioned, rejected, seated_first
from cutcard.floor.auditor.rules import BOOKS, outcome, turn
from cutcard.floor.simulation import simulate
from cutcard.rulebooks import rulebooks

Record = dict[str, Any]
Journal = list[Record]

ROUNDS = 130
KINDS = {"AlwaysChosen", "SecondStageDeclined", "SecondStagePlaced", "VoucherRedeemed"}


@pytest.fixture(scope="module")
def journal() -> Journal:
    """A journal with something of everything, that went through a file, as one would."""
    for seed in range(7, 30):
        kept: Journal = []
        report = simulate(seed, ROUNDS, rulebooks(), keep=kept.append)
        assert report.agreed, f"seed {seed}: {report.failure or report.findings[0]}"
        if _rich(kept):
            return [json.loads(json.dumps(record)) for record in kept]
    raise AssertionError("no seed has something of everything")


def _rich(journal: Journal) -> bool:
    seen = {record["event"] for record in journal}
    cut = any(record["cut"] for record in each(journal, "BetsClosed"))
    returned = any(record["returned"] for record in each(journal, "RoundVoided"))
    return seen >= KINDS and cut and returned


def test_it_shares_no_code_with_the_engine() -> None:
    """Nothing of cutcard is imported, but the auditor's own modules."""
    for file in Path(auditor.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                own = name.startswith("cutcard.floor.auditor")
                assert own or name.split(".")[0] != "cutcard", f"{file.name} imports {name}"


def test_it_agrees_with_a_journal_that_is_right(journal: Journal) -> None:
    assert audit(journal) == []


def test_it_knows_every_book() -> None:
    assert {book.id: set(book.spots) for book in rulebooks()} == {
        id: set(spots) for id, spots in BOOKS.items()
    }


def test_its_steps_and_reserves_are_those_of_the_books() -> None:
    for book in rulebooks():
        for spot in book.spots.values():
            mine = BOOKS[book.id][spot.id]
            assert (mine.step, mine.worst) == (spot.step, spot.reserve), (book.id, spot.id)


@pytest.mark.parametrize(
    ("player", "banker", "next"),
    [
        ("", "", "player"),
        ("2c", "", "banker"),
        ("2c 3c", "5d Kc", "player"),
        ("2c 3c 9h", "5d Kc", None),
        ("2c 3c 4h", "5d Kc", "banker"),
        ("9c Kc", "2d Kc", None),
        ("6c Kc", "2d 3c", "banker"),
        ("6c Kc", "2d 4c", None),
        ("2c 3c 8h", "3d Kc", None),
    ],
)
def test_its_tableau(player: str, banker: str, next: str | None) -> None:
    assert turn(player.split(), banker.split()) == next


def test_its_apportionment_is_the_worked_example() -> None:
    """CB4 5.1.1 in `spec/clauses.md` §6: box 5, minimum 300, target 11,000."""
    bets = [
        Lying(5, who, "banker", stake, 0, who == "A", order)
        for order, (who, stake) in enumerate((("A", 8000), ("B", 6000), ("C", 350), ("E", 200)))
    ]

    def by_patron(cut: dict[tuple[int, str, str], int]) -> dict[str, int]:
        return {who: stake for (_, who, _), stake in cut.items()}

    assert by_patron(apportioned(bets, 11_000, 300, 5)) == {
        "A": 6000, "B": 4500, "C": 300, "E": 200,
    }  # fmt: skip
    assert by_patron(seated_first(bets, 11_000, 300, 5)) == {
        "A": 8000, "B": 2500, "C": 300, "E": 200,
    }  # fmt: skip
    assert by_patron(rejected(bets, 11_000, 5)) == {"A": 8000, "B": 3000, "C": 0, "E": 0}


def test_a_nine_at_cow_cow_pays_commission() -> None:
    coup = outcome(["9c", "Kc"], ["2d", "Kc"])
    net, commission = BOOKS["online-cow-cow"]["player"].pays(coup)

    assert [20 * net, 20 * commission] == [171, 9]
    assert [*BOOKS["online-cow-cow"]["banker"].pays(coup)] == [-9, 0]


# --- tampering ------------------------------------------------------------------------------------


def each(journal: Journal, event: str) -> Iterator[Record]:
    return (record for record in journal if record["event"] == event)


def settled(journal: Journal, wanted: Callable[[Record], bool]) -> Record:
    """The first settlement of a bet that is wanted."""
    return next(
        one for record in each(journal, "RoundSettled") for one in record["bets"] if wanted(one)
    )


def wrong_net(journal: Journal) -> str:
    settled(journal, lambda one: one["net"] > 0)["net"] += 1
    return "net"


def commission_dropped(journal: Journal) -> str:
    one = settled(journal, lambda one: one["commission"] > 0)
    one["net"] += one["commission"]
    one["commission"] = 0
    return "commission 0, not"


def settled_twice(journal: Journal) -> str:
    record = next(record for record in each(journal, "RoundSettled") if record["bets"])
    record["bets"].append(record["bets"][0])
    return "settled 2 times"


def settlement_left_out(journal: Journal) -> str:
    record = next(record for record in each(journal, "RoundSettled") if record["bets"])
    record["bets"].pop()
    return "settled 0 times"


def missing_bet(journal: Journal) -> str:
    """A bet that lay until it was settled was never placed."""
    lay = [one["bet"] for record in each(journal, "RoundSettled") for one in record["bets"]]
    place = next(
        place
        for place, record in enumerate(journal)
        if record["event"] == "BetPlaced" and record["before"] is None and record["bet"] in lay
    )
    del journal[place]
    for number, record in enumerate(journal):
        record["n"] = number
    return "settled, but does not lie so"


def missing_record(journal: Journal) -> str:
    place = next(place for place, one in enumerate(journal) if one["event"] == "AlwaysChosen")
    del journal[place]
    return "is missing"


def card_moved(journal: Journal) -> str:
    record = next(each(journal, "CardDealt"))
    record["side"] = "banker"
    return "should go to player"


def card_changed(journal: Journal) -> str:
    """Every third card becomes a nine: some result must change, or the tableau is broken."""
    for record in each(journal, "CardDealt"):
        record["card"] = "9" + record["card"][1]
    return "more often than it is in the shoe"


def wrong_winner(journal: Journal) -> str:
    record = next(each(journal, "ResultCalled"))
    record["winner"] = "player" if record["winner"] != "player" else "banker"
    return "result called"


def lost_transfer(journal: Journal) -> str:
    record = next(record for record in each(journal, "RoundSettled") if record["entries"])
    record["entries"].pop()
    return "should be"


def doubled_transfer(journal: Journal) -> str:
    record = next(each(journal, "Deposited"))
    record["entries"].append(record["entries"][0])
    return "comes twice"


def larger_transfer(journal: Journal) -> str:
    next(each(journal, "BoughtIn"))["entries"][0]["amount"] += 1
    return "changed by"


def late_bet(journal: Journal) -> str:
    """A bet changes places with the close of its round."""
    for place, record in enumerate(journal):
        if record["event"] != "BetPlaced":
            continue
        for other in range(place + 1, len(journal)):
            later = journal[other]
            if later["source"] != record["source"]:
                continue
            if later["event"] == "BetsClosed":
                journal[place], journal[other] = later, record
                for number, one in enumerate(journal):
                    one["n"] = number
                return "accepted while bets are not open"
            break
    raise AssertionError("no bet stands just before a close")


def cut_left_out(journal: Journal) -> str:
    next(record for record in each(journal, "BetsClosed") if record["cut"])["cut"].pop()
    return "apportioned"


def wrong_road(journal: Journal) -> str:
    next(record for record in each(journal, "RoundOver") if record["results"])["results"] += "T"
    return "the roads show"


def wrong_stack(journal: Journal) -> str:
    stacks = next(record["stacks"] for record in each(journal, "RoundOver") if record["stacks"])
    stacks[next(iter(stacks))] += 1
    return "the stack of"


def wrong_balance(journal: Journal) -> str:
    next(each(journal, "FloorClosed"))["accounts"]["cage"][0] += 1
    return "cage stands at"


def void_by_a_dealer(journal: Journal) -> str:
    record = next(each(journal, "RoundVoided"))
    record["by"] = "nobody"
    return "who is no pit supervisor"


def void_keeps_a_bet(journal: Journal) -> str:
    record = next(record for record in each(journal, "RoundVoided") if record["returned"])
    record["returned"].pop()
    return "exactly the bets on the layout"


def wager_too_small(journal: Journal) -> str:
    next(each(journal, "SecondStagePlaced"))["bet"]["stake"] -= 2
    return "should be"


def ante_kept_back(journal: Journal) -> str:
    next(each(journal, "SecondStageDeclined"))["spot"] = "player"
    return "cannot be declined"


def off_its_step(journal: Journal) -> str:
    record = next(
        one
        for one in each(journal, "BetPlaced")
        if one["bet"]["spot"] == "banker" and one["before"] is None
    )
    record["bet"]["stake"] += 1
    return "off its step"


def voucher_paid_twice(journal: Journal) -> str:
    place = next(place for place, one in enumerate(journal) if one["event"] == "VoucherRedeemed")
    journal.insert(place, deepcopy(journal[place]))
    for number, record in enumerate(journal):
        record["n"] = number
    return "which is redeemed"


def excluded_patron_bets(journal: Journal) -> str:
    bet = next(each(journal, "BetPlaced"))
    patron, at = bet["bet"]["patron"], bet["at"]
    barred = {"n": 0, "source": f"patron:{patron}", "event": "SelfExcluded"}
    journal.insert(0, {**barred, "until": at + 1, "at": 0, "entries": []})
    for number, record in enumerate(journal):
        record["n"] = number
    return "while excluded"


def result_not_booked(journal: Journal) -> str:
    place = next(place for place, one in enumerate(journal) if one["event"] == "ResultBooked")
    del journal[place]
    for number, record in enumerate(journal):
        record["n"] = number
    return "nobody booked"


def burn_too_short(journal: Journal) -> str:
    next(each(journal, "CardExposed"))["to_burn"] += 1
    return "burns"


def nonsense(journal: Journal) -> str:
    del next(each(journal, "BetPlaced"))["bet"]["stake"]
    return "makes no sense"


TAMPERINGS = [
    ante_kept_back,
    burn_too_short,
    card_changed,
    card_moved,
    commission_dropped,
    cut_left_out,
    doubled_transfer,
    excluded_patron_bets,
    larger_transfer,
    late_bet,
    lost_transfer,
    missing_bet,
    missing_record,
    nonsense,
    off_its_step,
    result_not_booked,
    settled_twice,
    settlement_left_out,
    void_by_a_dealer,
    void_keeps_a_bet,
    voucher_paid_twice,
    wager_too_small,
    wrong_balance,
    wrong_net,
    wrong_road,
    wrong_stack,
    wrong_winner,
]


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda one: one.__name__)
def test_tampering_is_found(journal: Journal, tamper: Callable[[Journal], str]) -> None:
    """Each change is found, and the finding says what it is."""
    copy = deepcopy(journal)
    said = tamper(copy)

    findings = [str(one) for one in audit(copy)]

    assert any(said in one for one in findings), findings[:5]
