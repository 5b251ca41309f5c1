"""A venue: what touches more than one room happens in all of them, or in none."""

from collections.abc import Callable

import pytest

from cutcard import cage, ledger, patron
from cutcard.cage import VoucherNumber
from cutcard.patron import HOUR, Kind
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Coup
from cutcard.rules.rulebook import Role
from cutcard.rules.shoe import composition, full_shoe
from cutcard.table import commands as tables
from cutcard.table import setup
from cutcard.table.incident import Step
from cutcard.venue import At, Command, Logged, Of, Venue, decide, happen, in_play, replay
from tests.cases import every

BOOKS = {"t1": load("skycity-commission"), "t2": load("rws-knockout")}
NUMBER = VoucherNumber("000000000000000017")
START = 1_700_000_000_000


class House:
    """A venue with two open tables, its log and its clock."""

    def __init__(self) -> None:
        self.venue, self.log, self.at = Venue(), list[Logged](), START
        for name, book in BOOKS.items():
            wanted = setup(book, name, limits=(), helpline="1800 858 858", open_boxes=True)
            self.table(name, tables.SignOn("pia", Role.PIT_SUPERVISOR, self.at))
            self.table(name, tables.SignOn("dan", Role.DEALER, self.at))
            self.table(name, tables.OpenTable(wanted, "pia", self.at))
            full = composition(full_shoe(wanted.decks))
            self.table(name, tables.RegisterShoe("s1", full, "by hand", "pia", self.at))
            self.table(name, tables.BurnCard(parse_cards("Ah")[0], "pia", self.at))
            self.table(name, tables.BurnCard(None, "pia", self.at))

    def do(self, command: Command) -> "House":
        events = decide(self.venue, command, BOOKS)
        for source, event in events:
            self.venue, _ = happen(self.venue, source, event)
        self.log += events
        self.at += 1
        assert self.venue.ledger.total() == 0
        return self

    def table(self, name: str, command: tables.Command) -> "House":
        return self.do(At(name, command))

    def round(self, name: str, command: rounds.Command, by: str = "pia") -> "House":
        return self.table(name, tables.InRound(command, by))

    def fund(self, who: str, amount: int, name: str | None = None) -> "House":
        self.do(cage.Deposit(who, amount, self.at))
        return self if name is None else self.do(cage.BuyIn(who, name, amount, self.at))

    def open(self, name: str) -> "House":
        return self.round(name, rounds.OpenRound(0, None, self.at))

    def bet(self, name: str, who: str, spot: str, stake: int) -> "House":
        return self.round(name, rounds.PlaceBet(who, 1, spot, stake, self.at), who)

    def play(self, name: str, cards: str) -> "House":
        self.round(name, rounds.CloseBets(self.at))
        for card in parse_cards(cards):
            self.round(name, rounds.DrawCard(card, self.at))
        self.round(name, rounds.CallResult(self.at))
        return self.round(name, rounds.SettleRound(self.at))

    def money(self, who: str, name: str = "t1") -> tuple[int, int, int]:
        """Wallet, stack as the table has it, stack as the ledger has it free."""
        books = self.venue.ledger
        stacks = self.venue.table(name).stacks
        account = ledger.stack(name, who)
        return books.balance(ledger.wallet(who)), stacks.get(who, 0), books.available(account)

    def refused(self, command: Command) -> str:
        before, log = self.venue, len(self.log)
        with pytest.raises(Refusal) as refused:
            self.do(command)
        assert self.venue is before
        assert len(self.log) == log
        assert refused.value.message()
        return refused.value.code


def session(who: str = "ann") -> House:
    house = House()
    return house.do(Of(who, patron.StartSession(house.at)))


PLAYER_WINS = "9s 2d Kh 3d"
BANKER_WINS = "2d 9s 3d Kh"


def test_a_buy_in_moves_wallet_and_stack_together() -> None:
    house = House().fund("ann", 1_000).do(cage.BuyIn("ann", "t1", 600, START))

    assert house.money("ann") == (400, 600, 600)


@every(
    ("buy_in", "code"),
    [
        (cage.BuyIn("ann", "t1", 1_001, START), "cage/wallet-short"),
        (cage.BuyIn("ann", "t1", 10**15 + 1, START), "cage/amount"),
        (cage.BuyIn("ann", "t9", 10, START), "table/closed"),
        (cage.BuyIn("pia", "t1", 10, START), "staff/patron"),
    ],
)
def test_a_buy_in_that_either_refuses_moves_nothing(buy_in: cage.BuyIn, code: str) -> None:
    house = House().fund("ann", 1_000).fund("pia", 1_000)

    assert house.refused(buy_in) == code
    assert house.money("ann") == (1_000, 0, 0)


