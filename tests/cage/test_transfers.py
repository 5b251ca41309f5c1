"""What each event does to the ledger: one line an event."""

from cutcard.cage import (
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
    VoucherNumber,
    VoucherRedeemed,
    VoucherReleased,
    VoucherReprinted,
    VoucherVoided,
    Withdrawn,
    transfers,
)
from cutcard.ledger import AccountId, Transfer, stack, transfer_id, wallet
from tests.cases import every

NUMBER = VoucherNumber("1" * 18)
STACK, WALLET = stack("t7", "ann"), wallet("ann")


@every(
    ("event", "debit", "credit", "reason"),
    [
        (Deposited(3, "ann", 50, 0), "cage", "wallet:ann", "deposit"),
        (Withdrawn(3, "ann", 50, 0), "wallet:ann", "cage", "withdrawal"),
        (BoughtIn(3, "ann", "t7", 50, 0), "wallet:ann", "stack:t7:ann", "buy-in"),
        (CashedOut(3, "ann", "t7", 50, 0), "stack:t7:ann", "wallet:ann", "cash-out"),
        (TerminalLoaded(3, "t7", "t-1", None, 50, 0), "cage", "stack:t7:t-1", "terminal loaded"),
        (
            TerminalUnloaded(3, "t7", "t-1", None, 50, 0),
            "stack:t7:t-1",
            "cage",
            "terminal unloaded",
        ),
        (DebtPaid(3, "ann", 50, 0), "wallet:ann", "debt:ann", "debt paid"),
        (
            VoucherIssued(3, NUMBER, STACK, 50, "T-1", 9, 0),
            "stack:t7:ann",
            "vouchers",
            "voucher 111111111111111111 issued",
        ),
        (
            VoucherRedeemed(3, NUMBER, WALLET, 50, "T-1", 0),
            "vouchers",
            "wallet:ann",
            "voucher 111111111111111111 redeemed",
        ),
        (
            VoucherVoided(3, NUMBER, STACK, 50, "T-1", "paper jam", 0),
            "vouchers",
            "stack:t7:ann",
            "voucher 111111111111111111 voided: paper jam",
        ),
        (
            VoucherExpired(3, NUMBER, 50, 0),
            "vouchers",
            "house:cage",
            "voucher 111111111111111111 expired",
        ),
    ],
)
def test_where_the_money_goes(event: Event, debit: str, credit: str, reason: str) -> None:
    assert transfers(event) == [
        Transfer(transfer_id("cage", 3), AccountId(debit), AccountId(credit), 50, reason)
    ]


def test_credit_goes_between_an_account_and_a_terminal_by_way_of_the_cage() -> None:
    """As cash would: no transfer takes from one account and gives to the account of another."""
    terminal, cage = stack("t7", "t-1"), AccountId("cage")
    first, second = transfer_id("cage", 3), transfer_id("cage", 3, 1)

    assert transfers(TerminalLoaded(3, "t7", "t-1", "ann", 50, 0)) == [
        Transfer(first, WALLET, cage, 50, "to a terminal"),
        Transfer(second, cage, terminal, 50, "terminal loaded"),
    ]
    assert transfers(TerminalUnloaded(3, "t7", "t-1", "ann", 50, 0)) == [
        Transfer(first, terminal, cage, 50, "terminal unloaded"),
        Transfer(second, cage, WALLET, 50, "from a terminal"),
    ]


@every(
    "event",
    [
        VoucherClaimed(3, NUMBER, "T-1", 0),
        VoucherReleased(3, NUMBER, "T-1", 0),
        VoucherReprinted(3, NUMBER, "T-1", 0),
    ],
)
def test_reading_and_printing_move_no_money(event: Event) -> None:
    assert transfers(event) == []
