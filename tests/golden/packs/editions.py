"""Packs of tables that keep editions of the house's own rules, and forgeries.

Tables without an edition are in the other packs: both verifiers must know both.
"""

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from cutcard.pack.croupier import DEALER, SUPERVISOR
from cutcard.pack.export import export_table
from cutcard.round import commands as rounds
from cutcard.round.terms import Entry
from cutcard.rulebooks import load
from cutcard.rules.cards import Card
from cutcard.rules.coup import Side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.table import commands as ask
from cutcard.table import setup
from cutcard.table.incident import SYSTEM
from cutcard.table.setup import EDITION
from tests.golden.packs.by_hand import SEED, ByHand
from tests.golden.packs.later_rules import squeeze
from tests.golden.packs.terminals import Forger

if TYPE_CHECKING:
    from tests.golden.packs.make import Tampering

Pack = dict[str, Any]
WHOLE = 4 * 52
FIRST = 1
SEAT_MS = 60_000


def boxes() -> ByHand:
    """CB4, face down, out of a continuous shuffler: a patron asks for both sides and for a third
    card, another takes every bet back, and the shuffler is counted with every card back in it."""
    table = ByHand(load("rws-commission"), SEED, "cb4-9")
    choices = {"decks": 4, "continuous": True, "face_down": True, "seat_ms": SEAT_MS}
    table.open({"ann": 1_000_000, "ben": 1_000_000}, edition=FIRST, **choices)
    table.register("shuffler 3", "continuous")
    table.do(ask.BurnCard(Card.parse("As"), DEALER, table.tick()))
    table.do(ask.BurnCard(None, DEALER, table.tick()))
    table.in_round(rounds.OpenRound(0, None, table.tick(20)))
    table.place("ann", 1, "banker", 40_000)
    table.place("ben", 2, "player", 30_000)
    table.tick(SEAT_MS // 1000)
    table.in_round(rounds.WithdrawBet("ben", 2, "player", table.tick(), None), "ben")
    table.in_round(rounds.CloseBets(table.tick(5)))
    for side in (Side.PLAYER, Side.BANKER):
        table.do(ask.RequestSqueeze("ann", side, table.tick()))
    for granted in (True, False):
        table.do(ask.AnswerSqueeze("ann", granted, DEALER, table.tick()))
    table.deal_cards("6h 5c Ks Kd")
    table.do(ask.OpenCards(DEALER, table.tick()))
    squeeze(table, Side.BANKER)
    table.deal_cards("4c")
    table.settle()
    table.do(ask.EndShoe(WHOLE, DEALER, table.tick()))
    return table


def without_boxes() -> ByHand:
    """The electronic table, at which no chips lie."""
    table = ByHand(load("rws-non-commission-etg"), SEED, "etg-9")
    table.open({"ann": 1_000_000}, edition=FIRST)
    table.new_shoe("white 1")
    table.in_round(rounds.OpenRound(0, None, table.tick(20)))
    table.place("ann", 0, "banker", 40_000)
    table.in_round(rounds.CloseBets(table.tick(5)))
    table.deal_cards("6h 5c Ks Kd 4c")
    table.settle()
    return table


def becoming_electronic() -> ByHand:
    """A table that is played by the book of the electronic one: credit there gets terminals."""
    table = ByHand(load("skycity-commission"), SEED, "sky-9")
    table.open({"eve": 50_000, "ann": 50_000, "zoë": 50_000}, edition=FIRST)
    table.new_shoe("green 1")
    table.do(ask.AnnounceClosing(1, SUPERVISOR, table.tick()))
    table.bet({"ann": {"banker": 2_000}})
    table.deal_cards("9s 2c Qd 3c")
    table.settle()
    table.do(ask.EmptyStack("eve", 50_000, table.tick()))
    table.do(ask.CloseTable(SUPERVISOR, table.tick()))
    table.book = load("rws-non-commission-etg")
    arranged = setup(table.book, table.log.name, edition=FIRST, helpline="1800 858 858")
    table.do(ask.OpenTable(arranged, SUPERVISOR, table.tick()))
    table.in_round(rounds.OpenRound(0, None, table.tick(20)))
    table.place("zoë", 0, "player", 5_000)
    table.in_round(rounds.CloseBets(table.tick(5)))
    table.deal_cards("2h 8c Td 7d Jc")
    table.settle()
    return table


def boxes_first() -> ByHand:
    """The second edition: a dealer rejects the excess of a box and of the whole table at once."""
    table = ByHand(load("rws-commission"), SEED, "cb4-10")
    scope = {"box": Scope.BOX, "table": Scope.TABLE}
    limits = tuple(
        Limit(Kind.DIFFERENTIAL, scope[one], ("player", "banker"), amount, "CB4 5.1")
        for one, amount in (("table", 2_000), ("box", 1_000))
    )
    stacks = {"ann": 1_000_000, "ben": 1_000_000, "cho": 1_000_000}
    table.open(stacks, edition=2, entry=Entry.WARN, limits=limits)
    table.new_shoe("white 2")
    table.in_round(rounds.OpenRound(0, None, table.tick(20)))
    for box, name in enumerate(("ann", "ben", "cho"), start=1):
        table.place(name, box, "banker", 1_020 if name == "ann" else 800)
    table.in_round(rounds.RejectExcess(None, DEALER, table.tick(5)), DEALER)
    table.in_round(rounds.CloseBets(table.tick(5)))
    table.deal_cards("6h 5c Ks Kd 4c")
    table.settle()
    return table


def packs() -> dict[str, Pack]:
    log, first = (table := becoming_electronic()).log, load("skycity-commission")
    electronic = export_table(log.name, log.entries, log.heads, [first, table.book])
    return {
        "edition-table": boxes().table_pack(),
        "open-edition-table": without_boxes().table_pack(),
        "electronic-edition-table": electronic,
        "second-edition-table": boxes_first().table_pack(),
    }


def forgeries(to: "Tampering") -> None:
    """What each edition forbids; the house has its key."""
    table, open_ = Forger(to, "edition-table"), Forger(to, "open-edition-table")
    asked, answered = table.place("SqueezeRequested", 2), table.place("SqueezeAnswered", 2)
    side = [["set", [*table.at(kind, which=2), "side"], "player"] for kind in SQUEEZES]
    table.forge("lets a patron squeeze a card that never comes", side, "cards/refused")
    dealt = table.good["records"][answered + 1]
    moved = [["remove", ["records", answered]], ["insert", ["records", answered], dealt]]
    late = deepcopy(table.good["records"][answered])
    late["record"]["event"]["at"] = dealt["record"]["event"]["at"]
    moved += [["remove", ["records", answered + 1]], ["insert", ["records", answered + 1], late]]
    table.forge("grants a squeeze of a card that is there", moved, "cards/refused")
    assert answered == asked + 1, "it is answered at once"
    ended = table.at("ShoeEnded")
    fewer = [["set", [*ended, "left"], WHOLE - 1]]
    table.forge("calls a count right that is one card short", fewer, "burn/differs")

    first = [["set", [*table.at("SqueezeAnswered"), "side"], "banker"]]
    table.forge("answers for the side that was asked for second", first, "cards/differs")
    place = table.place("BetsClosed")
    freed = table.before(place, "SeatLeft", patron="ben", box=2, by=SYSTEM)
    table.forge("frees a seat at once when its bet is taken back", freed, "seat/refused")
    newer = [["set", [*table.at("TableOpened"), "setup", "edition"], EDITION + 1]]
    table.forge("keeps rules of the house that nobody knows", newer, "table/refused")

    place = open_.place("ResultCalled")
    bet = open_.good["records"][open_.place("BetPlaced")]["record"]["event"]["bet"]
    taken = open_.before(place, "ChipsRemoved", bet=bet, by=DEALER, clause=None)
    open_.forge("takes chips off a table where none lie", taken, "bet/refused")

    limited = [["set", [*open_.at("TableOpened"), "setup", "limits", 0, "scope"], "box"]]
    open_.forge("lets all patrons share a limit per box", limited, "table/refused")
    electronic = Forger(to, "electronic-edition-table")
    place = electronic.place("TerminalAdded")
    without = [["remove", ["records", place]]]
    electronic.forge("leaves credit without a terminal", without, "terminal/missing")

    second = Forger(to, "second-edition-table")
    limits = [*second.at("RoundOpened"), "terms", "limits"]
    whole = second.good["records"][second.place("TableOpened")]["record"]["event"]["setup"][
        "limits"
    ]
    second.forge("rejects the table's excess first", [["set", limits, whole]], "terms/differs")


SQUEEZES = ("SqueezeRequested", "SqueezeAnswered")
