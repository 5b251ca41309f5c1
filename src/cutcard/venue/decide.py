"""Deciding for the whole venue: what touches more than one room, in one answer.

A command either causes events of every room that it concerns, or is refused and
causes none. Patrons' own protection stands between them and every new bet, but
never between them and their money.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cutcard import cage, ledger, patron, table
from cutcard.cage import (
    BuyIn,
    CashOut,
    Deposit,
    IssueVoucher,
    LoadTerminal,
    RedeemVoucher,
    UnloadTerminal,
    VoidVoucher,
)
from cutcard.cage.checks import check
from cutcard.frozen import replace
from cutcard.ledger import AccountId
from cutcard.patron import Command as Wish
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.events import RoundSettled, Settled, SettlementCorrected
from cutcard.round.state import FINISHED
from cutcard.rules.rulebook import Rulebook, Spot
from cutcard.table.commands import (
    AddTerminal,
    EmptyStack,
    FillStack,
    InRound,
    LeaveSeat,
    OpenTable,
    TakeSeat,
    Undoing,
)
from cutcard.table.commands import Command as TableCommand
from cutcard.table.seats import check_room
from cutcard.table.state import nets
from cutcard.table.terminals import TERMINAL, check_unlocked, device, is_device
from cutcard.venue.state import CAGE, PATRON, Logged, Venue


@dataclass(frozen=True, slots=True)
class At:
    """A command given at a table."""

    table: str
    command: TableCommand


@dataclass(frozen=True, slots=True)
class Of:
    """A patron's wish about the patron's own protection."""

    patron: str
    command: Wish


Command = At | Of | cage.Command

Books = Mapping[str, Rulebook]
"""The book of every table, by the table's name."""


def decide(venue: Venue, command: Command, books: Books) -> list[Logged]:
    """The events that a command causes, each with its source, in the order in which they happen."""
    if not isinstance(command, At | Of):
        check(command)
    match command:
        case At():
            return _at_table(venue, command, books)
        case Of(name, patron.RecordDeposit() | patron.BookResult()):
            raise Refusal("patron/not-a-wish", {"patron": name})
        case Of(name, wish):
            return [*_patron(venue, name, wish), *_stays_away(venue, name, wish, books)]
        case Deposit(who, amount, at):
            _check_account(venue, who)
            recorded = _patron(venue, who, patron.RecordDeposit(amount, at))
            return [*recorded, *_cage(venue, command)]
        case BuyIn(who, name, amount, at):
            _check_account(venue, who)
            _check_entry(venue, name, who, at, books)
            return [*_cage(venue, command), *_fill(venue, name, who, amount, at, books)]
        case CashOut(who, name, amount, _, at):
            _check_account(venue, who)
            paid = _cage(venue, replace(command, bets_in_play=_playing(venue, name, who, books)))
            return [*_empty(venue, name, who, amount, at, books), *paid]
        case LoadTerminal():
            return _load(venue, command, books)
        case UnloadTerminal():
            return _unload(venue, command, books)
        case IssueVoucher():
            return _issue(venue, command, books)
        case RedeemVoucher():
            return _redeem(venue, command, books)
        case VoidVoucher():
            return _void(venue, command, books)
        case _:
            return _cage(venue, command)


# --- tables and patrons ---------------------------------------------------------------------------


def _at_table(venue: Venue, command: At, books: Books) -> list[Logged]:
    name, wanted = command.table, command.command
    if isinstance(wanted, FillStack | EmptyStack):
        raise Refusal("table/through-cage", {"table": name})
    if isinstance(wanted, OpenTable) and wanted.setup.table != name:
        raise Refusal("table/other-name", {"table": name})
    if isinstance(wanted, AddTerminal):
        _check_one_table(venue, name, wanted.terminal)
    if isinstance(wanted, TakeSeat):
        patron.check_admitted(venue.patron(wanted.patron), wanted.at)
    if isinstance(wanted, Undoing):
        wanted = replace(wanted, owing=_owing(venue, name))
    caused = _table(venue, name, wanted, books)
    if isinstance(wanted, InRound) and isinstance(wanted.command, rounds.PlaceBet):
        _check_bet(venue, name, wanted.command, books)
    return [*caused, *_booked(venue, caused)]


