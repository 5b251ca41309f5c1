"""Clauses that a table, its ledger and its cage keep together, by document.

Amounts are minor units. Where an example of the clause has cents in it, 50.00 is `50_00`.
"""

from dataclasses import asdict, fields, replace
from typing import get_args

import pytest

from cutcard import cage as till
from cutcard.ledger import Transfer, commission, house, stack, vouchers
from cutcard.ledger.accounts import owner
from cutcard.refusals import Refusal
from cutcard.round import Entry, Phase
from cutcard.round import commands as rounds
from cutcard.round.events import BetPlaced, BetWithdrawn, CardDealt, RoundVoided
from cutcard.rulebooks import in_force, load, rulebooks
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup, Side, Winner
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.rules.shoe import composition, full_shoe
from cutcard.table import commands as tables
from cutcard.table import decide, setup
from cutcard.table.events import CardBurned, SqueezeAnswered, TableOpened
from cutcard.table.incident import Step
from cutcard.table.setup import Approval
from cutcard.table.state import Shoe, Table, evolve
from cutcard.table.view import Audience, Spots, Viewer
from tests.cases import every
from tests.table.scene import (
    APPROVAL,
    BANKER_WINS,
    DEALER,
    PLAYER_WINS,
    SUPERVISOR,
    TABLE,
    TIE,
    Scene,
    check_in_step,
    check_replay,
    denied,
    why,
)

GAP = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 10_000, "CB4 5.1")
HOUR = 3_600_000


def seated(book: str = "rws-commission", **choices: object) -> Scene:
    """Ann in box 2, bob in box 5, cho on foot, 20,000 each, and a shoe."""
    scene = Scene(book, **choices).fund(ann=20_000, bob=20_000, cho=20_000)
    return scene.seat("ann", 2).seat("bob", 5).shoe()


def shoe_of(scene: Scene) -> Shoe:
    assert scene.table.shoe is not None
    return scene.table.shoe


def three_winners(book: str) -> Scene:
    scene = seated(book).seat("cho", 4).open()
    scene.bet("ann", 2, "player", 100).bet("bob", 5, "player", 50)
    return scene.bet("cho", 4, "player", 20).play(PLAYER_WINS)


def between_patrons(scene: Scene) -> list[Transfer]:
    """Transfers from one patron to another."""
    transfers = [one for one in scene.entries if isinstance(one, Transfer)]
    both = [one for one in transfers if owner(one.debit) and owner(one.credit)]
    return [one for one in both if owner(one.debit) != owner(one.credit)]


# --- ETG4 -----------------------------------------------------------------------------------------


@pytest.mark.clause("ETG4 1 House")
def test_three_wins_of_170_together_cost_the_house_170() -> None:
    scene = three_winners("rws-non-commission-etg")

    assert [scene.stack(who) - 20_000 for who in ("ann", "bob", "cho")] == [100, 50, 20]
    assert scene.house == -170
    assert scene.ledger.total() == 0


@pytest.mark.clause("ETG4 1 Player Terminal")
def test_a_voucher_of_500_comes_in_and_goes_out_again() -> None:
    """A voucher from elsewhere fills the meter; cash-out empties it into a new voucher."""
    scene = Scene("rws-non-commission-etg").at_cage(till.Deposit("ann", 500, 1))
    old, new = till.VoucherNumber("1" * 18), till.VoucherNumber("2" * 18)
    scene.at_cage(till.IssueVoucher(old, "ann", None, 500, False, "kiosk", 9 * HOUR, 2))

    scene.at_cage(till.ClaimVoucher(old, "terminal 1", 3))
    scene.at_cage(till.RedeemVoucher(old, "terminal 1", "ann", TABLE, 4))
    scene.do(tables.FillStack("ann", 500, 4))
    assert scene.stack("ann") == scene.ledger.available(stack(TABLE, "ann")) == 500
    assert scene.ledger.balance(vouchers()) == 0

    scene.do(tables.EmptyStack("ann", 500, 5))
    scene.at_cage(till.IssueVoucher(new, "ann", TABLE, 500, False, "terminal 1", 9 * HOUR, 5))
    assert scene.stack("ann") == scene.ledger.available(stack(TABLE, "ann")) == 0
    assert scene.ledger.balance(vouchers()) == till.liability(scene.cage) == 500
    check_in_step(scene.table, scene.ledger)


@pytest.mark.clause("ETG4 1 Player Terminal")
def test_nothing_is_cashed_out_while_bets_are_in_play() -> None:
    scene = seated("rws-non-commission-etg").open().bet("ann", 2, "player", 100)
    number = till.VoucherNumber("1" * 18)

    assert denied(scene.cash_out, "ann", 500).code == "stack/bets-in-play"
    voucher = till.IssueVoucher(number, "ann", TABLE, 500, True, "terminal 1", 9 * HOUR, 9)
    with pytest.raises(Refusal) as refused:
        scene.at_cage(voucher)
    assert refused.value.code == "cage/bets-in-play"


# --- KO2 ------------------------------------------------------------------------------------------


@pytest.mark.clause("KO2 1 other defs (b)")
def test_in_knockout_too_the_house_is_the_other_half_of_every_settlement() -> None:
    scene = three_winners("rws-knockout")

    assert (scene.house, scene.ledger.total()) == (-170, 0)


@pytest.mark.clause("KO2 3.3 (d)")
def test_every_patron_plays_against_the_house_and_never_against_another() -> None:
    """Ann loses exactly what bob wins, and still no transfer joins the two."""
    scene = seated("rws-knockout").seat("cho", 4).open().bet("ann", 2, "banker", 500)
    scene.bet("bob", 5, "player", 500).bet("cho", 4, "ante_banker", 100).close().deal("Kh")
    scene.choose("cho", 4, "ante_banker").finish(PLAYER_WINS)

    assert (scene.stack("ann"), scene.stack("bob")) == (19_500, 20_500)
    assert between_patrons(scene) == []
    # Winners are paid by the house in full, whatever others lost.
    won = [one for one in scene.entries if isinstance(one, Transfer) and "won" in one.reason]
    assert [(one.debit, one.amount) for one in won] == [(house(TABLE), 500)]
    assert scene.house == 500 - 500 + 300


# --- ONL ------------------------------------------------------------------------------------------


@pytest.mark.clause("ONL B3 (b)")
def test_burned_cards_are_counted_and_not_named() -> None:
    """416 less the exposed seven and seven burned; what a scanner read of them is in no event."""
    scene = Scene("online-baccarat").register().burn("7c")
    for _ in range(7):
        scene.burn("Ks")

    assert scene.table.shoe is not None
    assert (scene.table.shoe.left, scene.table.shoe.burned) == (408, 7)
    burned = [event for event in scene.log if isinstance(event, CardBurned)]
    assert [event.left_to_burn for event in burned] == [6, 5, 4, 3, 2, 1, 0]
    assert {field.name for field in fields(CardBurned)} == {"left_to_burn", "by", "at"}
    assert scene.table.shoe.seen == {Card.parse("7c"): 1}


@pytest.mark.clause("ONL B3 (b)")
@every("role", list(Role))
def test_no_view_names_a_burned_card(role: Role) -> None:
    scene = Scene("online-baccarat").register().burn("7c").burn("Ks")

    for viewer in (Viewer(Audience.PUBLIC), Viewer(Audience.STAFF, "x", role)):
        assert "Ks" not in repr(scene.seen_by(viewer))


