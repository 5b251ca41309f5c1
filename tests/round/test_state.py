"""The state of a round: what each event changes, and what it leaves alone."""

from dataclasses import replace

from cutcard.round import Phase, Round, evolve, fold
from cutcard.round.events import (
    AlwaysChosen,
    BetPlaced,
    BetsClosed,
    BetWithdrawn,
    CardDealt,
    ChipsRemoved,
    DecisionsClosed,
    DecisionsOpened,
    Effective,
    Event,
    Laid,
    ResultCalled,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SecondStageDeclined,
    SecondStagePlaced,
    Settled,
)
from cutcard.round.state import FINISHED
from cutcard.round.terms import Terms
from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Coup, Side, Winner
from cutcard.rules.limits import Bet, Scope
from tests.cases import every
from tests.round.scene import Scene, replayed

TERMS = Terms("rws-knockout", "hash", (), 6)
OPEN = fold([RoundOpened(7, TERMS, 1)])
ANN = Laid("ann", 1, "player", 100, True, 0, 1)
BOB = Laid("bob", 1, "player", 40, False, 1, 1)
ANTE = Laid("ann", 2, "ante_player", 50, True, 2, 1)
LAID = fold([BetPlaced(ANN, None, 2), BetPlaced(BOB, None, 3), BetPlaced(ANTE, None, 4)], OPEN)
(CARD,) = parse_cards("9h")


def test_before_the_first_round_nothing_is_there() -> None:
    state = Round()

    assert (state.number, state.phase, state.terms, state.placed) == (0, Phase.IDLE, None, 0)
    assert (state.winner, state.settled, state.decide_until) == (None, None, None)
    assert list(state.bets) == []
    assert state.coup == Coup()


def test_a_round_is_finished_before_it_opens_when_it_is_settled_and_when_it_is_void() -> None:
    assert FINISHED == (Phase.IDLE, Phase.SETTLED, Phase.VOID)


def test_opening_starts_from_nothing() -> None:
    assert Round(number=7, phase=Phase.BETTING, terms=TERMS) == OPEN


def test_opening_forgets_the_last_round_but_not_who_always_continues() -> None:
    over = fold([AlwaysChosen("ann", True, 5), BetsClosed((), 6)], LAID)
    other = replace(TERMS, boxes=5)

    assert evolve(over, RoundOpened(8, other, 9)) == Round(
        8, Phase.BETTING, other, always=frozenset({"ann"})
    )


def test_bets_are_kept_by_patron_and_summed_by_box_patron_and_spot() -> None:
    assert LAID.own == {"ann": {ANN.key: ANN, ANTE.key: ANTE}, "bob": {BOB.key: BOB}}
    assert LAID.by_box == {1: {"player": 140}, 2: {"ante_player": 50}}
    assert LAID.by_patron == {"ann": {"player": 100, "ante_player": 50}, "bob": {"player": 40}}
    assert LAID.by_spot == {"player": 140, "ante_player": 50}
    assert LAID.placed == 3
    assert LAID.phase is Phase.BETTING


def test_every_bet_is_seen_box_by_box() -> None:
    assert list(LAID.bets) == [ANN, BOB, ANTE]


def test_one_patrons_bets_are_seen_box_by_box_too() -> None:
    again = replace(ANN, spot="banker", order=4)
    state = evolve(LAID, BetPlaced(again, None, 5))

    assert state.bets_of("ann") == [ANN, again, ANTE]
    assert state.bets_of("bob") == [BOB]
    assert state.bets_of("cho") == []


def test_whoever_took_the_last_bet_away_has_none() -> None:
    state = evolve(LAID, BetWithdrawn(BOB, None, "withdrawn", None, 5))

    assert set(state.own) == {"ann"}
    assert state.bets_of("bob") == []


def test_a_bet_is_found_by_box_patron_and_spot() -> None:
    assert LAID.bet((1, "ann", "player")) == ANN
    assert LAID.bet((2, "ann", "player")) is None
    assert LAID.bet((1, "bob", "banker")) is None
    assert LAID.bet((9, "ann", "player")) is None


def test_stakes_of_one_patron_in_one_box() -> None:
    assert LAID.stakes_of("ann", 1) == {"player": 100}
    assert LAID.stakes_of("ann", 2) == {"ante_player": 50}
    assert LAID.stakes_of("bob", 2) == {}
    assert LAID.stakes_of("ann", 9) == {}


def test_an_increase_counts_only_what_was_added() -> None:
    more = replace(ANN, stake=130, revision=2)
    state = evolve(LAID, BetPlaced(more, ANN, 5))

    assert state.own["ann"] == {ANN.key: more, ANTE.key: ANTE}
    assert state.by_box[1] == {"player": 170}
    assert state.by_patron["ann"] == {"player": 130, "ante_player": 50}
    assert state.by_spot == {"player": 170, "ante_player": 50}
    assert state.placed == 4


def test_a_bet_cut_down_stays_with_what_is_left() -> None:
    less = replace(ANN, stake=30, revision=2)
    state = evolve(LAID, BetWithdrawn(ANN, less, "withdrawn", None, 5))

    assert state.own["ann"] == {ANN.key: less, ANTE.key: ANTE}
    assert state.by_box[1] == {"player": 70}
    assert state.by_patron["ann"] == {"player": 30, "ante_player": 50}
    assert state.by_spot == {"player": 70, "ante_player": 50}
    assert state.placed == 3