def _check_one_table(venue: Venue, name: str, terminal: str) -> None:
    """Refuse a device that stands at another table, and the name of an account (ETG4 1)."""
    if terminal in venue.patrons or ledger.wallet(terminal) in venue.ledger.accounts:
        raise Refusal("terminal/account", {"terminal": terminal}, TERMINAL)
    for other, there in venue.tables.items():
        found = there.terminals.get(terminal)
        if other != name and found is not None and not found.removed:
            raise Refusal("terminal/elsewhere", {"table": other}, TERMINAL)


def _stays_away(venue: Venue, name: str, wish: Wish, books: Books) -> list[Logged]:
    """A patron who stays away for a while holds no seat meanwhile."""
    if not isinstance(wish, patron.TakeTimeOut | patron.SelfExclude):
        return []
    leave = LeaveSeat(name, wish.at)
    seats = (one for one in books if venue.table(one).box_of(name) is not None)
    return [left for one in seats for left in _table(venue, one, leave, books)]


def _owing(venue: Venue, name: str) -> dict[str, int]:
    """What those owe who came to owe something in the table's latest round."""
    return {who: -venue.ledger.balance(ledger.debt(who)) for who in venue.table(name).owed}


def _check_bet(venue: Venue, name: str, bet: rounds.PlaceBet, books: Books) -> None:
    """Refuse a bet that the patron's own limits do not allow, counted over every table."""
    if is_device(venue.table(name), bet.patron):
        # The patron at a device is not known, so there are no limits to ask.
        return
    risk = bet.stake * _worst(books[name], books[name].spots[bet.spot])
    person, playing = venue.patron(bet.patron), 0
    # Only a loss limit asks what is in play, and most patrons have none.
    if person.limit(patron.Kind.LOSS_DAY, bet.at) is not None:
        tables = (one for one in venue.tables if one in books)
        playing = sum(in_play(venue, one, bet.patron, books) for one in tables)
    patron.check_bet(person, risk, bet.at, playing)


def _booked(venue: Venue, caused: list[Logged]) -> list[Logged]:
    """What each patron won or lost in a round settled or corrected, for the patron's own limits."""
    booked: list[Logged] = []
    before: dict[str, dict[str, int]] = {}
    for source, event in caused:
        if isinstance(event, RoundSettled):
            change = _nets(event.bets)
        elif isinstance(event, SettlementCorrected):
            # Several patrons may take their bets back at once, each by a correction of its own.
            settled = venue.table(source).round.settled
            earlier = before.get(source, _nets(settled.bets if settled else ()))
            before[source] = after = _nets(event.bets)
            moved = {who: after.get(who, 0) - earlier.get(who, 0) for who in {**earlier, **after}}
            change = {who: net for who, net in moved.items() if net}
        else:
            continue
        table = venue.table(source)
        for who, net in change.items():
            if is_device(table, who):
                continue
            booked += _patron(venue, who, patron.BookResult(net, event.at))
    return booked


def _nets(bets: Iterable[Settled]) -> dict[str, int]:
    return {who: net for who, (net, _) in nets(bets).items()}


def in_play(venue: Venue, name: str, who: str, books: Books) -> int:
    """The most that a patron may still lose at a table in the round under way."""
    round, book = venue.table(name).round, books[name]
    if round.phase in FINISHED:
        return 0
    stakes = round.by_patron.get(who, {})
    return sum(stake * _worst(book, book.spots[spot]) for spot, stake in stakes.items())


def _worst(book: Rulebook, spot: Spot) -> int:
    """What a bet may lose per unit staked; a second stage is counted with its first."""
    if spot.stage is not None:
        return 0
    second = book.stage_of(spot.id)
    return spot.reserve + (second.stage.multiple if second and second.stage else 0)


# --- money between wallet, paper and table --------------------------------------------------------


def _issue(venue: Venue, command: IssueVoucher, books: Books) -> list[Logged]:
    name, who = command.table, command.patron
    if name is None:
        return _cage(venue, command)
    playing = _playing(venue, name, who, books)
    issued = _cage(venue, replace(command, bets_in_play=playing))
    return [*_empty(venue, name, who, command.amount, command.at, books), *issued]


