"""Terminals: devices of an electronic table, with credit and meters of their own."""

from dataclasses import replace

import pytest

from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.rules.rulebook import Role
from cutcard.table import fold
from cutcard.table.commands import (
    AddTerminal,
    AnswerAttendant,
    CallAttendant,
    FillStack,
    InRound,
    LockTerminal,
    RemoveTerminal,
    Resolve,
    UnlockTerminal,
)
from cutcard.table.events import (
    AttendantCalled,
    AttendantCame,
    StackFilled,
    TerminalAdded,
    TerminalLocked,
    TerminalRemoved,
    TerminalUnlocked,
)
from cutcard.table.incident import Step
from cutcard.table.meters import Terminal, corrected, terminals_of
from cutcard.table.terminals import (
    MOST_NUMBER,
    TERMINAL,
    TERMINALS,
    Command,
    State,
    device,
    is_device,
    state_of,
)
from cutcard.table.view import PUBLIC, Audience, Viewer, view
from tests.cases import every
from tests.table.scene import BANKER_WINS, DEALER, SUPERVISOR, TIE, Scene, denied

ETG = "rws-non-commission-etg"
DEVICE, OTHER = "t-one", "t-two"

pytestmark = pytest.mark.clause("HOUSE terminals")


def floor() -> Scene:
    """Two devices with credit of 10,000 each; bets are open."""
    scene = Scene(ETG).add(DEVICE).add(OTHER)
    return scene.fund(**{DEVICE: 10_000, OTHER: 10_000}).shoe().open()


def meters(scene: Scene, name: str = DEVICE) -> Terminal:
    found = scene.table.terminals.get(name)
    assert found is not None
    return found


# --- numbers --------------------------------------------------------------------------------------


def test_devices_are_numbered_one_after_another() -> None:
    scene = Scene(ETG)

    scene.add(DEVICE)
    assert scene.last == [TerminalAdded(DEVICE, 1, SUPERVISOR, scene.now)]
    scene.add(OTHER, 7)
    scene.add("t-three")

    assert [meters(scene, one).number for one in (DEVICE, OTHER, "t-three")] == [1, 7, 8]


@every(
    ("name", "number", "code"),
    [
        (OTHER, 1, "terminal/number"),
        (OTHER, 0, "terminal/number"),
        (DEVICE, 2, "terminal/exists"),
        ("ann", 2, "terminal/exists"),
        ("no:name", 2, "table/name"),
    ],
)
def test_what_cannot_be_added(name: str, number: int, code: str) -> None:
    scene = Scene(ETG).add(DEVICE).fund(ann=500)

    assert denied(scene.add, name, number).code == code


def test_after_the_last_number_the_first_free_one_is_given() -> None:
    scene = Scene(ETG).add(DEVICE, MOST_NUMBER).add(OTHER, 1).add("t-three")

    assert meters(scene, "t-three").number == 2
    scene.add("t-four")
    assert meters(scene, "t-four").number == 3


def test_a_lock_ends_also_where_the_terminal_was_taken_away() -> None:
    """Its voucher is void, so its credit is back, and the pit hands it out."""
    scene = Scene(ETG).add(DEVICE).lock(DEVICE)
    scene.do(RemoveTerminal(DEVICE, SUPERVISOR, scene.at()))

    scene.do(UnlockTerminal(DEVICE, SUPERVISOR, scene.at()))
    assert meters(scene).locked is None
    refused = denied(scene.do, UnlockTerminal(DEVICE, SUPERVISOR, scene.at()))
    assert refused.code == "terminal/not-locked"
    assert denied(scene.lock, DEVICE).code == "terminal/unknown"


def test_staff_and_the_machine_are_no_terminals() -> None:
    scene = Scene(ETG, machine="machine").add(DEVICE)

    for name in (SUPERVISOR, "machine"):
        assert denied(scene.add, name) == Refusal("staff/patron", {}, "HOUSE roles")
    assert denied(scene.staff, DEVICE, Role.DEALER).code == "staff/patron"


def test_a_patron_of_an_older_log_is_no_device() -> None:
    """At a table that was played before it had terminals, patrons have money without one."""
    scene = Scene(ETG)
    scene.table = replace(scene.table, stacks=scene.table.stacks.placed("ann", 500))

    assert denied(scene.add, "ann").code == "terminal/account"


def test_other_books_have_no_terminals() -> None:
    refused = denied(Scene("online-baccarat").add, DEVICE)

    assert (refused.code, refused.clause) == ("terminal/none-here", "ETG4 1 Player Terminal")