def test_a_bet_taken_away_leaves_the_others() -> None:
    state = evolve(LAID, BetWithdrawn(ANN, None, "withdrawn", None, 5))

    assert list(state.bets) == [BOB, ANTE]
    assert state.by_patron == {"ann": {"player": 0, "ante_player": 50}, "bob": {"player": 40}}
    assert state.by_spot == {"player": 40, "ante_player": 50}
    assert state.placed == 3


@every(
    ("scope", "together"),
    [
        (Scope.BET, [Bet("ann", 1, "player", 100)]),
        (Scope.BOX, [Bet("ann", 1, "player", 140)]),
        (Scope.PATRON, [Bet("ann", 1, "player", 100), Bet("ann", 1, "ante_player", 50)]),
        (Scope.TABLE, [Bet("ann", 1, "player", 140), Bet("ann", 1, "ante_player", 50)]),
    ],
)
def test_what_a_limit_counts_together(scope: Scope, together: list[Bet]) -> None:
    """The sums stand under the name of who asks; a limit looks only at what is added up."""
    assert LAID.together(scope, "ann", 1) == together


@every("scope", [Scope.BET, Scope.BOX, Scope.PATRON])
def test_a_stranger_in_an_empty_box_has_nothing(scope: Scope) -> None:
    assert LAID.together(scope, "eve", 5) == []


def test_closing_keeps_what_bets_count_for() -> None:
    state = evolve(LAID, BetsClosed((Effective(1, "ann", "player", 60),), 5))

    assert state == replace(LAID, phase=Phase.CLOSED, effective={(1, "ann", "player"): 60})


def test_a_card_goes_to_its_side() -> None:
    to_player = evolve(LAID, CardDealt(Side.PLAYER, CARD, 5))
    to_banker = evolve(to_player, CardDealt(Side.BANKER, CARD, 6))

    assert to_player == replace(LAID, phase=Phase.DEALING, coup=Coup((CARD,), ()))
    assert to_banker.coup == Coup((CARD,), (CARD,))


def test_decisions_open_until_a_time_and_close() -> None:
    opened = evolve(LAID, DecisionsOpened(10_005, 5))

    assert opened == replace(LAID, phase=Phase.DECIDING, decide_until=10_005)
    assert evolve(opened, DecisionsClosed(6)) == replace(LAID, phase=Phase.DEALING)


def test_always_is_chosen_and_taken_back_by_each_alone() -> None:
    both = fold([AlwaysChosen("ann", True, 5), AlwaysChosen("bob", True, 6)], LAID)

    assert both == replace(LAID, always=frozenset({"ann", "bob"}))
    assert evolve(both, AlwaysChosen("ann", False, 7)).always == {"bob"}
    assert evolve(LAID, AlwaysChosen("ann", False, 7)).always == frozenset()


def test_a_second_stage_lies_beside_its_first() -> None:
    wager = Laid("ann", 2, "wager_player", 100, True, 3, 1)
    state = evolve(LAID, SecondStagePlaced(wager, "ante_player", False, 5))

    assert state.own["ann"] == {ANN.key: ANN, ANTE.key: ANTE, wager.key: wager}
    assert state.by_box[2] == {"ante_player": 50, "wager_player": 100}
    assert state.by_spot == {"player": 140, "ante_player": 50, "wager_player": 100}
    assert state.placed == 4


def test_a_declined_bet_stays_and_is_marked_with_its_clause() -> None:
    events = [
        SecondStageDeclined("ann", 2, "ante_player", False, "KO2 3.4.1", 5),
        SecondStageDeclined("bob", 1, "ante_banker", True, "HOUSE timeout", 6),
    ]

    assert fold(events, LAID) == replace(
        LAID,
        declined={
            (2, "ann", "ante_player"): "KO2 3.4.1",
            (1, "bob", "ante_banker"): "HOUSE timeout",
        },
    )


def test_removed_chips_are_marked_and_the_bet_stays() -> None:
    events = [ChipsRemoved(ANN, "dan", "KO2 5.3", 5), ChipsRemoved(BOB, "dan", "KO2 5.3", 6)]

    assert fold(events, LAID) == replace(LAID, removed=frozenset({ANN.key, BOB.key}))


def test_a_result_has_its_winner() -> None:
    assert evolve(LAID, ResultCalled(Winner.BANKER, 3, 4, 5)) == replace(
        LAID, phase=Phase.RESULT, winner=Winner.BANKER
    )


def test_a_settlement_is_kept() -> None:
    settled = RoundSettled((Settled(ANN, 100, 100, 0, "KO2 4.1.1"),), 5)

    assert evolve(LAID, settled) == replace(LAID, phase=Phase.SETTLED, settled=settled)


def test_a_void_round_has_no_winner_and_says_why() -> None:
    called = evolve(LAID, ResultCalled(Winner.BANKER, 3, 4, 5))
    void = RoundVoided("lights out", "CB4 5.4.2", "pia", (ANN, BOB, ANTE), (), 6)

    assert evolve(called, void) == replace(
        LAID, phase=Phase.VOID, void_reason="lights out", void_clause="CB4 5.4.2"
    )


def test_events_fold_in_their_order_from_any_state() -> None:
    events: list[Event] = [RoundOpened(7, TERMS, 1), BetPlaced(ANN, None, 2)]

    assert fold(events) == fold(events[1:], fold(events[:1]))
    assert fold([]) == Round()
    assert fold([], LAID) is LAID


def test_the_log_alone_gives_the_state() -> None:
    scene = Scene("rws-knockout").reach(Phase.SETTLED).open(2).bet("bob", 3, "banker", 100)

    assert replayed(scene) == scene.state == fold(scene.log)
