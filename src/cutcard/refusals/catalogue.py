"""The message catalogues: one TOML file a language, one sentence a code.

Figures of the case stand in braces. A figure that is itself a word of the
trade (a spot, a side) is translated through the `[spot]` and `[side]` tables
of the same file, so that a Chinese sentence never holds an English id.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "zh-Hans", "zh-Hant")

# Figures that are spots, roles or steps, whatever part they play in the sentence.
_KINDS = {"other": "spot", "others": "spot", "offered": "spot", "own": "role", "lawful": "step"}


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


def sentence(code: str, params: Mapping[str, object], language: str) -> str:
    """The sentence for a code, with its figures filled in."""
    template = catalogue(language)["refusal"][code]
    words = {name: _worded(name, value, language) for name, value in params.items()}
    return template.format_map(words)


def _worded(kind: str, value: object, language: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, tuple | list):
        separator = ", " if language == "en" else "、"
        return separator.join(_worded(kind, one, language) for one in value)
    name = value if isinstance(value, str) else str(value)
    return word(_KINDS.get(kind, kind), name, language)
