"""One refusal: code, figures, clause."""

from collections.abc import Mapping
from types import MappingProxyType

from cutcard.refusals.catalogue import sentence


class Refusal(Exception):
    """Something cutcard will not do; `code` is stable and meant for programs.

    >>> refusal = Refusal("rulebook/unknown", {"book": "punto", "known": "rws-commission"})
    >>> refusal.code
    'rulebook/unknown'
    >>> print(refusal)
    There is no rulebook "punto". Known: rws-commission.
    """

    code: str
    params: Mapping[str, object]
    clause: str | None

    def __init__(
        self, code: str, params: Mapping[str, object] | None = None, clause: str | None = None
    ) -> None:
        super().__init__(code, params, clause)
        self.code = code
        self.params = MappingProxyType(dict(params or {}))
        self.clause = clause

    def message(self, language: str = "en", digits: int = 0) -> str:
        """The sentence a person reads, in one of LANGUAGES.

        Money is told in the units it is given in, or with `digits` of them after the point.
        """
        return sentence(self.code, self.params, language, digits)

    def document(self, language: str = "en") -> dict[str, object]:
        """The refusal as it leaves by the command line or the API."""
        return {"code": self.code, "message": self.message(language), "clause": self.clause}

    def __reduce__(self) -> tuple[type["Refusal"], tuple[str, dict[str, object], str | None]]:
        return Refusal, (self.code, dict(self.params), self.clause)

    def __str__(self) -> str:
        return self.message()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refusal):
            return NotImplemented
        return (self.code, self.params, self.clause) == (other.code, other.params, other.clause)

    def __hash__(self) -> int:
        return hash((self.code, self.clause))
