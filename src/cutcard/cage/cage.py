"""The cage: every rule about money in and out in `decide`, every change in `evolve`.

The cage keeps vouchers and counts its own events; the money itself is in the
ledger, which `decide` is given to look at. People who ask for more than they have
are told so in the cage's own words; all that is decided is then tried on that
ledger, so an event that exists can always be posted.
"""

from dataclasses import dataclass, field
from typing import assert_never

from cutcard.cage.checks import check
from cutcard.cage.commands import (
    BuyIn,
    CashOut,
    ClaimVoucher,
    Command,
    Deposit,
    ExpireVoucher,
    IssueVoucher,
    LoadTerminal,
    PayDebt,
    RedeemVoucher,
    ReleaseVoucher,
    ReprintVoucher,
    UnloadTerminal,
    VoidVoucher,
    Withdraw,
)
from cutcard.cage.events import (
    BoughtIn,
    CashedOut,
    DebtPaid,
    Deposited,
    Event,
    TerminalLoaded,
    TerminalUnloaded,
    VoucherClaimed,
    VoucherExpired,
    VoucherIssued,
    VoucherRedeemed,
    VoucherReleased,
    VoucherReprinted,
    VoucherVoided,
    Withdrawn,
)
from cutcard.cage.transfers import transfers
from cutcard.cage.voucher import State, Voucher, VoucherNumber
from cutcard.frozen import replace
from cutcard.ledger import AccountId, Ledger, debt, post, stack, wallet
from cutcard.ledger import cage as cash
from cutcard.ledger.shelf import Shelf
from cutcard.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Cage:
    """How many events there have been, and every voucher there ever was."""

    seq: int = 0
    vouchers: Shelf[VoucherNumber, Voucher] = field(default_factory=Shelf)


def decide(cage: Cage, command: Command, ledger: Ledger) -> list[Event]:
    """What a command leads to; refuses what the rules or the ledger do not allow."""
    check(command)
    event = _decided(cage, command, ledger, cage.seq + 1)
    post(ledger, transfers(event))
    return [event]


def _decided(cage: Cage, command: Command, ledger: Ledger, seq: int) -> Event:
    match command:
        case Deposit(patron, amount, at):
            return Deposited(seq, patron, amount, at)
        case Withdraw(patron, amount, at):
            _paying(ledger, None, patron, amount)
            return Withdrawn(seq, patron, amount, at)
        case BuyIn(patron, table, amount, at):
            _paying(ledger, None, patron, amount)
            return BoughtIn(seq, patron, table, amount, at)
        case CashOut(patron, table, amount, bets_in_play, at):
            _check_no_bets(table, bets_in_play)
            _paying(ledger, table, patron, amount)
            return CashedOut(seq, patron, table, amount, at)
        case LoadTerminal(table, terminal, patron, amount, at):
            if patron is not None:
                _paying(ledger, None, patron, amount)
            return TerminalLoaded(seq, table, terminal, patron, amount, at)
        case UnloadTerminal(table, terminal, patron, amount, bets_in_play, at):
            _check_no_bets(table, bets_in_play)
            _paying(ledger, table, terminal, amount)
            return TerminalUnloaded(seq, table, terminal, patron, amount, at)
        case PayDebt(patron, amount, at):
            owed = -ledger.balance(debt(patron))
            if amount > owed:
                raise Refusal("cage/debt-smaller", {"amount": amount, "owed": owed})
            _paying(ledger, None, patron, amount)
            return DebtPaid(seq, patron, amount, at)
        case IssueVoucher():
            return _issue(cage, command, ledger, seq)
        case ClaimVoucher():
            return _claim(cage, command, seq)
        case ReleaseVoucher(number, terminal, at):
            _claimed(cage, number, terminal)
            return VoucherReleased(seq, number, terminal, at)
        case RedeemVoucher(number, terminal, patron, table, at):
            # Claimed in time is paid, even where the time has run out since.
            amount = _claimed(cage, number, terminal).amount
            return VoucherRedeemed(seq, number, _payee(table, patron), amount, terminal, at)
        case VoidVoucher():
            return _void(cage, command, seq)
        case ExpireVoucher():
            return _expire(cage, command, seq)
        case ReprintVoucher(number, terminal, at):
            _unclaimed(cage, number)
            return VoucherReprinted(seq, number, terminal, at)
        case _:  # pragma: no cover
            assert_never(command)


def _issue(cage: Cage, command: IssueVoucher, ledger: Ledger, seq: int) -> Event:
    if command.number in cage.vouchers:
        raise Refusal("cage/voucher-exists", {"number": command.number})
    if command.expires_at <= command.at:
        raise Refusal("cage/voucher-lifeless", {"number": command.number})
    if command.table is not None:
        _check_no_bets(command.table, command.bets_in_play)
    return VoucherIssued(
        seq=seq,
        number=command.number,
        paid_by=_paying(ledger, command.table, command.patron, command.amount),
        amount=command.amount,
        terminal=command.terminal,
        expires_at=command.expires_at,
        at=command.at,
    )


def _claim(cage: Cage, command: ClaimVoucher, seq: int) -> Event:
    voucher = _unclaimed(cage, command.number)
    if command.at >= voucher.expires_at:
        raise Refusal("cage/voucher-late", {"number": command.number})
    return VoucherClaimed(seq, command.number, command.terminal, command.at)


