"""Table events as ledger entries: which accounts, how much, why, and under which id."""

from cutcard.ledger import (
    Entry as LedgerEntry,
)
from cutcard.ledger import (
    Ledger,
    Post,
    Transfer,
    Void,
    commission,
    debt,
    house,
    layout,
    post,
    stack,
    transfer_id,
)
from cutcard.ledger.entries import parse_id
from cutcard.round import Entry
from cutcard.rules.coup import Coup
from cutcard.table import Table, transfers
from cutcard.table.events import StackFilled
from cutcard.table.incident import Step
from tests.table.scene import (
    BANKER_WINS,
    PLAYER_WINS,
    TABLE,
    TIE,
    Scene,
    balances,
    check_in_step,
)

ANN, LAYOUT, HOUSE = stack(TABLE, "ann"), layout(TABLE), house(TABLE)


def ready(book: str = "rws-commission", **choices: object) -> Scene:
    scene = Scene(book, **choices).fund(ann=1_000, bob=1_000)
    return scene.seat("ann", 1).seat("bob", 2).shoe().open()


def posted(scene: Scene, since: int) -> list[LedgerEntry]:
    return scene.entries[since:]


def moved(entries: list[LedgerEntry]) -> list[tuple[str, str, int, str]]:
    """Debit, credit, amount and reason of what moved at once."""
    return [
        (one.debit, one.credit, one.amount, one.reason)
        for one in entries
        if isinstance(one, Transfer)
    ]


def test_a_bet_is_a_pending_transfer_from_stack_to_layout() -> None:
    scene = ready()
    since, event = len(scene.entries), scene.table.seq

    scene.bet("ann", 1, "player", 100)

    assert posted(scene, since) == [
        Transfer(transfer_id(TABLE, event, 2), ANN, LAYOUT, 100, "stake", pending=True)
    ]
    assert (scene.ledger.balance(ANN), scene.ledger.held(ANN)) == (1_000, 100)
    assert scene.ledger.balance(LAYOUT) == 0


def test_an_increase_releases_the_old_stake_and_holds_the_new() -> None:
    scene = ready().bet("ann", 1, "player", 100)
    since, event = len(scene.entries), scene.table.seq

    scene.bet("ann", 1, "player", 50)

    assert posted(scene, since) == [
        Void(transfer_id(TABLE, event, 0), transfer_id(TABLE, event - 1, 2)),
        Transfer(transfer_id(TABLE, event, 2), ANN, LAYOUT, 150, "stake", pending=True),
    ]


def test_a_stack_that_is_all_staked_can_still_be_taken_back_in_part() -> None:
    scene = ready().bet("ann", 1, "player", 1_000).take_back("ann", 1, "player", 1)

    assert (scene.stack("ann"), scene.held("ann")) == (1, 999)


def test_a_bet_taken_back_is_released_and_nothing_else() -> None:
    scene = ready().bet("ann", 1, "player", 100)
    since, event = len(scene.entries), scene.table.seq

    scene.take_back("ann", 1, "player")

    assert posted(scene, since) == [
        Void(transfer_id(TABLE, event, 0), transfer_id(TABLE, event - 1, 2))
    ]


def test_a_lost_stake_goes_to_the_house() -> None:
    scene = ready().bet("ann", 1, "player", 100).close().deal("Kh Kd 7s 8c").call()
    held, since, event = scene.table.pending((1, "ann", "player"), 0), len(scene.entries), 0
    event = scene.table.seq

    scene.settle()

    assert posted(scene, since) == [
        Post(transfer_id(TABLE, event, 0), held),
        Transfer(
            transfer_id(TABLE, event, 1),
            LAYOUT,
            HOUSE,
            100,
            f"lost {scene.settled['ann', 'player'].clause}",
        ),
    ]
    assert scene.house == 100


def test_a_won_stake_comes_back_and_the_house_pays() -> None:
    scene = ready().bet("ann", 1, "player", 100)
    since = len(scene.entries)

    scene.play(PLAYER_WINS)

    clause = scene.settled["ann", "player"].clause
    assert moved(posted(scene, since)) == [
        (LAYOUT, ANN, 100, f"returned {clause}"),
        (HOUSE, ANN, 100, f"won {clause}"),
    ]
    assert scene.house == -100


