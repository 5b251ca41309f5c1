"""Lessons and drills: the same for the same seed, and of every kind."""

import json

import pytest

from cutcard.refusals import Refusal
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.school import NOTHING, drill, kinds_of, lesson, marked
from cutcard.school.drill import kind_of
from tests.cases import every

BOOK = load("rws-commission")
every_book = every("book", rulebooks(), ids=lambda book: book.id)


@every_book
def test_there_is_a_lesson_about_every_irregularity(book: Rulebook) -> None:
    """But for those about chips, which no open table has, and about bets behind a seat."""
    behind = {"excess bets", "excess bets unnoticed"}
    chips = behind | {"bet below minimum", "bet below minimum unnoticed"}
    never = chips if book.layouts[0].is_open else set() if book.back_bets.allowed else behind

    assert set(kinds_of(book)) == {*book.irregularities, NOTHING} - never


@every_book
def test_every_kind_comes_up_over_the_seeds(book: Rulebook) -> None:
    assert {kind_of(book, seed) for seed in range(250)} == set(kinds_of(book))


def test_a_long_drill_is_about_everything_once_before_anything_comes_again() -> None:
    lessons = []
    for one in drill(BOOK, 3, 200):
        lessons.append(one.kind)
        if len(lessons) == len(kinds_of(BOOK)) + 2:
            break

    mistakes = [kind for kind in lessons if kind != NOTHING]
    assert set(lessons) == set(kinds_of(BOOK))
    assert len(mistakes) == len(set(mistakes))
    assert lessons.count(NOTHING) == 3


@every("number", [1, 4, 10])
def test_a_drill_asks_exactly_so_many_questions(number: int) -> None:
    assert sum(len(one.questions) for one in drill(BOOK, 5, number)) == number


def test_the_same_seed_tells_the_same_lesson_and_another_seed_another() -> None:
    assert lesson(BOOK, 4) == lesson(BOOK, 4)
    assert lesson(BOOK, 4).document() == lesson(BOOK, 4, kind_of(BOOK, 4)).document()
    assert lesson(BOOK, 4, "foreign card") != lesson(BOOK, 5, "foreign card")


def test_the_same_on_every_machine() -> None:
    first = next(iter(drill(BOOK, 14, 10)))

    assert (first.kind, first.story) == GOLDEN_STORY
    assert [(bet.patron, bet.spot, bet.stake) for bet in first.felt.bets] == GOLDEN_BETS
    assert [(one.topic.value, one.answer.value) for one in first.questions] == GOLDEN_ANSWERS


GOLDEN_STORY = (
    "excess or exposed card",
    ("The dealer draws 2♣ for the Player, and everybody sees it.",),
)
GOLDEN_BETS = [
    ("Cho", "player", 30_000),
    ("Dee", "player", 60_000),
    ("Eli", "banker", 60_000),
    ("Eli", "player", 90_000),
]
GOLDEN_ANSWERS = [
    ("step", "put the cards in order"),
    ("hands", "Qh 2s / 6c 2c"),
    ("money", "-33000"),
]


def test_a_lesson_is_plain_data() -> None:
    document = lesson(BOOK, 1, "card face up").document()

    assert json.loads(json.dumps(document)) == document
    assert None in [*document["table"]["player"], *document["table"]["banker"]]  # type: ignore[index]


@every("answer", [-1, 4, 99, True, "1", None, 0.0])
def test_an_answer_that_is_no_choice_is_refused(answer: object) -> None:
    question = lesson(BOOK, 1, "foreign card").questions[0]

    with pytest.raises(Refusal) as refused:
        marked(question, answer)  # type: ignore[arg-type]
    assert refused.value.code == "drill/answer"


def test_a_wrong_answer_is_told_the_right_one_and_the_clause() -> None:
    question = lesson(BOOK, 1, "foreign card").questions[0]
    wrong = marked(question, (question.right + 1) % len(question.choices))

    assert wrong.says.startswith(f"No. The answer is: {question.answer.words} ")
    assert wrong.quotes[0].clause == "CB4 5.5.1"
    assert wrong.quotes[0].text == (
        "A card that does not belong to the set makes the current round void."
    )
    assert marked(question, question.right).says.startswith("Right. ")