@pytest.mark.clause("ONL B3 (c)")
def test_after_six_of_seven_burns_no_round_opens() -> None:
    scene = Scene("online-baccarat").register().burn("7c")
    for _ in range(6):
        scene.burn()

    assert denied(scene.open) == Refusal("shoe/burn-first", {"left": 1}, "ONL B3")
    assert scene.burn().open().table.round.phase is Phase.BETTING


@pytest.mark.clause("ONL B4 (b)")
def test_the_round_of_the_cut_card_is_played_out_and_no_other_opens() -> None:
    scene = seated("online-baccarat").open().bet("ann", 2, "player", 100).close().deal("Kh")

    scene.cut_card().deal("Kd 9s 8c").call().settle()

    assert scene.stack("ann") == 20_100
    assert scene.seen_by().last_round
    assert why(denied(scene.open)) == ("shoe/last-round", "ONL B4")


@pytest.mark.clause("ONL B5")
def test_the_next_round_is_the_first_of_a_new_shoe_and_the_roads_are_empty() -> None:
    scene = seated("online-baccarat").open().play(BANKER_WINS).open().cut_card().play(TIE)
    assert len(scene.seen_by().roads.bead) == 2
    scene.end_shoe()
    assert denied(scene.open).code == "shoe/none"

    scene.shoe("shoe 2").open()

    assert (scene.seen_by().round, scene.seen_by().shoe) == (1, 2)
    assert scene.seen_by().roads.bead == ()


@pytest.mark.clause("ONL B5")
def test_all_cards_go_into_the_new_shoe_and_they_are_shuffled() -> None:
    scene = seated("online-baccarat").open().play(BANKER_WINS).end_shoe()
    left_out = composition(full_shoe(8)) - composition([Card.parse("Kh")])

    short = tables.RegisterShoe("shoe 2", left_out, "shuffled", DEALER, 99)
    assert denied(scene.do, short).code == "shoe/manifest"
    assert denied(scene.register, "shoe 2", "").code == "shoe/unshuffled"
    assert scene.register("shoe 2").table.shoes == 2


@pytest.mark.clause("ONL CC2 (c)")
@pytest.mark.parametrize("balance", [899, 900])
def test_a_banker_bet_of_100_needs_900(balance: int) -> None:
    scene = Scene("online-cow-cow").fund(ann=balance).seat("ann", 1).shoe().open()

    if balance < 900:
        refused = denied(scene.bet, "ann", 1, "banker", 100)
        assert refused == Refusal("stack/short", {"needed": 900, "available": 899}, "ONL CC2")
    else:
        scene.bet("ann", 1, "banker", 100)
        assert (scene.stack("ann"), scene.held("ann")) == (0, 900)


@pytest.mark.clause("ONL CC2 (c)")
@every(
    ("coup", "net"),
    [
        ("Kh Qs 3c / Kd Ac Jd", 150_00 - 10_00),
        ("Kh 2s Ac / Kd 7c", -350_00 - 10_00),
        (TIE, 80_00),
    ],
)
def test_player_50_and_tie_10_hold_460_until_settlement(coup: str, net: int) -> None:
    """Player wins with three, loses to seven, or ties."""
    scene = Scene("online-cow-cow").fund(ann=460_00).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "player", 50_00).bet("ann", 1, "tie", 10_00)
    assert (scene.stack("ann"), scene.held("ann")) == (0, 460_00)

    scene.play(coup)

    assert (scene.stack("ann"), scene.held("ann")) == (460_00 + net, 0)


# --- SKY ------------------------------------------------------------------------------------------


@pytest.mark.clause("HOUSE roles")
@every("book", rulebooks(), ids=lambda book: book.id)
def test_roles_are_cited_from_the_book_or_from_the_house(book: Rulebook) -> None:
    """Nobody is refused by another operator's clause."""
    scene = Scene(book).fund(ann=1_000)

    for refused in (denied(scene.announce, 1, DEALER), denied(scene.staff, "ann", Role.DEALER)):
        assert refused.clause == ("CB4 1.11" if book.document == "CB4" else "HOUSE roles")


@pytest.mark.clause("SKY RG2 (c)", "HOUSE helpline")
@every("book", rulebooks(), ids=lambda book: book.id)
def test_a_table_without_a_helpline_does_not_open(book: Rulebook) -> None:
    signed_on = decide(Table(), tables.SignOn(SUPERVISOR, Role.PIT_SUPERVISOR, 0), book)
    table = evolve(Table(), signed_on[0])

    def opened(helpline: str) -> list[object]:
        wanted = setup(book, TABLE, helpline=helpline, approval=APPROVAL)
        return [*decide(table, tables.OpenTable(wanted, SUPERVISOR, 1), book)]

    with pytest.raises(Refusal) as refused:
        opened("")
    clause = "SKY RG2" if book.document == "SKY" else "HOUSE helpline"
    assert why(refused.value) == ("table/no-helpline", clause)
    assert [type(event) for event in opened("1800 629 683")] == [TableOpened]


# --- CB4 ------------------------------------------------------------------------------------------


@pytest.mark.clause("CB4 1.8")
def test_the_house_account_is_the_other_half_of_every_settlement() -> None:
    scene = three_winners("rws-commission")
    assert (scene.house, scene.ledger.total()) == (-170, 0)

    scene.open().bet("ann", 2, "player", 300).play(BANKER_WINS)

    assert (scene.house, scene.ledger.total()) == (130, 0)
    assert between_patrons(scene) == []


DEALT = {"rws-commission": "CB4 1.4", "rws-knockout": "KO2 3.1"}
"""The books that want a dealer, and where they say so."""


@pytest.mark.clause("CB4 1.4", "KO2 3.1")
@every("book", DEALT)
def test_no_round_opens_without_a_dealer_signed_on_and_every_card_says_who_dealt_it(
    book: str,
) -> None:
    """A supervisor and a shift manager may deal, but neither of them is the dealer."""
    scene = seated(book).do(tables.SignOff(DEALER, 9)).staff("shi", Role.SHIFT_MANAGER)
    assert denied(scene.open).code == "staff/not-signed-on"
    for above in (SUPERVISOR, "shi"):
        refused = denied(scene.open, above)
        assert refused == Refusal("staff/no-dealer", {"book": load(book).name}, DEALT[book])

    scene.staff("max", Role.DEALER).open(by=SUPERVISOR).close(by="max")
    scene.deal("9h 2c Kh 3c", by="max")
    dealers = [event.by for event in scene.log if isinstance(event, CardDealt)]
    assert dealers == ["max"] * 4


@pytest.mark.clause("CB4 1.4", "KO2 3.1")
@every("book", DEALT)
def test_a_dealer_who_goes_in_the_middle_is_needed_for_the_next_round(book: str) -> None:
    """The round under way is finished by who ranks above; a dealer who acts for the pit counts."""
    scene = seated(book).open().close().sign_off(DEALER).deal("9h 2c Kh 3c", by=SUPERVISOR)
    scene.in_round(rounds.CallResult(scene.at()), SUPERVISOR)
    scene.in_round(rounds.SettleRound(scene.at()), SUPERVISOR)
    assert denied(scene.open, SUPERVISOR).code == "staff/no-dealer"

    scene.staff("max", Role.DEALER).acting("max", Role.PIT_SUPERVISOR, until=HOUR)
    assert scene.open(by=SUPERVISOR).table.round.number == 2


