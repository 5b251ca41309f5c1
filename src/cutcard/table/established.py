"""What is established: which bets are won or lost however the round ends.

Only cards that lie open count (HOUSE known), so whoever is told learns nothing new.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from cutcard.odds import Composition
from cutcard.odds.completions import possible, possible_as_they_lie
from cutcard.odds.kinds import Kind
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, in_order
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import FULL_COUP
from cutcard.table.dealing import put_in_order
from cutcard.table.incident import FOREIGN, TOGETHER, Incident
from cutcard.table.state import Table


def settled_bets(table: Table, incident: Incident | None, book: Rulebook) -> tuple[str, ...]:
    """Available bets that are won or lost in every lawful completion of the open cards.

    A push is no outcome, and neither is an Ante that was declined (HOUSE declined ante).
    """
    # Cards whose order nobody knows, and cards that are none of the shoe's, decide nothing.
    counts = incident is not None and incident.kind not in (TOGETHER, FOREIGN)
    coup, _ = put_in_order(table, incident.drawn if incident and counts else (), book)
    seen = open_cards(table, coup)
    known = [card for card in seen if card is not None]
    if not known:
        return ()
    placed = {bet.spot for bet in table.round.bets}
    only_placed = table.setup is not None and table.setup.only_placed
    # Won or lost so far; whatever turns out otherwise in some completion is struck off.
    so_far: dict[str, bool | None] = {
        spot: None for spot in book.spots if spot in placed or not only_placed
    }
    met: set[Kind] = set()
    left = unseen(table, known)
    lawfully = in_order(coup)
    for kind in possible(left, seen) if lawfully else possible_as_they_lie(left, coup, seen):
        if kind not in met and lies_so(kind, coup):
            met.add(kind)
            so_far = _still_so(so_far, kind, book)
            if not so_far:
                break
    return tuple(so_far)


def _still_so(
    so_far: Mapping[str, bool | None], kind: Kind, book: Rulebook
) -> dict[str, bool | None]:
    """Of bets that were always won or always lost so far, those that are so once more."""
    now = {spot: book.spots[spot].table.line_of(*kind).wins for spot in so_far}
    return {
        spot: wins
        for spot, wins in now.items()
        if wins is not None and so_far[spot] in (None, wins)
    }


def lies_so(kind: Kind, coup: Coup) -> bool:
    """Whether hands of a kind can have their third cards where they lie, which anybody sees."""
    player, banker = kind
    if len(coup.player) == 2 and len(coup.banker) == 3:
        # The Banker drew, and the Player did not and never will.
        return (player.cards, banker.cards) == (2, 3)
    return player.cards >= len(coup.player) and banker.cards >= len(coup.banker)


def open_cards(table: Table, coup: Coup) -> list[Card | None]:
    """The cards of some hands in dealing order, None for those that lie face down at the table."""
    now = table.round.coup.dealt
    if coup.dealt[: len(now)] == now:
        return [
            card if place in table.face_up or place >= len(now) else None
            for place, card in enumerate(coup.dealt)
        ]
    # The same cards lie elsewhere; whichever lay open still do.
    hidden = Counter(card for place, card in enumerate(now) if place not in table.face_up)
    cards: list[Card | None] = []
    for card in coup.dealt:
        cards.append(None if hidden[card] > 0 else card)
        hidden[card] -= 1
    return cards


def unseen(table: Table, known: Iterable[Card]) -> Composition:
    """What may still come, as far as anybody can know: all cards but those that lie open."""
    cards = list(known)
    if table.shoe is None:
        decks = table.setup.decks if table.setup else 8
        return Composition.of_decks(decks).without(cards).by_rank
    left = dict(table.shoe.manifest)
    hidden = [
        card for place, card in enumerate(table.round.coup.dealt) if place not in table.face_up
    ]
    for card, number in table.shoe.seen.items():
        left[card] = left.get(card, 0) - number
    for card in hidden:
        left[card] = left.get(card, 0) + 1
    shoe = Composition.of_cards({card: max(0, number) for card, number in left.items()}).by_rank
    if shoe.total < FULL_COUP:
        # Too few to end every coup: any cards of such a shoe may have come.
        return Composition.of_cards(table.shoe.manifest).without(cards).by_rank
    return shoe