@every("by", [DEALER, DEVICE, "ann"])
def test_only_the_pit_adds_takes_away_and_locks(by: str) -> None:
    scene = Scene(ETG).add(DEVICE)

    for command in (
        AddTerminal(OTHER, None, by, scene.at()),
        RemoveTerminal(DEVICE, by, scene.at()),
        LockTerminal(DEVICE, "noise", by, scene.at()),
        UnlockTerminal(DEVICE, by, scene.at()),
    ):
        assert denied(scene.do, command).code in ("staff/role", "staff/not-signed-on")


def test_a_terminal_that_comes_back_has_its_number_and_its_meters() -> None:
    scene = floor().bet(DEVICE, 1, "banker", 1_000).play(BANKER_WINS)
    scene.cash_out(DEVICE, 11_000)
    before = meters(scene)

    scene.do(RemoveTerminal(DEVICE, SUPERVISOR, scene.at()))
    assert scene.last == [TerminalRemoved(DEVICE, SUPERVISOR, scene.now)]
    assert state_of(scene.table, DEVICE) is State.REMOVED
    assert denied(scene.lock, DEVICE).code == "terminal/unknown"
    assert denied(scene.add, DEVICE, 9).code == "terminal/number"
    assert denied(scene.add, "t-three", 1).code == "terminal/number"
    scene.add(DEVICE)

    assert meters(scene) == before
    assert (before.number, before.paid_in, before.paid_out, before.won) == (1, 10_000, 11_000, 1000)


def test_an_account_is_not_taken_away() -> None:
    """It could not come back: the pit locks it instead."""
    scene = Scene(ETG).fund(ann=500)
    scene.cash_out("ann", 500)

    remove = RemoveTerminal("ann", SUPERVISOR, scene.at())
    assert denied(scene.do, remove).code == "terminal/account"


def test_nothing_is_played_where_a_terminal_was_taken_away() -> None:
    """A voucher came back to it, and is paid out; no bet is placed with it."""
    scene = Scene(ETG).add(DEVICE).shoe().open()
    scene.do(RemoveTerminal(DEVICE, SUPERVISOR, scene.at())).fund(**{DEVICE: 500})

    bet = InRound(rounds.PlaceBet(DEVICE, 0, "tie", 100, scene.now), DEVICE)
    assert denied(scene.do, bet).code == "terminal/unknown"
    scene.cash_out(DEVICE, 500)


def test_a_lock_holds_also_for_a_terminal_that_was_taken_away() -> None:
    scene = Scene(ETG).add(DEVICE).lock(DEVICE)
    scene.do(RemoveTerminal(DEVICE, SUPERVISOR, scene.at())).add(DEVICE)

    assert state_of(scene.table, DEVICE) is State.LOCKED
    scene.do(UnlockTerminal(DEVICE, SUPERVISOR, scene.at()))
    assert state_of(scene.table, DEVICE) is State.IDLE


def test_a_terminal_with_credit_or_bets_stays() -> None:
    scene = floor()
    remove = RemoveTerminal(DEVICE, SUPERVISOR, scene.at())

    assert denied(scene.do, remove).code == "terminal/credit"
    scene.bet(DEVICE, 1, "tie", 10_000)
    assert denied(scene.do, remove).code == "terminal/credit"


# --- meters ---------------------------------------------------------------------------------------


def test_meters_follow_from_what_happens() -> None:
    scene = floor().bet(DEVICE, 1, "banker", 1_000).bet(DEVICE, 1, "tie", 200)
    scene.play(BANKER_WINS).open().bet(DEVICE, 1, "banker", 500).play(TIE)
    scene.cash_out(DEVICE, 800)

    assert meters(scene) == Terminal(
        number=1, paid_in=10_000, paid_out=800, staked=1_700, won=1_000, lost=200, rounds=2
    )
    assert meters(scene).credit == scene.stack(DEVICE) == 10_000
    assert meters(scene, OTHER) == Terminal(number=2, paid_in=10_000)


def test_the_meters_credit_is_the_stack_and_the_bets_at_every_moment() -> None:
    scene = floor().bet(DEVICE, 1, "banker", 1_000).bet(OTHER, 1, "player", 300)
    scene.play(BANKER_WINS).open().bet(DEVICE, 1, "player_pair", 40)

    for length in range(len(scene.log) + 1):
        table = fold(scene.log[:length])
        finished = table.round.phase.value in ("settled", "void", "idle")
        for name in (DEVICE, OTHER):
            found = table.terminals.get(name)
            if found is None:
                continue
            bets = 0 if finished else sum(bet.stake for bet in table.round.bets_of(name))
            assert found.credit == table.stacks.get(name, 0) + bets, length


