"""Packs of tables that keep the first edition of the house's own rules, and forgeries.

Tables without an edition are in the other packs: both verifiers must know both.
"""

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from cutcard.pack.croupier import DEALER
from cutcard.round import commands as rounds
from cutcard.rulebooks import load
from cutcard.rules.cards import Card
from cutcard.rules.coup import Side
from cutcard.table import commands as ask
from cutcard.table.setup import EDITION
from tests.golden.packs.by_hand import SEED, ByHand
from tests.golden.packs.later_rules import squeeze
from tests.golden.packs.terminals import Forger

if TYPE_CHECKING:
    from tests.golden.packs.make import Tampering

Pack = dict[str, Any]
WHOLE = 4 * 52


def boxes() -> ByHand:
    """CB4, face down, out of a continuous shuffler: third cards are squeezed, and the shuffler is
    counted with every card back in it."""
    table = ByHand(load("rws-commission"), SEED, "cb4-9")
    choices = {"decks": 4, "continuous": True, "face_down": True}
    table.open({"ann": 1_000_000, "ben": 1_000_000}, edition=EDITION, **choices)
    table.register("shuffler 3", "continuous")
    table.do(ask.BurnCard(Card.parse("As"), DEALER, table.tick()))
    table.do(ask.BurnCard(None, DEALER, table.tick()))
    table.bet({"ann": {"banker": 40_000}, "ben": {"player": 30_000}})
    squeeze(table, Side.PLAYER)
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
    table.open({"ann": 1_000_000}, edition=EDITION)
    table.new_shoe("white 1")
    table.in_round(rounds.OpenRound(0, None, table.tick(20)))
    table.place("ann", 0, "banker", 40_000)
    table.in_round(rounds.CloseBets(table.tick(5)))
    table.deal_cards("6h 5c Ks Kd 4c")
    table.settle()
    return table


def packs() -> dict[str, Pack]:
    return {
        "edition-table": boxes().table_pack(),
        "open-edition-table": without_boxes().table_pack(),
    }


def forgeries(to: "Tampering") -> None:
    """What the first edition forbids; the house has its key."""
    table, open_ = Forger(to, "edition-table"), Forger(to, "open-edition-table")
    asked, answered = table.place("SqueezeRequested", 1), table.place("SqueezeAnswered", 1)
    side = [["set", [*table.at(kind, which=1), "side"], "player"] for kind in SQUEEZES]
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

    place = open_.place("ResultCalled")
    bet = open_.good["records"][open_.place("BetPlaced")]["record"]["event"]["bet"]
    taken = open_.before(place, "ChipsRemoved", bet=bet, by=DEALER, clause=None)
    open_.forge("takes chips off a table where none lie", taken, "bet/refused")


SQUEEZES = ("SqueezeRequested", "SqueezeAnswered")
