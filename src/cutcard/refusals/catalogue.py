"""The message catalogues: one TOML file a language, one sentence a code.

Figures of the case stand in braces. A figure that is itself a word of the
trade (a spot, a side) is translated through the `[spot]` and `[side]` tables
of the same file, so that a Chinese sentence never holds an English id other than
one to be typed. Money is kept in minor units and marked, `{amount:money}`, so that
it is told in the units that people count in; `{hours:hour|hours}` is one word for
one, and another for any other number.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "zh-Hans", "zh-Hant")

# Figures that are spots, roles or steps, whatever part they play in the sentence.
_KINDS = {"other": "spot", "others": "spot", "own": "role", "lawful": "step"}


@cache
def catalogue(language: str) -> Mapping[str, Mapping[str, str]]:
    """The whole catalogue of one language."""
    if language not in LANGUAGES:
        raise ValueError(f"no message catalogue for {language!r}; known: {', '.join(LANGUAGES)}")
    text = files("cutcard.refusals").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def word(kind: str, name: str, language: str) -> str:
    """A word of the trade in a language, or what is printed where the catalogue has none."""
    return catalogue(language).get(kind, {}).get(name, getattr(name, "label", name))


def sentence(code: str, params: Mapping[str, object], language: str, digits: int = 0) -> str:
    """The sentence for a code, with its figures filled in; money has `digits` after the point."""
    template = catalogue(language)["refusal"][code]
    figures = {name: _Figure(name, value, language, digits) for name, value in params.items()}
    return template.format_map(figures)


def money(amount: int, digits: int) -> str:
    """An amount of minor units as people write it, without a part where there is none.

    >>> money(1234550, 2), money(-1200, 2), money(1200, 0)
    ('12,345.50', '-12', '1,200')
    """
    whole, part = divmod(abs(amount), 10**digits)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole:,}.{part:0{digits}}" if part else f"{sign}{whole:,}"


@dataclass(frozen=True, slots=True)
class _Figure:
    """One figure of a case, written when its sentence says as what."""

    name: str
    value: object
    language: str
    digits: int

    def __format__(self, kind: str) -> str:
        if kind == "money" and type(self.value) is int:
            return money(self.value, self.digits)
        if "|" in kind:
            one, more = kind.split("|")
            return one if self.value == 1 else more
        return _worded(self.name, self.value, self.language)


def _worded(kind: str, value: object, language: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, tuple | list):
        separator = ", " if language == "en" else "、"
        return separator.join(_worded(kind, one, language) for one in value)
    name = value if isinstance(value, str) else str(value)
    return word(_KINDS.get(kind, kind), name, language)