def test_a_corrected_settlement_moves_the_meters_too() -> None:
    """A round paid to the Banker is void afterwards: the win goes back, and no meter falls."""
    scene = floor().bet(DEVICE, 1, "banker", 1_000).bet(OTHER, 1, "player", 300)
    scene.play(BANKER_WINS)
    paid = meters(scene), meters(scene, OTHER)
    scene.report("foreign card").do(Resolve(Step.VOID, SUPERVISOR, scene.at(), "a joker"))
    after = meters(scene), meters(scene, OTHER)

    assert [(one.won, one.lost) for one in paid] == [(1_000, 0), (0, 300)]
    assert [(one.won, one.lost) for one in after] == [(1_000, 1_000), (300, 300)]
    assert [one.credit for one in after] == [10_000, 10_000]


# --- locks ----------------------------------------------------------------------------------------


def test_a_locked_terminal_takes_no_bet_and_gives_no_money() -> None:
    scene = floor().bet(DEVICE, 1, "banker", 1_000)
    scene.lock(DEVICE)
    assert scene.last == [TerminalLocked(DEVICE, "spilled coffee", SUPERVISOR, scene.now)]
    assert state_of(scene.table, DEVICE) is State.LOCKED

    bet = rounds.PlaceBet(DEVICE, 0, "tie", 100, scene.now)
    back = rounds.WithdrawBet(DEVICE, 0, "banker", scene.now)
    for refused in (
        denied(scene.do, InRound(bet, DEVICE)),
        denied(scene.do, InRound(back, DEVICE)),
        denied(scene.do, InRound(bet, DEALER)),
        denied(scene.cash_out, DEVICE, 100),
        denied(scene.lock, DEVICE),
    ):
        assert refused.code == "terminal/locked"
        assert refused.params == {"number": 1, "reason": "spilled coffee"}
        assert refused.clause == "HOUSE terminals"
    # The others play on, and bets that lie there stand.
    scene.bet(OTHER, 1, "player", 300).play(BANKER_WINS)
    assert scene.stack(DEVICE) == 11_000
    scene.do(UnlockTerminal(DEVICE, SUPERVISOR, scene.at()))
    assert scene.last == [TerminalUnlocked(DEVICE, SUPERVISOR, scene.now)]
    scene.cash_out(DEVICE, 11_000)


def test_money_that_comes_back_finds_a_locked_or_removed_terminal() -> None:
    """The voucher of a locked terminal that did not print is void: the money is not lost."""
    scene = Scene(ETG).add(DEVICE).fund(**{DEVICE: 500})
    scene.lock(DEVICE)
    scene.do(FillStack(DEVICE, 100, scene.at()))
    assert scene.stack(DEVICE) == 600

    scene.add(OTHER).do(RemoveTerminal(OTHER, SUPERVISOR, scene.at()))
    scene.do(FillStack(OTHER, 100, scene.at()))
    assert scene.stack(OTHER) == 100
    assert denied(scene.do, UnlockTerminal(DEVICE, "ann", scene.at())).code


def test_a_lock_has_a_reason_and_is_opened_once() -> None:
    scene = Scene(ETG).add(DEVICE)

    assert denied(scene.lock, DEVICE, "  ").code == "terminal/no-reason"
    unlock = UnlockTerminal(DEVICE, SUPERVISOR, scene.at())
    assert denied(scene.do, unlock).code == "terminal/not-locked"
    assert denied(scene.lock, "t-unknown").code == "terminal/unknown"


# --- attendants -----------------------------------------------------------------------------------


def test_an_attendant_is_called_and_comes() -> None:
    scene = Scene(ETG).add(DEVICE)
    assert state_of(scene.table, DEVICE) is State.IDLE

    scene.do(CallAttendant(DEVICE, scene.at()))
    assert scene.last == [AttendantCalled(DEVICE, scene.now)]
    assert state_of(scene.table, DEVICE) is State.ATTENDANT
    assert denied(scene.do, CallAttendant(DEVICE, scene.at())).code == "terminal/called"
    come = AnswerAttendant(DEVICE, DEALER, scene.at())
    scene.do(come)
    assert scene.last == [AttendantCame(DEVICE, DEALER, scene.now)]
    assert denied(scene.do, come).code == "terminal/not-called"
    assert denied(scene.do, replace(come, by="ann")).code == "staff/not-signed-on"


def test_a_terminal_is_in_play_while_it_has_credit_or_bets() -> None:
    scene = floor()
    assert state_of(scene.table, DEVICE) is State.PLAYING
    scene.bet(DEVICE, 1, "tie", 10_000)
    assert state_of(scene.table, DEVICE) is State.PLAYING
    scene.play(BANKER_WINS)
    assert state_of(scene.table, DEVICE) is State.IDLE


