"""Signed heads: the house puts its name to a log after every round and every day.

Ed25519. `cryptography` takes longer to load than most commands take to run, so
nothing imports this module in passing.
"""

from dataclasses import dataclass
from enum import Enum

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from cutcard.chain.canonical import canonical
from cutcard.chain.log import Head
from cutcard.refusals import Refusal

KEY = 32
"""Bytes of a private key (its seed, as RFC 8032 says) and of a public one."""


class Occasion(Enum):
    """When a head is signed."""

    ROUND = "round"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class SignedHead:
    """A head, the round or day it closes, when it was signed, by which key."""

    head: Head
    occasion: Occasion
    name: str
    """The number of the round, or the day as 2026-11-15."""

    at: int
    key: bytes
    """The public key."""

    signature: bytes

    @property
    def holds(self) -> bool:
        """Whether the signature is that key's for just this statement."""
        try:
            public = Ed25519PublicKey.from_public_bytes(self.key)
            public.verify(self.signature, _statement(self))
        except (InvalidSignature, ValueError):
            return False
        return True


def public_key(private: bytes) -> bytes:
    """The public key of a private one; whoever checks a log must have it from elsewhere."""
    return _private(private).public_key().public_bytes_raw()


def sign(head: Head, occasion: Occasion, name: str, at: int, private: bytes) -> SignedHead:
    """Sign a head."""
    key = _private(private)
    unsigned = SignedHead(head, occasion, name, at, key.public_key().public_bytes_raw(), b"")
    signature = key.sign(_statement(unsigned))
    return SignedHead(head, occasion, name, at, unsigned.key, signature)


def _private(private: bytes) -> Ed25519PrivateKey:
    if len(private) != KEY:
        raise Refusal("chain/key-size", {"bytes": len(private), "must": KEY})
    return Ed25519PrivateKey.from_private_bytes(private)


def _statement(signed: SignedHead) -> bytes:
    """The bytes that are signed; no other statement has the same, and none is hidden in them."""
    head = [signed.head.table, signed.head.count, signed.head.hash.hex()]
    said = [*head, signed.occasion.value, signed.name, signed.at, signed.key.hex()]
    return b"cutcard head 1\n" + canonical(said)
