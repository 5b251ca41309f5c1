"""What a staff command is about, as it stands: told before it and after it."""

from cutcard.rules.moment import written
from cutcard.server.notable import limits_told, paid_told
from cutcard.table.events import ShoeEnded
from cutcard.table.staff import Member
from cutcard.table.state import Shoe, Table
from cutcard.table.terminals import state_of
from cutcard.wire import house

NO_SHOE = "no shoe"


def told(command: house.StaffCommand, table: Table, round: str, book: str, now: int) -> str:
    """All that a command can change, in a line; `book` is the one for the next shoe."""
    match command:
        case house.ChooseBook():
            return book
        case house.ChangeLimits():
            return limits_told(table.limits)
        case house.ActAs(person=person):
            return _member_told(table.staff.get(person), person, now)
        case house.SignOn() | house.SignOff():
            people = (_member_told(one, "", now) for one in table.staff.values())
            return "; ".join(people) or "nobody"
        case house.AnnounceClosing():
            last = table.last_round
            return f"open, {table.rounds} rounds" + (f", closes after {last}" if last else "")
        case house.BurnCard():
            return f"{stands(table, round)}, {_burning_told(table.shoe)}"
        case house.ScanCard() if table.shoe is not None and not table.shoe.ready:
            return f"{stands(table, round)}, {_burning_told(table.shoe)}"
        case house.EndShoe(left=None):
            # The server's own shoe, which nobody counts.
            return f"{table.shoe.id}, {table.shoe.left} left" if table.shoe else NO_SHOE
        case house.EndShoe():
            return table.shoe.id if table.shoe else _count_told(table.counted)
        case house.RegisterShoe():
            return table.shoe.id if table.shoe else NO_SHOE
        case house.BetFor() | house.WithdrawFor() | house.DecideFor() | house.ReportRemoved():
            return f"{stands(table, round)}: {_bets_told(table, command.patron)}"
        case house.FreeSeat(box=box):
            return f"box {box}: {table.seats.get(box, 'free')}"
        case (
            house.AddTerminal()
            | house.RemoveTerminal()
            | house.LockTerminal()
            | house.UnlockTerminal()
            | house.AnswerAttendant()
        ):
            return _terminal_told(table, command.terminal)
        case house.ChooseFor(patron=who):
            chosen = (table.options or {}).get(who)
            words = {None: "not chosen", True: "continues", False: "has the bets returned"}
            return f"{stands(table, round)}: {who} {words[chosen]}"
        case _:
            return stands(table, round)


def _count_told(found: ShoeEnded | None) -> str:
    if found is None:
        return NO_SHOE
    return f"{NO_SHOE}, {found.expected} expected, {found.left} counted"


def subject(table: Table) -> str:
    """What somebody decides about at a table; money and seats come and go beside it."""
    round, incident = table.round, table.incident
    cards = " ".join(map(str, table.kept))
    shoe = table.shoe.id if table.shoe else ""
    wrong = incident.number if incident else 0
    removed = len(round.removed)
    return f"{shoe}/{table.rounds}/{round.phase.value}/{round.coup}/{cards}/{removed}/{wrong}"


def stands(table: Table, round: str) -> str:
    """Where a table stands: how many cards lie there, and once they are paid on, which."""
    if not table.open:
        return "closed"
    where = f"{round} {table.round.phase.value}".strip()
    dealt, settled = len(table.round.coup.dealt), table.round.settled
    wrong = f", {table.incident.kind}" if table.incident else ""
    cards = f", {dealt} card{'s' if dealt > 1 else ''}" if dealt else ""
    if settled is not None:
        cards = f", {paid_told(table.round.coup, settled.bets)}"
    return where + cards + wrong


def _burning_told(shoe: Shoe | None) -> str:
    if shoe is None:
        return "no shoe"
    if shoe.to_burn is None:
        return "no card exposed"
    return f"{shoe.burned} burned, {shoe.to_burn} to burn"


def _bets_told(table: Table, who: str) -> str:
    """What a patron has on every spot, in each box."""
    round = table.round
    laid = [
        f"{bet.spot} {bet.stake}{f' in box {bet.box}' if bet.box else ''}"
        + (", removed" if bet.key in round.removed else "")
        + (", declined" if bet.key in round.declined else "")
        for bet in round.own.get(who, {}).values()
    ]
    return f"{who} {'; '.join(laid) or 'no bets'}"


def _terminal_told(table: Table, name: str) -> str:
    """A terminal with its state and what is paid out when it is emptied."""
    one = table.terminals.get(name)
    if one is None:
        return f"{name} stands nowhere here"
    state = state_of(table, name).value
    return f"terminal {one.number} ({name}) {state}, {table.stacks.get(name, 0)} credit"


def _member_told(one: Member | None, person: str, now: int) -> str:
    if one is None:
        return f"{person} not signed on"
    if one.acting is None or now >= one.acting_until:
        return f"{one.person} is {one.role.value}"
    return f"{one.person} acts as {one.acting.value} until {written(one.acting_until)}"
