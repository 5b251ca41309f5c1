"""Figures of a table: a fold of its log, compared with the ledger and with chance, exactly."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from cutcard import wire
from cutcard.chain import canonical
from cutcard.odds.moments import Moments
from cutcard.round.events import Laid, Settled
from cutcard.server.figures import LEAST_ROUNDS, Chart, Figures, Known, sigma
from cutcard.store import Kept
from cutcard.table import Table, evolve, transfers
from cutcard.table.incident import Step
from tests.table.scene import BANKER_WINS, PLAYER_WINS, TIE, Scene

COIN = Moments({"even": Fraction(0)}, {("even", "even"): Fraction(1)})
"""A fair coin: nothing to expect, and a variance of one for each unit staked."""


def bet(net: int, spot: str = "even", stake: int = 100) -> Settled:
    return Settled(Laid("ann", 1, spot, stake, True, 1, 1), stake, net, 0, "")


def tossed(won: int, lost: int) -> Chart:
    """A chart after so many rounds that the house won and lost, 100 each."""
    chart = Chart()
    for number, net in enumerate([-100] * won + [100] * lost):
        chart.settle(f"1/{number}", [bet(net)], COIN)
    return chart


def records(scene: Scene) -> Iterator[Kept]:
    """A scene's log as a store keeps it."""
    table = Table()
    for number, event in enumerate(scene.log, start=1):
        record = canonical(wire.write(wire.Happened(event, tuple(transfers(table, event)))))
        table = evolve(table, event)
        yield Kept("t1", number, record, b"", event.at, "")


def read(kept: Iterable[Kept], known: Known | None = None, since: int = 0) -> Figures:
    found = Figures(since)
    for one in kept:
        found.read(one, known)
    return found


def test_three_sigma_is_still_chance_and_more_is_not() -> None:
    """81 rounds have a sigma of 9 stakes; the house may be 27 of them ahead."""
    fair = tossed(won=54, lost=27)
    assert (fair.actual, sigma(fair.variance)) == (2700, 900)
    assert fair.variance == 810_000
    assert not fair.drifts
    assert fair.unusual == []

    off = tossed(won=55, lost=26)
    assert off.actual == 2900
    assert off.drifts
    assert off.unusual == ["even"]


def test_a_house_that_loses_too_much_is_as_unusual_as_one_that_wins_too_much() -> None:
    assert tossed(won=26, lost=55).unusual == ["even"]


def test_a_hold_says_nothing_before_enough_rounds() -> None:
    assert tossed(won=LEAST_ROUNDS - 1, lost=0).unusual == []
    assert tossed(won=LEAST_ROUNDS, lost=0).unusual == ["even"]


def test_one_bet_is_unusual_though_all_of_them_together_are_not() -> None:
    """What the house loses on the small bet is hidden in the swings of the great one."""
    both = Moments(
        {"even": Fraction(0), "odd": Fraction(0)},
        {(one, two): Fraction(one == two) for one in ("even", "odd") for two in ("even", "odd")},
    )
    chart = Chart()
    for number in range(64):
        great = bet(100_000 if number % 2 else -100_000, stake=100_000)
        chart.settle(f"1/{number}", [great, bet(100, "odd")], both)

    assert not chart.drifts
    assert chart.unusual == ["odd"]
    assert chart.holds["odd"].off == -6400
    assert chart.holds["odd"].variance == 640_000


def test_a_round_settled_anew_counts_as_it_was_corrected() -> None:
    chart = tossed(won=54, lost=27)
    chart.undo([bet(100)], COIN)
    assert chart == tossed(won=54, lost=26), "a void round leaves nothing"

    chart.settle("1/80", [bet(-100)], COIN)
    assert chart.actual == chart.points[-1].off == chart.holds["even"].off == 2900
    assert chart.variance == 810_000, "what was expected of it still is"


def test_bets_without_an_expectation_are_left_out_and_told() -> None:
    chart = Chart()
    chart.settle("1/1", [bet(100), bet(500, "ante", 500)], COIN)

    assert (chart.actual, chart.left_out) == (-100, 500)


def night() -> Scene:
    """Three rounds: Banker wins, Player wins, a tie; the last is voided after it was paid."""
    scene = Scene().fund(ann=1_000_000).seat("ann", 1).shoe()
    for coup in (BANKER_WINS, PLAYER_WINS, TIE):
        scene.open().bet("ann", 1, "banker", 100_000).play(coup)
    scene.report("foreign card")
    return scene.resolve(Step.VOID, reason="a joker")


def test_meters_are_what_the_ledger_holds() -> None:
    scene = night()
    found = read(records(scene))

    assert (found.meters.won, found.meters.commission) == (scene.house, scene.commission)
    assert (found.meters.won, found.meters.commission) == (0, 5_000)
    assert (found.rounds, found.void, found.corrected) == (3, 1, 0)
    assert (found.shoes, found.scans) == (1, 12)
    assert (found.meters.wagered, found.meters.paid) == (200_000, 195_000)
    assert found.spots == {"banker": [200_000, 5_000]}, "the void round leaves nothing"
    assert [one["kind"] for one in found.incidents] == ["foreign card"]
    assert found.incidents[0]["step"] == "void the round"


def test_what_came_before_the_shift_is_not_counted() -> None:
    kept = [*records(night())]
    later = read(kept, since=kept[-1].at)

    assert (later.rounds, later.scans, later.meters.wagered) == (0, 0, 0)


def test_rounds_by_another_book_are_left_out_of_the_chart() -> None:
    """What is expected of one book says nothing of another's rounds."""
    scene = night()
    moments = Moments({"banker": Fraction(0)}, {("banker", "banker"): Fraction(1)})

    own = read(records(scene), Known(scene.book.hash, moments)).chart
    assert own.left_out == 0
    assert own.variance == 2 * 100_000**2, "the void round is no round of the chart"
    assert (own.holds["banker"].rounds, own.holds["banker"].staked) == (2, 200_000)
    assert len(own.points) == 2
    other = read(records(scene), Known("another book", moments)).chart
    assert (other.left_out, other.actual, other.points) == (200_000, 0, [])
    assert other.variance == 0
