"""Putting a question together: the right choice among some that are wrong, in random order."""

from collections.abc import Callable, Iterable

from cutcard.rules.rulebook import Role
from cutcard.rules.shoe import SeededDice, shuffled
from cutcard.school.lesson import Choice, Question, Quote, Topic
from cutcard.school.situation import Situation

LEAST_CHOICES, MOST_CHOICES = 3, 4

Ask = Callable[[Situation, SeededDice], Question | None]
"""A question about a situation, or None where it makes no sense to ask it."""


def ask(
    dice: SeededDice,
    topic: Topic,
    asks: str,
    right: Choice,
    wrong: Iterable[Choice],
    because: str,
    quotes: tuple[Quote, ...],
    *,
    order: Callable[[Choice], int] | None = None,
) -> Question | None:
    """A question with three or four choices; None where too few tempting ones can be found."""
    others = {choice.value: choice for choice in wrong if choice.value != right.value}
    chosen = shuffled(others.values(), dice)[: MOST_CHOICES - 1]
    if len(chosen) < LEAST_CHOICES - 1:
        return None
    choices = shuffled((right, *chosen), dice)
    if order is not None:
        choices = tuple(sorted(choices, key=order))
    return Question(topic, asks, choices, choices.index(right), because, quotes)


def rank(choice: Choice) -> int:
    """Roles stand in the order of their authority."""
    return [role.value for role in Role].index(choice.value)
