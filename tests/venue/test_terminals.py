"""Terminals of a venue: credit from cash, vouchers and accounts, and one table for each."""

import pytest

from cutcard import cage, ledger, patron
from cutcard.cage import LoadTerminal, UnloadTerminal, VoucherNumber
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.rulebook import Role
from cutcard.rules.shoe import composition, full_shoe
from cutcard.table import commands as tables
from cutcard.table import setup
from cutcard.venue import At, Command, Of, Venue, decide, happen, replay
from tests.cases import every

ETG, OTHER = "etg-1", "etg-2"
BOOKS = {name: load("rws-non-commission-etg") for name in (ETG, OTHER)}
DEVICE = "t-one"
NUMBER = VoucherNumber("000000000000000017")
START = 1_700_000_000_000

pytestmark = pytest.mark.clause("ETG4 1 Player Terminal (b)")


class Hall:
    """Two electronic tables; a device stands at the first."""

    def __init__(self) -> None:
        self.venue, self.at = Venue(), START
        self.log: list[tuple[str, object]] = []
        for name, book in BOOKS.items():
            wanted = setup(book, name, limits=(), helpline="1800 858 858")
            self.table(name, tables.SignOn("pia", Role.PIT_SUPERVISOR, self.at))
            self.table(name, tables.OpenTable(wanted, "pia", self.at))
            full = composition(full_shoe(wanted.decks))
            self.table(name, tables.RegisterShoe("s1", full, "by hand", "pia", self.at))
            self.table(name, tables.BurnCard(parse_cards("Ah")[0], "pia", self.at))
            self.table(name, tables.BurnCard(None, "pia", self.at))
        self.table(ETG, tables.AddTerminal(DEVICE, 12, "pia", self.at))

    def do(self, command: Command) -> "Hall":
        for source, event in decide(self.venue, command, BOOKS):
            self.venue, _ = happen(self.venue, source, event)
            self.log.append((source, event))
        self.at += 1
        assert self.venue.ledger.total() == 0
        return self

    def table(self, name: str, command: tables.Command) -> "Hall":
        return self.do(At(name, command))

    def refused(self, command: Command) -> str:
        before = self.venue
        with pytest.raises(Refusal) as refused:
            self.do(command)
        assert self.venue is before
        assert refused.value.message()
        return refused.value.code

    def credit(self, name: str = DEVICE) -> tuple[int, int]:
        """Credit of a terminal by its table, and by the ledger."""
        account = ledger.stack(ETG, name)
        held = self.venue.table(ETG).stacks.get(name, 0)
        return held, self.venue.ledger.available(account)

    def wallet(self, who: str = "ann") -> int:
        return self.venue.ledger.balance(ledger.wallet(who))

    def cash(self) -> int:
        return self.venue.ledger.balance(ledger.cage())

    def load(self, who: str | None, amount: int, table: str = ETG) -> LoadTerminal:
        return LoadTerminal(table, DEVICE, who, amount, self.at)

    def unload(self, who: str | None, amount: int) -> UnloadTerminal:
        return UnloadTerminal(ETG, DEVICE, who, amount, bets_in_play=False, at=self.at)

    def round(self, command: rounds.Command, by: str = "pia") -> "Hall":
        return self.table(ETG, tables.InRound(command, by))

    def bet(self, stake: int) -> "Hall":
        self.round(rounds.OpenRound(0, None, self.at))
        return self.round(rounds.PlaceBet(DEVICE, 0, "player", stake, self.at), DEVICE)


def test_credit_from_an_account_and_back_to_it() -> None:
    hall = Hall().do(cage.Deposit("ann", 1_000, START))
    hall.do(hall.load("ann", 600))
    assert (hall.wallet(), hall.credit()) == (400, (600, 600))
    hall.do(hall.unload("ann", 250))
    assert (hall.wallet(), hall.credit()) == (650, (350, 350))
    assert hall.cash() == -1_000


def test_credit_for_cash_and_cash_for_credit() -> None:
    hall = Hall()
    hall.do(hall.load(None, 600))
    assert (hall.cash(), hall.credit()) == (-600, (600, 600))
    hall.do(hall.unload(None, 600))
    assert (hall.cash(), hall.credit()) == (0, (0, 0))