def test_money_reaches_a_table_through_the_cage_only() -> None:
    house = House().fund("ann", 1_000, "t1")

    assert house.refused(At("t1", tables.FillStack("ann", 1, START))) == "table/through-cage"
    assert house.refused(At("t1", tables.EmptyStack("ann", 1, START))) == "table/through-cage"


def test_nobody_wishes_deposits_or_results() -> None:
    house = House()

    assert house.refused(Of("ann", patron.RecordDeposit(5, START))) == "patron/not-a-wish"
    assert house.refused(Of("ann", patron.BookResult(5, START))) == "patron/not-a-wish"


def test_a_deposit_counts_against_the_patrons_own_limit() -> None:
    house = House().do(Of("ann", patron.SetLimit(Kind.DEPOSIT_DAY, 500, START)))

    assert house.refused(cage.Deposit("ann", 501, START)) == "patron/deposit-limit"
    assert house.fund("ann", 500).money("ann") == (500, 0, 0)
    assert house.refused(cage.Deposit("ann", 1, START)) == "patron/deposit-limit"


def test_nobody_cashes_out_with_a_bet_in_play_whatever_the_command_says() -> None:
    house = session().fund("ann", 1_000, "t1").open("t1").bet("t1", "ann", "player", 100)
    wanted = cage.CashOut("ann", "t1", 900, False, START)

    assert house.refused(wanted) == "cage/bets-in-play"
    house.play("t1", PLAYER_WINS)
    assert house.do(cage.CashOut("ann", "t1", 1_100, True, START)).money("ann") == (1_100, 0, 0)


def voucher(table: str | None, amount: int = 300) -> cage.IssueVoucher:
    return cage.IssueVoucher(NUMBER, "ann", table, amount, False, "kiosk", START + HOUR, START)


def test_a_voucher_from_a_stack_empties_it_and_voided_fills_it_again_even_when_closed() -> None:
    house = House().fund("ann", 1_000, "t1").do(voucher("t1"))

    assert house.money("ann") == (0, 700, 700)
    house.table("t1", tables.AnnounceClosing(1, "pia", START))
    house.open("t1").play("t1", PLAYER_WINS).table("t1", tables.CloseTable("pia", START))
    house.do(cage.VoidVoucher(NUMBER, "kiosk", "not printed", START))
    assert house.money("ann") == (0, 1_000, 1_000)
    assert house.refused(cage.BuyIn("ann", "t1", 1, START)) == "table/closed"


def test_a_voucher_is_redeemed_to_a_stack_or_to_a_wallet() -> None:
    house = House().fund("ann", 1_000, "t1").do(voucher("t1"))
    house.do(cage.ClaimVoucher(NUMBER, "kiosk", START))

    to_stack = cage.RedeemVoucher(NUMBER, "kiosk", "bob", "t2", START)
    assert house.do(to_stack).money("bob", "t2") == (0, 300, 300)
    house = House().fund("ann", 1_000).do(voucher(None))
    house.do(cage.ClaimVoucher(NUMBER, "kiosk", START))
    assert house.do(cage.RedeemVoucher(NUMBER, "kiosk", "bob", None, START)).money("bob")[0] == 300
    assert house.refused(cage.VoidVoucher(NUMBER, "kiosk", "x", START)) == "cage/voucher-redeemed"


def test_a_voucher_from_a_wallet_goes_back_there() -> None:
    house = House().fund("ann", 1_000).do(voucher(None))

    assert house.money("ann")[0] == 700
    assert house.do(cage.VoidVoucher(NUMBER, "kiosk", "x", START)).money("ann") == (1_000, 0, 0)


def test_a_voucher_is_not_redeemed_at_a_closed_table_nor_by_who_is_excluded() -> None:
    house = House().fund("ann", 1_000, "t1").do(voucher("t1"))
    house.do(cage.ClaimVoucher(NUMBER, "kiosk", START))
    house.do(Of("bob", patron.SelfExclude(None, START)))

    at_nowhere = cage.RedeemVoucher(NUMBER, "kiosk", "ann", "t9", START)
    assert house.refused(at_nowhere) == "table/closed"
    by_bob = cage.RedeemVoucher(NUMBER, "kiosk", "bob", "t1", START)
    assert house.refused(by_bob) == "patron/excluded"
    # To the wallet it is money back, and that is always possible.
    assert house.do(cage.RedeemVoucher(NUMBER, "kiosk", "bob", None, START)).money("bob")[0] == 300


