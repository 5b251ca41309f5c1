"""Packs: what goes in, what holds, and what is said of what they cannot show."""

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from cutcard.chain import Head, anchor, canonical
from cutcard.chain.signing import public_key
from cutcard.fairness import show, take
from cutcard.pack import examine, rounds_of, verify
from cutcard.pack.croupier import DEALER, SUPERVISOR, Croupier, private_key
from cutcard.pack.export import book_document, export_table
from cutcard.pack.finding import MOST, Verdict, compared, shown
from cutcard.pack.reading import book_of
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.table import commands as ask
from tests.cases import every
from tests.pack.tampering import place_of, resealed

SEED = 5
KEY = public_key(private_key(SEED))


def opened(book: str = "rws-commission", **choices: object) -> Croupier:
    table = Croupier(load(book), SEED)
    table.open({"ann": 10**7, "ben": 10**7}, **choices)
    table.commit()
    return table


def bets(book: Rulebook) -> dict[str, dict[str, int]]:
    """One bet that every book offers: the first of its spots."""
    spot = next(iter(book.spots.values()))
    return {"ann": {spot.id: 30_000 // spot.step * spot.step}}


@pytest.fixture(scope="module")
def played() -> Croupier:
    table = opened()
    for stake in (30_000, 40_000, 60_000):
        table.round({"ann": {"banker": stake}, "ben": {"player": stake}})
    return table


def codes(pack: Any, **known: Any) -> list[str]:
    return [one.code for one in verify(pack, **known)]


# --- what holds


@every("book", [book.id for book in rulebooks()])
def test_every_book_can_be_packed(book: str) -> None:
    table = opened(book)
    table.round(bets(table.book))
    table.end()

    for pack in (table.table_pack(), table.round_pack(1, 1), table.shoe_pack(), table.card_pack(0)):
        assert verify(json.dumps(pack).encode(), keys=[KEY]) == []


def test_a_book_of_ones_own_carries_the_names_it_cites() -> None:
    book = load("docs/examples/corner-club.toml")
    table = Croupier(book, SEED)
    table.open({"ann": 10**7})
    table.commit()
    table.round(bets(book))
    pack: Any = table.table_pack()

    assert pack["books"][book.hash]["documents"] == list(book.cited)
    assert "CC" in book.cited
    assert verify(pack) == []


def test_an_archived_book_is_read_by_its_hash_and_no_other() -> None:
    book = load("rws-knockout")
    document = canonical(book_document(book))

    assert book_of(book.hash, document).hash == book.hash
    with pytest.raises(Refusal) as caught:
        book_of("00" * 32, document)
    assert caught.value.code == "rulebook/archived"
    assert caught.value.params["hash"] == "0" * 16
    assert str(caught.value).startswith(f"The archived rulebook {'0' * 16} cannot be used: ")


def test_a_shoe_dealt_to_its_cut_card_is_opened_and_another_follows() -> None:
    # The order depends on the book's hash; without the sentinel any order can be dealt.
    table = opened(decks=4, sentinel=0)
    while not table.over:
        table.round({"ann": {"banker": 30_000}})
    table.end()
    table.commit(("g3",))
    table.round({"ann": {"banker": 30_000}})
    pack: Any = table.table_pack()

    assert examine(pack, keys=[KEY]).findings == []
    assert pack["records"][place_of(pack, "ShoeOpened")]
    assert rounds_of(table.log.entries)[-1] == (2, 1)
    assert verify(table.round_pack(2, 1)) == []
    last = [number for shoe, number in rounds_of(table.log.entries) if shoe == 1][-1]
    assert verify(table.round_pack(1, last)) == []


def test_cards_may_lie_face_down_until_the_result() -> None:
    table = opened(face_down=True)
    table.bet({"ann": {"banker": 30_000}})
    log = table.log
    for _ in range(4):
        assert log.shoe is not None
        place = log.shoe.left
        secret = table._held
        card = secret.cards[log.shoe.order[place]]
        log.step(take(log.shoe))
        table.in_round(rounds.DrawCard(card, table.tick()))
    assert log.shoe is not None
    down = sorted(log.shoe.face_down)
    assert len(down) == 4
    for place in down:
        log.step(show(log.shoe, table._held, place))
    table.deal()
    table.settle()

    assert verify(table.table_pack()) == []


def test_a_table_may_open_again_by_another_book() -> None:
    table = opened()
    log, first = table.log, table.book
    table.do(ask.AnnounceClosing(1, SUPERVISOR, table.tick()))
    table.round({"ann": {"banker": 30_000}})
    table.end()
    table.do(ask.CloseTable(SUPERVISOR, table.tick()))
    table.book = load("skycity-commission")
    assert log.table.setup is not None
    again = replace(
        log.table.setup,
        book=table.book.id,
        book_hash=table.book.hash,
        layout=table.book.layouts[0].id,
        boxes=table.book.layouts[0].boxes or 12,
        limits=table.book.limits,
    )
    table.do(ask.OpenTable(again, SUPERVISOR, table.tick()))
    table.commit()
    table.round({"ann": {"banker": 30_000}})

    both = export_table(log.name, log.entries, log.heads, [first, table.book])
    one = export_table(log.name, log.entries, log.heads, [first])
    assert verify(both) == []
    assert "book/missing" in codes(one)


# --- what is said


def test_a_verdict_says_what_was_checked_and_what_must_be_known_from_elsewhere(
    played: Croupier,
) -> None:
    assert played.log.shoe is not None
    mine = played.log.shoe.commitment.hash
    known = examine(played.table_pack(), keys=[KEY], commitments=[mine])
    alone = examine(played.table_pack())

    assert known.holds
    assert "3 rounds: every event" in " ".join(known.checked)
    assert "cards against the shoe that was committed" in " ".join(known.checked)
    assert known.remarks == []
    assert KEY.hex() in alone.remarks[0]
    assert f"t7/1 is {mine.hex()}" in alone.remarks[1]


def test_a_finding_names_record_should_and_is(played: Croupier) -> None:
    pack: Any = deepcopy(played.table_pack())
    at = place_of(pack, "RoundSettled")
    net = pack["records"][at]["record"]["event"]["bets"][0]["net"]
    pack["records"][at]["record"]["event"]["bets"][0]["net"] = 1

    findings = verify(resealed(pack, private_key(SEED)), keys=[KEY])

    assert [str(one) for one in findings] == [
        f"Record {at + 1}: RoundSettled: bets[0].net should be {net}, and is 1. "
        "[settlement/differs]"
    ]
    assert findings[0].document()["should"] == net


def test_one_change_is_one_finding_and_the_rest_is_still_checked(played: Croupier) -> None:
    """A log that cannot be followed any more is taken up again at the next round."""
    pack: Any = deepcopy(played.table_pack())
    for which in (2, 0):
        at = place_of(pack, "BetsClosed", which)
        moment = pack["records"][at]["record"]["event"]["at"]
        pack["records"][at]["record"]["event"] = {"is": "OptionsClosed", "at": moment}

    found = verify(resealed(pack, private_key(SEED)), keys=[KEY])

    assert [one.code for one in found] == ["remedy/refused", "remedy/refused"]


def test_anchors_of_other_rounds_say_nothing_against_a_round(played: Croupier) -> None:
    log, pack = played.log, played.round_pack(1, 2)
    early, late = log.heads[0].head, log.heads[2].head

    verdict = examine(pack, keys=[KEY], anchors=[anchor(early), anchor(late)])

    assert verdict.findings == []
    # The earlier one speaks of the record just before this round, which the pack names.
    assert sum("speaks of no record in this pack" in one for one in verdict.remarks) == 1
    assert verify(pack, anchors=[anchor(log.heads[1].head)]) == []
    other = anchor(Head("elsewhere", 3, bytes(32)))
    assert codes(pack, anchors=[other]) == ["chain/table"]


def test_commitments_that_were_shown_must_be_there(played: Croupier) -> None:
    assert played.log.shoe is not None
    mine = played.log.shoe.commitment.hash

    for pack in (played.table_pack(), played.round_pack(1, 1), played.card_pack(0)):
        assert verify(pack, commitments=[mine]) == []
        assert codes(pack, commitments=[bytes(32)]) == ["shoe/commitment"]


def test_a_round_that_is_not_there() -> None:
    table = opened()

    with pytest.raises(Refusal) as caught:
        table.round_pack(1, 1)

    assert caught.value == Refusal("pack/no-round", {"shoe": 1, "round": 1})


def test_a_round_under_way_can_be_packed_too() -> None:
    table = opened()
    table.bet({"ann": {"banker": 30_000}})
    table.draw()

    verdict = examine(table.round_pack(1, 1))

    assert verdict.findings == []
    assert "come after the last signed head" in " ".join(verdict.remarks)


def test_a_log_cut_in_the_middle_of_a_command_is_found() -> None:
    table = Croupier(load("rws-knockout"), SEED)
    table.open({"ann": 10**6})
    table.commit()
    table.bet({"ann": {"ante_player": 10_000}})
    table.draw()
    log = table.log
    assert type(log.table.round.decide_until) is int

    pack = export_table(log.name, log.entries[:-1], log.heads, [table.book])

    assert codes(pack) == ["decision/missing"]


def test_a_standing_where_no_round_opens() -> None:
    table = opened()
    table.round({"ann": {"banker": 30_000}})
    pack: Any = table.table_pack()
    stood = pack["records"][place_of(pack, "Standing")]
    pack["records"] += [deepcopy(stood), deepcopy(stood)]

    found = codes(resealed(pack, private_key(SEED)))

    assert {"standing/differs", "standing/misplaced"} <= set(found)


ONE_MORE = object()
"""Stands for one more than there is."""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stacks", {"ann": -1}),
        ("seats", {"99": "ann"}),
        ("staff", {}),
        ("rounds", -1),
        ("left", -1),
        ("left", ONE_MORE),
        ("commitment", "00" * 32),
        ("commitment", None),
        ("shoe", None),
    ],
)
def test_a_round_does_not_begin_just_anywhere(name: str, value: object, played: Croupier) -> None:
    pack: Any = deepcopy(played.round_pack(1, 2))
    stood = pack["records"][0]["record"]["standing"]
    stood[name] = stood[name] + 1 if value is ONE_MORE else value

    assert codes(resealed(pack, private_key(SEED)))


def test_there_is_an_end_to_findings() -> None:
    verdict = Verdict()
    for number in range(MOST + 50):
        verdict.find("chain/record", number, "wrong")

    assert len(verdict.findings) == MOST
    assert len(shown("x" * 10_000)) < 200
    assert not compared(verdict, "a/b", None, "it", [1], [1, 2])
    assert not compared(verdict, "a/b", None, "it", 1, True)
    assert not compared(verdict, "a/b", None, "it", {"a": None}, {})
    assert compared(verdict, "a/b", None, "it", {"a": [1]}, {"a": [1]})


def test_the_same_seed_makes_the_same_pack() -> None:
    one, two = opened(), opened()
    for table in (one, two):
        table.round({"ann": {"banker": 30_000}})

    assert one.table_pack() == two.table_pack()
    assert one.log.table.staff[DEALER].role.value == "dealer"
