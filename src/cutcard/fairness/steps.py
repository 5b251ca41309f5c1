"""The steps of a verifiable shoe, all of them public.

They come in this order, and `shoe.advance` accepts no other:

    Commitment → SeedSealed… → SeedsClosed → SeedGiven… → CardShown, CardTaken…
    → ShoeOpened, or ShoeAborted at any time

*Position* counts the house's committed order from 0, *place* the order of dealing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from cutcard.chain.canonical import canonical
from cutcard.fairness import merkle
from cutcard.rules.cards import Card

SEED = 32
"""Bytes of a patron's seed, and of the seal that hides it."""

NONCE = 32
"""Bytes of the nonce that hides a card in its leaf."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the house binds itself to before it knows any seed.

    Shoes are numbered from 1 at each table, so none can disappear unnoticed.
    """

    table: str
    number: int
    book: str
    """The rulebook's content hash."""

    decks: int
    behind_cut: int
    seeds_until: int
    """Sealed seeds are taken before this time (UTC milliseconds)."""

    root: bytes

    @property
    def cards(self) -> int:
        return 52 * self.decks

    @property
    def shoe(self) -> str:
        return f"{self.table}/{self.number}"

    @property
    def hash(self) -> bytes:
        """Stands for the whole commitment wherever something is bound to it."""
        terms = [self.table, self.number, self.book, self.decks, self.behind_cut, self.seeds_until]
        return sha256(b"cutcard commitment 1\n" + canonical([*terms, self.root.hex()])).digest()


@dataclass(frozen=True, slots=True)
class SeedSealed:
    """Somebody has chosen a seed and shows only its seal.

    `giver` is a name for this shoe alone, never a person's.
    """

    giver: str
    seal: bytes
    at: int


@dataclass(frozen=True, slots=True)
class SeedsClosed:
    """No further seed is taken; now the sealed ones may be given."""

    at: int


@dataclass(frozen=True, slots=True)
class SeedGiven:
    """A seed that was sealed before."""

    giver: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card is turned up, with all it takes to check it at once."""

    place: int
    position: int
    card: Card
    nonce: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class CardTaken:
    """A card leaves the shoe unseen: burned, or laid face down to be shown later."""

    place: int


@dataclass(frozen=True, slots=True)
class ShoeOpened:
    """The shoe was dealt to its cut card; every card and nonce, by position."""

    cards: tuple[Card, ...]
    nonces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ShoeAborted:
    """The shoe ends early. It is opened all the same: an abort that hides the cards is none."""

    reason: str
    cards: tuple[Card, ...]
    nonces: tuple[bytes, ...]


Step = SeedSealed | SeedsClosed | SeedGiven | CardShown | CardTaken | ShoeOpened | ShoeAborted
"""What can happen to a shoe that was committed."""


def leaf(position: int, card: Card, nonce: bytes) -> bytes:
    """The hash of one committed card: its position, its name, and the nonce that hides both."""
    return merkle.leaf(position.to_bytes(4, "big") + str(card).encode() + nonce)


def leaves(cards: Sequence[Card], nonces: Sequence[bytes]) -> list[bytes]:
    """The hashes of all committed cards."""
    pairs = zip(cards, nonces, strict=True)
    return [leaf(position, card, nonce) for position, (card, nonce) in enumerate(pairs)]


def is_committed(commitment: Commitment, shown: CardShown) -> bool:
    """Whether a card is the one committed at its position: the check a patron does alone."""
    if not 0 <= shown.position < commitment.cards or len(shown.nonce) != NONCE:
        return False
    hashed = leaf(shown.position, shown.card, shown.nonce)
    found = merkle.climb(hashed, shown.position, commitment.cards, shown.path)
    return found == commitment.root


def seal(commitment: Commitment, giver: str, seed: bytes) -> bytes:
    """Hides a seed until all are closed. Bound to shoe and giver, so it cannot be copied."""
    named = canonical([giver, seed.hex()])
    return sha256(b"cutcard seal 1\n" + commitment.hash + named).digest()