@pytest.mark.clause("CB4 1.4", "CB4 1.11")
def test_who_acts_as_dealer_is_one_for_as_long_as_that_lasts() -> None:
    scene = seated().sign_off(DEALER)
    assert denied(scene.open, SUPERVISOR).code == "staff/no-dealer"
    scene.acting(SUPERVISOR, Role.DEALER, scene.now + 1_000)

    scene.open(SUPERVISOR).close(SUPERVISOR).deal("9h 2c Kh 3c", SUPERVISOR)
    scene.in_round(rounds.CallResult(scene.at()), SUPERVISOR)
    scene.in_round(rounds.SettleRound(scene.at()), SUPERVISOR)
    scene.wait(1_000)
    assert denied(scene.open, SUPERVISOR).code == "staff/no-dealer"


@pytest.mark.clause("CB4 1.4", "KO2 3.1", "HOUSE demonstration")
@every("book", DEALT)
def test_a_machine_deals_by_such_a_book_in_a_demonstration_only(book: str) -> None:
    for demonstration in (None, False):
        with pytest.raises(Refusal) as refused:
            Scene(book, machine="machine", demonstration=demonstration)
        assert why(refused.value) == ("table/needs-dealer", DEALT[book])

    scene = seated(book, machine="machine", demonstration=True).sign_off(DEALER)
    assert scene.open(by="machine").table.round.phase is Phase.BETTING


@pytest.mark.clause("HOUSE demonstration")
def test_a_demonstration_with_people_wants_its_dealer_too() -> None:
    scene = seated(demonstration=True).sign_off(DEALER)

    assert denied(scene.open, SUPERVISOR).code == "staff/no-dealer"


@every("book", [one.id for one in rulebooks() if one.id not in DEALT])
def test_the_other_books_do_with_a_machine_or_with_who_ranks_above(book: str) -> None:
    scene = seated(book, machine="machine").sign_off(DEALER)
    assert scene.open(by="machine").table.round.phase is Phase.BETTING

    scene = seated(book).sign_off(DEALER)
    assert scene.open(by=SUPERVISOR).table.round.phase is Phase.BETTING


@pytest.mark.clause("CB4 1.11")
def test_a_dealer_acts_as_pit_supervisor_until_six_and_not_a_minute_longer() -> None:
    six = 6 * HOUR
    scene = seated().acting(DEALER, Role.PIT_SUPERVISOR, until=six).open()
    scene.close().deal("9h").report("simultaneous cards", drawn=tuple(parse_cards("4h 9s")))
    order = tuple(parse_cards("9s 4h"))
    late = tables.Resolve(Step.ORDER, DEALER, six + 60_000, order=order)
    in_time = tables.Resolve(Step.ORDER, DEALER, six - 60_000, order=order)

    assert why(denied(scene.do, late)) == ("staff/role", "CB4 5.10")
    assert scene.do(in_time).table.round.coup == Coup.parse("9h 4h / 9s")


@pytest.mark.clause("CB4 1.11")
@every(("role", "may"), [(role, role is not Role.DEALER) for role in Role])
def test_whoever_ranks_above_has_the_powers_of_those_below(role: Role, may: bool) -> None:
    scene = seated().staff("max", role)

    assert scene.open(by="max").table.round.phase is Phase.BETTING
    scene.report("foreign card")
    if may:
        assert scene.resolve(Step.VOID, "max").table.round.phase is Phase.VOID
    else:
        assert denied(scene.resolve, Step.VOID, "max").params["role"] == "pit supervisor"


@pytest.mark.clause("CB4 1.17")
def test_a_seat_without_a_bet_has_no_squeeze() -> None:
    scene = seated(face_down=True).open().bet("ann", 2, "player", 300).close()

    assert denied(scene.ask, "bob", Side.PLAYER).code == "squeeze/not-highest"
    assert scene.ask("ann", Side.PLAYER).answer("ann").table.squeeze == {Side.PLAYER: "ann"}


@pytest.mark.clause("CB4 1.17")
def test_a_seat_without_a_bet_has_no_priority() -> None:
    """Bob holds box 5 and bets in ann's: there he stands, and is cut before her."""
    scene = seated(entry=Entry.WARN, limits=(GAP,)).open().bet("ann", 2, "tie", 10)
    scene.bet("bob", 2, "player", 9_000).bet("ann", 2, "player", 9_000)

    assert [scene.laid(who, 2, "player").seated for who in ("bob", "ann")] == [False, True]
    assert scene.reject(2).bets == {
        ("ann", "tie"): 10,
        ("ann", "player"): 9_000,
        ("bob", "player"): 1_000,
    }


@pytest.mark.clause("CB4 1.18")
def test_a_standing_patron_bets_on_the_box_of_a_seated_one() -> None:
    scene = seated().open()
    assert denied(scene.bet, "cho", 5, "banker", 300) == Refusal(
        "bet/nobody-seated", {"box": 5}, "CB4 1.18"
    )

    scene.bet("bob", 5, "player", 300).bet("cho", 5, "banker", 300)

    assert not scene.laid("cho", 5, "banker").seated
    assert denied(scene.bet, "cho", 3, "banker", 300).code == "bet/nobody-seated"


@pytest.mark.clause("HOUSE back bets")
def test_only_where_the_operator_opens_boxes_does_anybody_bet_behind_an_empty_seat() -> None:
    literal, opened = seated().open(), seated(open_boxes=True).open()

    assert denied(literal.bet, "cho", 5, "banker", 300).code == "bet/nobody-seated"
    assert opened.bet("cho", 5, "banker", 300).bets == {("cho", "banker"): 300}


@pytest.mark.clause("HOUSE back bets")
@pytest.mark.clause("KO2 2.1.2")
@every(
    ("book", "clause"),
    [
        ("rws-knockout", "KO2 2.1.2"),
        ("skycity-commission", "HOUSE back bets"),
        ("skycity-non-commission", "HOUSE back bets"),
    ],
)
def test_where_the_book_knows_no_standing_patrons_each_bets_in_the_own_box(
    book: str, clause: str
) -> None:
    """Bob has bet in box 5, and still cho may not bet there, nor ann, who sits elsewhere."""
    scene = seated(book).open().bet("bob", 5, "player", 300)
    not_yours = Refusal("bet/not-your-box", {"box": 5}, clause)

    assert denied(scene.bet, "cho", 5, "banker", 300) == not_yours
    assert denied(scene.bet, "ann", 5, "banker", 300) == not_yours
    assert seated(book, open_boxes=True).open().bet("cho", 5, "banker", 300).bets == {
        ("cho", "banker"): 300
    }


OPEN = ("rws-non-commission-etg", "online-baccarat", "online-no-commission", "online-cow-cow")


@pytest.mark.clause("HOUSE open table")
@every("book", OPEN)
def test_an_open_table_has_neither_boxes_nor_seats_nor_chips(book: str) -> None:
    scene = Scene(book).fund(ann=10_000).shoe().open()
    rule = "HOUSE open table"

    seat = tables.TakeSeat("ann", 1, scene.at())
    assert denied(scene.do, seat) == Refusal("seat/open-table", {}, rule)
    bet = tables.InRound(rounds.PlaceBet("ann", 3, "player", 100, scene.at()), "ann")
    assert denied(scene.do, bet) == Refusal("bet/no-boxes", {"box": 3}, rule)
    with pytest.raises(Refusal, check=lambda refusal: refusal.code == "table/open-chips"):
        Scene(book, entry=Entry.WARN)
    with pytest.raises(Refusal, check=lambda refusal: refusal.code == "table/boxes"):
        Scene(book, boxes=5)


