"""Two orders that make one: the house's, and the one the patrons' seeds give.

The house's order must be able to be any of the 416! there are, so every word of
its shuffle is fresh entropy of the operating system, laid over the output of
HMAC_DRBG by exclusive or (SP 800-90C, RBG3(XOR)). Either alone is enough: if the
entropy is even, so is the sum, whatever the generator does; if it is weaker than
it claims, the generator still hides the order behind 256 bits.

The patrons' order comes from HMAC_DRBG alone. It reaches only 2^256 orders and
needs no more: it is there so that nobody, the house included, knew it when the
house's order was fixed.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from cutcard.chain.canonical import canonical
from cutcard.fairness.drbg import LEAST_ENTROPY, HmacDrbg
from cutcard.fairness.steps import NONCE
from cutcard.fairness.uniform import WORD, StreamDice
from cutcard.refusals import Refusal
from cutcard.rules.cards import Card
from cutcard.rules.shoe import full_shoe, shuffled

T = TypeVar("T")

MOST_DECKS = 16
SPARE = 8
"""Words beyond one a draw. That more than these are thrown away has a chance below 2^-300."""

_SEEDING = LEAST_ENTROPY + 16


def check_decks(decks: int) -> None:
    """Refuse a shoe of no decks, and one so large that checking it would be an attack."""
    if not 1 <= decks <= MOST_DECKS:
        raise Refusal("fairness/decks", {"decks": decks, "most": MOST_DECKS})


def entropy_needed(decks: int) -> int:
    """Bytes of fresh entropy for the house's order of so many decks.

    48 seed the generator; the rest is one word for every draw of the shuffle and
    some to spare. For eight decks that is 27,456 bits, and log2 416! is 3,024.9.

    >>> entropy_needed(8)
    3432
    """
    check_decks(decks)
    return _SEEDING + _stream(52 * decks)


def house_order(decks: int, entropy: bytes) -> tuple[tuple[Card, ...], tuple[bytes, ...]]:
    """The house's order and the nonce of each card's leaf."""
    needed = entropy_needed(decks)
    if len(entropy) != needed:
        raise Refusal("fairness/entropy-short", {"bytes": len(entropy), "least": needed})
    seed, nonce, fresh = entropy[:32], entropy[32:_SEEDING], entropy[_SEEDING:]
    drbg = HmacDrbg(seed, nonce, b"cutcard house order 1")
    cards = shuffled(full_shoe(decks), StreamDice(_xor(fresh, drbg.generate(len(fresh)))))
    nonces = drbg.generate(NONCE * len(cards))
    return cards, tuple(nonces[at : at + NONCE] for at in range(0, len(nonces), NONCE))


def patrons_order(commitment: bytes, seeds: Mapping[str, bytes], cards: int) -> tuple[int, ...]:
    """For each place of dealing, the committed position that its card comes from.

    `commitment` is the commitment's hash, so the same seeds give every shoe another order.
    """
    named = {giver: seed.hex() for giver, seed in seeds.items()}
    seed = sha256(b"cutcard seeds 1\n" + commitment + canonical(named)).digest()
    drbg = HmacDrbg(seed, commitment, b"cutcard patrons' order 1")
    return shuffled(range(cards), StreamDice(drbg.generate(_stream(cards))))


def applied(order: Sequence[int], things: Sequence[T]) -> tuple[T, ...]:
    """Things taken from the positions that an order names."""
    return tuple(things[position] for position in order)


def _stream(cards: int) -> int:
    return WORD * (cards - 1 + SPARE)


def _xor(one: bytes, other: bytes) -> bytes:
    mixed = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return mixed.to_bytes(len(one), "big")