# --- what a refusal says --------------------------------------------------------------------------

SEVEN = {"number": 7}
THERE, GONE, STRANGER = "t-there", "t-gone", "t-strange"


def hall() -> Scene:
    """Number 7 with a unit of credit, one that was taken away, and ann's own terminal."""
    scene = Scene(ETG).add(THERE, 7).fund(**{THERE: 1}).add(GONE)
    return scene.do(RemoveTerminal(GONE, SUPERVISOR, scene.at())).fund(ann=500)


@every(
    ("command", "refusal"),
    [
        (AddTerminal(THERE, 7, SUPERVISOR, 99), Refusal("terminal/exists", SEVEN, TERMINAL)),
        (AddTerminal(STRANGER, 7, SUPERVISOR, 99), Refusal("terminal/number", SEVEN, TERMINAL)),
        (AddTerminal(THERE, 0, SUPERVISOR, 99), Refusal("terminal/exists", SEVEN, TERMINAL)),
        (
            AddTerminal(STRANGER, 1_000_001, SUPERVISOR, 99),
            Refusal("terminal/number", {"number": 1_000_001}, TERMINAL),
        ),
        (
            RemoveTerminal(STRANGER, SUPERVISOR, 99),
            Refusal("terminal/unknown", {"terminal": STRANGER}, TERMINAL),
        ),
        (
            LockTerminal(GONE, "noise", SUPERVISOR, 99),
            Refusal("terminal/unknown", {"terminal": GONE}, TERMINAL),
        ),
        (RemoveTerminal(THERE, SUPERVISOR, 99), Refusal("terminal/credit", SEVEN, TERMINAL)),
        (
            RemoveTerminal("ann", SUPERVISOR, 99),
            Refusal("terminal/account", {"terminal": "ann"}, TERMINALS),
        ),
        (LockTerminal(THERE, "", SUPERVISOR, 99), Refusal("terminal/no-reason", SEVEN, TERMINALS)),
        (UnlockTerminal(THERE, SUPERVISOR, 99), Refusal("terminal/not-locked", SEVEN, TERMINALS)),
        (AnswerAttendant(THERE, DEALER, 99), Refusal("terminal/not-called", SEVEN, TERMINALS)),
        (
            LockTerminal(THERE, "noise", DEALER, 99),
            Refusal("staff/role", {"role": "pit supervisor", "own": "dealer"}, TERMINALS),
        ),
        (
            AnswerAttendant(THERE, "ann", 99),
            Refusal("staff/not-signed-on", {"role": "dealer"}, TERMINALS),
        ),
    ],
)
def test_what_a_refusal_says(command: Command, refusal: Refusal) -> None:
    assert denied(hall().do, command) == refusal


def test_a_device_is_there_and_belongs_to_no_account() -> None:
    scene = hall()

    assert device(scene.table, THERE) == meters(scene, THERE)
    for name, refusal in (
        ("ann", Refusal("terminal/own", {"terminal": "ann"}, TERMINALS)),
        (GONE, Refusal("terminal/unknown", {"terminal": GONE}, TERMINAL)),
    ):
        with pytest.raises(Refusal) as refused:
            device(scene.table, name)
        assert refused.value == refusal


def test_a_second_call_and_a_table_without_terminals() -> None:
    scene = hall()
    scene.do(CallAttendant(THERE, scene.at()))
    again = denied(scene.do, CallAttendant(THERE, scene.at()))
    assert again == Refusal("terminal/called", SEVEN, TERMINALS)

    online = Scene("online-baccarat")
    name = {"book": online.book.name}
    assert denied(online.add, THERE) == Refusal("terminal/none-here", name, TERMINAL)

    scene.table = replace(scene.table, stacks=scene.table.stacks.placed("eve", 500))
    assert denied(scene.add, "eve") == Refusal("terminal/account", {"terminal": "eve"}, TERMINAL)


def test_a_role_that_is_lent_counts_for_as_long_as_it_is() -> None:
    """The dealer acts as pit supervisor until 200, and the trainee as dealer."""
    scene = hall().staff("mia", Role.PIT_MANAGER)
    scene.acting(DEALER, Role.PIT_SUPERVISOR, until=200, by="mia")
    scene.now = 199
    scene.do(AddTerminal(STRANGER, None, DEALER, 199)).do(RemoveTerminal(STRANGER, DEALER, 199))
    scene.do(LockTerminal(THERE, "noise", DEALER, 199)).do(UnlockTerminal(THERE, DEALER, 199))
    scene.do(CallAttendant(THERE, 199)).do(AnswerAttendant(THERE, DEALER, 199))

    for late in (
        AddTerminal(STRANGER, None, DEALER, 200),
        LockTerminal(THERE, "noise", DEALER, 200),
        UnlockTerminal(THERE, DEALER, 200),
        RemoveTerminal(THERE, DEALER, 200),
    ):
        assert denied(scene.do, late).code == "staff/role"