@pytest.mark.clause("HOUSE open table")
@every("book", OPEN)
def test_any_number_of_patrons_bets_at_an_open_table_directly(book: str) -> None:
    """Forty of them, where no layout has more than fourteen boxes; each is paid to the unit."""
    patrons = [f"p-{number}" for number in range(40)]
    scene = Scene(book).fund(**dict.fromkeys(patrons, 10_000)).shoe().open()
    for number, patron in enumerate(patrons):
        scene.bet(patron, 0, "player" if number % 2 else "banker", 1_000)
    assert scene.seen_by().layout == Spots({"banker": 20_000, "player": 20_000}, 40)

    scene.play(PLAYER_WINS)

    won = {"online-cow-cow": 8_550}.get(book, 1_000)
    lost = {"online-cow-cow": 9_000}.get(book, 1_000)
    assert {scene.stack(patron) for patron in patrons[1::2]} == {10_000 + won}
    assert {scene.stack(patron) for patron in patrons[::2]} == {10_000 - lost}
    assert scene.house + scene.commission == 20 * (lost - won)


@pytest.mark.clause("ONL S1")
@pytest.mark.clause("HOUSE open table")
def test_each_patron_of_an_open_table_has_a_difference_limit_of_their_own() -> None:
    """At 1,000 Ann's 600 on Player let her put 1,600 on Banker, and leave Bob's 1,000 alone."""
    gap = Limit(Kind.DIFFERENTIAL, Scope.PATRON, ("player", "banker"), 1_000, "ONL S1")
    scene = Scene("online-baccarat", limits=(gap,)).fund(ann=9_000, bob=9_000).shoe().open()
    scene.bet("ann", 0, "player", 600).bet("ann", 0, "banker", 1_600).bet("bob", 0, "banker", 1_000)

    assert why(denied(scene.bet, "ann", 0, "banker", 20)) == ("limit/differential", "ONL S1")
    assert why(denied(scene.bet, "bob", 0, "banker", 20)) == ("limit/differential", "ONL S1")
    assert why(denied(scene.take_back, "ann", 0, "player")) == ("limit/withdrawal", "ONL S1")


@pytest.mark.clause("ONL NC3")
def test_at_an_open_table_a_cap_counts_sums_of_side_bets_and_the_difference_of_the_main_ones() -> (
    None
):
    """Tie at most 1,000 a table: Ann's 700 leave Bob 300. Banker 700 and Player 600: 900 more."""
    caps = (
        Limit(Kind.MAXIMUM, Scope.TABLE, ("tie",), 1_000, "ONL NC3"),
        Limit(Kind.DIFFERENTIAL, Scope.TABLE, ("player", "banker"), 1_000, "ONL NC3"),
    )
    scene = Scene("online-no-commission", limits=caps).fund(ann=9_000, bob=9_000).shoe().open()
    scene.bet("ann", 0, "tie", 700).bet("ann", 0, "banker", 700).bet("bob", 0, "player", 600)

    over = denied(scene.bet, "bob", 0, "tie", 400)
    assert (over.code, over.params["room"], over.clause) == ("limit/maximum", 300, "ONL NC3")
    over = denied(scene.bet, "bob", 0, "banker", 902)
    assert (over.code, over.params["room"], over.clause) == ("limit/differential", 900, "ONL NC3")
    scene.bet("bob", 0, "tie", 300).bet("bob", 0, "banker", 900)


@pytest.mark.clause("CB4 1.20 (b)")
def test_a_void_round_is_on_no_road_and_in_the_log() -> None:
    scene = seated().open().play(BANKER_WINS)
    scene.open().bet("ann", 2, "player", 300).close().deal("Kh Kd 9s 8c").void()
    scene.open().play(TIE)

    seen = scene.seen_by()
    assert [bead.result.winner.value for bead in seen.roads.bead] == ["banker", "tie"]
    assert (seen.roads.counts.banker, seen.roads.counts.player, seen.roads.counts.tie) == (1, 0, 1)
    voided = [event for event in scene.log if isinstance(event, RoundVoided)]
    assert [(event.clause, event.by) for event in voided] == [("HOUSE no ruling", SUPERVISOR)]
    assert seen.round == 3


@pytest.mark.clause("CB4 3.6 (b)")
def test_nobody_keeps_others_from_the_rest_of_a_box() -> None:
    """Ann has 2,000 of 10,000 on Banker; cho takes the other 8,000, whatever ann wants."""
    scene = seated(limits=(GAP,)).open().bet("ann", 2, "banker", 2_000)

    refused = denied(scene.bet, "cho", 2, "banker", 8_020)
    assert (refused.code, refused.params["room"]) == ("limit/differential", 8_000)
    assert scene.bet("cho", 2, "banker", 8_000).bets["cho", "banker"] == 8_000


@pytest.mark.clause("CB4 3.6 (b)")
def test_no_command_locks_a_box() -> None:
    """All that names a box is sitting down, betting, what is done to one's own bet, freeing."""
    commands = [*get_args(tables.Command), *get_args(rounds.Command)]
    about_boxes = {
        command.__name__
        for command in commands
        if "box" in {field.name for field in fields(command)}
    }

    assert about_boxes == {
        "TakeSeat",
        "FreeSeat",
        "PlaceBet",
        "WithdrawBet",
        "RejectExcess",
        "ChooseSecondStage",
        "ReportRemoved",
    }


@pytest.mark.clause("CB4 2.1.1a", "KO2 2.1.2")
@every(
    ("book", "layout", "boxes", "clause"),
    [
        ("rws-commission", "bean-9", 9, "CB4 App A"),
        ("rws-commission", "bean-7", 7, "CB4 App B"),
        ("rws-commission", "mini-7", 7, "CB4 App C"),
        ("rws-commission", "big-12", 12, "CB4 App D"),
        ("rws-knockout", "ko-bean-6", 6, "KO2 App A"),
        ("rws-knockout", "ko-mini-5", 5, "KO2 App B"),
    ],
)
def test_beyond_its_last_box_a_layout_has_neither_seat_nor_bet(
    book: str, layout: str, boxes: int, clause: str
) -> None:
    """The refusal cites the drawing of the table's own layout."""
    scene = Scene(book, layout=layout, boxes=boxes, open_boxes=True).fund(ann=1_000)
    scene.seat("ann", boxes).shoe().open().bet("ann", boxes, "player", 100)

    for box in (0, boxes + 1):
        for refused in (
            denied(scene.seat, "ann", box),
            denied(scene.bet, "ann", box, "player", 100),
        ):
            assert why(refused) == ("bet/no-such-box", clause)
            assert refused.params == {"box": box, "boxes": boxes}
    assert scene.stack("ann") == 900


def squeeze_table() -> Scene:
    """Seat 2 Banker 5,000, seat 5 Banker 4,000, and 9,000 of a standing patron."""
    scene = seated(face_down=True).open().bet("ann", 2, "banker", 5_000)
    return scene.bet("bob", 5, "banker", 4_000).bet("cho", 5, "banker", 9_000)


