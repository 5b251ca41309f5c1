"""The ask roads: the next mark, before it comes."""

from hypothesis import given
from hypothesis import strategies as st

from cutcard.roads.ask import Answer, Ask, ask
from cutcard.roads.big import streaks
from cutcard.roads.derived import Derived, Mark, derived_road
from cutcard.roads.result import Result, parse
from tests.cases import every

R, B = Mark.RED, Mark.BLUE
SHOES = st.text(alphabet="BBBPPPT", max_size=90)


def three(answer: Answer) -> tuple[Mark | None, Mark | None, Mark | None]:
    return answer.big_eye, answer.small, answer.cockroach


def test_the_worked_example(worked: tuple[Result, ...]) -> None:
    assert ask(worked) == Ask(
        banker=Answer(big_eye=B, small=R, cockroach=R),
        player=Answer(big_eye=R, small=B, cockroach=B),
    )


@every(
    ("text", "banker", "player"),
    [
        ("", (None, None, None), (None, None, None)),
        ("TT", (None, None, None), (None, None, None)),
        ("B", (None, None, None), (None, None, None)),
        ("BBBBBBB", (None, None, None), (None, None, None)),
        ("BP", (R, None, None), (B, None, None)),
        ("BPT", (R, None, None), (B, None, None)),
        ("BBP", (B, None, None), (R, None, None)),
        ("BPB", (B, B, None), (R, R, None)),
        ("BPBP", (R, R, R), (B, B, B)),
        ("BPPBP", (R, B, R), (B, R, B)),
    ],
)
def test_each_road_answers_from_its_own_column_on(
    text: str,
    banker: tuple[Mark | None, Mark | None, Mark | None],
    player: tuple[Mark | None, Mark | None, Mark | None],
) -> None:
    answers = ask(parse(text))

    assert three(answers.banker) == banker
    assert three(answers.player) == player


@given(SHOES)
def test_the_two_answers_are_both_absent_or_opposite(text: str) -> None:
    answers = ask(parse(text))

    for banker, player in zip(three(answers.banker), three(answers.player), strict=True):
        assert (banker, player) in {(None, None), (R, B), (B, R)}


@given(SHOES)
def test_a_road_answers_once_there_are_more_columns_than_it_looks_back(text: str) -> None:
    columns = streaks(parse(text))
    answers = three(ask(parse(text)).banker)

    assert [one is not None for one in answers] == [len(columns) > back for back in (1, 2, 3)]


@given(SHOES, st.sampled_from("BP"))
def test_the_answer_is_the_mark_the_win_then_brings(text: str, letter: str) -> None:
    answers = ask(parse(text))
    answer = answers.banker if letter == "B" else answers.player

    for road, expected in zip(Derived, three(answer), strict=True):
        before = derived_road(streaks(parse(text)), road).marks
        after = derived_road(streaks(parse(text + letter)), road).marks
        brought = () if expected is None else (expected,)
        assert after == before + brought


def test_asking_leaves_the_results_alone() -> None:
    results = list(parse("BPBPP"))
    ask(results)

    assert results == list(parse("BPBPP"))