def test_credit_lies_on_the_terminal_whoever_plays_there() -> None:
    """What ann put in, ben takes along as a voucher."""
    hall = Hall().do(cage.Deposit("ann", 500, START))
    hall.do(hall.load("ann", 500))
    voucher = cage.IssueVoucher(NUMBER, DEVICE, ETG, 500, False, "etg-1 12", START * 2, hall.at)
    hall.do(voucher).do(cage.ClaimVoucher(NUMBER, "ben's browser", hall.at))
    hall.do(cage.RedeemVoucher(NUMBER, "ben's browser", "ben", None, hall.at))

    assert (hall.wallet("ann"), hall.wallet("ben"), hall.credit()) == (0, 500, (0, 0))


def test_a_voucher_onto_a_terminal() -> None:
    hall = Hall().do(cage.Deposit("ann", 500, START))
    hall.do(cage.IssueVoucher(NUMBER, "ann", None, 500, False, "kiosk", START * 2, hall.at))
    hall.do(cage.ClaimVoucher(NUMBER, "etg-1 12", hall.at))
    hall.do(cage.RedeemVoucher(NUMBER, "etg-1 12", DEVICE, ETG, hall.at))

    assert hall.credit() == (500, 500)


@every(
    ("who", "amount", "table", "code"),
    [
        ("ann", 501, ETG, "cage/wallet-short"),
        ("ann", 0, ETG, "cage/amount"),
        ("ann", 100, OTHER, "terminal/unknown"),
        ("cho", 100, ETG, "patron/excluded"),
    ],
)
def test_credit_that_cannot_come(who: str, amount: int, table: str, code: str) -> None:
    hall = Hall().do(cage.Deposit("ann", 500, START)).do(cage.Deposit("cho", 500, START))
    hall.do(Of("cho", patron.SelfExclude(None, hall.at)))

    assert hall.refused(hall.load(who, amount, table)) == code


def test_credit_that_cannot_go() -> None:
    hall = Hall()
    hall.do(hall.load(None, 600)).bet(100)

    assert hall.refused(hall.unload(None, 100)) == "cage/bets-in-play"
    hall.round(rounds.WithdrawBet(DEVICE, 0, "player", hall.at), DEVICE)
    assert hall.refused(hall.unload("ann", 601)) == "cage/stack-short"


def test_a_locked_or_removed_terminal_takes_no_credit() -> None:
    hall = Hall()
    hall.table(ETG, tables.LockTerminal(DEVICE, "broken", "pia", hall.at))
    assert hall.refused(hall.load(None, 100)) == "terminal/locked"
    voucher = cage.RedeemVoucher(NUMBER, "etg-1 12", DEVICE, ETG, hall.at)
    hall.do(cage.Deposit("ann", 500, hall.at))
    hall.do(cage.IssueVoucher(NUMBER, "ann", None, 500, False, "kiosk", START * 2, hall.at))
    hall.do(cage.ClaimVoucher(NUMBER, "etg-1 12", hall.at))
    assert hall.refused(voucher) == "terminal/locked"

    hall.table(ETG, tables.UnlockTerminal(DEVICE, "pia", hall.at))
    hall.table(ETG, tables.RemoveTerminal(DEVICE, "pia", hall.at))
    assert hall.refused(hall.load(None, 100)) == "terminal/unknown"
    assert hall.refused(voucher) == "terminal/unknown"


def test_a_void_voucher_gives_its_money_back_to_a_locked_terminal() -> None:
    hall = Hall()
    hall.do(hall.load(None, 600))
    voucher = cage.IssueVoucher(NUMBER, DEVICE, ETG, 500, False, "etg-1 12", START * 2, hall.at)
    hall.do(voucher).table(ETG, tables.LockTerminal(DEVICE, "jam", "pia", hall.at))

    hall.do(cage.VoidVoucher(NUMBER, "kim", "paper jam", hall.at))

    assert hall.credit() == (600, 600)