@pytest.mark.clause("CB4 3.9")
def test_the_seated_patron_with_the_highest_bet_asks_before_the_card_and_is_granted() -> None:
    scene = squeeze_table().close()
    for other in ("bob", "cho"):
        assert why(denied(scene.ask, other, Side.BANKER)) == ("squeeze/not-highest", "CB4 3.9")

    scene.ask("ann", Side.BANKER)
    assert not scene.seen_by("ann").may_squeeze, "asking is not enough"
    scene.answer("ann").deal("Kh Kd")

    assert scene.seen_by("ann").banker == (Card.parse("Kd"),)
    assert scene.seen_by("ann").player == (None,)
    assert scene.seen_by("bob").banker == scene.seen_by().banker == (None,)


def box_one() -> Scene:
    """A terminal table: ann sits in box 1 with 30,000 on Banker, bob stands there with 970,000.

    The differential of a box is 1,000,000, the minimum 30,000; everybody came with 2,000,000.
    """
    scene = Scene(limits=load("rws-commission").limits)
    scene.fund(ann=2_000_000, bob=2_000_000, cho=2_000_000).seat("ann", 1).shoe().open()
    return scene.bet("ann", 1, "banker", 30_000).bet("bob", 1, "banker", 970_000)


def cuts(scene: Scene) -> list[tuple[str, str, int, int]]:
    """What was withdrawn by the latest command, in its order: whose, where, from what to what."""
    return [
        (one.bet.patron, one.bet.spot, one.bet.stake, one.left.stake if one.left else 0)
        for one in scene.last
        if isinstance(one, BetWithdrawn)
    ]


@pytest.mark.clause("CB4 5.1 priority")
def test_on_a_terminal_table_a_standing_bet_gives_way_to_the_seated_patrons() -> None:
    """Ann adds 100,000; so much of bob's bet is given back, and bob is told."""
    scene = box_one().bet("ann", 1, "banker", 100_000)

    placed, returned = scene.last
    assert isinstance(placed, BetPlaced)
    assert (placed.bet.patron, placed.bet.stake, placed.bet.seated) == ("ann", 130_000, True)
    assert isinstance(returned, BetWithdrawn)
    assert returned.left is not None
    assert (returned.bet.stake, returned.left.stake) == (970_000, 870_000)
    assert (returned.cause, returned.clause) == ("seated patrons first", "CB4 5.1")
    assert returned.placed_by is None
    assert (scene.stack("ann"), scene.stack("bob")) == (1_870_000, 1_130_000)
    check_in_step(scene.table, scene.ledger)
    assert scene.seen_by("bob").own_given_back == (returned,)
    assert scene.seen_by("ann").own_given_back == scene.seen_by("cho").own_given_back == ()
    scene.play(BANKER_WINS)
    assert (scene.stack("ann"), scene.stack("bob")) == (2_123_500, 2_826_500)
    assert scene.open().seen_by("bob").own_given_back == ()
    check_replay(scene.table, scene.log)


@pytest.mark.clause("CB4 5.1 priority")
def test_standing_bets_give_way_from_the_back_of_the_line() -> None:
    scene = box_one().take_back("bob", 1, "banker", 470_000).bet("cho", 1, "banker", 470_000)

    scene.bet("ann", 1, "banker", 490_000)
    assert cuts(scene) == [("cho", "banker", 470_000, 0), ("bob", "banker", 500_000, 480_000)]
    assert scene.bets == {("ann", "banker"): 520_000, ("bob", "banker"): 480_000}


@pytest.mark.clause("CB4 5.1 priority")
@every(("added", "left"), [(940_000, 30_000), (940_020, 0)])
def test_less_than_the_minimum_is_left_to_nobody(added: int, left: int) -> None:
    scene = box_one().bet("ann", 1, "banker", added)

    assert cuts(scene) == [("bob", "banker", 970_000, left)]
    assert scene.stack("bob") == 2_000_000 - left


@pytest.mark.clause("CB4 5.1 priority")
def test_a_seated_patron_has_all_the_room_that_others_do_not_sit_on() -> None:
    """What lies on Player widens it; beyond that the bet is refused with the room there is."""
    scene = box_one().bet("cho", 1, "player", 40_000)

    refused = denied(scene.bet, "ann", 1, "banker", 1_010_020)
    assert why(refused) == ("limit/differential", "CB4 5.1")
    assert refused.params["room"] == 1_010_000
    scene.bet("ann", 1, "banker", 1_010_000)
    assert scene.bets == {("ann", "banker"): 1_040_000, ("cho", "player"): 40_000}


@pytest.mark.clause("CB4 5.1 priority")
def test_nobody_gives_way_to_a_standing_patron_or_to_a_bet_that_fits() -> None:
    scene = box_one()
    for who in ("bob", "cho"):
        refused = denied(scene.bet, who, 1, "banker", 30_000)
        assert why(refused) == ("limit/differential", "CB4 5.1")
        assert refused.params["room"] == 0

    assert cuts(scene.bet("ann", 1, "player", 30_000)) == []
    assert cuts(scene.bet("ann", 1, "banker", 30_000)) == []


@pytest.mark.clause("CB4 5.1 priority")
def test_a_member_of_staff_who_bets_for_the_seated_patron_takes_nothing_from_others() -> None:
    """The log names who placed the bet; what gives way was placed by bob and returned by rule."""
    scene = box_one().bet("ann", 1, "banker", 100_000, by=DEALER)

    placed, returned = scene.last
    assert isinstance(placed, BetPlaced)
    assert isinstance(returned, BetWithdrawn)
    assert placed.bet.placed_by == DEALER
    assert returned.left is not None
    assert (returned.placed_by, returned.left.placed_by) == (None, None)


@pytest.mark.clause("CB4 5.1 priority")
def test_what_leans_on_a_bet_that_gave_way_goes_with_it() -> None:
    """Knockout with a differential: bob's Winning Total needs the Banker bet that is returned."""
    gap = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 100, "HOUSE limits")
    scene = Scene("rws-knockout", limits=(gap,), open_boxes=True).fund(ann=1_000, bob=1_000)
    scene.seat("ann", 1).shoe().open().bet("ann", 1, "banker", 20).bet("bob", 1, "banker", 80)
    scene.bet("bob", 1, "winning_total_9", 5).bet("bob", 1, "tie", 3)

    scene.bet("ann", 1, "banker", 80)
    assert cuts(scene) == [("bob", "banker", 80, 0), ("bob", "winning_total_9", 5, 0)]
    assert [one.cause for one in scene.seen_by("bob").own_given_back] == [
        "seated patrons first",
        "needs another bet",
    ]
    assert (scene.bets, scene.stack("bob")) == (
        {("ann", "banker"): 100, ("bob", "tie"): 3},
        997,
    )


BOTH = ("player", "banker")


@pytest.mark.clause("CB4 5.1 priority")
@every("scope", [Scope.TABLE, Scope.PATRON, Scope.BET])
def test_only_the_limit_of_a_box_gives_priority(scope: Scope) -> None:
    """Ann may have 500 by the other limit, whatever bob would give back."""
    box = Limit(Kind.DIFFERENTIAL, Scope.BOX, BOTH, 1_000, "CB4 5.1")
    other = Limit(
        Kind.MAXIMUM, scope, ("banker",), 1_100 if scope is Scope.TABLE else 500, "CB4 3.4"
    )
    scene = seated(limits=(box, other) if scope is Scope.TABLE else (other, box)).open()
    scene.bet("ann", 2, "banker", 100).bet("cho", 2, "banker", 400)
    if scope is Scope.TABLE:
        scene.bet("bob", 5, "banker", 600)

    refused = denied(scene.bet, "ann", 2, "banker", 1_000)
    assert why(refused) == ("limit/maximum", "CB4 3.4")
    assert refused.params["room"] == (0 if scope is Scope.TABLE else 400)


