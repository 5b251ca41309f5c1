"""The counts beside the roads."""

from hypothesis import given
from hypothesis import strategies as st

from cutcard.roads.big import Streak
from cutcard.roads.counts import Counts, count
from cutcard.roads.result import Result, parse
from cutcard.rules.coup import Winner
from tests.cases import every

BANKER, PLAYER, TIE = Winner.BANKER, Winner.PLAYER, Winner.TIE


def test_the_worked_example(worked: tuple[Result, ...]) -> None:
    counts = count(worked)

    assert (counts.rounds, counts.banker, counts.player, counts.tie) == (41, 19, 18, 4)
    assert counts.streak == Streak(BANKER, 1)


def test_an_empty_shoe_counts_nothing() -> None:
    assert count(()) == Counts(
        rounds=0,
        banker=0,
        player=0,
        tie=0,
        banker_pairs=0,
        player_pairs=0,
        banker_naturals=0,
        player_naturals=0,
        naturals=0,
        streak=None,
    )


def test_pairs_and_naturals_count_whoever_wins() -> None:
    """Seven rounds with 1 Banker pair, 2 Player pairs, 4 Banker and 3 Player naturals."""
    counts = count(
        [
            Result(BANKER, banker_natural=True),
            Result(BANKER, banker_natural=True, player_pair=True),
            Result(PLAYER, player_natural=True, banker_natural=True),
            Result(TIE, player_natural=True, banker_natural=True, player_pair=True),
            Result(PLAYER, banker_pair=True),
            Result(PLAYER, player_natural=True),
            Result(PLAYER),
        ]
    )

    assert counts == Counts(
        rounds=7,
        banker=2,
        player=4,
        tie=1,
        banker_pairs=1,
        player_pairs=2,
        banker_naturals=4,
        player_naturals=3,
        naturals=5,
        streak=Streak(PLAYER, 4),
    )


@every(
    ("text", "streak"),
    [
        ("TT", None),
        ("B", Streak(BANKER, 1)),
        ("BBT", Streak(BANKER, 2)),
        ("BBTB", Streak(BANKER, 3)),
        ("BBTP", Streak(PLAYER, 1)),
        ("PBBBBBBB", Streak(BANKER, 7)),
    ],
)
def test_a_tie_does_not_end_the_current_streak(text: str, streak: Streak | None) -> None:
    assert count(parse(text)).streak == streak


@given(st.text(alphabet="BPT"))
def test_every_round_has_one_winner(text: str) -> None:
    counts = count(parse(text))

    assert counts.banker + counts.player + counts.tie == counts.rounds == len(text)
