"""Settling: what becomes of each bet, under which clause, with the commission apart."""

from dataclasses import replace

from cutcard.round import Apportioning, Entry, Phase
from cutcard.round.events import RoundSettled, Settled
from cutcard.round.settling import settle
from cutcard.rules.coup import Coup
from cutcard.rules.limits import Kind, Limit, Scope
from tests.cases import every
from tests.round.scene import BANKER_WINS, PLAYER_WINS, TIE, Scene, box_five, gap


def test_each_bet_names_the_clause_of_its_pay_line() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).bet("ann", 1, "tie", 10)
    scene.bet("bob", 2, "banker", 1_000).play(BANKER_WINS)

    assert scene.state.phase is Phase.SETTLED
    assert scene.last == [
        RoundSettled(
            (
                Settled(scene.laid("ann", 1, "player"), 100, -100, 0, "CB4 3.13"),
                Settled(scene.laid("ann", 1, "tie"), 10, -10, 0, "CB4 3.13"),
                Settled(scene.laid("bob", 2, "banker"), 1_000, 950, 50, "CB4 4.1.1"),
            ),
            scene.now,
        )
    ]


@every(
    ("coup", "nets"),
    [
        (BANKER_WINS, {"A": 570_000, "B": 427_500, "C": 28_500, "D": -100_000, "E": 19_000}),
        (PLAYER_WINS, {"A": -600_000, "B": -450_000, "C": -30_000, "D": 100_000, "E": -20_000}),
        (TIE, {"A": 0, "B": 0, "C": 0, "D": 0, "E": 0}),
    ],
    ids=["Banker wins", "Player wins", "tie"],
)
def test_the_worked_example_of_apportionment(coup: str, nets: dict[str, int]) -> None:
    """Bets win and lose on what they count for; the rest comes back whatever the cards say."""
    settled = box_five().play(coup).settled
    back = {whose: one.bet.stake - one.effective for (whose, _), one in settled.items()}

    assert {whose: one.net for (whose, _), one in settled.items()} == nets
    assert {whose: one.effective for (whose, _), one in settled.items()} == {
        "A": 600_000,
        "B": 450_000,
        "C": 30_000,
        "D": 100_000,
        "E": 20_000,
    }
    assert back == {"A": 200_000, "B": 150_000, "C": 5_000, "D": 0, "E": 0}


def test_commission_is_of_what_counted() -> None:
    settled = box_five().play(BANKER_WINS).settled

    assert {whose: one.commission for (whose, _), one in settled.items()} == {
        "A": 30_000,
        "B": 22_500,
        "C": 1_500,
        "D": 0,
        "E": 1_000,
    }


def test_the_worked_example_with_seated_first() -> None:
    settled = box_five(apportioning=Apportioning.SEATED_FIRST).play(BANKER_WINS).settled

    assert {whose: one.effective for (whose, _), one in settled.items()} == {
        "A": 800_000,
        "B": 250_000,
        "C": 30_000,
        "D": 100_000,
        "E": 20_000,
    }
    assert settled["B", "banker"].net == 237_500


def test_a_declined_ante_is_lost_whatever_the_cards_say() -> None:
    """On a tie an Ante that continued would come back."""
    scene = Scene("rws-knockout").open().bet("ann", 1, "ante_player", 50)
    scene.bet("ann", 1, "ante_banker", 50).close().deal("Kh")
    scene.decline("ann", 1, "ante_player").go_on("ann", 1, "ante_banker").finish(TIE)

    assert scene.nets == {
        ("ann", "ante_player"): -50,
        ("ann", "ante_banker"): 0,
        ("ann", "wager_banker"): 0,
    }
    assert scene.settled["ann", "ante_player"] == Settled(
        scene.laid("ann", 1, "ante_player"), 50, -50, 0, "KO2 3.4.1"
    )
    assert scene.settled["ann", "ante_banker"].clause == "KO2 3.9"


def test_a_declined_ante_in_one_box_does_not_touch_one_that_continued_in_another() -> None:
    scene = Scene("rws-knockout").open().bet("ann", 1, "ante_player", 50)
    scene.bet("ann", 2, "ante_player", 70).close().deal("Kh")
    scene.decline("ann", 1, "ante_player").go_on("ann", 2, "ante_player").finish(PLAYER_WINS)
    assert scene.state.settled is not None

    assert {(one.bet.box, one.bet.spot): one.net for one in scene.state.settled.bets} == {
        (1, "ante_player"): -50,
        (2, "ante_player"): 70,
        (2, "wager_player"): 280,
    }


