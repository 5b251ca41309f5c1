"""The cage's window: cash that cashiers take and hand out, and what the house owes on paper.

Where patrons do not help themselves, this is the only way that money comes in and goes out.
What a cashier has in the till follows from the significant events, which name whoever did it.
"""

from collections.abc import Iterable
from typing import Any

from cutcard import cage
from cutcard.cage import VoucherNumber
from cutcard.ledger import wallet
from cutcard.refusals import Refusal
from cutcard.server.desk import Desk, Wanted
from cutcard.store import Significant
from cutcard.table.terminals import TERMINAL
from cutcard.venue import in_play
from cutcard.wire import house

Paying = house.PayIn | house.PayOut
Credit = house.LoadTerminal | house.UnloadTerminal
AtWindow = Paying | house.FetchStack
Paper = house.PayVoucher | house.VoidVoucher | house.ReprintVoucher
Command = AtWindow | Credit | Paper
COMMANDS = Command.__args__
ROLES = frozenset({"cashier", "shift manager"})

PAID = frozenset(
    {
        "staff pay-in",
        "staff pay-out",
        "staff pay-voucher",
        "staff load-terminal",
        "staff unload-terminal",
    }
)
"""The significant events of cash that was taken or handed out."""

TRANSFER = "staff terminal-transfer"
"""The significant event of credit between an account and a terminal: no cash moves."""

BECAME = " -> "


def patron_of(command: Command) -> str | None:
    """The patron at the window, whose wallet is meant; None where there is none."""
    return getattr(command, "patron", None)


def kind_of(command: Command) -> str:
    """The kind of the significant event that a command is noted as."""
    if isinstance(command, Credit) and command.patron is not None:
        return TRANSFER
    return f"staff {type(command).__struct_config__.tag}"


def done(desk: Desk, by: str, command: Command, now: int) -> str:
    """Do it; what is different after it."""
    if isinstance(command, Paper):
        return _paper(desk, by, command, now)
    if isinstance(command, Credit):
        return _credit(desk, command, now)
    if isinstance(command, house.FetchStack):
        table, patron = command.table, command.patron
        amount = all_of(desk, table, patron)
        desk.act(cage.CashOut(patron, table, amount, False, now))
        return f"{patron} {table} {amount}{BECAME}0"
    purse = wallet(command.patron)
    before = desk.venue.ledger.available(purse)
    kind = cage.Deposit if isinstance(command, house.PayIn) else cage.Withdraw
    desk.act(kind(command.patron, command.amount, now))
    return f"{command.patron} {before}{BECAME}{desk.venue.ledger.available(purse)}"


def _credit(desk: Desk, command: Credit, now: int) -> str:
    """Credit onto a terminal or off it, for cash or from and to the wallet of a patron."""
    table, device, patron = command.table, command.terminal, command.patron
    if table not in desk.books:
        raise Refusal("table/unknown", {"table": table})
    found = desk.venue.table(table).terminals.get(device)
    if found is None:
        raise Refusal("terminal/unknown", {"terminal": device}, TERMINAL)
    before = desk.venue.table(table).stacks.get(device, 0)
    if isinstance(command, house.LoadTerminal):
        desk.act(cage.LoadTerminal(table, device, patron, command.amount, now))
    else:
        amount = command.amount or all_of(desk, table, device)
        desk.act(cage.UnloadTerminal(table, device, patron, amount, False, now))
    after = desk.venue.table(table).stacks.get(device, 0)
    whose = "" if patron is None else f" {patron}"
    return f"{table} terminal {found.number}{whose} {before}{BECAME}{after}"


def all_of(desk: Desk, table: str, patron: str) -> int:
    """Whatever a patron can take along from a table; refuses where that is nothing."""
    if table not in desk.books:
        raise Refusal("table/unknown", {"table": table})
    amount = desk.venue.table(table).stacks.get(patron, 0)
    if amount:
        return amount
    if in_play(desk.venue, table, patron, desk.books):
        raise Refusal("cage/bets-in-play", {"table": table})
    raise Refusal("cage/nothing-there", {"table": table})


def _paper(desk: Desk, by: str, command: Paper, now: int) -> str:
    number = VoucherNumber(command.number)
    found = desk.venue.cage.vouchers.get(number)
    amount = found.amount if found else 0
    match command:
        case house.PayVoucher():
            wanted: list[Wanted] = [cage.ClaimVoucher(number, by, now)]
            if found is not None:
                wanted.append(cage.RedeemVoucher(number, by, None, None, now))
            desk.act(*wanted)
            after = "0"
        case house.VoidVoucher(reason=reason):
            desk.act(cage.VoidVoucher(number, by, reason, now))
            after = "voided"
        case house.ReprintVoucher():
            desk.act(cage.ReprintVoucher(number, by, now))
            after = "reprinted"
    return f"{hidden(number)} {amount}{BECAME}{after}"


def hidden(number: str) -> str:
    """A voucher as others than its bearer may know it: whoever has the number has the money."""
    return f"…{number[-4:]}"


def movements(notes: Iterable[Significant]) -> list[dict[str, Any]]:
    """Cash taken (above zero) and handed out, as the significant events tell it."""
    found = []
    for one in notes:
        about, before, after = one.after.replace(BECAME, " ").rsplit(" ", 2)
        found.append(
            {
                "at": one.at,
                "cashier": one.who,
                "what": one.kind.removeprefix("staff "),
                "about": about,
                "amount": int(after) - int(before),
                "note": one.why,
            }
        )
    return found


def tills(moves: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each cashier has taken and handed out."""
    found: dict[str, dict[str, Any]] = {}
    for one in moves:
        till = found.setdefault(one["cashier"], {"cashier": one["cashier"], "in": 0, "out": 0})
        amount = one["amount"]
        till["in" if amount > 0 else "out"] += abs(amount)
    return [found[one] for one in sorted(found)]