def _redeem(venue: Venue, command: RedeemVoucher, books: Books) -> list[Logged]:
    name = command.table
    paid = _cage(venue, command)
    who = command.patron
    if name is None or who is None:
        if who is not None:
            _check_account(venue, who)
        return paid
    _check_entry(venue, name, who, command.at, books)
    worth = venue.cage.vouchers[command.number].amount
    return [*paid, *_fill(venue, name, who, worth, command.at, books)]


def _void(venue: Venue, command: VoidVoucher, books: Books) -> list[Logged]:
    """A voucher's money goes back where it came from; a table hears of it, open or closed."""
    voided = _cage(venue, command)
    voucher = venue.cage.vouchers[command.number]
    found = stack_of(voucher.paid_by)
    if found is None:
        return voided
    return [*voided, *_fill(venue, *found, voucher.amount, command.at, books)]


def stack_of(account: AccountId) -> tuple[str, str] | None:
    """Table and patron of a stack; None of any other account."""
    kind, *names = account.split(ledger.SEPARATOR)
    return (names[0], names[1]) if kind == "stack" else None


def _load(venue: Venue, command: LoadTerminal, books: Books) -> list[Logged]:
    """Credit onto a device that stands at the table; from an account that may play."""
    name, at = command.table, command.at
    device(venue.table(name), command.terminal)
    if command.patron is not None:
        _check_account(venue, command.patron)
        patron.check_buy_in(venue.patron(command.patron), at)
    _check_entry(venue, name, command.terminal, at, books)
    loaded = _cage(venue, command)
    return [*loaded, *_fill(venue, name, command.terminal, command.amount, at, books)]


def _unload(venue: Venue, command: UnloadTerminal, books: Books) -> list[Logged]:
    """Credit off a device, also off one that was taken away before its credit came back."""
    name, terminal = command.table, command.terminal
    if command.patron is not None:
        _check_account(venue, command.patron)
    if not is_device(venue.table(name), terminal):
        # Refused: the owner of an account's terminal cashes out with the account.
        device(venue.table(name), terminal)
    playing = _playing(venue, name, terminal, books)
    paid = _cage(venue, replace(command, bets_in_play=playing))
    return [*_empty(venue, name, terminal, command.amount, command.at, books), *paid]


def _check_account(venue: Venue, who: str) -> None:
    """Refuse a wallet to a device of the house: its credit lies on the device."""
    if any(is_device(table, who) for table in venue.tables.values()):
        raise Refusal("terminal/no-wallet", {"terminal": who}, TERMINAL)


def _check_entry(venue: Venue, name: str, who: str, at: int, books: Books) -> None:
    """Refuse new money at a table where the patron may not play, or could not."""
    patron.check_buy_in(venue.patron(who), at)
    table = venue.table(name)
    if not table.open:
        raise Refusal("table/closed", {})
    check_unlocked(table, who)
    if is_device(table, who):
        device(table, who)
    if name in books:
        check_room(table, who, books[name])


def _playing(venue: Venue, name: str, who: str, books: Books) -> bool:
    return name in books and in_play(venue, name, who, books) > 0


def _fill(venue: Venue, name: str, who: str, amount: int, at: int, books: Books) -> list[Logged]:
    return _table(venue, name, FillStack(who, amount, at), books)


def _empty(venue: Venue, name: str, who: str, amount: int, at: int, books: Books) -> list[Logged]:
    return _table(venue, name, EmptyStack(who, amount, at), books)


# --- one room at a time ---------------------------------------------------------------------------


def _table(venue: Venue, name: str, command: TableCommand, books: Books) -> list[Logged]:
    if name not in books:
        raise Refusal("table/unknown", {"table": name})
    return [(name, event) for event in table.decide(venue.table(name), command, books[name])]


def _cage(venue: Venue, command: cage.Command) -> list[Logged]:
    return [(CAGE, event) for event in cage.decide(venue.cage, command, venue.ledger)]


def _patron(venue: Venue, name: str, command: patron.Command) -> list[Logged]:
    return [(PATRON + name, event) for event in patron.decide(venue.patron(name), command)]
