"""What goes into the store comes out of it, to the byte, from either engine."""

from dataclasses import replace

import pytest

from cutcard.chain import Head, start
from cutcard.chain.signing import Occasion, sign
from cutcard.ledger import Account, Post, Void, cage, transfer_id
from cutcard.refusals import Refusal
from cutcard.store import (
    Answered,
    Batch,
    Book,
    Lease,
    Paper,
    Person,
    Played,
    SecretShoe,
    Session,
    Significant,
    Store,
    open_store,
)
from tests.store.writing import ANN, LAYOUT, LOG, Pen, held, moved, promised, refusal

pytestmark = pytest.mark.anyio

KEY = bytes(range(32))


async def test_a_new_store_is_empty(store: Store, engine: str) -> None:
    assert store.name == engine
    await store.ping()
    assert await store.logs() == {}
    assert await store.records("t7") == []
    books = await store.books()
    assert (books.accounts, books.pending, books.last) == ({}, {}, {})
    assert await store.people() == []
    assert await store.archived() == []


async def test_records_come_back_in_order(store: Store) -> None:
    pen = Pen()
    epochs = await held(store, "t7", "t8")
    mine = [pen.record("t7", said=f"庄 {n}") for n in range(5)]
    other = [pen.record("t8", said=n) for n in range(2)]

    await store.commit(Batch([mine[0], other[0], mine[1]]), epochs, 1)
    await store.commit(Batch([*mine[2:], other[1]]), epochs, 2)

    assert await store.records("t7") == mine
    assert await store.records("t7", after=2) == mine[2:]
    assert await store.records("t7", after=1, most=2) == mine[1:3]
    assert [one async for one in store.every_record("t8")] == other
    assert [one async for one in store.every_record("t7", after=4)] == mine[4:]
    assert await store.logs() == {"t7": pen.heads["t7"], "t8": pen.heads["t8"]}


async def test_a_leased_log_without_records_stands_at_its_start(store: Store) -> None:
    await held(store, "t9")

    assert await store.logs() == {"t9": start("t9")}


async def test_every_record_goes_on_beyond_one_page(store: Store) -> None:
    pen = Pen()
    epochs = await held(store)
    records = [pen.record(said=n) for n in range(2003)]

    await store.commit(Batch(records), epochs, 1)

    assert [one async for one in store.every_record(LOG)] == records


async def test_marks(store: Store) -> None:
    pen = Pen()
    epochs = await held(store, "t7", "t8")
    marks = ["round:1", "", "round:2", "shoe:1", "", "round:1", "round_3"]
    records = [pen.record(mark=mark, said=n) for n, mark in enumerate(marks)]
    await store.commit(Batch([*records, pen.record("t8", "round:9")]), epochs, 1)

    assert await store.marked(LOG, "round:1") == records[0]
    assert await store.marked(LOG, "round:7") is None
    assert await store.marked(LOG, "") is None
    assert await store.last_marked(LOG, "round:") == [records[5]]
    assert await store.last_marked(LOG, "round:", 9) == [records[5], records[2], records[0]]
    assert await store.last_marked(LOG, "round_", 9) == [records[6]]
    assert await store.last_marked(LOG, "%", 9) == []


async def test_signed_heads(store: Store) -> None:
    pen = Pen()
    epochs = await held(store)
    first = pen.record()
    one = sign(pen.heads[LOG], Occasion.ROUND, "1", 5, KEY)
    day = sign(pen.heads[LOG], Occasion.DAY, "2026-11-16", 6, KEY)
    second = pen.record()
    two = sign(pen.heads[LOG], Occasion.ROUND, "2", 7, KEY)

    await store.commit(Batch([first, second], heads=[one, day, two]), epochs, 1)

    assert await store.heads(LOG) == [one, day, two]
    assert await store.heads(LOG, since=1) == [two]
    assert await store.heads("t8") == []
    assert two.holds


async def test_a_head_that_the_log_never_had_is_not_kept(store: Store) -> None:
    pen = Pen()
    epochs = await held(store)
    signed = sign(Head(LOG, 1, bytes(32)), Occasion.ROUND, "1", 5, KEY)

    refused = await refusal(store.commit(Batch([pen.record()], heads=[signed]), epochs, 1))

    assert refused.code == "store/constraint"
    assert await store.records(LOG) == []


async def test_money(store: Store) -> None:
    pen = Pen()
    epochs = await held(store)
    stakes = [promised(2, 30), promised(2, 20, 1), promised(2, 10, 2)]
    await store.commit(pen.money(moved(1, 100), *stakes), epochs, 1)

    books = await store.books()
    assert books.accounts == {cage(): Account(-100), ANN: Account(100, 60)}
    assert books.pending == {one.id: one for one in stakes}
    assert books.last == {"t7": (2, 2)}

    await store.commit(
        pen.money(
            Post(transfer_id("t7", 3), stakes[0].id),
            Post(transfer_id("t7", 3, 1), stakes[1].id, 5),
            Void(transfer_id("t7", 4), stakes[2].id),
        ),
        epochs,
        2,
    )

    books = await store.books()
    assert books.accounts == {cage(): Account(-100), ANN: Account(65), LAYOUT: Account(35)}
    assert books.pending == {}
    assert books.last == {"t7": (4, 0)}