def test_a_declined_ante_that_was_apportioned_is_lost_by_what_it_counted_for() -> None:
    """150 lie where 100 may: the rest comes back, whoever declines."""
    antes = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("ante_player", "ante_banker"), 100, "CB4 5.1")
    scene = Scene("rws-knockout", entry=Entry.WARN, limits=[antes]).open()
    scene.bet("ann", 1, "ante_player", 150).close().deal("Kh")
    scene.decline("ann", 1, "ante_player").finish(PLAYER_WINS)

    assert scene.settled["ann", "ante_player"] == Settled(
        scene.laid("ann", 1, "ante_player"), 100, -100, 0, "KO2 3.4.1"
    )


def test_a_time_out_is_settled_under_the_clause_of_the_time_out() -> None:
    scene = Scene("rws-knockout").open().bet("ann", 1, "ante_player", 50).close().deal("Kh")
    scene.wait(10_000).time_is_up().finish(PLAYER_WINS)

    assert scene.settled["ann", "ante_player"] == Settled(
        scene.laid("ann", 1, "ante_player"), 50, -50, 0, "HOUSE timeout"
    )


@every(("coup", "net"), [(BANKER_WINS, 190), (PLAYER_WINS, -200), (TIE, 0)])
def test_removed_chips_win_and_lose_as_if_there(coup: str, net: int) -> None:
    scene = Scene().open().bet("ann", 1, "banker", 200).bet("bob", 1, "banker", 200)
    scene.close().removed("ann", 1, "banker").finish(coup)

    assert scene.nets == {("ann", "banker"): net, ("bob", "banker"): net}
    assert {whose: one.removed for whose, one in scene.settled.items()} == {
        ("ann", "banker"): True,
        ("bob", "banker"): False,
    }


def test_chips_removed_of_a_declined_ante_are_owed_all_the_same() -> None:
    scene = Scene("rws-knockout").open().bet("ann", 1, "ante_player", 50).close().deal("Kh")
    scene.decline("ann", 1, "ante_player").removed("ann", 1, "ante_player").finish(TIE)

    assert scene.settled["ann", "ante_player"] == Settled(
        scene.laid("ann", 1, "ante_player"), 50, -50, 0, "KO2 3.4.1", removed=True
    )


def test_removed_chips_of_an_apportioned_bet_count_for_its_share() -> None:
    scene = Scene(entry=Entry.WARN, limits=[gap(100)]).open().bet("ann", 1, "banker", 200)
    scene.close().removed("ann", 1, "banker").finish(PLAYER_WINS)

    assert scene.settled["ann", "banker"] == Settled(
        scene.laid("ann", 1, "banker"), 100, -100, 0, "CB4 3.13", removed=True
    )


def test_cow_cow_pays_and_takes_the_winning_points() -> None:
    scene = Scene("online-cow-cow").open().bet("ann", 1, "player", 100)
    scene.bet("bob", 1, "banker", 100).play("Ah 3s 5d / Jc 2d Ac")

    assert scene.nets == {("ann", "player"): 855, ("bob", "banker"): -900}
    assert scene.settled["ann", "player"].commission == 45


def test_nothing_was_bet_and_nothing_is_settled() -> None:
    assert Scene().open().play(TIE).last == [RoundSettled((), 8)]


def test_settling_looks_at_the_cards_that_lie_there() -> None:
    scene = Scene().open().bet("ann", 1, "player_pair", 10).close().deal("7h 2c 7s 9d")
    mended = replace(scene.state, coup=Coup.parse("7h 8s / 2c 9d"))

    assert [one.net for one in settle(scene.state, scene.book)] == [110]
    assert [one.net for one in settle(mended, scene.book)] == [-10]


def test_a_spot_that_was_emptied_needs_no_line() -> None:
    scene = Scene().open().bet("ann", 1, "tie", 10).bet("ann", 1, "player", 10)
    scene.take_back("ann", 1, "tie").play(TIE)

    assert scene.nets == {("ann", "player"): 0}