@pytest.mark.clause("CB4 5.1 priority")
def test_nobody_gives_way_where_that_would_break_another_limit() -> None:
    """Cho's 1,100 on Player in box 5 are within cho's differential while 200 lie on Banker."""
    box = Limit(Kind.DIFFERENTIAL, Scope.BOX, BOTH, 1_000, "CB4 5.1")
    patron = Limit(Kind.DIFFERENTIAL, Scope.PATRON, BOTH, 900, "ONL S1")
    scene = seated(limits=(box, patron)).open().bet("ann", 2, "banker", 100)
    scene.bet("bob", 5, "player", 100).bet("cho", 2, "banker", 900).bet("cho", 5, "player", 900)
    assert cuts(scene.bet("ann", 2, "banker", 100)) == [("cho", "banker", 900, 800)]

    scene.bet("bob", 5, "banker", 200).bet("cho", 5, "player", 200)
    refused = denied(scene.bet, "ann", 2, "banker", 660)
    assert why(refused) == ("limit/differential", "CB4 5.1")
    assert (refused.params["scope"], refused.params["room"]) == ("box", 0)
    assert cuts(scene.bet("ann", 2, "banker", 600)) == [("cho", "banker", 800, 200)]


def hand(text: str) -> tuple[Card | None, ...]:
    """A hand as it is seen: `-` lies face down."""
    return tuple(None if one == "-" else Card.parse(one) for one in text.split())


@pytest.mark.clause("CB4 3.9")
def test_a_squeeze_is_asked_for_until_the_card_is_dealt_and_shows_only_later_cards() -> None:
    """The first two cards are out when ann asks; Banker's second is the first that she sees."""
    scene = squeeze_table().close().deal("2h 3d").ask("ann", Side.BANKER)
    assert scene.answer("ann").seen_by("ann").banker == hand("-")

    scene.deal("Kh Kd")
    assert (scene.seen_by("ann").player, scene.seen_by("ann").banker) == (hand("- -"), hand("- Kd"))
    for other in ("bob", "cho"):
        assert scene.seen_by(other).banker == scene.seen_by().banker == hand("- -")


@pytest.mark.clause("CB4 3.9")
def test_a_squeeze_is_asked_for_before_each_third_card() -> None:
    """Player draws a five to 2, Banker a four to 3; then no card is left to ask for."""
    scene = squeeze_table().close().deal("2h 3d Kh Kd").turn_over()
    scene.ask("ann", Side.PLAYER).answer("ann").deal("5s")
    assert scene.seen_by("ann").player == hand("2h Kh 5s")
    assert scene.seen_by().player == hand("2h Kh -")

    scene.turn_over().ask("ann", Side.BANKER).answer("ann").deal("4c")
    assert scene.seen_by("ann").banker == hand("3d Kd 4c")
    assert scene.seen_by().banker == hand("3d Kd -")
    assert scene.seen_by("ann").squeezes == (Side.PLAYER, Side.BANKER)
    for side in Side:
        assert why(denied(scene.ask, "ann", side)) == ("squeeze/too-late", "CB4 3.9")
    assert scene.turn_over().call().settle().table.round.winner is Winner.TIE


@pytest.mark.clause("CB4 3.9", "HOUSE squeeze")
def test_while_bets_are_open_or_an_ante_is_decided_on_nobody_asks() -> None:
    scene = Scene("rws-knockout", face_down=True).fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 50)
    assert why(denied(scene.ask, "ann", Side.PLAYER)) == ("squeeze/too-late", "HOUSE squeeze")

    scene.close().deal("9s")
    assert scene.table.round.phase is Phase.DECIDING
    assert why(denied(scene.ask, "ann", Side.PLAYER)) == ("squeeze/too-late", "HOUSE squeeze")
    scene.choose("ann", 1, "ante_player").ask("ann", Side.PLAYER).answer("ann").deal("2c 3c")
    assert scene.seen_by("ann").player == hand("9s 3c")
    assert scene.seen_by().player == hand("9s -")


@pytest.mark.clause("CB4 3.9")
def test_who_is_granted_it_again_still_sees_the_cards_of_the_first_time() -> None:
    scene = squeeze_table().close().ask("ann", Side.BANKER).answer("ann").deal("2h 3d Kh Kd")

    scene.ask("ann", Side.BANKER).answer("ann")
    assert scene.seen_by("ann").banker == hand("3d Kd")


@pytest.mark.clause("CB4 3.9 (b)")
def test_a_later_squeezer_does_not_see_what_an_earlier_one_saw() -> None:
    scene = squeeze_table().close().ask("ann", Side.BANKER).answer("ann").deal("2h 3d").leave("ann")
    assert scene.seen_by("ann").banker == hand("3d")

    scene.ask("bob", Side.BANKER).answer("bob")
    assert scene.seen_by("ann").banker == scene.seen_by("bob").banker == hand("-")
    assert scene.deal("Kh Kd").seen_by("bob").banker == hand("- Kd")


