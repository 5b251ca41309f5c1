"""The auditor: agrees with what is right, and finds whatever is tampered with."""

import ast
import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import cutcard.floor.auditor as auditor
from cutcard.floor.auditor import audit
from cutcard.floor.auditor.betting import SEATED_FIRST
from cutcard.floor.auditor.limits import (
    Limit,
    Lying,
    apportioned,
    gives_way,
    rejected,
    seated_first,
)
from cutcard.floor.auditor.remedies import (
    EXCESS,
    GO_ON,
    INTERRUPTION,
    MISREAD,
    NO_RULING,
    ORDER,
    PLAY_ON,
    REMEDIES,
    SYSTEM,
    VOID,
    established,
)
from cutcard.floor.auditor.rules import BOOKS, RANKS, WANT_A_DEALER, outcome, turn
from cutcard.floor.auditor.table import TableAudit
from cutcard.floor.simulation import simulate
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side
from cutcard.rules.rulebook import Options
from tests.cases import every

Record = dict[str, Any]
Journal = list[Record]
Tampering = Callable[[Journal], str]

ROUNDS = 60
SEEDS = (1, 3)
"""Nights with something of everything between them; the second has what the first lacks."""


ELECTRONIC_SEED, ELECTRONIC_ROUNDS = 4, 16


@cache
def written(seed: int) -> str:
    kept: Journal = []
    report = simulate(seed, ROUNDS, rulebooks(), keep=kept.append)
    assert report.agreed, f"seed {seed}: {report.failure or report.findings[0]}"
    return json.dumps(kept)


@cache
def written_at_terminals(seed: int = ELECTRONIC_SEED) -> str:
    """A night at two electronic tables alone."""
    kept: Journal = []
    books = [load("rws-non-commission-etg")]
    report = simulate(seed, ELECTRONIC_ROUNDS, books, 2, kept.append)
    assert report.agreed, report.failure or report.findings[0]
    return json.dumps(kept)


def journal(seed: int) -> Journal:
    """A journal that went through a file, as one would; a new copy each time."""
    read: Journal = json.loads(written(seed))
    return read


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


def test_it_agrees_with_a_journal_that_is_right() -> None:
    assert audit(journal(SEEDS[0])) == []


def test_it_knows_every_book() -> None:
    assert {book.id: set(book.spots) for book in rulebooks()} == {
        id: set(spots) for id, spots in BOOKS.items()
    }


def test_it_knows_which_books_want_a_dealer() -> None:
    wanted = {book.id: book.dealer_clause for book in rulebooks() if book.dealer_clause}

    assert wanted == {"rws-commission": "CB4 1.4", "rws-knockout": "KO2 3.1"}
    assert set(WANT_A_DEALER) == set(wanted)


def test_its_steps_and_reserves_are_those_of_the_books() -> None:
    for book in rulebooks():
        for spot in book.spots.values():
            mine = BOOKS[book.id][spot.id]
            assert (mine.step, mine.worst) == (spot.step, spot.reserve), (book.id, spot.id)


