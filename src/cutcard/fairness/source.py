"""A source of entropy under watch: a broken one stops dealing.

The two health tests of SP 800-90B (4.4) look at every byte before it is used.
They find a source that is stuck or grossly lopsided, as hardware is when it
dies. They find no weak source that looks lively: nothing that only looks at
bytes can. Two faults that a machine makes, not nature, are looked for besides: a
draw that raises, and one that begins as the draw before did, as after a copied
or restored state. The bytes come from outside (`draw`), so this room stays pure.

Parameters: samples are bytes that claim their full 8 bits of min-entropy;
cutoffs are those for a chance α = 2^-40. Together they give a sound source one
false alarm in some three hundred million shoes of eight decks.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from cutcard.refusals import Refusal

ALPHA_BITS: Final = 40
CLAIMED_BITS: Final = 8

MOST_REPEATED: Final = 1 + ALPHA_BITS // CLAIMED_BITS
"""Repetition count: so many equal bytes in a row are a failure (1 + ⌈40 / 8⌉)."""

WINDOW: Final = 512
MOST_IN_WINDOW: Final = 19
"""Adaptive proportion: the first byte of a window so often in it is a failure.

1 + the least k for which a binomial (512, 1/256) is at most k with chance 1 - α;
a test computes it in integers.
"""

BEGINNING: Final = 16
"""So many first bytes of two draws in a row must differ; in sound ones they do but for 2^-128."""


class Source:
    """Entropy from `draw`; once it has failed, it gives nothing more.

    >>> Source(bytes).take(32)
    Traceback (most recent call last):
        ...
    cutcard.refusals.refusal.Refusal: The entropy source has failed: one byte came 6 times in a row.
    """

    def __init__(self, draw: Callable[[int], bytes]) -> None:
        self._draw = draw
        self._failure: Refusal | None = None
        self._last, self._repeated = -1, 0
        self._watched, self._seen, self._counted = -1, WINDOW, 0
        self._began = b""

    def take(self, size: int) -> bytes:
        """So many bytes, every one of them tested."""
        if self._failure is None:
            try:
                drawn = self._draw(size)
            except Exception as error:
                # Whatever it was: entropy that comes only sometimes is no entropy.
                why = type(error).__name__
                self._failure = Refusal("fairness/entropy-failed", {"why": why})
                raise self._failure from error
            self._failure = self._fault(drawn, size)
        # A source that failed once is not asked again: a person must look at it first.
        if self._failure is not None:
            raise self._failure
        return drawn

    def _fault(self, drawn: bytes, size: int) -> Refusal | None:
        if len(drawn) != size:
            return Refusal("fairness/entropy-short", {"bytes": len(drawn), "least": size})
        if size >= BEGINNING:
            # Its hash will do, and tells nobody what was drawn.
            before, self._began = self._began, sha256(drawn[:BEGINNING]).digest()
            if self._began == before:
                return Refusal("fairness/entropy-repeated", {"bytes": BEGINNING})
        for byte in drawn:
            self._repeated = self._repeated + 1 if byte == self._last else 1
            self._last = byte
            if self._repeated >= MOST_REPEATED:
                return Refusal("fairness/entropy-stuck", {"times": MOST_REPEATED})
            if self._seen == WINDOW:
                self._watched, self._seen, self._counted = byte, 0, 0
            self._seen += 1
            self._counted += byte == self._watched
            if self._counted >= MOST_IN_WINDOW:
                return Refusal(
                    "fairness/entropy-lopsided", {"times": MOST_IN_WINDOW, "window": WINDOW}
                )
        return None
