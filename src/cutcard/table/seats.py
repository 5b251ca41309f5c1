"""Seats: who may take one, and how each comes free again.

A patron leaves a seat, a member of staff frees it, or the house frees it after the patron
has let the rounds go by for as long as the table keeps a seat. Only time counts in which a
round was under way and nothing was wrong with it, so no patron loses a seat to a shuffle, to
a dealer's break or to an incident. Stack and history stay the patron's.
"""

from cutcard.refusals import Refusal
from cutcard.round.decide import OPEN_TABLE
from cutcard.round.state import FINISHED
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table.checks import check_box, check_name, opened
from cutcard.table.commands import FreeSeat, LeaveSeat, TakeSeat
from cutcard.table.events import Event, SeatLeft, SeatTaken
from cutcard.table.incident import SYSTEM
from cutcard.table.staff import check_role
from cutcard.table.state import Table, has_bets
from cutcard.table.terminals import check_not_device

SEATS = "HOUSE seats"


def take_seat(table: Table, command: TakeSeat, book: Rulebook) -> list[Event]:
    """A seat for a patron, who leaves the one taken before."""
    setup = opened(table)
    check_name(command.patron)
    if command.patron in table.staff:
        raise Refusal("staff/patron", {}, "CB4 1.11")
    if setup.is_open:
        raise Refusal("seat/open-table", {}, OPEN_TABLE)
    check_not_device(table, command.patron, book)
    check_box(setup, command.box, book)
    if command.box in table.seats:
        raise Refusal("seat/taken", {"box": command.box})
    left: list[Event] = []
    if table.box_of(command.patron) is not None:
        left = leave_seat(table, LeaveSeat(command.patron, command.at))
    return [*left, SeatTaken(command.patron, command.box, command.at)]


def leave_seat(table: Table, command: LeaveSeat) -> list[Event]:
    box = table.box_of(command.patron)
    if box is None:
        raise Refusal("seat/none", {})
    return [SeatLeft(command.patron, box, command.at)]


def free_seat(table: Table, command: FreeSeat) -> list[Event]:
    """A seat is taken from its patron: by staff, or by the house once its time is over."""
    if command.by != SYSTEM:
        check_role(table.staff.get(command.by), Role.DEALER, command.at, "CB4 1.11")
    patron = table.seats.get(command.box)
    if patron is None:
        raise Refusal("seat/empty", {"box": command.box})
    if table.round.phase not in FINISHED and has_bets(table, patron):
        raise Refusal("seat/playing", {"box": command.box}, SEATS)
    if command.by == SYSTEM and not _is_over(table, command.box, command.at):
        raise Refusal("seat/kept", {"box": command.box}, SEATS)
    return [SeatLeft(patron, command.box, command.at, command.by)]


def kept_until(table: Table, box: int) -> int | None:
    """When the house frees a seat if its patron goes on without a bet; None while no time counts.

    No time counts between rounds, while something is wrong, and for a patron who has a bet.
    """
    keep = table.setup.seat_ms if table.setup else None
    patron = table.seats.get(box)
    if not keep or table.play_from is None or patron is None or has_bets(table, patron):
        return None
    return table.play_from + keep - table.idle.get(box, 0)


def _is_over(table: Table, box: int, at: int) -> bool:
    until = kept_until(table, box)
    return until is not None and at >= until


def overdue(table: Table, at: int) -> list[int]:
    """The boxes whose seats the house frees at this moment."""
    return [box for box in table.seats if _is_over(table, box, at)]


def check_room(table: Table, patron: str, book: Rulebook) -> None:
    """Refuse a patron who could not bet at a full table, before any money moves.

    A patron with a seat or with money there may bring more; where the book or the house lets
    patrons bet without a seat, a full table has room for every one.
    """
    setup = table.setup
    if setup is None or setup.is_open or setup.open_boxes or book.back_bets.allowed:
        return
    there = table.box_of(patron) is not None or table.stacks.get(patron, 0) > 0
    if not there and len(table.seats) >= setup.boxes:
        raise Refusal("seat/full", {"boxes": setup.boxes}, SEATS)