@every(
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


def test_what_the_table_takes_from_a_box_may_leave_its_other_side_too_heavy() -> None:
    """Box 1 is within its differential until the whole table's cuts the Player bets there."""
    table, both = TableAudit(), ("player", "banker")
    table.setup, table.book = {"apportioning": "all"}, BOOKS["rws-commission"]
    table.terms = [Limit("differential", scope, both, 1000) for scope in ("table", "box")]
    lying = [(1, "A", "player", 4000), (1, "B", "banker", 5000)]
    lying += [(box, who, "player", 1000) for box, who in ((2, "C"), (3, "D"), (4, "E"))]
    bets = [Lying(*bet, 0, True, order) for order, bet in enumerate(lying)]
    table.bets = {bet.key: bet for bet in bets}

    cut = {who: stake for (_, who, _), stake in table._cut().items()}
    assert cut == {"A": 2665, "B": 3660, "C": 665, "D": 665, "E": 665}


@every(
    ("added", "kept"),
    [
        (0, {}),
        (100_000, {"C": 270_000}),
        (350_000, {"C": 0}),
        (420_010, {"C": 0, "B": 549_980}),
        (970_000, {"C": 0, "B": 0}),
    ],
)
def test_standing_bets_give_way_to_a_seated_one(added: int, kept: dict[str, int]) -> None:
    """A box of 1,000,000 with 30,000 of A, who sits, and 600,000 and 370,000 of B and C behind."""
    both = ("player", "banker")
    limits = [Limit("differential", "box", both, 1_000_000), Limit("minimum", "bet", both, 30_000)]
    behind = (("A", 30_000 + added), ("B", 600_000), ("C", 370_000))
    bets = [
        Lying(5, who, "banker", stake, 0, who == "A", order)
        for order, (who, stake) in enumerate(behind)
    ]

    found = gives_way(limits, bets, bets[0], 20)
    assert {who: stake for (_, who, _), stake in found.items()} == kept


@every(
    ("left", "said"),
    [(200, []), (199, ["ante_banker 50 of A in box 1 leaves 199, and Wagers will take 200"])],
)
def test_the_wagers_of_all_antes_are_reserved(left: int, said: list[str]) -> None:
    table = TableAudit()
    table.book, table.stacks = BOOKS["rws-knockout"], Counter(A=left)
    bets = [Lying(1, "A", spot, 50, 0, True, 0) for spot in ("ante_player", "ante_banker", "tie")]
    bets.append(Lying(1, "B", "ante_player", 50, 0, False, 0))
    table.bets = {bet.key: bet for bet in bets}

    table._can_continue(bets[1])
    assert table.found == said


def test_a_nine_at_cow_cow_pays_commission() -> None:
    coup = outcome(["9c", "Kc"], ["2d", "Kc"])
    net, commission = BOOKS["online-cow-cow"]["player"].pays(coup)

    assert [20 * net, 20 * commission] == [171, 9]
    assert [*BOOKS["online-cow-cow"]["banker"].pays(coup)] == [-9, 0]


def test_its_remedies_are_those_of_the_books() -> None:
    """Every kind, who decides, and when patrons are asked."""
    asks = {
        "never": Options.NEVER,
        "always": Options.ALWAYS,
        "undecided": Options.UNLESS_ESTABLISHED,
        "undecided or as they lie": Options.UNLESS_ESTABLISHED_AND_RECONSTRUCTABLE,
        "who decided on it": Options.WHO_DECIDED,
    }
    own = {kind: (one.decides, asks[one.choice]) for kind, one in REMEDIES.items()}

    for book in rulebooks():
        theirs = book.irregularities.items()
        found = {kind: (one.decides.value, one.options) for kind, one in theirs}
        if not book.open_cards:
            # Where nothing is decided on a card, nobody can have decided on it.
            assert found[MISREAD] == ("pit supervisor", Options.NEVER)
            found[MISREAD] = own[MISREAD]
        assert own == found


FULL = Counter(dict.fromkeys(RANKS, 32))
EVERYTHING = "player banker tie player_pair banker_pair"


@every(
    ("book", "player", "banker", "hidden", "found"),
    [
        ("rws-commission", "2h", "6c", "", ""),
        ("rws-commission", "2h 3s", "6c", "", "player_pair"),
        ("rws-commission", "2h 3s", "6c Kd", "", "player_pair banker_pair"),
        ("rws-commission", "2h 3s", "6c Kd", "0 1 2 3", ""),
        ("rws-commission", "2h 3s", "6c Kd", "1 3", "player_pair"),
        ("rws-commission", "9h Ks", "6c Kd", "", EVERYTHING),
        ("rws-commission", "9h Ks", "6c", "", "player_pair"),
        ("rws-commission", "9h Ks", "9c Kd", "", "tie player_pair banker_pair"),
        ("skycity-commission", "2h 3s", "6c", "", ""),
        ("skycity-commission", "9h Ks", "6c", "", ""),
        ("skycity-commission", "9h Ks", "6c Kd", "", "player banker tie"),
        ("skycity-commission", "2h 3s 4d", "7c Kd", "", "player banker tie"),
        ("online-cow-cow", "2h 3s", "6c Kd", "", ""),
        # The Banker has drawn and the Player has not: a king with a six or a seven is no pair.
        ("rws-commission", "Kh 7d", "4d Kc 7c", "1 2 3 4", "player_pair"),
        # Hands that lie against the order of dealing: the Banker has all to come.
        ("rws-commission", "5h 8c 2d", "", "", "player_pair"),
        ("rws-commission", "", "5h 8c", "", "banker_pair"),
    ],
)
def test_what_is_established(book: str, player: str, banker: str, hidden: str, found: str) -> None:
    hands = player.split(), banker.split()
    shown = set(range(len(hands[0]) + len(hands[1]))) - set(map(int, hidden.split()))

    assert established(BOOKS[book], BOOKS[book], hands, shown, FULL) == set(found.split())


def test_a_shoe_that_lacks_a_rank_may_decide_a_pair() -> None:
    """No two is left, so a Player with one on the first card has no pair any more."""
    left = FULL - Counter({"2": 32})
    book = BOOKS["rws-commission"]

    assert established(book, book, (["2h"], []), {0}, left) == {"player_pair"}


# --- tampering ------------------------------------------------------------------------------------


def each(journal: Journal, event: str) -> Iterator[Record]:
    return (record for record in journal if record["event"] == event)


def renumber(journal: Journal) -> None:
    for number, record in enumerate(journal):
        record["n"] = number


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
    renumber(journal)
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
                renumber(journal)
                return "accepted while bets are not open"
            break
    raise StopIteration


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


def option_to_too_few(journal: Journal) -> str:
    record = next(one for one in each(journal, "OptionsOffered") if len(one["patrons"]) > 1)
    record["patrons"].pop()
    return "a choice for"


def option_to_nobody(journal: Journal) -> str:
    journal.remove(next(each(journal, "OptionsOffered")))
    renumber(journal)
    return "where OptionsOffered should have come"


def option_too_late(journal: Journal) -> str:
    next(one for one in each(journal, "OptionChosen") if not one["by_system"])["at"] += 10**6
    return "chose at the wrong time"


def silence_goes_on(journal: Journal) -> str:
    next(one for one in each(journal, "OptionChosen") if one["by_system"])["continues"] = True
    return "said nothing and is made to go on"


def choice_keeps_a_bet(journal: Journal) -> str:
    next(one for one in each(journal, "BetsReturned") if one["returned"])["returned"].pop()
    return "did not return exactly the bets on the layout"


def too_few_cards_of_a_full_shoe(journal: Journal) -> str:
    reports = (one["incident"] for one in each(journal, "IncidentReported"))
    report = next(one for one in reports if one["kind"] == "foreign card" and not one["drawn"])
    report["kind"] = "insufficient cards"
    return "cards are there, and"


def power_cut_forgotten(journal: Journal) -> str:
    """It was reported while something else was wrong, and is not judged afterwards."""
    waits: set[str] = set()
    for record in journal:
        if record["event"] == "IncidentReported":
            incident = record["incident"]
            cut = incident["kind"] == INTERRUPTION and incident["by"] != SYSTEM
            if cut and record["source"] in waits:
                incident["kind"] = "other dealing error"
                return "while something was wrong"
            waits.add(record["source"])
        elif record["event"] == "IncidentResolved":
            waits.discard(record["source"])
    raise StopIteration


def gave_way(journal: Journal) -> Record:
    """The first standing bet that gave way to a seated patron's."""
    return next(one for one in each(journal, "BetWithdrawn") if one["cause"] == SEATED_FIRST)


def standing_bet_kept(journal: Journal) -> str:
    journal.remove(gave_way(journal))
    renumber(journal)
    return "should have given way down to"


def gave_way_too_far(journal: Journal) -> str:
    record = next(
        one
        for one in each(journal, "BetWithdrawn")
        if one["cause"] == SEATED_FIRST and one["left"] is not None
    )
    record["left"]["stake"] -= 20
    return "gave way down to"


def gave_way_under_another_clause(journal: Journal) -> str:
    gave_way(journal)["clause"] = "CB4 5.2"
    return "under CB4 5.2"


def squeezed_too_late(journal: Journal) -> str:
    """Somebody asks once more when every card of the round is out."""
    asked = next(each(journal, "SqueezeRequested"))
    after = journal[journal.index(asked) :]
    called = next(one for one in each(after, "ResultCalled") if one["source"] == asked["source"])
    journal.insert(journal.index(called) + 1, {**asked, "at": called["at"]})
    renumber(journal)
    return "may not squeeze"


def void_under_the_clause_of_an_excess_card(journal: Journal) -> str:
    kinds = {
        (one["source"], one["incident"]["number"]): one["incident"]["kind"]
        for one in each(journal, "IncidentReported")
    }
    record = next(
        one
        for one in each(journal, "IncidentResolved")
        if one["step"] == VOID and kinds[one["source"], one["number"]] == EXCESS
    )
    record["clause"] = "CB4 5.7"
    return "under CB4 5.7, should be"


def unlawful_step(journal: Journal) -> str:
    next(one for one in each(journal, "IncidentResolved") if one["step"] == VOID)["step"] = GO_ON
    return "are lawful"


def interruption_under_another_clause(journal: Journal) -> str:
    """A round that was never started is cancelled as if it had been."""
    record = next(one for one in each(journal, "IncidentResolved") if one["clause"] == "ONL E2")
    record["clause"] = "ONL E1"
    return "under ONL E1, should be ONL E2"


def no_ruling_although_somebody_could(journal: Journal) -> str:
    """The shift manager is at the table and is not asked."""
    record = next(one for one in each(journal, "IncidentResolved") if one["step"] == NO_RULING)
    earlier = [*each(journal[: journal.index(record)], "SignedOff")]
    here = [one for one in earlier if one["source"] == record["source"]]
    journal.remove([one for one in here if one["person"].endswith("-manager")][-1])
    renumber(journal)
    return "somebody was there who could rule"


def step_without_its_role(journal: Journal) -> str:
    record = next(one for one in each(journal, "IncidentResolved") if one["step"] == ORDER)
    record["by"] = record["by"].rpartition("-")[0] + "-dealer"
    return "who is no pit supervisor"


def step_without_a_reason(journal: Journal) -> str:
    next(one for one in each(journal, "IncidentResolved") if one["step"] == PLAY_ON)["reason"] = " "
    return "without a reason"


def incident_kept_quiet(journal: Journal) -> str:
    """A round is void, and nobody says what was wrong with it."""
    place = next(place for place, one in enumerate(journal) if one["event"] == "RoundVoided")
    source = journal[place]["source"]
    while journal[place]["event"] != "IncidentReported" or journal[place]["source"] != source:
        place -= 1
    del journal[place]
    renumber(journal)
    return "came of no lawful step"


def dealt_while_something_was_wrong(journal: Journal) -> str:
    """The step is missing, and the table goes on all the same."""
    for record in each(journal, "IncidentResolved"):
        place = journal.index(record)
        own = [one for one in journal[place + 1 :] if one["source"] == record["source"]]
        if own and own[0]["event"] in ("BetPlaced", "RoundOpened", "ResultCalled"):
            del journal[place]
            renumber(journal)
            return f"{own[0]['event']} while something was wrong"
    raise StopIteration


def corrected_by_a_unit(journal: Journal) -> str:
    record = next(one for one in each(journal, "SettlementCorrected") if one["bets"])
    record["bets"][0]["net"] += 1
    return ": net"


def correction_moves_a_unit_more(journal: Journal) -> str:
    record = next(one for one in each(journal, "SettlementCorrected") if one["entries"])
    record["entries"][-1]["amount"] += 1
    return "changed by"


def other_hands_than_the_tableau_deals(journal: Journal) -> str:
    record = next(
        one for one in each(journal, "CoupCorrected") if one["clause"] == "HOUSE misread card"
    )
    record["coup"]["player"], record["coup"]["banker"] = [], record["coup"]["player"]
    return "corrected to hands that nobody deals"


def kept_card_passed_over(journal: Journal) -> str:
    record = next(kept_and_dealt(journal))
    record["card"] = "9h" if record["card"] != "9h" else "9s"
    return "was kept and should have come before"


def kept_and_dealt(journal: Journal) -> Iterator[Record]:
    """Cards that were kept when something was resolved, and dealt in the ordinary course."""
    kept: Counter[str] = Counter()
    wrong: set[str] = set()
    for record in journal:
        source, event = record["source"], record["event"]
        if event == "IncidentReported":
            wrong.add(source)
        elif event == "IncidentResolved":
            wrong.discard(source)
        elif event == "CardsKept":
            kept[source] += len(record["cards"])
        elif event in ("ShoeEnded", "ShoeRemoved", "KeptCardsBurned"):
            kept[source] = 0
        elif event == "CardDealt" and kept[source]:
            kept[source] -= 1
            if source not in wrong:
                yield record


def burned_beside_the_ruling(journal: Journal) -> str:
    next(each(journal, "KeptCardsBurned"))["cards"].append("9h")
    return "burned"


def sealed_shoe_used_on(journal: Journal) -> str:
    record = next(each(journal, "ShoeRemoved"))
    source, name = record["source"], record["shoe"]
    later = journal[journal.index(record) :]
    next(one for one in each(later, "ShoeRegistered") if one["source"] == source)["shoe"] = name
    return "is sealed and came back"


def shoe_not_sealed(journal: Journal) -> str:
    """After a foreign card the shoe stays where it is."""
    record = next(one for one in each(journal, "ShoeRemoved") if one["clause"] == "CB4 5.5.1")
    journal.remove(record)
    renumber(journal)
    return "'ShoeRemoved']"


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
    renumber(journal)
    return "which is redeemed"


def excluded_patron_bets(journal: Journal) -> str:
    bet = next(
        one for one in each(journal, "BetPlaced") if one["bet"]["patron"].startswith("patron")
    )
    patron, at = bet["bet"]["patron"], bet["at"]
    barred = {"n": 0, "source": f"patron:{patron}", "event": "SelfExcluded"}
    journal.insert(0, {**barred, "until": at + 1, "at": 0, "entries": []})
    renumber(journal)
    return "while excluded"


def result_not_booked(journal: Journal) -> str:
    place = next(place for place, one in enumerate(journal) if one["event"] == "ResultBooked")
    del journal[place]
    renumber(journal)
    return "nobody booked"


def dealt_by_people(journal: Journal) -> Iterator[Record]:
    """Tables that people deal by a book which wants a dealer."""
    for one in each(journal, "TableOpened"):
        if one["setup"]["book"] in WANT_A_DEALER and one["setup"]["machine"] is None:
            yield one


def no_dealer_signed_on(journal: Journal) -> str:
    table = next(dealt_by_people(journal))["source"]
    for one in each(journal, "SignedOn"):
        if one["source"] == table and one["role"] == "dealer":
            one["role"] = "pit supervisor"
    return "no dealer was signed on"


def machine_instead_of_a_dealer(journal: Journal) -> str:
    next(dealt_by_people(journal))["setup"]["machine"] = "machine"
    return "a machine deals where the book wants a dealer"


def burn_too_short(journal: Journal) -> str:
    next(each(journal, "CardExposed"))["to_burn"] += 1
    return "burns"


def freed_by_the_house(journal: Journal) -> Record:
    return next(one for one in each(journal, "SeatLeft") if one.get("by") == SYSTEM)


def seat_freed_too_early(journal: Journal) -> str:
    table = freed_by_the_house(journal)["source"]
    for one in each(journal, "TableOpened"):
        if one["source"] == table:
            one["setup"]["seat_ms"] += 10**9
    return "was freed before its time"


def seat_freed_by_a_stranger(journal: Journal) -> str:
    freed_by_the_house(journal)["by"] = "nobody"
    return "nobody"


def seat_freed_under_a_bet(journal: Journal) -> str:
    place, bet = next(
        (place, one)
        for place, one in enumerate(journal)
        if one["event"] == "BetPlaced" and one["bet"]["seated"] and one["bet"]["box"]
    )
    left = {"patron": bet["bet"]["patron"], "box": bet["bet"]["box"], "at": bet["at"]}
    freed = {"n": 0, "source": bet["source"], "event": "SeatLeft", "entries": []}
    journal.insert(place + 1, {**freed, **left, "by": SYSTEM})
    renumber(journal)
    return "was freed under a bet"


def seat_of_an_excluded_patron(journal: Journal) -> str:
    taken = next(each(journal, "SeatTaken"))
    barred = {"n": 0, "source": f"patron:{taken['patron']}", "event": "SelfExcluded"}
    place = journal.index(taken) + 1
    journal.insert(place, {**barred, "until": 10**15, "at": taken["at"], "entries": []})
    renumber(journal)
    return "has a seat while excluded"


def money_at_a_full_table(journal: Journal) -> str:
    """Strangers take every seat before somebody buys in at a table without standing patrons."""
    opened = next(
        one
        for one in each(journal, "TableOpened")
        if one["setup"]["boxes"]
        and not one["setup"]["open_boxes"]
        and "sky" in one["setup"]["book"]
    )
    table, boxes = opened["source"], opened["setup"]["boxes"]
    first = next(one for one in each(journal, "BoughtIn") if one["table"] == table)
    place = journal.index(first)
    seat = {"n": 0, "source": table, "event": "SeatTaken", "at": first["at"], "entries": []}
    taken = [one["box"] for one in each(journal[:place], "SeatTaken") if one["source"] == table]
    for box in set(range(1, boxes + 1)) - {*taken}:
        journal.insert(place, {**seat, "patron": f"stranger-{box}", "box": box})
    renumber(journal)
    return "which is full"


def nonsense(journal: Journal) -> str:
    del next(each(journal, "BetPlaced"))["bet"]["stake"]
    return "makes no sense"


TAMPERINGS: list[Tampering] = [
    ante_kept_back,
    burned_beside_the_ruling,
    burn_too_short,
    card_changed,
    card_moved,
    choice_keeps_a_bet,
    commission_dropped,
    corrected_by_a_unit,
    correction_moves_a_unit_more,
    cut_left_out,
    dealt_while_something_was_wrong,
    doubled_transfer,
    excluded_patron_bets,
    gave_way_too_far,
    gave_way_under_another_clause,
    incident_kept_quiet,
    interruption_under_another_clause,
    kept_card_passed_over,
    larger_transfer,
    late_bet,
    lost_transfer,
    machine_instead_of_a_dealer,
    missing_bet,
    missing_record,
    money_at_a_full_table,
    no_dealer_signed_on,
    no_ruling_although_somebody_could,
    nonsense,
    off_its_step,
    option_to_nobody,
    option_to_too_few,
    option_too_late,
    other_hands_than_the_tableau_deals,
    result_not_booked,
    sealed_shoe_used_on,
    seat_freed_by_a_stranger,
    seat_freed_too_early,
    seat_freed_under_a_bet,
    seat_of_an_excluded_patron,
    settled_twice,
    settlement_left_out,
    shoe_not_sealed,
    silence_goes_on,
    squeezed_too_late,
    standing_bet_kept,
    step_without_a_reason,
    step_without_its_role,
    too_few_cards_of_a_full_shoe,
    power_cut_forgotten,
    unlawful_step,
    void_by_a_dealer,
    void_keeps_a_bet,
    void_under_the_clause_of_an_excess_card,
    voucher_paid_twice,
    wager_too_small,
    wrong_balance,
    wrong_net,
    wrong_road,
    wrong_stack,
    wrong_winner,
]


@every("tamper", TAMPERINGS, ids=lambda one: one.__name__)
def test_tampering_is_found(tamper: Tampering) -> None:
    """Each change is found, and the finding says what it is."""
    for seed in SEEDS:
        copy = journal(seed)
        try:
            said = tamper(copy)
        except StopIteration:
            # Nothing of the kind happened that night.
            continue
        findings = [str(one) for one in audit(copy)]
        assert any(said in one for one in findings), findings[:5]
        return
    raise AssertionError("it happened on none of these nights")


# --- tampering with terminals ---------------------------------------------------------------------


def is_account(added: Record) -> bool:
    return bool(added["by"] == added["terminal"])


def devices_added(journal: Journal) -> list[Record]:
    return [one for one in each(journal, "TerminalAdded") if not is_account(one)]


def accounts_added(journal: Journal) -> list[Record]:
    return [one for one in each(journal, "TerminalAdded") if is_account(one)]


def come_back(journal: Journal) -> Iterator[Record]:
    """Devices that came back to the table where they had been."""
    known: set[tuple[str, str]] = set()
    for one in devices_added(journal):
        if (one["source"], one["terminal"]) in known:
            yield one
        known.add((one["source"], one["terminal"]))


def put(journal: Journal, place: Record, kind: str, before: bool = False, **what: Any) -> None:
    """Something more happens just after a record, or just before it."""
    new = {"source": place["source"], "at": place["at"], "entries": [], "event": kind}
    # A record may have a twin, so it is looked for by what it is.
    number = next(number for number, one in enumerate(journal) if one is place)
    journal.insert(number + (not before), {**new, **what})
    renumber(journal)


def take(journal: Journal, gone: Record) -> None:
    """Something never happened."""
    journal.remove(gone)
    renumber(journal)


def pit_of(record: Record) -> str:
    return f"{record['source']}-supervisor"


def locked_before(journal: Journal, event: str, patron: Callable[[Record], str]) -> str:
    """The pit locks a device just before it is used."""
    used = next(one for one in each(journal, event) if patron(one).startswith("device"))
    what = {"terminal": patron(used), "reason": "noise", "by": pit_of(used)}
    put(journal, used, "TerminalLocked", before=True, **what)
    return f"{event} at {patron(used)}, which is locked"


def number_given_twice(journal: Journal) -> str:
    first = next(iter(devices_added(journal)))
    other = next(
        one
        for one in devices_added(journal)
        if one["source"] == first["source"] and one["terminal"] != first["terminal"]
    )
    other["number"] = first["number"]
    return f"{other['terminal']} is number {first['number']}, as {first['terminal']} is"


def number_below_one(journal: Journal) -> str:
    one = devices_added(journal)[0]
    one["number"] = 0
    return f"{one['terminal']} is number 0"


def another_number_for_an_old_device(journal: Journal) -> str:
    back = next(come_back(journal))
    back["number"] += 50
    return f"{back['terminal']} came back as {back['number']}"


def accounts_counted_with_devices(journal: Journal) -> str:
    added = accounts_added(journal)[2]
    added["number"] += 1
    return f"the terminal of {added['terminal']} is {added['number']}"


def removed_with_credit(journal: Journal) -> str:
    filled = next(one for one in each(journal, "StackFilled") if one["patron"].startswith("device"))
    what = {"terminal": filled["patron"], "by": pit_of(filled)}
    put(journal, filled, "TerminalRemoved", **what)
    return f"{filled['patron']} was taken away with {filled['amount']}"


def removed_under_a_bet(journal: Journal) -> str:
    placed = next(
        one for one in each(journal, "BetPlaced") if one["bet"]["patron"].startswith("device")
    )
    what = {"terminal": placed["bet"]["patron"], "by": pit_of(placed)}
    put(journal, placed, "TerminalRemoved", **what)
    return f"{placed['bet']['patron']} was taken away with"


def removed_by_a_dealer(journal: Journal) -> str:
    removed = next(each(journal, "TerminalRemoved"))
    removed["by"] = f"{removed['source']}-dealer"
    return "TerminalRemoved by table-"


def added_by_a_stranger(journal: Journal) -> str:
    devices_added(journal)[1]["by"] = "nobody"
    return "TerminalAdded by nobody, who is no pit supervisor"


def never_added(journal: Journal) -> str:
    removed = next(each(journal, "TerminalRemoved"))
    name = removed["terminal"]
    at = [one for one in devices_added(journal) if one["source"] == removed["source"]]
    take(journal, next(one for one in at if one["terminal"] == name))
    return f"TerminalRemoved of {name}, which does not stand here"


def bet_at_a_locked_terminal(journal: Journal) -> str:
    return locked_before(journal, "BetPlaced", lambda one: str(one["bet"]["patron"]))


def bet_taken_back_at_a_locked_terminal(journal: Journal) -> str:
    return locked_before(journal, "BetWithdrawn", lambda one: str(one["bet"]["patron"]))


def money_off_a_locked_terminal(journal: Journal) -> str:
    return locked_before(journal, "StackEmptied", lambda one: str(one["patron"]))


def money_onto_a_locked_terminal(journal: Journal) -> str:
    """The lock is put where the table's own log has it, before the cage loads the terminal."""
    loaded = next(one for one in each(journal, "TerminalLoaded") if "device" in one["terminal"])
    name, table = loaded["terminal"], loaded["table"]
    what = {"source": table, "terminal": name, "reason": "noise", "by": f"{table}-supervisor"}
    put(journal, loaded, "TerminalLocked", before=True, **what)
    return f"{name} is loaded while locked"


def locked_twice(journal: Journal) -> str:
    lock = next(each(journal, "TerminalLocked"))
    put(
        journal,
        lock,
        "TerminalLocked",
        **{name: lock[name] for name in ("terminal", "reason", "by")},
    )
    return f"{lock['terminal']} was locked twice"


def lock_forgotten(journal: Journal) -> str:
    unlock = next(each(journal, "TerminalUnlocked"))
    name, table = unlock["terminal"], unlock["source"]
    locks = (one for one in each(journal, "TerminalLocked") if one["source"] == table)
    take(journal, next(one for one in locks if one["terminal"] == name))
    return f"{name} was unlocked and not locked"


def unlocked_by_a_dealer(journal: Journal) -> str:
    unlock = next(each(journal, "TerminalUnlocked"))
    unlock["by"] = f"{unlock['source']}-dealer"
    return "who is no pit supervisor"


def locked_without_a_reason(journal: Journal) -> str:
    next(each(journal, "TerminalLocked"))["reason"] = ""
    return "was locked without a reason"


def attendant_called_twice(journal: Journal) -> str:
    called = next(each(journal, "AttendantCalled"))
    put(journal, called, "AttendantCalled", terminal=called["terminal"])
    return f"{called['terminal']} called an attendant twice"


def attendant_came_twice(journal: Journal) -> str:
    came = next(each(journal, "AttendantCame"))
    put(journal, came, "AttendantCame", terminal=came["terminal"], by=came["by"])
    return f"{came['terminal']} had called no attendant"


def attendant_who_is_no_staff(journal: Journal) -> str:
    next(each(journal, "AttendantCame"))["by"] = "nobody"
    return "AttendantCame by nobody, who is no dealer"


def other_table(record: Record) -> str:
    return "table-1" if record["source"] != "table-1" else "table-2"


def device_at_two_tables(journal: Journal) -> str:
    added, name = devices_added(journal)[0], other_table(devices_added(journal)[0])
    what = {"source": name, "terminal": added["terminal"], "number": 99, "by": f"{name}-supervisor"}
    put(journal, added, "TerminalAdded", **what)
    return f"{added['terminal']} stands at {added['source']} too"


def device_not_taken_along(journal: Journal) -> str:
    """It moves to the other table, and is still at the first one."""
    stands: dict[str, Record] = {}
    for one in [*journal]:
        if one["event"] == "TerminalRemoved":
            stands[one["terminal"]] = one
        elif one["event"] == "TerminalAdded" and one["terminal"] in stands:
            removed = stands.pop(one["terminal"])
            if removed["source"] != one["source"]:
                take(journal, removed)
                return f"{one['terminal']} stands at {removed['source']} too"
    raise StopIteration


def terminal_without_money(journal: Journal) -> str:
    added = accounts_added(journal)[0]
    filled = next(one for one in journal[added["n"] :] if one["event"] == "StackFilled")
    take(journal, filled)
    return "where StackFilled should have come"


def money_without_a_terminal(journal: Journal) -> str:
    added = accounts_added(journal)[0]
    take(journal, added)
    return f"{added['terminal']} has credit and no terminal"


def second_terminal_of_an_account(journal: Journal) -> str:
    filled = next(one for one in each(journal, "StackFilled") if one["patron"].startswith("patron"))
    who = filled["patron"]
    put(journal, filled, "TerminalAdded", terminal=who, number=2, by=who)
    return f"{who} gets another terminal"


def meter_set(journal: Journal) -> str:
    over = next(one for one in each(journal, "RoundOver") if one["terminals"])
    name = next(iter(over["terminals"]))
    over["terminals"][name]["paid_in"] += 1
    return f"terminal {name} is"


def meter_of_rounds_reset(journal: Journal) -> str:
    played = (one for over in each(journal, "RoundOver") for one in over["terminals"].values())
    next(one for one in played if one["rounds"])["rounds"] = 0
    return "should be {'number'"


def terminal_left_out(journal: Journal) -> str:
    over = next(one for one in each(journal, "RoundOver") if one["terminals"])
    name, _ = over["terminals"].popitem()
    return f"terminal {name} is None"


def bet_at_a_device_never_placed(journal: Journal) -> str:
    """What is settled there changes the credit, and was never taken from it."""
    bets = [one["bet"] for record in each(journal, "RoundSettled") for one in record["bets"]]
    lay = [bet for bet in bets if bet["patron"].startswith("device")]
    placed = (one for one in each(journal, "BetPlaced") if one["before"] is None)
    gone = next(one for one in placed if one["bet"] in lay)
    take(journal, gone)
    return f"the meters of {gone['bet']['patron']} come to"


def void_keeps_a_bet_of_a_device(journal: Journal) -> str:
    for record in each(journal, "RoundVoided"):
        for bet in record["returned"]:
            if bet["patron"].startswith("device"):
                record["returned"].remove(bet)
                return f"the meters of {bet['patron']} come to"
    raise StopIteration


def loaded_past_the_cage(journal: Journal) -> str:
    entries = next(one for one in each(journal, "TerminalLoaded") if one["patron"])["entries"]
    first = entries.pop(0)
    entries[0]["debit"] = first["debit"]
    return "TerminalLoaded past the cage"


def unloaded_past_the_cage(journal: Journal) -> str:
    entries = next(one for one in each(journal, "TerminalUnloaded") if one["patron"])["entries"]
    last = entries.pop()
    entries[0]["credit"] = last["credit"]
    return "TerminalUnloaded past the cage"


def paid_to_somebody_else(journal: Journal) -> str:
    next(one for one in each(journal, "TerminalUnloaded") if one["patron"])["patron"] = "patron-99"
    return "wallet:patron-99 changed by 0"


def loaded_where_it_is_not(journal: Journal) -> str:
    loaded = next(each(journal, "TerminalLoaded"))
    loaded["terminal"] = "device-99"
    return "TerminalLoaded of device-99, which is no terminal of"


def loaded_by_an_excluded_patron(journal: Journal) -> str:
    loaded = next(one for one in each(journal, "TerminalLoaded") if one["patron"])
    what = {"source": f"patron:{loaded['patron']}", "until": loaded["at"] + 1}
    put(journal, loaded, "SelfExcluded", before=True, **what)
    return f"{loaded['patron']}: TerminalLoaded while excluded"


def device_with_a_wallet(journal: Journal) -> str:
    """What was taken off in cash goes to an account that nobody has."""
    unloaded = next(one for one in each(journal, "TerminalUnloaded") if not one["patron"])
    name = unloaded["terminal"]
    unloaded["event"], unloaded["patron"] = "CashedOut", name
    unloaded["entries"][0]["credit"] = f"wallet:{name}"
    return f"device {name} has a wallet"


def device_with_the_name_of_an_account(journal: Journal) -> str:
    added = devices_added(journal)[0]
    what = {"source": f"patron:{added['terminal']}"}
    put(journal, added, "SessionStarted", before=True, **what)
    return f"{added['terminal']} is a device and an account"


def result_booked_for_a_device(journal: Journal) -> str:
    settled = next(
        one
        for one in each(journal, "RoundSettled")
        if any(bet["bet"]["patron"].startswith("device") for bet in one["bets"])
    )
    names = [bet["bet"]["patron"] for bet in settled["bets"]]
    name = next(one for one in names if one.startswith("device"))
    put(journal, settled, "ResultBooked", source=f"patron:{name}", net=100)
    return f"{name} booked 100, should be []"


AT_TERMINALS: list[Tampering] = [
    accounts_counted_with_devices,
    added_by_a_stranger,
    another_number_for_an_old_device,
    attendant_called_twice,
    attendant_came_twice,
    attendant_who_is_no_staff,
    bet_at_a_device_never_placed,
    bet_at_a_locked_terminal,
    bet_taken_back_at_a_locked_terminal,
    device_at_two_tables,
    device_not_taken_along,
    device_with_a_wallet,
    device_with_the_name_of_an_account,
    loaded_by_an_excluded_patron,
    loaded_past_the_cage,
    loaded_where_it_is_not,
    lock_forgotten,
    locked_twice,
    locked_without_a_reason,
    meter_of_rounds_reset,
    meter_set,
    money_off_a_locked_terminal,
    money_onto_a_locked_terminal,
    money_without_a_terminal,
    never_added,
    number_below_one,
    number_given_twice,
    paid_to_somebody_else,
    removed_by_a_dealer,
    removed_under_a_bet,
    removed_with_credit,
    result_booked_for_a_device,
    second_terminal_of_an_account,
    terminal_left_out,
    terminal_without_money,
    unloaded_past_the_cage,
    unlocked_by_a_dealer,
    void_keeps_a_bet_of_a_device,
]


@every("tamper", AT_TERMINALS, ids=lambda one: one.__name__)
def test_tampering_with_terminals_is_found(tamper: Tampering) -> None:
    copy: Journal = json.loads(written_at_terminals())
    said = tamper(copy)
    findings = [str(one) for one in audit(copy)]
    assert any(said in one for one in findings), findings[:5]


def test_it_knows_where_a_card_comes_whatever_lies_where() -> None:
    """Also where the other hand has too many cards, because one went to the wrong side."""
    cards = [f"{rank}h" for rank in "A234"]
    for player, banker in product(range(4), repeat=2):
        found = TableAudit()
        found.player, found.banker = cards[:player], cards[:banker]
        coup = Coup(tuple(map(Card.parse, found.player)), tuple(map(Card.parse, found.banker)))

        places = [found._next_place(side.value) for side in Side]

        numbers = {Side.PLAYER: player, Side.BANKER: banker}
        assert places == [coup.place(side, numbers[side]) for side in Side]
