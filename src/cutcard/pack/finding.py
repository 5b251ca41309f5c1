"""Findings: what is wrong in a pack, at which record, what should stand there and what does."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST = 100
"""So many findings are told; whoever tampers with more has been found out already."""

_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. The code is stable and meant for programs."""

    code: str
    record: int | None
    sentence: str
    should: object = None
    found: object = None

    def __str__(self) -> str:
        where = "" if self.record is None else f"Record {self.record}: "
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
            self.findings.append(Finding(code, record, sentence, should, found))


ABSENT = "(not there)"
"""Stands for a member that is missing, which is not the same as null."""

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
    verdict.find(
        code, record, f"{where} should be {shown(must)}, and is {shown(stands)}.", must, stands
    )
    return False


def shown(value: object) -> str:
    """A plain value in a sentence."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
