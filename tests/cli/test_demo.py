"""The demonstration: three patrons, one shoe, and money that adds up."""

import json
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cutcard.cli import run
from cutcard.cli.demo import ROADS_EVERY, Demonstration
from cutcard.refusals import Refusal
from cutcard.rulebooks import FOLDER, MORE, load, rulebooks
from cutcard.rules.dealing import deal
from cutcard.rules.rulebook import Rulebook
from tests.cases import every

BOOKS = (*rulebooks(), *rulebooks(MORE))
every_book = every("book", BOOKS, ids=lambda book: book.id)


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `cutcard demo …` prints."""
    assert run(["demo", *words]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def played(book: Rulebook, rounds: int | None = None, width: int = 80) -> str:
    """A demonstration as a terminal of that width shows it."""
    console = Console(file=StringIO(), width=width, highlight=False, color_system=None)
    Demonstration(book, 7, rounds).play(console, 0)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses made between coups, without waiting for them."""
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made


# --- money


@every_book
@pytest.mark.parametrize("rounds", ["3", "1000"])
def test_the_money_adds_up(book: Rulebook, rounds: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--book", book.id, "--rounds", rounds, "--pace", "0", "--json")
    document: Any = json.loads(shown(capsys, *words))
    bets = [
        (patron, bet)
        for one in document["rounds"]
        for patron, bets in one["patrons"].items()
        for bet in bets
    ]

    assert set(document["net"]) == {"Ann", "Ben", "Cho"}
    for patron, net in document["net"].items():
        assert net == sum(bet["net"] for owner, bet in bets if owner == patron)
    assert sum(document["net"].values()) == sum(bet["net"] for _, bet in bets)


@every_book
def test_the_demonstration_plays_the_shoe_that_deal_shows(book: Rulebook) -> None:
    coups = [dealt.coup for dealt, _ in Demonstration(book, 7).coups()]

    assert coups == [dealt.coup for dealt in deal(book, 7).coups]


@every_book
def test_every_bet_of_the_book_is_tried_in_a_shoe(book: Rulebook) -> None:
    tried = {
        bet.spot
        for _, settled in Demonstration(book, 7).coups()
        for settlement in settled.values()
        for bet in settlement.bets
    }

    assert tried == set(book.spots)


def test_ann_backs_the_banker_and_ben_the_last_winner() -> None:
    demonstration = Demonstration(load("rws-commission"), 7)
    last = "player"
    for dealt, settled in demonstration.coups():
        assert [bet.spot for bet in settled["Ann"].bets] == ["banker"]
        assert [bet.spot for bet in settled["Ben"].bets] == [last]
        last = last if dealt.coup.winner.value == "tie" else dealt.coup.winner.value


def test_a_winning_total_and_an_ante_are_bet_as_the_book_wants_them() -> None:
    book = load("rws-knockout")
    cho = [Demonstration(book, 7).bets(number)["Cho"] for number in range(12)]

    assert {"winning_total_7": 2500, "player": 2500} in cho, "the book's minimum"
    assert {"ante_banker": 2500, "wager_banker": 5000} in cho


def test_a_book_in_large_steps_can_be_demonstrated(tmp_path: Path) -> None:
    """A commission of 0.3% asks for stakes in thousands."""
    text = (FOLDER / "skycity-commission.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('commission = "5%"', 'commission = "0.3%"'), encoding="utf-8")
    book = load(path)

    assert book.spots["banker"].step == 1000
    assert len(list(Demonstration(book, 7, 3).coups())) == 3


# --- what is shown


@every_book
def test_three_rounds_of_every_book_are_shown(
    book: Rulebook, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, "--book", book.id, "--rounds", "3", "--pace", "0")

    assert book.name in text
    assert "Bead plate" in text
    assert "After 3 rounds: Ann " in text


@every("width", [40, 80, 200])
def test_a_whole_shoe_is_shown_at_any_width(width: int) -> None:
    assert "rounds: Ann" in played(load("rws-commission"), width=width).replace("\n", " ")


@every(
    ("rounds", "drawings"),
    [(1, 1), (ROADS_EVERY - 1, 1), (ROADS_EVERY, 1), (ROADS_EVERY + 1, 2), (2 * ROADS_EVERY, 2)],
)
def test_the_roads_are_drawn_now_and_then_and_once_at_the_end(rounds: int, drawings: int) -> None:
    assert played(load("rws-commission"), rounds).count("Bead plate") == drawings


def test_the_cut_card_ends_a_whole_shoe() -> None:
    text = played(load("rws-commission"), width=200)

    assert text.count("cut card: last round") == 1
    assert f"After {len(deal(load('rws-commission'), 7).coups)} rounds" in text


@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["human", "json"])
def test_the_same_seed_shows_the_same_demonstration(
    as_json: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, other = (
        shown(capsys, "--seed", seed, "--rounds", "5", "--pace", "0", *as_json) for seed in "778"
    )

    assert first == second
    assert first != other


# --- pace


def test_the_pace_is_kept_between_coups(
    pauses: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    shown(capsys, "--rounds", "3", "--pace", "0.5")

    assert pauses == [0.5] * 3


def test_nobody_waits_where_nobody_watches(
    pauses: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    shown(capsys, "--rounds", "3")

    assert sum(pauses) == 0


def test_at_a_terminal_there_is_a_short_pause(pauses: list[float]) -> None:
    console = Console(file=StringIO(), width=80, force_terminal=True)
    Demonstration(load("rws-commission"), 7, 2).play(console, None)

    assert len(pauses) == 2
    assert all(0 < pause < 1 for pause in pauses)


def test_json_does_not_wait(pauses: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    shown(capsys, "--rounds", "3", "--pace", "5", "--json")

    assert pauses == []


def test_a_demonstration_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", stop)

    assert run(["demo", "--pace", "1"]) == 130
    said = capsys.readouterr()
    assert "After" not in said.out
    assert said.err == "stopped\n"


# --- refusals


@pytest.mark.parametrize("rounds", [0, -1])
def test_no_rounds_are_refused_before_anything_is_dealt(rounds: int) -> None:
    with pytest.raises(Refusal) as caught:
        Demonstration(load("rws-commission"), 7, rounds)

    assert caught.value == Refusal("shoe/rounds", {"rounds": rounds})
