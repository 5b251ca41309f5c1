"""The dealer's school: rounds with mistakes in them, and what the book orders about them.

>>> from cutcard.rulebooks import load
>>> from cutcard.school import lesson, marked
>>> question = lesson(load("rws-commission"), seed=4, kind="foreign card").questions[0]
>>> marked(question, question.right).right
True
"""

from cutcard.school.drill import drill, lesson
from cutcard.school.lesson import Bet, Choice, Felt, Lesson, Question, Quote, Topic, Verdict, marked
from cutcard.school.mistakes import kinds_of
from cutcard.school.situation import NOTHING

__all__ = [
    "NOTHING",
    "Bet",
    "Choice",
    "Felt",
    "Lesson",
    "Question",
    "Quote",
    "Topic",
    "Verdict",
    "drill",
    "kinds_of",
    "lesson",
    "marked",
]
