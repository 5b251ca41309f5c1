"""A place in a rulebook document, read with care.

Every value is asked for by name and kind, and what nobody asked for is refused
at the end, so a misspelt key is found where it stands. Each refusal says the
file, the place in it, and the cure.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from cutcard.refusals import Refusal

LONGEST_WORD, MOST_WORDS = 60, 200
"""Nobody misspells a longer one, and comparing very many or very long ones takes very long."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The known words, the likeliest meant first."""
    words = list(known)
    short = [one for one in words[:MOST_WORDS] if len(one) <= LONGEST_WORD]
    close = get_close_matches(word[:LONGEST_WORD], short, n=1)
    return ", ".join(close + [one for one in words if one not in close])


class Node:
    """A table of the document: where it is, and what is still unread in it."""

    def __init__(self, file: str, place: str, table: Mapping[str, object]) -> None:
        self.file = file
        self.place = place
        self._table = table
        self._asked: set[str] = set()

    def refuse(self, code: str, **figures: object) -> Refusal:
        return Refusal(
            f"rulebook/{code}", {"file": self.file, "place": self.place, **figures}, None
        )

    def has(self, key: str) -> bool:
        """Is a key there that may be left out?"""
        self._asked.add(key)
        return key in self._table

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that are there, in the document's order."""
        return tuple(self._table)

    def _value(self, key: str) -> object:
        self._asked.add(key)
        if key not in self._table:
            raise self.refuse("missing", key=key)
        return self._table[key]

    def text(self, key: str) -> str:
        value = self._value(key)
        if not isinstance(value, str) or not value.strip():
            raise self.refuse("not-text", key=key)
        return value

    def text_or_none(self, key: str) -> str | None:
        return self.text(key) if self.has(key) else None

    def whole(self, key: str, least: int) -> int:
        """A whole number, no smaller than `least`."""
        value = self._value(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.refuse("not-whole", key=key, least=least)
        return value

    def one_of(self, key: str, known: Iterable[str]) -> str:
        """One of some known words."""
        words = list(known)
        value = self.text(key)
        if value not in words:
            raise self.refuse("unknown-word", key=key, word=value, known=nearest(value, words))
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._value(key)
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise self.refuse("not-texts", key=key)
        return tuple(str(one) for one in value)

    def value(self, key: str) -> object:
        return self._value(key)

    def table(self, key: str) -> "Node":
        value = self._value(key)
        if not isinstance(value, dict):
            raise self.refuse("not-table", key=key)
        return Node(self.file, self._below(key), value)

    def tables(self, key: str) -> list["Node"]:
        """An array of tables, at least one."""
        value = self._value(key)
        if not isinstance(value, list) or not value or not all(isinstance(v, dict) for v in value):
            raise self.refuse("not-tables", key=key)
        return [
            Node(self.file, f"{self._below(key)}[{number}]", entry)
            for number, entry in enumerate(value, start=1)
        ]

    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """Every key of the table, each holding a table."""
        for key in self._table:
            yield key, self.table(key)

    def finish(self) -> None:
        """Refuse what nobody asked for."""
        for key in self._table:
            if key not in self._asked:
                raise self.refuse("unknown-key", key=key, known=nearest(key, sorted(self._asked)))

    def _below(self, key: str) -> str:
        return key if not self.place else f"{self.place}.{key}"