def test_a_win_of_a_single_unit_is_paid() -> None:
    scene = ready().bet("ann", 1, "player", 1)
    since = len(scene.entries)

    scene.play(PLAYER_WINS)
    assert [
        (debit, credit, amount) for debit, credit, amount, _ in moved(posted(scene, since))
    ] == [
        (LAYOUT, ANN, 1),
        (HOUSE, ANN, 1),
    ]
    assert scene.stack("ann") == 1_001


def test_commission_is_paid_by_the_winner_to_an_account_of_its_own() -> None:
    scene = ready().bet("ann", 1, "banker", 1_000)
    since = len(scene.entries)

    scene.play(BANKER_WINS)

    clause = scene.settled["ann", "banker"].clause
    assert moved(posted(scene, since)) == [
        (LAYOUT, ANN, 1_000, f"returned {clause}"),
        (HOUSE, ANN, 1_000, f"won {clause}"),
        (ANN, commission(TABLE), 50, f"commission {clause}"),
    ]
    assert (scene.stack("ann"), scene.house, scene.commission) == (1_950, -1_000, 50)


def test_a_push_returns_the_stake_and_moves_no_money_of_the_house() -> None:
    scene = ready().bet("ann", 1, "banker", 100)
    since = len(scene.entries)

    scene.play(TIE)

    clause = scene.settled["ann", "banker"].clause
    assert moved(posted(scene, since)) == [(LAYOUT, ANN, 100, f"returned {clause}")]


def test_half_a_stake_lost_or_won_is_booked_as_half() -> None:
    """Non-commission Banker wins with six: half the stake is won."""
    scene = ready("rws-non-commission-etg").bet("ann", 1, "banker", 100)

    scene.play("Kh 5s Kc / Kd 6c")

    assert (scene.stack("ann"), scene.house, scene.commission) == (1_050, -50, 0)


def test_a_reserve_is_held_beside_the_stake_and_released_at_settlement() -> None:
    scene = ready("online-cow-cow")
    since, event = len(scene.entries), scene.table.seq

    scene.bet("ann", 1, "player", 100)

    assert posted(scene, since) == [
        Transfer(transfer_id(TABLE, event, 2), ANN, LAYOUT, 100, "stake", pending=True),
        Transfer(transfer_id(TABLE, event, 3), ANN, LAYOUT, 800, "reserve", pending=True),
    ]
    scene.play(TIE)
    assert (scene.stack("ann"), scene.held("ann")) == (1_000, 0)


def test_what_is_lost_beyond_the_stake_comes_from_the_released_reserve() -> None:
    scene = ready("online-cow-cow").bet("ann", 1, "player", 100)
    since = len(scene.entries)

    scene.play(BANKER_WINS)

    clause = scene.settled["ann", "player"].clause
    assert moved(posted(scene, since)) == [
        (LAYOUT, HOUSE, 100, f"lost {clause}"),
        (ANN, HOUSE, 700, f"lost beyond stake {clause}"),
    ]
    assert (scene.stack("ann"), scene.house) == (200, 800)


def test_an_apportioned_bet_loses_what_it_counts_for_and_gets_the_rest_back() -> None:
    limits = Scene().book.limits
    scene = ready(entry=Entry.WARN, limits=limits).fund(ann=2_000_000)
    scene.bet("ann", 1, "banker", 1_500_000)
    since = len(scene.entries)

    scene.play(PLAYER_WINS)

    clause = scene.settled["ann", "banker"].clause
    assert moved(posted(scene, since)) == [
        (LAYOUT, ANN, 500_000, f"returned {clause}"),
        (LAYOUT, HOUSE, 1_000_000, f"lost {clause}"),
    ]


def test_a_void_releases_everything_and_moves_nothing() -> None:
    scene = ready("online-cow-cow").bet("ann", 1, "player", 100).bet("bob", 2, "tie", 10)
    since = len(scene.entries)

    scene.void()

    entries = posted(scene, since)
    assert [type(one) for one in entries] == [Void] * 3
    assert scene.ledger.pending == {}
    assert (scene.stack("ann"), scene.stack("bob"), scene.house) == (1_000, 1_000, 0)


def test_chips_taken_off_are_released_and_what_they_lose_is_owed() -> None:
    scene = ready().bet("ann", 1, "player", 100).close().removed("ann", 1, "player")
    since = len(scene.entries)

    scene.finish(BANKER_WINS)

    clause = scene.settled["ann", "player"].clause
    assert moved(posted(scene, since)) == [(debt("ann"), HOUSE, 100, f"owed {clause}")]
    assert scene.ledger.balance(debt("ann")) == -100
    check_in_step(scene.table, scene.ledger)