def test_terminals_are_put_together_from_those_by_name() -> None:
    scene = hall().add(OTHER)
    found = scene.table.terminals

    again = terminals_of(found.by_name)

    assert dict(again.by_name) == dict(found.by_name)
    assert dict(again.by_number) == {"7": THERE, "8": GONE, "9": OTHER}
    assert (again.highest, again.own) == (found.highest, found.own) == (9, 1)


# --- accounts -------------------------------------------------------------------------------------


def test_an_account_gets_a_terminal_with_its_first_money() -> None:
    scene = Scene(ETG).add(DEVICE, 1).fund(ann=500)
    at = scene.now
    assert scene.last == [TerminalAdded("ann", 1, "ann", at), StackFilled("ann", 500, at)]
    scene.fund(ann=100, bob=300)

    assert meters(scene, "ann") == Terminal(number=1, own=True, paid_in=600)
    assert meters(scene, "bob") == Terminal(number=2, own=True, paid_in=300)
    assert [is_device(scene.table, one) for one in (DEVICE, "ann", "cho")] == [True, False, False]
    # Accounts are counted apart from the devices of the house.
    scene.add(OTHER)
    assert meters(scene, OTHER).number == 2


@every("removed", [False, True])
def test_credit_from_before_counts_as_paid_in(removed: bool) -> None:
    """The book had no terminals when ann bought in; a bet of 200 of the 500 is in play, or was
    taken away again."""
    scene = Scene(ETG, edition=None).shoe()
    electronic = scene.book
    layout = replace(electronic.layouts[0], terminals=None)
    scene.book = replace(electronic, layouts=(layout,))
    scene.fund(ann=500).open().bet("ann", 1, "banker", 200).close()
    if removed:
        scene.removed("ann", 1, "banker")
    scene.book = electronic
    scene.fund(ann=100)

    assert meters(scene, "ann") == Terminal(number=1, own=True, paid_in=600)
    scene.finish(BANKER_WINS)
    assert meters(scene, "ann").credit == scene.stack("ann") == 800


def test_elsewhere_money_brings_no_terminal() -> None:
    scene = Scene("online-baccarat").fund(ann=500)

    assert scene.last == [StackFilled("ann", 500, scene.now)]
    assert not scene.table.terminals.by_name


def test_a_locked_account_plays_no_more() -> None:
    scene = Scene(ETG).fund(ann=500).shoe().open()
    scene.lock("ann")

    bet = InRound(rounds.PlaceBet("ann", 0, "tie", 100, scene.now), "ann")
    assert denied(scene.do, bet).code == "terminal/locked"


# --- views ----------------------------------------------------------------------------------------


def test_who_sees_terminals() -> None:
    """Staff see all of them, a terminal its own, everybody else none."""
    scene = floor().fund(ann=500)
    staff = view(scene.table, Viewer(Audience.STAFF, SUPERVISOR, Role.PIT_SUPERVISOR), scene.book)
    own = view(scene.table, Viewer(Audience.PATRON, DEVICE), scene.book)
    public = view(scene.table, PUBLIC, scene.book)

    assert set(staff.terminals) == {DEVICE, OTHER, "ann"}
    assert own.own_terminal == meters(scene)
    assert (own.terminals, public.terminals, public.own_terminal) == ({}, {}, None)


def test_money_at_a_closed_table_goes_by_the_book_it_was_played_by() -> None:
    """The next opening has terminals; a voucher that comes back before then brings none."""
    scene = Scene(ETG)
    electronic = scene.book
    layout = replace(electronic.layouts[0], terminals=None)
    scene.book = replace(electronic, layouts=(layout,), hash="an older one")
    scene.table = replace(scene.table, setup=replace(scene.setup, book_hash="an older one"))
    scene.table = replace(scene.table, open=False)
    scene.book = electronic
    scene.fund(ann=500)

    assert scene.last == [StackFilled("ann", 500, scene.now)]


def test_a_correction_by_a_single_unit() -> None:
    one = terminals_of({DEVICE: Terminal(number=1, won=5, lost=7)})

    given, taken = (corrected(one, DEVICE, change).get(DEVICE) for change in (1, -1))

    assert given == Terminal(number=1, won=6, lost=7)
    assert taken == Terminal(number=1, won=5, lost=8)