@pytest.mark.clause("CB4 3.9")
def test_cards_that_are_moved_to_a_side_are_not_shown_to_its_squeezer() -> None:
    """Ann squeezes Banker's later cards; Player's first card is then left on Banker's side."""
    scene = squeeze_table().close().deal("2h 3d").ask("ann", Side.BANKER).answer("ann").deal("Kh")
    scene.report("card to the wrong side", lying=Coup.parse("Kh / 3d 2h"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    for who in ("ann", "bob", "cho"):
        scene.option(who, True)
    assert scene.seen_by("ann").banker == hand("- -")

    scene.deal("4c 5c").turn_over()
    assert scene.table.round.coup == Coup.parse("Kh 4c 5c / 3d 2h")


@pytest.mark.clause("CB4 3.9")
def test_where_cards_lie_face_up_nobody_squeezes() -> None:
    scene = seated().open().bet("ann", 2, "banker", 5_000).close()

    assert why(denied(scene.ask, "ann", Side.BANKER)) == ("squeeze/face-up", "CB4 3.9")


@pytest.mark.clause("CB4 3.9 (b)")
def test_of_equal_bets_the_earlier_squeezes() -> None:
    scene = seated(face_down=True).open().bet("bob", 5, "banker", 5_000)
    scene.bet("ann", 2, "banker", 5_000).close()

    assert denied(scene.ask, "ann", Side.BANKER).code == "squeeze/not-highest"
    assert scene.ask("bob", Side.BANKER).table.squeeze_asked == (("bob", Side.BANKER),)


@pytest.mark.clause("CB4 3.9 (b)")
def test_a_side_has_one_squeezer_at_a_time() -> None:
    """Ann was granted the Banker hand and leaves her seat; bob, next in line, takes her place."""
    scene = squeeze_table().close().ask("ann", Side.BANKER).answer("ann").leave("ann")

    scene.ask("bob", Side.BANKER).answer("bob").deal("Kh Kd")

    assert scene.table.squeeze == {Side.BANKER: "bob"}
    assert [scene.seen_by(who).may_squeeze for who in ("ann", "bob")] == [False, True]


@pytest.mark.clause("CB4 3.9 (b)")
@pytest.mark.parametrize("granted", [True, False])
def test_granting_and_refusing_are_in_the_log(granted: bool) -> None:
    scene = squeeze_table().close().ask("ann", Side.BANKER).answer("ann", granted)

    answered = [event for event in scene.log if isinstance(event, SqueezeAnswered)]
    assert [asdict(event) for event in answered] == [
        {
            "patron": "ann",
            "side": Side.BANKER,
            "granted": granted,
            "by": DEALER,
            "at": scene.now,
        }
    ]


@pytest.mark.clause("CB4 3.9 (b)")
def test_a_squeeze_that_takes_too_long_is_opened_by_the_dealer() -> None:
    scene = squeeze_table().close().ask("ann", Side.BANKER).answer("ann").deal("Kh Kd")

    scene.wait(30_000).turn_over()

    assert scene.seen_by().banker == (Card.parse("Kd"),)
    assert scene.seen_by().player == (Card.parse("Kh"),)


@pytest.mark.clause("CB4 4.1.1 (b)")
def test_commission_of_50_on_1000_is_booked_on_its_own_account() -> None:
    scene = seated().open().bet("ann", 2, "banker", 1_000).play(BANKER_WINS)

    assert scene.stack("ann") == 20_950
    assert scene.commission == scene.ledger.balance(commission(TABLE)) == 50
    assert scene.house == -1_000
    assert scene.settled["ann", "banker"].commission == 50


@pytest.mark.clause("CB4 5.1 priority")
def test_seated_bets_count_first_and_the_excess_is_cut_from_the_back() -> None:
    """The worked example: A sits, B to E stand, and 3,550.00 too much is on Banker."""
    scene = Scene(entry=Entry.WARN, limits=load("rws-commission").limits)
    scene.fund(**dict.fromkeys("abcde", 9_000_00)).seat("a", 5).shoe().open()
    scene.bet("a", 5, "banker", 8_000_00).bet("b", 5, "banker", 6_000_00)
    scene.bet("c", 5, "banker", 350_00).bet("d", 5, "player", 1_000_00).bet(
        "e", 5, "banker", 200_00
    )

    scene.reject(5)

    assert scene.bets == {
        ("a", "banker"): 8_000_00,
        ("b", "banker"): 3_000_00,
        ("d", "player"): 1_000_00,
    }
    assert [scene.stack(who) for who in "abcde"] == [
        1_000_00,
        6_000_00,
        9_000_00,
        8_000_00,
        9_000_00,
    ]
    check_in_step(scene.table, scene.ledger)


@pytest.mark.clause("CB4 5.1 priority")
def test_a_seat_goes_first_even_when_it_bets_last() -> None:
    scene = seated(entry=Entry.WARN, limits=(GAP,)).open().bet("ann", 2, "tie", 10)
    scene.bet("cho", 2, "banker", 8_000).bet("ann", 2, "banker", 8_000).reject(2)

    assert scene.bets[("ann", "banker")] == 8_000
    assert scene.bets[("cho", "banker")] == 2_000


@pytest.mark.clause("CB4 5.16")
@pytest.mark.parametrize("person", [DEALER, SUPERVISOR])
def test_staff_bet_500_on_banker_for_a_patron_and_the_log_says_who(person: str) -> None:
    scene = seated().open().bet("ann", 2, "banker", 500, by=person)

    (placed,) = scene.last
    assert isinstance(placed, BetPlaced)
    assert (placed.bet.patron, placed.bet.stake) == ("ann", 500)
    assert placed.bet.placed_by == person
    assert [bet.placed_by for bet in scene.seen_by("ann").own_bets] == [person]
    assert scene.stack("ann") == 19_500


@pytest.mark.clause("CB4 5.16")
def test_nobody_but_staff_bets_for_another() -> None:
    scene = seated().open()

    refused = denied(scene.bet, "ann", 2, "banker", 500, by="bob")
    assert why(refused) == ("staff/not-signed-on", "CB4 5.16")


# --- versions, approval, devices ------------------------------------------------------------------


@pytest.mark.clause("CB4 title (b)", "ETG4 title (b)", "KO2 title (b)")
@every(
    ("id", "moment"),
    [
        # 16 September 2019, 08:00 in Singapore; 12 May 2016, 23:59; 30 July 2014, midnight.
        ("rws-commission", 1_568_592_000_000),
        ("rws-non-commission-etg", 1_463_068_740_000),
        ("rws-knockout", 1_406_649_600_000),
    ],
)
def test_a_round_is_played_under_the_version_in_force_when_it_opens(id: str, moment: int) -> None:
    """A millisecond before its moment a version is refused, and the one before it is in force."""
    book = load(id)
    before = replace(book, version="before", effective_from="2010-02-14", hash="0" * 64)
    scene = Scene(book).shoe()
    versions = (book, before)

    assert in_force(versions, moment - 1) is before
    assert in_force(versions, moment) is book
    assert in_force(versions, 0) is None
    scene.book = book
    scene.now = moment - 2
    assert why(denied(scene.open)) == ("round/not-in-force", f"{book.document} title (b)")
    terms = scene.open().table.round.terms
    assert terms is not None
    assert (terms.book, terms.book_hash) == (book.id, book.hash)


@pytest.mark.clause("CB4 pre")
def test_a_book_is_not_taken_up_before_two_people_have_signed_its_approval() -> None:
    def opened(approval: Approval | None) -> Scene:
        return Scene("rws-commission", approval=approval)

    unsigned = [
        (None, "table/not-approved"),
        (Approval(" ", "olga", "carl"), "table/not-approved"),
        (Approval("letter 7", "olga", "olga"), "table/one-signature"),
        (Approval("letter 7", "olga", ""), "table/one-signature"),
    ]
    for approval, code in unsigned:
        with pytest.raises(Refusal) as refused:
            opened(approval)
        assert why(refused.value) == (code, "CB4 pre")
    scene = opened(Approval("letter 7", "olga", "carl"))
    assert isinstance(scene.last[0], TableOpened)
    assert scene.last[0].setup.approval == Approval("letter 7", "olga", "carl")


@pytest.mark.clause("CB4 1.3")
def test_without_a_scanner_a_second_person_confirms_every_card() -> None:
    scene = seated(scanner=False).open().bet("ann", 2, "player", 100).close()

    def drawn(seen_by: str | None) -> rounds.DrawCard:
        return rounds.DrawCard(Card.parse("9h"), 99, seen_by=seen_by)

    alone = denied(scene.in_round, drawn(None))
    assert why(alone) == ("staff/not-signed-on", "CB4 1.3")
    assert why(denied(scene.in_round, drawn("ann"))) == ("staff/not-signed-on", "CB4 1.3")
    assert why(denied(scene.in_round, drawn(DEALER))) == ("card/one-person", "CB4 1.3")
    dealt = scene.in_round(drawn(SUPERVISOR)).last[0]
    assert isinstance(dealt, CardDealt)
    assert (dealt.by, dealt.seen_by) == (DEALER, SUPERVISOR)


@pytest.mark.clause("CB4 1.6", "HOUSE shuffler")
def test_a_continuous_shuffler_has_no_cut_card_and_deals_every_round_from_the_full_shoe() -> None:
    scene = seated(continuous=True, decks=4)
    for _ in range(5):
        # Four copies of each card: the fifth of a kind in a shoe would be a foreign card.
        scene.open().play("9s Kh / 2d 3d")

    assert why(denied(scene.cut_card)) == ("shoe/continuous", "HOUSE shuffler")
    assert len(scene.table.results) == 5
    scene = seated(decks=4)
    for _ in range(4):
        scene.open().play("9s Kh / 2d 3d")
    scene.open().close().deal("9s")
    assert scene.table.incident is not None
    assert scene.table.incident.kind == "foreign card"


@pytest.mark.clause("CB4 1.6", "HOUSE shuffler")
def test_sixty_rounds_are_dealt_from_a_shuffler_of_four_decks() -> None:
    """300 cards out of 208: each round is dealt from all but the burned card, and for the count
    every card goes back."""
    scene = seated(continuous=True, decks=4)
    for _ in range(60):
        scene.open()
        assert shoe_of(scene).left == 208 - 1
        scene.play("2s 3h 9c / Kd 5c")
        assert shoe_of(scene).left == 208 - 1 - 5

    assert (scene.table.rounds, scene.table.shoes, scene.table.incident) == (60, 1, None)
    assert not shoe_of(scene).cut_card
    scene.end_shoe(left=208)
    assert scene.table.incident is None, "every card is back in the shuffler"


@pytest.mark.clause("CB4 3.4 (b)")
def test_limits_change_between_rounds_only_and_everybody_is_told_before() -> None:
    new = (Limit(Kind.MAXIMUM, Scope.BET, ("player",), 50, "CB4 3.4"),)
    scene = seated().open()

    scene.do(tables.ChangeLimits(new, SUPERVISOR, 99)).bet("ann", 2, "player", 100)
    seen = scene.seen_by("ann")
    assert (seen.limits, seen.next_limits) == ((), new)
    scene.play(PLAYER_WINS).open()
    assert denied(scene.bet, "ann", 2, "player", 100).code == "limit/maximum"


@pytest.mark.clause("KO2 3.4 funds")
def test_an_ante_that_could_not_be_continued_is_warned_about_or_refused() -> None:
    """120.00 in the stack, Ante 50.00: 70.00 are left and the Wager costs 100.00."""
    scene = Scene("rws-knockout").fund(ann=120_00).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 50_00)

    assert [bet.spot for bet in scene.seen_by("ann").cannot_continue] == ["ante_player"]
    strict = Scene("rws-knockout", reserve_second=True).fund(ann=149_99).seat("ann", 1).shoe()
    refused = denied(strict.open().bet, "ann", 1, "ante_player", 50_00)
    assert why(refused) == ("stack/short", "KO2 3.4 funds")
    assert refused.params == {"needed": 150_00, "available": 149_99}
    enough = strict.fund(ann=1).bet("ann", 1, "ante_player", 50_00)
    assert enough.seen_by("ann").cannot_continue == ()


def knockout(stack: int, book: Rulebook | None = None) -> Scene:
    """A table that reserves Wagers; ann has an Ante of 50 on Player out of so much money."""
    scene = Scene(book or "rws-knockout", reserve_second=True, open_boxes=True)
    scene.fund(ann=stack).seat("ann", 1).shoe().open()
    return scene.bet("ann", 1, "ante_player", 50)


@pytest.mark.clause("KO2 3.4 funds")
@every(("box", "spot"), [(1, "ante_banker"), (2, "ante_player"), (1, "ante_player")])
def test_the_wagers_of_all_open_antes_are_reserved_together(box: int, spot: str) -> None:
    """Of 200 an Ante takes 50 and its Wager 100, so a second one would need 250 of the 150 left."""
    refused = denied(knockout(200).bet, "ann", box, spot, 50)

    assert why(refused) == ("stack/short", "KO2 3.4 funds")
    assert refused.params == {"needed": 250, "available": 150}
    assert denied(knockout(299).bet, "ann", box, spot, 50).code == "stack/short"
    both = knockout(300).bet("ann", box, spot, 50)
    assert (both.stack("ann"), both.seen_by("ann").cannot_continue) == (200, ())


@pytest.mark.clause("KO2 3.4 funds")
@every("spot", ["player", "tie", "player_pair"])
def test_another_bet_leaves_enough_for_the_wagers(spot: str) -> None:
    scene = knockout(200)

    refused = denied(scene.bet, "ann", 1, spot, 51)
    assert why(refused) == ("stack/short", "KO2 3.4 funds")
    assert refused.params == {"needed": 151, "available": 150}
    scene.bet("ann", 1, spot, 50).close().deal("9s").choose("ann", 1, "ante_player")
    assert scene.stack("ann") == 0


@pytest.mark.clause("KO2 3.4 funds")
def test_the_wagers_of_others_and_antes_taken_back_reserve_nothing() -> None:
    scene = knockout(200).fund(bob=50).bet("bob", 2, "tie", 50)
    assert scene.stack("bob") == 0

    scene.take_back("ann", 1, "ante_player").bet("ann", 1, "player", 200)
    assert scene.stack("ann") == 0


@pytest.mark.clause("KO2 3.4 funds")
def test_without_the_reserve_the_patron_is_warned_of_the_ante_that_cannot_be_continued() -> None:
    scene = Scene("rws-knockout").fund(ann=200).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 50)
    assert scene.seen_by("ann").cannot_continue == ()

    scene.bet("ann", 1, "ante_banker", 50)
    assert [bet.spot for bet in scene.seen_by("ann").cannot_continue] == ["ante_banker"]
    scene.bet("ann", 1, "tie", 10)
    dear = [bet.spot for bet in scene.seen_by("ann").cannot_continue]
    assert dear == ["ante_player", "ante_banker"]


