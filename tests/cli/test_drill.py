"""`drill`: a session at a terminal or from a pipe, and the document for programs."""

import builtins
import io
from collections.abc import Callable, Iterable

import pytest

from cutcard.rulebooks import load
from cutcard.school import Question, drill
from tests.cases import every
from tests.cli.asking import Ask

WORDS = ("drill", "rws-commission", "--seed", "7", "--questions", "4")
BOOK = load("rws-commission")

Type = Callable[[str], None]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Type:
    """What somebody types, or what a pipe holds."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def asked(seed: int = 7, number: int = 4) -> list[Question]:
    return [one for lesson in drill(BOOK, seed, number) for one in lesson.questions]


def lines(answers: Iterable[int]) -> str:
    """Answers as somebody types them: counted from 1."""
    return "".join(f"{answer + 1}\n" for answer in answers)


def wrong(question: Question) -> int:
    return (question.right + 1) % len(question.choices)


def test_all_right(cutcard: Ask, typed: Type) -> None:
    typed(lines(question.right for question in asked()))

    page = cutcard(*WORDS).page
    assert page.startswith("Dealer's school: RWS Commission Baccarat, 4 questions, seed 7.\n")
    assert page.count("✓ Right.") == 4
    assert "4 of 4 questions right." in page
    assert "Read again" not in page
    assert page.endswith("The same again: cutcard drill rws-commission --seed 7 --questions 4\n")


def test_what_was_wrong_is_to_be_read_again(cutcard: Ask, typed: Type) -> None:
    first, *others = asked()
    typed(lines([wrong(first), *(question.right for question in others)]))

    page = cutcard(*WORDS).page
    assert f"✗ No. The answer is: {first.answer.words}" in page
    assert "3 of 4 questions right." in page
    again = page.split("Read again")[1]
    assert all(quote.clause in again for quote in first.quotes)


def test_the_page_shows_the_table_the_story_and_every_choice(cutcard: Ask, typed: Type) -> None:
    typed(lines(question.right for question in asked()))

    page = cutcard(*WORDS).page
    for lesson in drill(BOOK, 7, 4):
        for bet in lesson.felt.bets:
            assert bet.patron in page
            assert f"{bet.stake:,}" in page
        said = [*lesson.story, *(q.asks for q in lesson.questions)]
        said += [choice.words for q in lesson.questions for choice in q.choices]
        assert all(one[:60] in page for one in said)


def test_nonsense_is_refused_with_a_sentence_and_asked_for_again(cutcard: Ask, typed: Type) -> None:
    question = asked(number=1)[0]
    nonsense = ["", "zero", "0", "9", "-1", "²", "1.5", "１", "\x00"]
    typed("\n".join(nonsense) + "\n" + lines([question.right]))

    page = cutcard("drill", "--seed", "7", "--questions", "1").page
    assert page.count(f"Answer with a number from 1 to {len(question.choices)}.") == len(nonsense)
    assert "1 of 1 question right." in page


@pytest.mark.parametrize("end", ["", "q\n", "QUIT\n"])
def test_whoever_stops_hears_how_it_went(cutcard: Ask, typed: Type, end: str) -> None:
    typed(lines([asked()[0].right]) + end)

    page = cutcard(*WORDS).page
    assert "1 of 1 question right. Not asked: 3." in page


def test_nothing_to_read_at_all(cutcard: Ask, typed: Type) -> None:
    typed("")

    page = cutcard(*WORDS).page
    assert "No question answered." in page
    assert "Read again" not in page


def test_ctrl_c_ends_politely(cutcard: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupted)

    assert "No question answered." in cutcard(*WORDS).page


@pytest.mark.parametrize("width", [80, 120])
def test_it_fits_the_terminal(
    width: int, cutcard: Ask, typed: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    typed("1\n" * 12)

    page = cutcard("drill", "rws-knockout", "--seed", "3", "--questions", "12").page
    assert max(map(len, page.splitlines())) <= min(width, 100)
    assert "…" not in page


def test_without_a_seed_it_says_which_it_took(cutcard: Ask, typed: Type) -> None:
    typed("")
    seed = cutcard("drill").page.rpartition("--seed ")[2].split()[0]
    typed("")

    assert f"10 questions, seed {seed}." in cutcard("drill", "--seed", seed).page


def test_for_programs(cutcard: Ask) -> None:
    document = cutcard(*WORDS, "--json").document

    assert (document["book"], document["seed"], document["questions"]) == ("rws-commission", 7, 4)
    assert document["lessons"] == [lesson.document() for lesson in drill(BOOK, 7, 4)]
    questions = [one for lesson in document["lessons"] for one in lesson["questions"]]
    assert len(questions) == 4
    assert all(0 <= one["right"] < len(one["choices"]) for one in questions)


@every("words", [("drill", "punto"), (*WORDS, "--questions", "0"), ("drill", "--seed", "x")])
def test_refused(words: tuple[str, ...], cutcard: Ask) -> None:
    said = cutcard(*words)

    assert (said.code, said.out) == (2, "")
    assert len(said.err.splitlines()) == 1