async def test_a_transfer_may_be_completed_in_the_batch_that_begins_it(store: Store) -> None:
    stake = promised(2, 30)
    batch = Pen().money(moved(1, 100), stake, Post(transfer_id("t7", 3), stake.id))

    await store.commit(batch, await held(store), 1)

    books = await store.books()
    assert books.accounts[ANN] == Account(70)
    assert books.pending == {}


async def test_the_greatest_amount_there_is(store: Store) -> None:
    await store.commit(Pen().money(moved(1, 10**18)), await held(store), 1)

    assert (await store.books()).accounts == {cage(): Account(-(10**18)), ANN: Account(10**18)}


async def test_a_voucher_is_issued_and_paid(store: Store) -> None:
    epochs = await held(store)
    one = Paper("000000000000000001", 500, "issued", "ann", 900, 10)
    two = Paper("000000000000000002", 700, "issued", "bob", 900, 11)
    await store.commit(Batch(papers=[one, two]), epochs, 1)
    assert await store.papers() == [two, one]

    pending, paid = replace(one, state="pending", at=12), replace(one, state="redeemed", at=13)
    await store.commit(Batch(papers=[pending, paid]), epochs, 2)

    assert await store.papers() == [paid, two]
    assert await store.papers("ann") == [paid]
    assert await store.papers("cid") == []


@pytest.mark.parametrize("last", ["redeemed", "voided", "expired"])
async def test_a_voucher_never_leaves_its_last_state(store: Store, last: str) -> None:
    paper = Paper("000000000000000001", 500, last, "ann", 900, 10)
    await store.commit(Batch(papers=[paper]), {}, 1)

    for state in ("issued", "pending", "redeemed", "voided", "expired"):
        refused = await refusal(store.commit(Batch(papers=[replace(paper, state=state)]), {}, 2))
        assert refused.code == "store/paper"

    assert await store.papers() == [paper]


async def test_a_voucher_keeps_its_amount(store: Store) -> None:
    paper = Paper("000000000000000001", 500, "issued", "ann", 900, 10)
    await store.commit(Batch(papers=[paper]), {}, 1)

    refused = await refusal(store.commit(Batch(papers=[replace(paper, amount=501)]), {}, 2))

    assert refused.code == "store/paper"
    assert await store.papers() == [paper]


@pytest.mark.parametrize("number", ["1", "00000000000000000a", "0000000000000000001"])
async def test_a_voucher_has_eighteen_digits(store: Store, number: str) -> None:
    paper = Paper(number, 500, "issued", "ann", 900, 10)

    assert (await refusal(store.commit(Batch(papers=[paper]), {}, 1))).code == "store/paper"


async def test_answers(store: Store) -> None:
    one = Answered("ann", "k1", b"\x00body", b"\xffanswer", 10)
    two = Answered("bob", "k1", b"body", b"answer", 20)
    await store.commit(Batch(answers=[one, two]), {}, 1)

    assert await store.answered("ann", "k1") == one
    assert await store.answered("ann", "k2") is None
    assert await store.answered_since(10) == [("ann", "k1"), ("bob", "k1")]
    assert await store.answered_since(11) == [("bob", "k1")]
    assert await store.forget_answers(20) == 1
    assert await store.answered("ann", "k1") is None
    assert await store.answered("bob", "k1") == two


async def test_a_key_is_answered_once(store: Store) -> None:
    one = Answered("ann", "k1", b"body", b"answer", 10)
    await store.commit(Batch(answers=[one]), {}, 1)

    refused = await refusal(store.commit(Batch(answers=[replace(one, answer=b"other")]), {}, 2))

    assert refused == Refusal("store/answered")
    assert await store.answered("ann", "k1") == one


async def test_secret_shoes(store: Store) -> None:
    shoe = SecretShoe("s1", "t7", 3, bytes(range(256)), 10)
    await store.commit(Batch(shoes=[shoe]), {}, 1)

    assert await store.secret_shoe("s1") == shoe
    assert await store.secret_shoe("s2") is None
    refused = await refusal(store.commit(Batch(shoes=[shoe]), {}, 2))
    assert refused.code == "store/constraint"