def _void(cage: Cage, command: VoidVoucher, seq: int) -> Event:
    voucher = standing(cage, command.number)
    if voucher.state is State.PENDING:
        _claimed(cage, command.number, command.terminal)
    return VoucherVoided(
        seq=seq,
        number=command.number,
        paid_to=voucher.paid_by,
        amount=voucher.amount,
        terminal=command.terminal,
        reason=command.reason,
        at=command.at,
    )


def _expire(cage: Cage, command: ExpireVoucher, seq: int) -> Event:
    # A claim made in time must be paid or released first.
    voucher = _unclaimed(cage, command.number)
    if command.at < voucher.expires_at:
        raise Refusal("cage/voucher-early", {"number": command.number})
    return VoucherExpired(seq, command.number, voucher.amount, command.at)


def standing(cage: Cage, number: VoucherNumber) -> Voucher:
    """A voucher that someone may still be paid for."""
    voucher = cage.vouchers.get(number)
    if voucher is None:
        raise Refusal("cage/voucher-unknown", {"number": number})
    if voucher.state is State.REDEEMED:
        raise Refusal("cage/voucher-redeemed", {"number": number})
    if voucher.state is State.VOIDED:
        raise Refusal("cage/voucher-voided", {"number": number})
    if voucher.state is State.EXPIRED:
        raise Refusal("cage/voucher-expired", {"number": number})
    return voucher


def _unclaimed(cage: Cage, number: VoucherNumber) -> Voucher:
    """A voucher that is free for any terminal."""
    voucher = standing(cage, number)
    if voucher.state is State.PENDING:
        raise Refusal(
            "cage/voucher-claimed", {"number": number, "terminal": str(voucher.claimed_by)}
        )
    return voucher


def _claimed(cage: Cage, number: VoucherNumber, terminal: str) -> Voucher:
    """A voucher that this terminal, and no other, has claimed."""
    voucher = standing(cage, number)
    if voucher.claimed_by is None or voucher.claimed_by != terminal:
        raise Refusal("cage/voucher-not-claimed", {"number": number, "terminal": terminal})
    return voucher


def _purse(table: str | None, patron: str) -> AccountId:
    """The patron's stack at a table; away from tables, the wallet."""
    return wallet(patron) if table is None else stack(table, patron)


def _payee(table: str | None, bearer: str | None) -> AccountId:
    """Where a voucher's money goes: to a purse, or out of the cage as cash."""
    if bearer is not None:
        return _purse(table, bearer)
    if table is not None:
        raise Refusal("cage/name", {"text": ""})
    return cash()


def _paying(ledger: Ledger, table: str | None, patron: str, amount: int) -> AccountId:
    """The purse that is to pay so much, and can."""
    purse = _purse(table, patron)
    available = ledger.available(purse)
    if amount > available:
        if table is None:
            raise Refusal("cage/wallet-short", {"needed": amount, "available": available})
        raise Refusal(
            "cage/stack-short", {"needed": amount, "available": available, "table": table}
        )
    return purse


def _check_no_bets(table: str, bets_in_play: bool) -> None:
    if bets_in_play:
        raise Refusal("cage/bets-in-play", {"table": table})


def evolve(cage: Cage, event: Event) -> Cage:
    """The cage after an event."""
    now = replace(cage, seq=event.seq)
    match event:
        case VoucherIssued(_, number, paid_by, amount, terminal, expires_at, at):
            new = Voucher(number, amount, paid_by, terminal, at, expires_at)
            return replace(now, vouchers=cage.vouchers.placed(number, new))
        case VoucherClaimed(number=number, terminal=terminal):
            return _changed(now, number, state=State.PENDING, claimed_by=terminal)
        case VoucherReleased(number=number):
            return _changed(now, number, state=State.ISSUED, claimed_by=None)
        case VoucherRedeemed(number=number):
            return _changed(now, number, state=State.REDEEMED)
        case VoucherVoided(number=number):
            return _changed(now, number, state=State.VOIDED)
        case VoucherExpired(number=number):
            return _changed(now, number, state=State.EXPIRED)
        case VoucherReprinted(number=number):
            return _changed(now, number, reprints=cage.vouchers[number].reprints + 1)
        case (
            Deposited()
            | Withdrawn()
            | BoughtIn()
            | CashedOut()
            | TerminalLoaded()
            | TerminalUnloaded()
            | DebtPaid()
        ):
            return now
        case _:  # pragma: no cover
            assert_never(event)


def _changed(cage: Cage, number: VoucherNumber, **changes: object) -> Cage:
    voucher = replace(cage.vouchers[number], **changes)  # type: ignore[arg-type]
    return replace(cage, vouchers=cage.vouchers.placed(number, voucher))


def outstanding(cage: Cage) -> list[Voucher]:
    """Every voucher that someone may still be paid for, by number."""
    return sorted(
        (voucher for voucher in cage.vouchers.values() if voucher.outstanding),
        key=lambda voucher: voucher.number,
    )


def liability(cage: Cage) -> int:
    """What outstanding vouchers are worth: the balance of the ledger's `vouchers` account."""
    return sum(voucher.amount for voucher in outstanding(cage))