def test_chips_taken_off_are_paid_with_commission_when_they_win() -> None:
    scene = ready().bet("ann", 1, "banker", 1_000).close().removed("ann", 1, "banker")

    scene.finish(BANKER_WINS)

    assert (scene.stack("ann"), scene.house, scene.commission) == (1_950, -1_000, 50)


def test_chips_taken_off_that_win_the_least_there_is_are_paid() -> None:
    scene = ready().bet("ann", 1, "player", 1).close().removed("ann", 1, "player")

    scene.finish(PLAYER_WINS)

    assert (scene.stack("ann"), scene.house) == (1_001, -1)


def corrected(scene: Scene, coup: str) -> list[tuple[str, str, int, str]]:
    """What moves when a settled round truly had other hands."""
    since = len(scene.entries)
    scene.report("misread card").resolve(Step.CORRECT, reason="misread", coup=Coup.parse(coup))
    check_in_step(scene.table, scene.ledger)
    return moved(posted(scene, since))


MISREAD = "corrected HOUSE misread card"


def test_a_correction_moves_as_little_as_a_single_unit() -> None:
    """A tie was a win of one for ann; the other way round she gives it back."""
    scene = ready().bet("ann", 1, "player", 1).play(TIE)

    assert corrected(scene, PLAYER_WINS) == [(HOUSE, ANN, 1, MISREAD)]
    assert corrected(scene, TIE) == [(ANN, HOUSE, 1, MISREAD)]


def test_a_correction_books_commission_of_a_single_unit_and_takes_it_back() -> None:
    """Twenty on Banker win nineteen, and one is commission."""
    scene = ready().bet("ann", 1, "banker", 20).play(TIE)
    own = commission(TABLE)

    assert corrected(scene, BANKER_WINS) == [(HOUSE, own, 1, MISREAD), (HOUSE, ANN, 19, MISREAD)]
    assert corrected(scene, TIE) == [(own, HOUSE, 1, MISREAD), (ANN, HOUSE, 19, MISREAD)]


def test_a_correction_takes_nothing_from_an_empty_stack() -> None:
    """Everything is owed, and no transfer of nothing is written."""
    scene = ready().bet("ann", 1, "player", 100).play(TIE).cash_out("ann", 1_000)

    assert corrected(scene, BANKER_WINS) == [(debt("ann"), HOUSE, 100, MISREAD)]


def test_a_second_stage_is_held_like_any_bet() -> None:
    scene = ready("rws-knockout").bet("ann", 1, "ante_player", 100).close().deal("9s")

    scene.choose("ann", 1, "ante_player")

    assert (scene.stack("ann"), scene.held("ann")) == (700, 300)
    check_in_step(scene.table, scene.ledger)


def test_events_without_money_write_nothing() -> None:
    scene = ready()
    since = len(scene.entries)

    scene.close().deal("Kh").leave("ann").deal("Kd 9s 8c").call().settle().cut_card().end_shoe()

    assert posted(scene, since) == []


def test_a_table_without_a_set_up_writes_nothing() -> None:
    assert transfers(Table(), StackFilled("ann", 100, 1)) == []


def test_filling_a_stack_is_the_cages_entry_and_not_the_tables() -> None:
    scene = ready()

    assert transfers(scene.table, StackFilled("ann", 100, 1)) == []


def test_ids_name_table_and_event_and_only_ever_grow() -> None:
    scene = ready("online-cow-cow").bet("ann", 1, "player", 20).bet("bob", 2, "banker", 40)
    scene.bet("ann", 1, "player", 20).take_back("bob", 2, "banker", 20).play(BANKER_WINS)

    own = [parse_id(one.id) for one in scene.entries if one.id.startswith(f"{TABLE}:")]
    orders = [order for _, order in own]
    assert orders == sorted(set(orders))
    assert all(event < len(scene.log) for event, _ in orders)


def test_the_entries_alone_give_the_ledger_back() -> None:
    scene = ready().bet("ann", 1, "banker", 100).bet("bob", 2, "tie", 30).play(BANKER_WINS)

    assert balances(post(Ledger(), scene.entries)) == balances(scene.ledger)
