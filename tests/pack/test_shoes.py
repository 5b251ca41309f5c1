"""Shoes of a table: what is counted as checked, what is said of the others, what is missing."""

from typing import Any

import pytest

from cutcard.chain.signing import public_key
from cutcard.fairness import show
from cutcard.pack import Verdict, examine
from cutcard.pack.croupier import DEALER, Croupier, private_key
from cutcard.pack.proof import COMMITTED
from cutcard.round import commands as rounds
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.table import commands as ask

SEED = 11
KEY = public_key(private_key(SEED))
BETS = {"ann": {"banker": 30_000}}


@pytest.fixture
def table() -> Croupier:
    croupier = Croupier(load("rws-commission"), SEED)
    croupier.open({"ann": 10**7})
    return croupier


def judged(table: Croupier, **known: Any) -> Verdict:
    return examine(table.table_pack(), keys=[KEY], **known)


def codes(verdict: Verdict) -> list[str]:
    return [one.code for one in verdict.findings]


def plastic(table: Croupier) -> None:
    """A shoe that nobody committed, and its first card burned."""
    table.register("plastic", "machine 5")
    for card in (parse_cards("As")[0], None):
        table.do(ask.BurnCard(card, DEALER, table.tick()))


def by_hand(table: Croupier) -> None:
    table.bet(BETS)
    for card in parse_cards("9h 2c Kd 3s"):
        table.in_round(rounds.DrawCard(card, table.tick()))
    table.settle()


def cards_of(verdict: Verdict) -> str:
    return "".join(one for one in verdict.checked if "against the shoe" in one)


def test_cards_of_a_committed_shoe_are_counted(table: Croupier) -> None:
    table.commit()
    table.round(BETS)
    shown = table.log.shoe
    assert shown is not None

    verdict = judged(table, commitments=[shown.commitment.hash])

    assert cards_of(verdict) == f"{len(shown.shown)} cards against the shoe that was committed."
    assert verdict.remarks == []
    assert "1 committed shoe: 0 opened, 0 aborted, 1 unfinished, 0 missing." in verdict.checked


def test_a_shoe_that_was_not_committed_is_named_even_after_one_that_was(table: Croupier) -> None:
    table.commit()
    table.round(BETS)
    table.end()
    before = cards_of(judged(table))
    plastic(table)
    by_hand(table)

    verdict = judged(table)

    assert verdict.findings == []
    assert cards_of(verdict) == before
    assert [one for one in verdict.remarks if "not committed" in one] == [
        "Shoe plastic was not committed: the pack cannot show that its order was fair."
    ]
    alone = examine(table.round_pack(2, 1), keys=[KEY])
    assert "Shoe plastic was not committed" in alone.remarks[0]
    assert cards_of(alone) == ""


def test_cards_shown_from_a_shoe_that_is_not_on_the_table_are_not_counted(table: Croupier) -> None:
    """A shoe is committed and shown beside the one that is played: it proves nothing of that."""
    plastic(table)
    table.seeded(("g1",))
    by_hand(table)
    shoe = table.log.shoe
    assert shoe is not None
    table.log.step(show(shoe, table._held))

    verdict = judged(table)

    assert verdict.findings == []
    assert cards_of(verdict) == ""
    assert "Shoe plastic was not committed" in " ".join(verdict.remarks)
    assert examine(table.round_pack(1, 1), keys=[KEY]).findings == []


def test_a_shoe_aborted_in_play_proves_no_further_card(table: Croupier) -> None:
    """Not even if another one is committed meanwhile."""
    table.commit()
    table.abort("the house does not like it")
    table.seeded(("g1",))
    by_hand(table)

    assert codes(judged(table)) == ["shoe/not-shown"] * 4


def test_cards_of_another_shoe_prove_nothing(table: Croupier) -> None:
    """The shoe on the table was aborted; what the next one shows is not what was exposed."""
    commitment = table.seeded(("g1",))
    table.register(commitment.shoe, COMMITTED + commitment.hash.hex())
    table.abort("the house does not like it")
    table.seeded(("g1",))
    for card in (parse_cards("As")[0], None):
        table.do(ask.BurnCard(card, DEALER, table.tick()))
    shoe = table.log.shoe
    assert shoe is not None
    table.log.step(show(shoe, table._held))
    by_hand(table)

    verdict = judged(table)

    assert codes(verdict) == ["shoe/not-shown"] * 5
    assert cards_of(verdict) == ""


def test_aborts_are_counted_and_say_what_the_house_knew(table: Croupier) -> None:
    for _ in range(2):
        table.seeded(("g1",))
        table.abort("fire alarm")
    table.commit()

    verdict = judged(table)

    assert verdict.findings == []
    assert "3 committed shoes: 0 opened, 2 aborted, 1 unfinished, 0 missing." in verdict.checked
    assert verdict.remarks[0] == (
        "Shoe t7/1 was aborted, and opened: fire alarm. The house knew its order by then: ask how "
        "often shoes are aborted."
    )
    assert "Shoe t7/2 was aborted" in verdict.remarks[1]


def test_commitments_are_listed_for_comparison(table: Croupier) -> None:
    for _ in range(5):
        table.seeded(("g1",))
        table.abort("fire alarm")

    (told,) = [one for one in judged(table).remarks if one.startswith("Compare the commitments")]

    assert told.count(" is ") == 3
    assert told.endswith(", and 2 more.")


def test_a_seed_that_somebody_gave_is_looked_for(table: Croupier) -> None:
    table.commit()
    table.round(BETS)
    shoe = table.log.shoe
    assert shoe is not None
    mine = [*shoe.seeds.values(), *shoe.seals.values()]

    for pack in (table.table_pack(), table.round_pack(1, 1), table.shoe_pack(), table.card_pack(0)):
        assert codes(examine(pack, seeds=mine)) == []
        assert codes(examine(pack, seeds=[bytes(32)])) == ["shoe/seed"]


def test_a_book_that_somebody_knows_is_compared(table: Croupier) -> None:
    table.commit()
    table.round(BETS)
    mine = bytes.fromhex(table.book.hash)

    for pack in (table.table_pack(), table.round_pack(1, 1), table.shoe_pack(), table.card_pack(0)):
        assert codes(examine(pack, books=[mine, bytes(32)])) == []
        assert set(codes(examine(pack, books=[bytes(32)]))) == {"book/other"}


def test_whether_a_book_comes_with_cutcard_is_said() -> None:
    told = []
    for book in ("rws-commission", "docs/examples/corner-club.toml"):
        table = Croupier(load(book), SEED)
        table.open({"ann": 10**7})
        verdict = examine(table.table_pack())
        told.append((verdict.checked[1], "compare its hash" in " ".join(verdict.remarks)))
        assert f"of hash {table.book.hash[:16]}…" in verdict.checked[1]

    assert [shipped for _, shipped in told] == [False, True]
    assert 'the "rws-commission" that comes with this cutcard.' in told[0][0]
    assert "no book that comes with this cutcard." in told[1][0]