@pytest.mark.clause("KO2 3.4 funds")
def test_a_book_that_does_not_say_so_reserves_each_wager_by_itself() -> None:
    """So did every log that was written before books could say it."""
    new = load("rws-knockout")
    spots = {
        id: replace(one, stage=one.stage and replace(one.stage, funds_together=False))
        for id, one in new.spots.items()
    }
    old = replace(new, spots=spots)

    assert knockout(200, old).bet("ann", 1, "ante_banker", 50).stack("ann") == 100
    assert knockout(200, old).bet("ann", 1, "player", 150).stack("ann") == 0


@pytest.mark.clause("HOUSE order of bets")
def test_a_raised_bet_keeps_its_place_in_line() -> None:
    scene = seated().open().bet("ann", 2, "player", 100).bet("bob", 5, "player", 100)
    scene.bet("ann", 2, "player", 50)

    assert scene.laid("ann", 2, "player").order == 0
    assert scene.laid("bob", 5, "player").order == 1


@pytest.mark.clause("HOUSE order of bets")
def test_a_side_bet_makes_a_patron_seated_and_those_behind_stand_when_it_is_taken_back() -> None:
    scene = seated().open().bet("ann", 2, "tie", 100).bet("cho", 2, "player", 300)

    scene.take_back("ann", 2, "tie")
    assert scene.bets == {("cho", "player"): 300}
    assert denied(scene.bet, "cho", 2, "player", 100).code == "bet/nobody-seated"
    scene.leave("ann").play(PLAYER_WINS)
    assert scene.stack("cho") == 20_300


@pytest.mark.clause("HOUSE unseen maximum")
def test_a_bet_above_the_maximum_that_nobody_saw_stands() -> None:
    most = (Limit(Kind.MAXIMUM, Scope.BET, ("tie",), 100, "CB4 3.5"),)
    unseen = seated(entry=Entry.WARN, limits=most).open().bet("ann", 2, "tie", 300).play(TIE)
    seen = seated(entry=Entry.WARN, limits=most).open().bet("ann", 2, "tie", 300).reject(2)

    assert unseen.stack("ann") == 20_000 + 8 * 300
    assert seen.bets == {("ann", "tie"): 100}
