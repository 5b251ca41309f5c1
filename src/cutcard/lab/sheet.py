"""What every study ends in: a title, tables, a few sentences, a picture."""

from dataclasses import dataclass

from cutcard.odds.certificate import Grid


@dataclass(frozen=True)
class Sheet:
    """A study to be read; `picture` is an SVG drawing of the same figures."""

    title: str
    grids: tuple[Grid, ...]
    notes: tuple[str, ...]
    picture: str


def percent(share: float, places: int = 2) -> str:
    """A share that is no exact number, in per cent."""
    return f"{share * 100:.{places}f}"
