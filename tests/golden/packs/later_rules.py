"""Packs and forgeries about rules that came later than the first logs.

A rule that is stricter than before, or does more, is switched on by the rulebook. So a log of
a book that does not say so is judged by the former rule, and one of a book that does by the
new one: both verifiers must know both.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cutcard.pack.croupier import DEALER, SUPERVISOR, Croupier
from cutcard.round import commands as rounds
from cutcard.rulebooks import load
from cutcard.rules.coup import Side
from cutcard.rules.reading import read
from cutcard.rules.rulebook import Rulebook
from cutcard.table import commands as ask
from cutcard.table.incident import MISCOUNT, SYSTEM, Step
from cutcard.table.seats import kept_until
from tests.golden.packs.by_hand import SEED, ByHand
from tests.pack.tampering import place_of

if TYPE_CHECKING:
    from tests.golden.packs.make import Tampering

Pack = dict[str, Any]


def seats() -> Croupier:
    """CB4 on terminals, face down: a standing bet gives way to a seated one, third cards are
    squeezed, a card too many voids a round under way and one that was settled, and a shoe that
    is short leaves play."""
    table = ByHand(load("rws-commission"), SEED, "cb4-7")
    table.open({"ann": 3_000_000, "ben": 3_000_000, "cho": 3_000_000}, face_down=True)
    table.new_shoe("green 1")

    table.in_round(rounds.OpenRound(0, None, table.tick(20)))
    table.place("ann", 1, "banker", 30_000)
    table.place("ben", 1, "banker", 500_000)
    table.place("cho", 1, "banker", 470_000)
    table.place("ann", 1, "banker", 100_000)
    table.place("ann", 1, "banker", 385_000)
    table.in_round(rounds.CloseBets(table.tick(5)))
    table.deal_cards("2h 3d Kh")
    squeeze(table, Side.BANKER)
    table.deal_cards("Kd")
    table.do(ask.OpenCards(DEALER, table.tick()))
    squeeze(table, Side.PLAYER)
    table.deal_cards("5s")
    table.do(ask.OpenCards(DEALER, table.tick()))
    squeeze(table, Side.BANKER, granted=False)
    table.deal_cards("4c")
    table.settle()

    bets = {"ann": {"banker": 40_000}, "ben": {"player": 60_000}}
    table.bet(bets)
    table.deal_cards("6h 6c Ks Kd")
    table.deal_cards("9s")
    table.do(ask.Resolve(Step.VOID, SUPERVISOR, table.tick(), "swept together"))
    table.bet(bets)
    table.deal_cards("9s 2c Qd 3c")
    table.settle()
    table.deal_cards("8d")
    table.do(ask.Resolve(Step.VOID, SUPERVISOR, table.tick(), "nobody knows which came first"))

    table.bet(bets)
    table.deal_cards("8d 2d")
    short(table)
    return table


KEEP = 60
"""Seconds of play for which the table of `freed` keeps a seat."""


def freed() -> Croupier:
    """SkyCity, where a seat is kept for a minute of play: a patron loses one, another is asked to
    leave by the dealer, and no time counts between rounds or while something is put right."""
    table = ByHand(load("skycity-commission"), SEED, "sky-2")
    stacks = dict.fromkeys(("ann", "ben", "cho", "dev"), 500_000)
    table.open(stacks, boxes=4, seat_ms=KEEP * 1000)
    table.new_shoe("blue 1")

    table.bet({"ann": {"banker": 40_000}, "ben": {"player": 60_000}})
    table.deal_cards("8d 2d")
    table.do(ask.Report("foreign card", DEALER, table.tick(), note="a joker"))
    table.do(ask.Resolve(Step.VOID, SUPERVISOR, table.tick(600)))
    table.tick(300)
    table.new_shoe("blue 2")
    table.in_round(rounds.OpenRound(0, None, table.tick()))
    table.place("ann", 1, "banker", 40_000)
    table.do(ask.FreeSeat(4, DEALER, table.tick()))
    free(table, 3)
    table.do(ask.LeaveSeat("ben", table.tick()), ask.TakeSeat("ben", 3, table.tick()))
    table.in_round(rounds.CloseBets(table.tick(5)))
    table.deal_cards("9s 2c Qd 3c")
    table.settle()
    table.in_round(rounds.OpenRound(0, None, table.tick(100)))
    free(table, 3)
    free(table, 1)
    return table


def free(table: Croupier, box: int) -> None:
    """The house frees a seat as soon as it may."""
    until = kept_until(table.log.table, box)
    assert until is not None, "its time runs"
    table.at = max(table.at, until)
    table.do(ask.FreeSeat(box, SYSTEM, table.at))


def squeeze(table: Croupier, side: Side, granted: bool = True) -> None:
    table.do(
        ask.RequestSqueeze("ann", side, table.tick()),
        ask.AnswerSqueeze("ann", granted, DEALER, table.tick()),
    )


def short(table: Croupier) -> None:
    """Somebody finds a card of the shoe on the floor."""
    table.do(
        ask.Report(MISCOUNT, DEALER, table.tick(), note="a card lies on the floor"),
        ask.Resolve(Step.VOID, SUPERVISOR, table.tick()),
    )


def silent() -> Croupier:
    """Knockout by a book that says nothing of shoes and funds, as all once were: a shoe that was
    short stays, and each Wager is reserved by itself."""
    table = ByHand(former(load("rws-knockout")), SEED, "ko-4")
    table.open({"ann": 10_000, "ben": 50_000}, decks=4, reserve_second=True)
    table.new_shoe("grey 1")
    table.bet({"ann": {"ante_player": 2_500, "ante_banker": 2_500}, "ben": {"tie": 2_500}})
    table.deal_cards("9h")
    short(table)
    table.bet({"ann": {"ante_player": 3_000, "player": 7_000}, "ben": {"ante_banker": 2_500}})
    table.deal_cards("2h")
    table.do(ask.Report("foreign card", DEALER, table.tick(), note="a joker"))
    table.do(ask.Resolve(Step.VOID, SUPERVISOR, table.tick()))
    return table


def former(book: Rulebook) -> Rulebook:
    """A book as it was before it said anything of these rules."""
    document: Any = json.loads(json.dumps(deepcopy(dict(book.written))))
    for one in document["irregularity"]:
        one.pop("shoe", None)
    for one in document["spot"].values():
        one.get("stage", {}).pop("funds", None)
    return read(document, book.source, dict.fromkeys(book.cited))


def packs() -> dict[str, Pack]:
    return {
        "seats-table": seats().table_pack(),
        "freed-seats-table": freed().table_pack(),
        "silent-book-table": silent().table_pack(),
    }


# --- forgeries ------------------------------------------------------------------------------------


def with_seats(to: "Tampering") -> None:
    """Seats, squeezes and shoes against the rules; the house has its key."""
    who, pack = "house", "seats-table"

    def forge(does: str, changed: list[Any], finds: str) -> None:
        to.add(who, does, pack, changed, finds, forged=True)

    good = to.good[pack]
    gave_way = ["records", place_of(good, "BetWithdrawn")]
    forge("keeps a standing bet that had to give way", [["remove", gave_way]], "bet/missing")
    left = [*gave_way, "record", "event", "left", "stake"]
    forge("gives back less than had to give way", [["set", left, 400_000]], "bet/differs")
    cause = [*gave_way, "record", "event", "cause"]
    forge("says that the patron took it back", [["set", cause, "withdrawn"]], "bet/differs")
    asked = good["records"][place_of(good, "SqueezeRequested")]
    late = deepcopy(asked)
    called = place_of(good, "ResultCalled")
    late["record"]["event"]["at"] = good["records"][called]["record"]["event"]["at"]
    put = [["insert", ["records", called], late]]
    forge("lets somebody ask to squeeze when every card is out", put, "cards/refused")
    removed = ["records", place_of(good, "ShoeRemoved")]
    forge("plays on with a shoe that is short", [["remove", removed]], "burn/missing")


def with_freed_seats(to: "Tampering") -> None:
    """Seats that come free against the rules; the house has its key."""
    who, pack = "house", "freed-seats-table"

    def forge(does: str, changed: list[Any], finds: str) -> None:
        to.add(who, does, pack, changed, finds, forged=True)

    good = to.good[pack]
    by_staff, by_time = ["records", place_of(good, "SeatLeft")], place_of(good, "SeatLeft", 1)
    at = ["records", by_time, "record", "event", "at"]
    when = good["records"][by_time]["record"]["event"]["at"]
    forge("frees a seat a millisecond early", [["set", at, when - 1]], "seat/refused")
    person = [*by_staff, "record", "event", "by"]
    forge("frees a seat by a patron", [["set", person, "ann"]], "seat/refused")
    forge("frees a seat before its time in its own name", [["set", person, SYSTEM]], "seat/refused")
    box = [*by_staff, "record", "event", "box"]
    under = [["set", box, 1], ["set", [*by_staff, "record", "event", "patron"], "ann"]]
    forge("frees a seat under a bet", under, "seat/refused")
    forge("says that another patron had the seat", [under[1]], "seat/differs")
    standing = max(
        place for place, one in enumerate(good["records"]) if "standing" in one["record"]
    )
    idle = ["records", standing, "record", "standing", "idle", "3"]
    forge("has a patron idle for longer", [["set", idle, 59_000]], "standing/differs")


def with_lenient_books(to: "Tampering") -> None:
    """Logs that a house wrote from the beginning by the former rules of another book."""

    def forge(
        does: str, pack: str, finds: str, book: Rulebook, play: Callable[[ByHand], None]
    ) -> None:
        good = to.good[pack]
        table = ByHand(book, SEED, good["table"])
        play(table)
        forged: Pack = json.loads(json.dumps(table.table_pack()))
        changed = [["set", [name], forged[name]] for name in good if forged[name] != good[name]]
        to.add("house", does, pack, changed, finds)

    def too_dear(table: ByHand) -> None:
        table.open({"ann": 10_000}, decks=4, reserve_second=True)
        table.new_shoe("grey 1")
        table.bet({"ann": {"ante_player": 2_500, "ante_banker": 2_500}})

    def not_sealed(table: ByHand) -> None:
        table.open({"ann": 3_000_000})
        table.new_shoe("green 1")
        table.bet({"ann": {"banker": 40_000}})
        table.deal_cards("8d 2d")
        short(table)

    forge(
        "takes a second Ante whose Wager the patron cannot pay",
        "silent-book-table",
        "bet/refused",
        lenient(load("rws-knockout")),
        too_dear,
    )
    forge(
        "keeps a shoe in play that its book takes away",
        "seats-table",
        "burn/missing",
        lenient(load("rws-commission")),
        not_sealed,
    )


def lenient(book: Rulebook) -> Rulebook:
    """A book that is played by the former rules, whatever it says."""
    silent = {id: replace(one, shoe=None) for id, one in book.irregularities.items()}
    spots = {
        id: replace(one, stage=one.stage and replace(one.stage, funds_together=False))
        for id, one in book.spots.items()
    }
    return replace(book, irregularities=silent, spots=spots)
