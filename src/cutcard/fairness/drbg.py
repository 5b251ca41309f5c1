"""HMAC_DRBG with SHA-256, as NIST SP 800-90A Rev. 1 (10.1.2) writes it down.

The steps carry the standard's own numbers, so that a reader can lay the page
beside the screen. Prediction resistance is the caller's: `reseed` before
`generate`. Strength is 256 bits, and no more than 2^512 outputs can ever come
from one seeding, however long it was: what must reach more needs fresh entropy
beside it (see `order`).
"""

from hmac import digest

from cutcard.refusals import Refusal

LEAST_ENTROPY = 32
"""Bytes of entropy for a security strength of 256 bits (SP 800-90A, table 2)."""

MOST_BYTES = 2**16
"""Bytes one request may ask for: 2^19 bits."""

MOST_REQUESTS = 2**48
"""Requests between two reseedings."""


class HmacDrbg:
    """A deterministic generator: the same seed material gives the same bytes, for ever."""

    __slots__ = ("_key", "_requests", "_value")

    def __init__(self, entropy: bytes, nonce: bytes, personalisation: bytes = b"") -> None:
        _check_entropy(entropy)
        self._key, self._value = bytes(32), b"\x01" * 32
        self._update(entropy + nonce + personalisation)
        self._requests = 1

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """Mix fresh entropy in (10.1.2.4)."""
        _check_entropy(entropy)
        self._update(entropy + additional)
        self._requests = 1

    def generate(self, size: int, additional: bytes = b"") -> bytes:
        """So many bytes (10.1.2.5)."""
        if not 0 <= size <= MOST_BYTES:
            raise Refusal("fairness/request", {"bytes": size, "most": MOST_BYTES})
        if self._requests > MOST_REQUESTS:
            raise Refusal("fairness/reseed", {"most": MOST_REQUESTS})
        if additional:
            self._update(additional)
        blocks = []
        for _ in range(0, size, 32):
            self._value = digest(self._key, self._value, "sha256")
            blocks.append(self._value)
        self._update(additional)
        self._requests += 1
        return b"".join(blocks)[:size]

    def _update(self, given: bytes) -> None:
        """10.1.2.2: one round, and a second where something was given."""
        for mark in (b"\x00", b"\x01") if given else (b"\x00",):
            self._key = digest(self._key, self._value + mark + given, "sha256")
            self._value = digest(self._key, self._value, "sha256")


def _check_entropy(entropy: bytes) -> None:
    if len(entropy) < LEAST_ENTROPY:
        raise Refusal("fairness/entropy-short", {"bytes": len(entropy), "least": LEAST_ENTROPY})
