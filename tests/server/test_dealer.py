"""The automatic dealer: what comes next at a table, and when. Pure, so nothing has to wait."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from cutcard.pack.croupier import Croupier
from cutcard.round import commands as rounds
from cutcard.rulebooks import load
from cutcard.rules.coup import Side, next_side
from cutcard.server.dealer import Act, Due, Pace, Since, due, heard, squeezing
from cutcard.table import commands as ask
from tests.cases import every

PACE = Pace(betting=20_000, card=1_000, result=5_000, least_round=30_000, seeds=10_000)
FREE = replace(PACE, free_rounds=True)
SINCE = Since(last=100_000, opened=90_000)


def table(book: str = "rws-commission", seed: int = 3, **choices: object) -> Croupier:
    """A table that is open, with a stack for each patron and no shoe yet."""
    found = Croupier(load(book), seed)
    found.open({"ann": 10_000_000, "ben": 10_000_000}, **choices)
    return found


def shuffled(book: str = "rws-commission", seed: int = 3, **choices: object) -> Croupier:
    found = table(book, seed, **choices)
    found.commit()
    return found


def after(found: Croupier, pace: Pace = PACE, since: Since = SINCE) -> Due | None:
    return due(found.log.table, found.log.shoe, pace, since)


def test_a_table_without_a_shoe_commits_to_one_at_once() -> None:
    assert after(table()) == Due(Act.COMMIT, 100_000)


def test_a_table_that_is_not_open_does_nothing() -> None:
    assert after(Croupier(load("rws-commission"), 3)) is None


def test_a_round_opens_when_the_result_was_seen_and_the_last_start_is_long_enough_ago() -> None:
    assert after(shuffled()) == Due(Act.OPEN, 120_000)
    late = Since(last=100_000, opened=50_000)
    assert after(shuffled(), since=late) == Due(Act.OPEN, 105_000)


def test_without_a_bet_the_time_to_bet_does_not_run() -> None:
    found = shuffled()
    found.in_round(rounds.OpenRound(0, None, found.tick()))
    assert after(found) is None
    since = heard(SINCE, found.log.table, PACE, 100_500)
    assert since == SINCE

    found.place("ann", 1, "banker", 100_000)
    since = heard(since, found.log.table, PACE, 101_000)
    assert after(found, since=since) == Due(Act.CLOSE, 121_000, shown=True)
    assert heard(since, found.log.table, PACE, 105_000) == since


def test_a_bet_taken_back_stops_the_clock() -> None:
    found = shuffled()
    found.in_round(rounds.OpenRound(0, None, found.tick()))
    found.place("ann", 1, "banker", 100_000)
    running = heard(SINCE, found.log.table, PACE, 101_000)
    found.in_round(rounds.WithdrawBet("ann", 1, "banker", found.tick()), "ann")

    assert heard(running, found.log.table, PACE, 102_000).countdown is None


def test_free_rounds_are_dealt_without_bets() -> None:
    found = shuffled()
    found.in_round(rounds.OpenRound(0, None, found.tick()))
    since = heard(SINCE, found.log.table, FREE, 101_000)

    assert after(found, FREE, since) == Due(Act.CLOSE, 121_000, shown=True)


def test_a_whole_coup_card_by_card() -> None:
    found = shuffled()
    found.bet({"ann": {"banker": 100_000}})
    acts = []
    while (next_one := after(found)) is not None and next_one.act is Act.DRAW:
        assert next_one.at == 101_000
        acts.append(next_one.act)
        found.draw()
    assert len(acts) == len(found.log.table.round.coup.dealt) >= 4
    assert after(found) == Due(Act.CALL, 101_000)
    found.in_round(rounds.CallResult(found.tick()))
    assert after(found) == Due(Act.SETTLE, 101_000)


def test_four_cards_face_down_are_turned_before_a_third_is_drawn() -> None:
    found = shuffled(face_down=True)
    found.bet({"ann": {"banker": 100_000}})
    found.draw()
    for _ in range(3):
        assert after(found) == Due(Act.DRAW, 101_000)
        found.draw()
    assert after(found) == Due(Act.TURN, 101_000)


def test_before_the_first_card_there_is_time_to_ask_for_the_squeeze() -> None:
    """Only where cards are dealt face down, and everybody sees how long."""
    found = shuffled(face_down=True)
    found.bet({"ann": {"banker": 100_000}})
    assert after(found) == Due(Act.DRAW, 104_000, shown=True)

    face_up = shuffled()
    face_up.bet({"ann": {"banker": 100_000}})
    assert after(face_up) == Due(Act.DRAW, 101_000)


def squeezed(side: Side, seed: int = 3) -> Croupier:
    """A table at which ann was granted the squeeze of one side, before the first card."""
    found = shuffled(seed=seed, face_down=True)
    found.bet({"ann": {"banker": 100_000}})
    found.do(ask.RequestSqueeze("ann", side, found.tick()))
    assert after(found) == Due(Act.GRANT, 100_000)
    found.do(ask.AnswerSqueeze("ann", True, "dealer", found.tick()))
    return found


def test_a_request_whose_card_cannot_come_is_not_waited_for() -> None:
    """Of the first shoes, one in which Player stands on its first two cards."""
    for seed in range(1, 20):
        found = shuffled(seed=seed, face_down=True)
        found.bet({"ann": {"banker": 100_000}})
        found.do(ask.RequestSqueeze("ann", Side.PLAYER, found.tick()))
        for _ in range(4):
            assert after(found) == Due(Act.GRANT, 100_000)
            found.draw()
        if next_side(found.log.table.round.coup) is Side.BANKER:
            break

    assert after(found) == Due(Act.TURN, 101_000)


def test_whoever_squeezes_has_time_for_it() -> None:
    found = squeezed(Side.BANKER)
    for _ in range(4):
        assert after(found) == Due(Act.DRAW, 101_000)
        found.draw()
    assert after(found) == Due(Act.TURN, 108_000, shown=True)


def test_whoever_has_seen_enough_is_waited_for_no_longer() -> None:
    """Only the one who holds the cards can say so, and only of the cards that lie there."""
    found = squeezed(Side.BANKER)
    for _ in range(4):
        found.draw()

    assert squeezing(found.log.table) == {"ann"}
    waits = after(found, since=replace(SINCE, opened_by=frozenset({"ben"})))
    assert waits == Due(Act.TURN, 108_000, shown=True)
    done = after(found, since=replace(SINCE, opened_by=frozenset({"ann"})))
    assert done == Due(Act.TURN, 101_000)


def closed(seed: int, *, face_down: bool = True) -> Croupier:
    found = shuffled(seed=seed, face_down=face_down)
    found.bet({"ann": {"banker": 100_000}})
    return found


def third(made: Callable[[int], Croupier] = closed) -> tuple[Croupier, Side]:
    """Four open cards and a third one to come, and whose it is: the first seed that gives one."""
    for seed in range(1, 50):
        found = made(seed)
        for _ in range(4):
            found.draw()
        found.do(ask.OpenCards("dealer", found.tick()))
        side = next_side(found.log.table.round.coup)
        if side is not None:
            return found, side
    raise AssertionError("every seed gives a coup of four cards")


def test_before_a_third_card_there_is_time_to_ask_where_somebody_may() -> None:
    found, _ = third()
    assert after(found) == Due(Act.DRAW, 104_000, shown=True)

    found.do(ask.LeaveSeat("ann", found.tick()))
    assert after(found) == Due(Act.DRAW, 101_000), "nobody is seated who could ask"
    face_up, _ = third(partial(closed, face_down=False))
    assert after(face_up) == Due(Act.DRAW, 101_000)


def test_a_squeeze_of_a_third_card_is_granted_and_the_card_is_waited_for() -> None:
    found, side = third()
    found.do(ask.RequestSqueeze("ann", side, found.tick()))
    assert after(found) == Due(Act.GRANT, 100_000)
    found.do(ask.AnswerSqueeze("ann", True, "dealer", found.tick()))
    assert squeezing(found.log.table) == frozenset(), "what lies there is open"
    assert after(found) == Due(Act.DRAW, 101_000)

    found.draw()
    assert squeezing(found.log.table) == {"ann"}
    assert after(found) == Due(Act.TURN, 108_000, shown=True)


def test_a_squeeze_granted_late_holds_no_card_that_was_dealt_before() -> None:
    found = shuffled(seed=3, face_down=True)
    found.bet({"ann": {"banker": 100_000}})
    for _ in range(3):
        found.draw()
    found.do(ask.RequestSqueeze("ann", Side.PLAYER, found.tick()))
    found.do(ask.AnswerSqueeze("ann", True, "dealer", found.tick()))
    found.draw()

    assert squeezing(found.log.table) == frozenset()
    assert after(found) == Due(Act.TURN, 101_000)


@pytest.mark.parametrize("side", list(Side))
def test_a_third_card_is_waited_for_only_if_it_is_squeezed(side: Side) -> None:
    found, drawn = third(partial(squeezed, side))
    found.draw()

    mine = Due(Act.TURN, 108_000, shown=True)
    assert after(found) == (mine if side is drawn else Due(Act.TURN, 101_000))


def test_decisions_end_at_their_own_time() -> None:
    found = shuffled("rws-knockout", decks=8)
    found.bet({"ann": {"ante_player": 25_000}})
    found.draw()
    until = found.log.table.round.decide_until

    assert until is not None
    assert after(found) == Due(Act.END_DECISIONS, until, shown=True)


def test_something_wrong_stops_the_dealer() -> None:
    found = shuffled()
    found.bet({"ann": {"banker": 100_000}})
    found.do(ask.Report("technical interruption", "supervisor", found.tick()))

    assert after(found) is None


def test_after_the_cut_card_the_shoe_is_taken_away() -> None:
    found = shuffled()
    found.do(ask.ShowCutCard("dealer", found.tick()))

    assert after(found) == Due(Act.END_SHOE, 105_000)


def test_a_closing_table_closes_after_its_last_round() -> None:
    found = shuffled()
    found.do(ask.AnnounceClosing(1, "supervisor", found.tick()))
    assert after(found) == Due(Act.OPEN, 120_000)
    found.round({"ann": {"banker": 100_000}})
    assert after(found) == Due(Act.CLOSE_TABLE, 105_000)


def test_a_stop_opens_no_further_round_but_finishes_the_one_under_way() -> None:
    found = shuffled()
    assert due(found.log.table, found.log.shoe, PACE, SINCE, stopping=True) is None
    found.bet({"ann": {"banker": 100_000}})
    going = due(found.log.table, found.log.shoe, PACE, SINCE, stopping=True)
    assert going == Due(Act.DRAW, 101_000)


@every("book", ["rws-commission", "online-baccarat", "skycity-commission"])
def test_somebody_elses_cards_are_left_alone(book: str) -> None:
    """A shoe that staff put on the table is dealt by staff."""
    found = table(book)
    found.register("by hand", "shuffled by two")

    assert after(found) is None