def test_a_loss_limit_counts_bets_in_play_at_every_table() -> None:
    house = session().fund("ann", 1_000, "t1").fund("ann", 1_000, "t2")
    house.do(Of("ann", patron.SetLimit(Kind.LOSS_DAY, 500, START)))
    house.open("t1").open("t2").bet("t1", "ann", "player", 140).bet("t2", "ann", "ante_player", 100)

    # An Ante may cost its Wager too.
    assert in_play(house.venue, "t2", "ann", BOOKS) == 300
    bet = rounds.PlaceBet("ann", 1, "player", 80, START)
    assert house.refused(At("t1", tables.InRound(bet, "ann"))) == "patron/loss-limit"
    assert house.bet("t1", "ann", "player", 60).money("ann")[1] == 800


def test_a_settled_round_is_booked_for_the_patrons_own_limits() -> None:
    house = session().fund("ann", 1_000, "t1").open("t1").bet("t1", "ann", "player", 100)
    house.bet("t1", "ann", "tie", 10).play("t1", BANKER_WINS)

    assert house.venue.patron("ann").lost(house.at) == 110
    assert in_play(house.venue, "t1", "ann", BOOKS) == 0


def test_bets_taken_back_after_settlement_are_booked_once_for_everybody() -> None:
    """Ann and bob say nothing in time, and both have back what they lost."""
    house = session().do(Of("bob", patron.StartSession(START)))
    house.fund("ann", 1_000, "t1").fund("bob", 1_000, "t1").open("t1")
    house.bet("t1", "ann", "player", 100).bet("t1", "bob", "player", 300).play("t1", BANKER_WINS)
    lying = Coup.parse("3d 2d / 9s Kh")
    house.table("t1", tables.Report("card to the wrong side", "pia", house.at, lying=lying))
    unsure = "nobody saw the order"
    house.table("t1", tables.Resolve(Step.PLAY_ON, "pia", house.at, reason=unsure))
    house.at += 30_000

    house.table("t1", tables.EndOptions("pia", house.at))

    assert (house.money("ann"), house.money("bob")) == ((0, 1_000, 1_000), (0, 1_000, 1_000))
    assert [house.venue.patron(who).lost(house.at) for who in ("ann", "bob")] == [0, 0]


def test_a_patron_without_a_session_places_no_bet() -> None:
    house = House().fund("ann", 1_000, "t1").open("t1")
    bet = rounds.PlaceBet("ann", 1, "player", 100, START)

    assert house.refused(At("t1", tables.InRound(bet, "ann"))) == "patron/no-session"


def test_a_table_nobody_knows_takes_no_command() -> None:
    seat = tables.TakeSeat("ann", 1, START)

    assert House().refused(At("t9", seat)) == "table/unknown"


@pytest.mark.parametrize(
    "fund", [lambda house: house.fund("ann", 1_000, "t1"), lambda house: house]
)
def test_the_log_alone_gives_the_venue_again(fund: Callable[[House], House]) -> None:
    house = fund(session()).open("t1")

    assert replay(house.log) == house.venue


@every(
    "command",
    [
        cage.Deposit([], 5, START),  # type: ignore[arg-type]
        cage.BuyIn("ann", None, 5, START),  # type: ignore[arg-type]
        cage.CashOut("ann", [], 5, False, START),  # type: ignore[arg-type]
        cage.IssueVoucher(NUMBER, "ann", 7, 5, False, "kiosk", START + 1, START),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_name_is_refused_before_anything_is_looked_up(command: cage.Command) -> None:
    assert House().refused(command) == "cage/name"


@pytest.mark.parametrize(("paid", "owes", "stack"), [(0, 100, 0), (150, 0, 50)])
def test_a_void_strikes_off_a_debt_of_its_round_as_far_as_it_stands(
    paid: int, owes: int, stack: int
) -> None:
    """Ann took 1,100 away, and the nine was a seven; the table is told what she still owes."""
    house = session().fund("ann", 1_000, "t1").open("t1").bet("t1", "ann", "player", 100)
    house.play("t1", "9h 8c Kh Kd").do(cage.CashOut("ann", "t1", 1_100, False, house.at))
    house.table("t1", tables.SignOn("sam", Role.SHIFT_MANAGER, house.at))
    house.table("t1", tables.Report("misread card", "pia", house.at))
    hands = Coup.parse("7h Kh / 8c Kd")
    house.table("t1", tables.Resolve(Step.CORRECT, "pia", house.at, "seen", coup=hands))
    assert house.venue.ledger.balance(ledger.debt("ann")) == -200
    if paid:
        house.do(cage.PayDebt("ann", paid, house.at))

    house.table("t1", tables.Report("anything else", "pia", house.at))
    lie = {"ann": 10**6}
    ruled = tables.Resolve(Step.RULE_VOID, "sam", house.at, "void", facts="water", owing=lie)
    house.table("t1", ruled)
    assert house.venue.ledger.balance(ledger.debt("ann")) == -owes
    assert house.money("ann") == (1_100 - paid, stack, stack)
    assert replay(house.log) == house.venue
