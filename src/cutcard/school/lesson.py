"""Lessons as plain data: a story, questions with choices, and what is said to an answer."""

from dataclasses import dataclass
from enum import Enum

from cutcard.refusals import Refusal
from cutcard.rules.cards import Card


class Topic(Enum):
    """What a question is about."""

    ESTABLISHED = "established"
    """By which bet an outcome is established: a spot, or `none`."""

    STEP = "step"
    """What the book allows: a step, or something that is no step at all."""

    ROLE = "role"
    """The lowest role that may decide."""

    HANDS = "hands"
    """The hands once they are in order, written `2h 3s / 6c Kd`."""

    CARD = "card"
    """Where one card goes: a side, `next round`, `burned` or `shoe`."""

    NEXT = "next"
    """What comes next: `draw player`, `draw banker`, `call`, `settle`, `close`, `open`, `void`."""

    OPTIONS = "options"
    """Who may choose: names with commas between, or nothing."""

    SILENCE = "silence"
    """What becomes of the bets of whoever does not choose: `return`, `continue`, `lose`, `ask`."""

    BET = "bet"
    """What becomes of a bet that came or went too late."""

    LIMIT = "limit"
    """What the dealer does about a bet beyond the limits, or what it counts for: a number."""

    TYPING = "typing"
    """Whether a card may be typed in: `no`, `alone`, `together`."""

    NO_RULING = "no ruling"
    """What happens when nobody is there to rule."""

    MONEY = "money"
    """What a patron wins or loses: a whole number of minor units."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: `value` for programs (see `Topic`), `words` for people."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A clause and what it says, in cutcard's words."""

    clause: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its choices. `right` is the place of the only right one, from 0."""

    topic: Topic
    asks: str
    choices: tuple[Choice, ...]
    right: int
    because: str
    quotes: tuple[Quote, ...]

    @property
    def answer(self) -> Choice:
        return self.choices[self.right]

    def document(self) -> dict[str, object]:
        return {
            "topic": self.topic.value,
            "asks": self.asks,
            "choices": [{"value": one.value, "words": one.words} for one in self.choices],
            "right": self.right,
            "because": self.because,
            "clauses": [{"clause": one.clause, "text": one.text} for one in self.quotes],
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said to an answer."""

    right: bool
    says: str
    quotes: tuple[Quote, ...]

    def document(self) -> dict[str, object]:
        return {
            "right": self.right,
            "says": self.says,
            "clauses": [{"clause": one.clause, "text": one.text} for one in self.quotes],
        }


def marked(question: Question, answer: int) -> Verdict:
    """Right or wrong, and why. The answer is the place of a choice, counted from 0."""
    if type(answer) is not int or not 0 <= answer < len(question.choices):
        raise Refusal("drill/answer", {"most": len(question.choices)})
    right = answer == question.right
    opening = "Right." if right else f"No. The answer is: {question.answer.words}"
    return Verdict(right, f"{opening} {question.because}", question.quotes)


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet on the layout of a lesson; `note` says what is special about it."""

    patron: str
    box: int
    spot: str
    label: str
    stake: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Felt:
    """The table as it stands: both hands as they lie (None is a card face down), and the bets."""

    round: int
    phase: str
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    loose: tuple[Card, ...]
    """Cards that are out of the shoe and belong to no hand yet."""

    bets: tuple[Bet, ...]
    onlookers: tuple[str, ...]
    """Patrons at the table who have no bet in the round."""

    def document(self) -> dict[str, object]:
        return {
            "round": self.round,
            "phase": self.phase,
            "player": [one and str(one) for one in self.player],
            "banker": [one and str(one) for one in self.banker],
            "loose": [str(one) for one in self.loose],
            "bets": [
                {
                    "patron": bet.patron,
                    "box": bet.box,
                    "spot": bet.spot,
                    "label": bet.label,
                    "stake": bet.stake,
                    "note": bet.note,
                }
                for bet in self.bets
            ],
            "onlookers": list(self.onlookers),
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """One story and what is asked about it. The same book, seed and kind tell it again."""

    book: str
    seed: int
    kind: str
    """An irregularity of the book, or `nothing wrong`."""

    story: tuple[str, ...]
    felt: Felt
    questions: tuple[Question, ...]

    def document(self) -> dict[str, object]:
        return {
            "book": self.book,
            "seed": self.seed,
            "kind": self.kind,
            "story": list(self.story),
            "table": self.felt.document(),
            "questions": [question.document() for question in self.questions],
        }
