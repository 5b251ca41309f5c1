"""Findings: what is wrong in a pack, at which record, what should stand there and what does."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST = 100
"""So many findings are told; whoever tampers with more has been found out already."""

_SHOWN = 160
_LONGEST = 1000
"""Characters of a sentence at most; names and reasons come from whoever made the file."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. The code is stable and meant for programs."""

    code: str
    record: int | None
    sentence: str
    should: object = None
    found: object = None
    counts: str = "Record"
    """What is counted: the records of a log, or the steps of a shoe."""

    def __str__(self) -> str:
        where = "" if self.record is None else f"{self.counts} {self.record}: "
        return f"{where}{self.sentence} [{self.code}]"

    def document(self) -> dict[str, object]:
        """The finding as it leaves by the command line."""
        return {
            "code": self.code,
            "record": self.record,
            "sentence": self.sentence,
            "should": self.should,
            "found": self.found,
        }


@dataclass
class Verdict:
    """What was checked, and everything that does not hold."""

    findings: list[Finding] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What the pack cannot show by itself."""

    kind: str = ""
    """The kind of pack, once that could be read."""

    counts: str = "Record"

    @property
    def holds(self) -> bool:
        return not self.findings

    def find(
        self,
        code: str,
        record: int | None,
        sentence: str,
        should: object = None,
        found: object = None,
    ) -> None:
        if len(self.findings) < MOST:
            told = legible(sentence)
            self.findings.append(Finding(code, record, told, should, found, self.counts))

    def check(self, sentence: str) -> None:
        """Say what was checked."""
        if len(self.checked) < MOST:
            self.checked.append(legible(sentence))

    def remark(self, sentence: str) -> None:
        """Say what the pack cannot show."""
        if len(self.remarks) < MOST:
            self.remarks.append(legible(sentence))


def legible(text: str, most: int = _LONGEST) -> str:
    """Words of a stranger, so that they can be printed: no lines of their own, no colours.

    >>> legible("t7\\nAll is well.\\x1b[32m")
    't7\\\\nAll is well.\\\\x1b[32m'
    """
    cut = text if len(text) <= most else f"{text[:most]}…"
    return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in cut)


def many(number: int, what: str) -> str:
    """So many of something.

    >>> many(1, "round"), many(2, "round")
    ('1 round', '2 rounds')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


class _Absent:
    """Stands for a member that is missing: no value in a file equals it, not even null."""

    def __repr__(self) -> str:
        return "(not there)"


ABSENT = _Absent()

Difference = tuple[str, object, object]


def differences(should: object, found: object, place: str = "") -> Iterator[Difference]:
    """Where two plain values differ: the place, what should stand there, and what does."""
    if isinstance(should, dict) and isinstance(found, dict):
        for name in dict.fromkeys((*should, *found)):
            below = f"{place}.{name}" if place else str(name)
            yield from differences(should.get(name, ABSENT), found.get(name, ABSENT), below)
    elif isinstance(should, list) and isinstance(found, list) and len(should) == len(found):
        for number, (one, other) in enumerate(zip(should, found, strict=True)):
            yield from differences(one, other, f"{place}[{number}]")
    elif type(should) is not type(found) or should != found:
        yield place, should, found


def compared(
    verdict: Verdict, code: str, record: int | None, what: str, should: object, found: object
) -> bool:
    """Whether two plain values are the same; the first difference is told if they are not."""
    found_out = next(differences(should, found), None)
    if found_out is None:
        return True
    place, must, stands = found_out
    where = f"{what}: {place}" if place else what
    sentence = f"{where} should be {shown(must)}, and is {shown(stands)}."
    must, stands = (repr(one) if one is ABSENT else one for one in (must, stands))
    verdict.find(code, record, sentence, must, stands)
    return False


def shown(value: object) -> str:
    """A plain value in a sentence."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
