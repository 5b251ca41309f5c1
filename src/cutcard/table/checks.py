"""What several commands of a table check first: that it is open, names, boxes, roles."""

from cutcard.ledger.accounts import is_part
from cutcard.refusals import Refusal
from cutcard.round.decide import OPEN_TABLE
from cutcard.round.decide import check_box as check_drawn_box
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table.incident import SYSTEM
from cutcard.table.setup import Setup
from cutcard.table.staff import check_role
from cutcard.table.state import Table


def opened(table: Table) -> Setup:
    """The set-up of an open table; refuses a closed one."""
    if table.setup is None or not table.open:
        raise Refusal("table/closed", {})
    return table.setup


def check_name(name: str) -> None:
    """Refuse a name that the ledger could not write into an account."""
    if not isinstance(name, str) or not is_part(name) or not name.strip() or name == SYSTEM:
        raise Refusal("table/name", {"name": name})


def check_box(setup: Setup, box: int, book: Rulebook) -> None:
    """Refuse a box that the table's layout does not have."""
    layout = book.layout(setup.layout)
    assert layout is not None, "a table opens with a layout of its book"
    check_drawn_box(box, setup.boxes, OPEN_TABLE if setup.is_open else layout.clause)


def check_role_or_machine(
    table: Table, person: str, needed: Role, at: int, clause: str | None
) -> None:
    """Refuse staff without the role; where a machine deals, it needs none to deal."""
    machine = None if table.setup is None else table.setup.machine
    if machine is not None and needed is Role.DEALER and person == machine:
        return
    check_role(table.staff.get(person), needed, at, clause)