@every(
    "command",
    [
        cage.Deposit(DEVICE, 100, START),
        cage.BuyIn(DEVICE, ETG, 100, START),
        cage.CashOut(DEVICE, ETG, 100, False, START),
        cage.RedeemVoucher(NUMBER, "kiosk", DEVICE, None, START),
        LoadTerminal(ETG, DEVICE, DEVICE, 100, START),
        UnloadTerminal(ETG, DEVICE, DEVICE, 100, bets_in_play=False, at=START),
    ],
)
def test_a_device_has_no_wallet(command: Command) -> None:
    hall = Hall().do(cage.Deposit("ann", 500, START))
    hall.do(hall.load("ann", 200))
    hall.do(cage.IssueVoucher(NUMBER, "ann", None, 300, False, "kiosk", START * 2, hall.at))
    hall.do(cage.ClaimVoucher(NUMBER, "kiosk", hall.at))

    assert hall.refused(command) == "terminal/no-wallet"


def test_a_voucher_of_a_device_is_paid_in_cash() -> None:
    hall = Hall()
    hall.do(hall.load(None, 600))
    hall.do(cage.IssueVoucher(NUMBER, DEVICE, ETG, 600, False, "etg-1 12", START * 2, hall.at))
    hall.do(cage.ClaimVoucher(NUMBER, "kim", hall.at))

    with_table = cage.RedeemVoucher(NUMBER, "kim", None, ETG, hall.at)
    assert hall.refused(with_table) == "cage/name"
    hall.do(cage.RedeemVoucher(NUMBER, "kim", None, None, hall.at))
    assert (hall.cash(), hall.credit()) == (0, (0, 0))


@every("name", ["ann", "bob"])
def test_an_account_is_no_device(name: str) -> None:
    """Ann has money in the wallet, bob only a limit of his own."""
    hall = Hall().do(cage.Deposit("ann", 500, START))
    hall.do(Of("bob", patron.SetLimit(patron.Kind.LOSS_DAY, 0, hall.at)))

    assert hall.refused(At(ETG, tables.AddTerminal(name, None, "pia", hall.at))) == (
        "terminal/account"
    )


def test_the_terminal_of_an_account_is_loaded_by_its_owner_only() -> None:
    """Cash would pass her deposit limit by, and her credit would come to another's wallet."""
    hall = Hall().do(cage.Deposit("ann", 500, START)).do(cage.BuyIn("ann", ETG, 300, START))

    load = LoadTerminal(ETG, "ann", None, 100, hall.at)
    assert hall.refused(load) == "terminal/own"
    unload = UnloadTerminal(ETG, "ann", "ben", 100, bets_in_play=False, at=hall.at)
    assert hall.refused(unload) == "terminal/own"
    assert hall.credit("ann") == (300, 300)


def test_credit_that_comes_back_to_a_device_that_is_gone_is_paid_out() -> None:
    hall = Hall()
    hall.do(hall.load(None, 600))
    hall.do(cage.IssueVoucher(NUMBER, DEVICE, ETG, 600, False, "etg-1 12", START * 2, hall.at))
    hall.table(ETG, tables.RemoveTerminal(DEVICE, "pia", hall.at))
    hall.do(cage.VoidVoucher(NUMBER, "kim", "paper jam", hall.at))

    assert hall.credit() == (600, 600)
    hall.do(hall.unload(None, 600))
    assert (hall.cash(), hall.credit()) == (0, (0, 0))


def test_a_device_stands_at_one_table() -> None:
    hall = Hall()
    add = At(OTHER, tables.AddTerminal(DEVICE, None, "pia", hall.at))

    assert hall.refused(add) == "terminal/elsewhere"
    hall.table(ETG, tables.RemoveTerminal(DEVICE, "pia", hall.at)).do(add)
    assert hall.venue.table(OTHER).terminals.get(DEVICE) is not None


def test_play_at_a_device_is_booked_for_no_patron() -> None:
    hall = Hall()
    hall.do(hall.load(None, 600)).bet(100)
    hall.round(rounds.CloseBets(hall.at))
    for card in parse_cards("9s 2d Kh 3d"):
        hall.round(rounds.DrawCard(card, hall.at))
    hall.round(rounds.CallResult(hall.at)).round(rounds.SettleRound(hall.at))

    assert hall.credit() == (700, 700)
    assert not any(source.startswith("patron:") for source, _ in hall.log)
    assert replay(hall.log).ledger == hall.venue.ledger  # type: ignore[arg-type]
