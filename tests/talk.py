"""Table talk: the few words that clause tests are told in."""

from cutcard import Coup, Side, next_side, settle
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards


def nets(book: str, coup: str, **stakes: int) -> dict[str, int]:
    """What each bet gains or loses on a coup: `nets("rws-commission", "…", banker=100)`."""
    return {bet.spot: bet.net for bet in settle(load(book), coup, stakes).bets}


def net(book: str, coup: str, **stakes: int) -> int:
    """What all bets together gain or lose on a coup."""
    return settle(load(book), coup, stakes).net


def refused(book: str, coup: str, **stakes: int) -> Refusal:
    """The refusal that these bets on this coup meet."""
    try:
        settle(load(book), coup, stakes)
    except Refusal as refusal:
        return refusal
    raise AssertionError(f"{stakes} on {coup} were settled, not refused")


def draws(player: int, banker: int, third: int | None = None) -> Side | None:
    """Who draws next, given two-card points and the points of a third Player card."""
    cards = {0: "Kc", 1: "Ah", **{value: f"{value}d" for value in range(2, 10)}}
    on_table = Coup(parse_cards(f"Ks {cards[player]}"), parse_cards(f"Qs {cards[banker]}"))
    if third is not None:
        on_table = on_table.with_card(Side.PLAYER, parse_cards(cards[third])[0])
    return next_side(on_table)
