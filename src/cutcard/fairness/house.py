"""The house's side of a verifiable shoe: the only code that knows undealt cards.

`Secret` never enters a log, a view or a message. Whoever keeps it over a restart
encrypts it; who loses it can neither open nor abort the shoe, and so can begin
no other at that table.
"""

from dataclasses import dataclass, field

from cutcard.fairness import merkle
from cutcard.fairness.order import entropy_needed, house_order
from cutcard.fairness.shoe import Phase, VerifiableShoe
from cutcard.fairness.source import Source
from cutcard.fairness.steps import (
    CardShown,
    CardTaken,
    Commitment,
    ShoeAborted,
    ShoeOpened,
    leaves,
)
from cutcard.refusals import Refusal
from cutcard.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Secret:
    """The house's order, by position. Nothing of it shows when it is printed."""

    cards: tuple[Card, ...] = field(repr=False)
    nonces: tuple[bytes, ...] = field(repr=False)
    tree: merkle.Tree = field(repr=False)


def prepare(
    source: Source,
    *,
    table: str,
    number: int,
    book: str,
    decks: int,
    behind_cut: int,
    seeds_until: int,
) -> tuple[Commitment, Secret]:
    """Shuffle from fresh entropy and commit. The commitment is published before any seed."""
    cards, nonces = house_order(decks, source.take(entropy_needed(decks)))
    secret = seal_cards(cards, nonces)
    root = merkle.root(secret.tree)
    return Commitment(table, number, book, decks, behind_cut, seeds_until, root), secret


def seal_cards(cards: tuple[Card, ...], nonces: tuple[bytes, ...]) -> Secret:
    """An order with its tree."""
    return Secret(cards, nonces, merkle.grow(leaves(cards, nonces)))


def show(shoe: VerifiableShoe, secret: Secret, place: int | None = None) -> CardShown:
    """Turn up the next card, or one that lies face down, with its proof."""
    at = shoe.left if place is None else place
    if shoe.phase is not Phase.DEALING:
        raise Refusal("fairness/not-now", {"phase": shoe.phase.value})
    # A proof of a card that is still in the shoe must not even be made.
    if shoe.to_burn or (not shoe.is_next(at) and at not in shoe.face_down):
        raise Refusal("fairness/place", {"number": at + 1})
    position = shoe.order[at]
    path = merkle.path(secret.tree, position)
    return CardShown(at, position, secret.cards[position], secret.nonces[position], path)


def take(shoe: VerifiableShoe) -> CardTaken:
    """Burn the next card, or lay it face down."""
    return CardTaken(shoe.left)


def opening(secret: Secret) -> ShoeOpened:
    """Open a shoe that was dealt to its cut card."""
    return ShoeOpened(secret.cards, secret.nonces)


def abort(secret: Secret, reason: str) -> ShoeAborted:
    """End a shoe early, and open it."""
    return ShoeAborted(reason, secret.cards, secret.nonces)