async def test_rounds_played(store: Store) -> None:
    pen = Pen()
    epochs = await held(store)
    records = [pen.record() for _ in range(4)]
    first = Played("ann", LOG, "1", 1, 10, 100, 95, "settled")
    second = Played("ann", LOG, "2", 2, 20, 100, -100, "settled")
    mended = Played("ann", LOG, "1", 3, 30, 100, -100, "corrected")
    other = Played("bob", LOG, "1", 1, 10, 50, 0, "void")
    await store.commit(Batch(records, played=[first, second, mended, other]), epochs, 1)

    assert await store.played("ann", 9) == [mended, second]
    assert await store.played("ann", 1) == [mended]
    assert await store.played("ann", 9, until=30) == [second]
    assert await store.played("ann", 9, since=21) == [mended]
    assert await store.played("bob", 9) == [other]
    assert await store.played("cid", 9) == []


async def test_significant_events(store: Store) -> None:
    one = Significant(10, "limit", "pit:eve", "t7", "high roller", "1000", "5000")
    two = Significant(10, "door", "dealer:dan")
    three = Significant(20, "drop", "dealer:dan", "t7")
    await store.commit(Batch(significant=[one, two, three]), {}, 1)

    assert await store.significant(9) == [three, two, one]
    assert await store.significant(1) == [three]
    assert await store.significant(9, since=11) == [three]


async def test_people(store: Store) -> None:
    ann = Person("p1", "ann", "patron", "", "$argon2id$…", "zh-Hant")
    dan = Person("p2", "dan", "staff", "dealer", "$argon2id$…", barred=True)
    await store.add_person(ann)
    await store.add_person(dan)

    assert await store.people() == [ann, dan]
    assert await store.person("p1") == ann
    assert await store.person_named("dan") == dan
    assert await store.person("p3") is None
    assert await store.person_named("p1") is None

    barred = replace(ann, barred=True, password="$argon2id$new")
    await store.change_person(barred)
    assert await store.person("p1") == barred


async def test_names_and_ids_are_taken_once(store: Store) -> None:
    ann = Person("p1", "ann", "patron", "", "x")
    bob = Person("p2", "bob", "patron", "", "x")
    await store.add_person(ann)
    await store.add_person(bob)
    taken = Refusal("store/person", {"name": "ann", "person": "p3"})

    assert await refusal(store.add_person(replace(ann, id="p3"))) == taken
    assert (await refusal(store.add_person(replace(ann, name="cid")))).code == "store/person"
    assert (await refusal(store.change_person(replace(bob, name="ann")))).code == "store/person"
    nobody = Refusal("store/nobody", {"person": "p9"})
    assert await refusal(store.change_person(replace(bob, id="p9", name="zoe"))) == nobody
    assert await store.people() == [ann, bob]


async def test_sessions(store: Store) -> None:
    await store.add_person(Person("p1", "ann", "patron", "", "x"))
    sessions = [Session(bytes([n]) * 32, "p1", f"csrf{n}", n, n, 100 + n) for n in range(3)]
    for one in sessions:
        await store.add_session(one)

    assert await store.session(bytes(32)) == sessions[0]
    await store.touch_session(bytes(32), 50)
    assert await store.session(bytes(32)) == replace(sessions[0], seen=50)
    assert await store.end_sessions(token_hash=bytes(32)) == 1
    assert await store.session(bytes(32)) is None
    assert await store.end_sessions() == 0
    assert await store.end_sessions(person="p1") == 2
    assert await store.session(sessions[2].token_hash) is None


async def test_rulebooks(store: Store) -> None:
    one, two = Book("aa", "rws", b"one"), Book("bb", "rws", b"two")
    await store.archive([one])
    await store.archive([Book("aa", "rws", b"forged"), two])

    assert await store.archived() == [one, two]


async def test_everything_is_there_after_a_reopening(store: Store, address: str) -> None:
    pen = Pen()
    epochs = await held(store)
    stake = promised(2, 30)
    await store.commit(pen.money(moved(1, 100), stake), epochs, 1)
    before = await store.books()
    await store.close()
    refused = await refusal(store.ping())
    assert refused.code == "store/away"

    again = open_store(address)
    await again.open()
    try:
        assert await again.books() == before
        assert await again.lease([LOG], "one", 0, 5) == [Lease(LOG, "one", 1, 5)]
        record = pen.money(Post(transfer_id("t7", 3), stake.id))
        await again.commit(record, epochs, 2)
        assert (await again.books()).accounts[LAYOUT] == Account(30)
    finally:
        await again.close()


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
async def test_a_number_beyond_64_bits_is_refused_in_words(store: Store, number: int) -> None:
    refused = await refusal(store.commit(Batch(significant=[Significant(number, "x", "y")]), {}, 1))

    assert refused.code == "store/value"


async def test_a_text_that_no_database_can_hold_is_refused_in_words(store: Store) -> None:
    refused = await refusal(store.commit(Batch(significant=[Significant(1, "x", "\ud800")]), {}, 1))

    assert refused.code == "store/value"
    assert await store.significant(9) == []
