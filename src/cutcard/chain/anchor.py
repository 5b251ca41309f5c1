"""An anchor: a log's head in one short line, for a display or a receipt.

    t7:1234:7QKD-M2XA-…-C4RW

Whoever photographs it can show later that the log they are given is another:
the house cannot shorten or rewrite what patrons carry home. 28 characters hold
140 bits of the head's hash: to prepare two logs with one anchor takes 2^70
attempts. The last group is a check over the whole line, so that a misread anchor
is not taken for a forged log. I, L, O and U are not used; I, L and O are read as
the digits they look like.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

from cutcard.chain.log import Head
from cutcard.refusals import Refusal

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("ILO", "110", "- ")
_KEPT, _CHECK = 28, 4
_LONGEST = 300
"""Characters of a line at most; beyond that nobody typed it."""

_LINE = re.compile(r"(.+):\s*(0|[1-9][0-9]{0,17})\s*:([^:]+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Anchor:
    """What an anchor says of a log."""

    table: str
    count: int
    code: str

    def matches(self, hash: bytes) -> bool:
        """Whether it was made from a log with this hash."""
        return len(hash) == 32 and _characters(hash, _KEPT) == self.code

    def __str__(self) -> str:
        whole = self.code + _check(self.table, self.count, self.code)
        groups = (whole[place : place + 4] for place in range(0, len(whole), 4))
        return f"{self.table}:{self.count}:{'-'.join(groups)}"


def anchor(head: Head) -> Anchor:
    """The anchor of a head."""
    return Anchor(head.table, head.count, _characters(head.hash, _KEPT))


def parse_anchor(text: str) -> Anchor:
    """Read an anchor that a person typed; blanks, hyphens and small letters do not matter."""
    if len(text) > _LONGEST:
        raise Refusal("chain/anchor", {"text": f"{text[:_LONGEST]}…"})
    found = _LINE.fullmatch(text.strip())
    typed = found[3].upper().translate(_READ_AS) if found else ""
    if found is None or len(typed) != _KEPT + _CHECK or set(typed) - set(_ALPHABET):
        raise Refusal("chain/anchor", {"text": text})
    read = Anchor(found[1].strip(), int(found[2]), typed[:_KEPT])
    if _check(read.table, read.count, read.code) != typed[_KEPT:]:
        raise Refusal("chain/misread", {"text": text})
    return read


def _check(table: str, count: int, code: str) -> str:
    line = f"cutcard anchor 1\n{table}:{count}:{code}".encode("utf-8", "surrogatepass")
    return _characters(sha256(line).digest(), _CHECK)


def _characters(hash: bytes, size: int) -> str:
    bits = int.from_bytes(hash, "big") >> (8 * len(hash) - 5 * size)
    return "".join(_ALPHABET[bits >> 5 * place & 31] for place in reversed(range(size)))
