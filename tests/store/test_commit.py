"""A commit is all or nothing, and only the holder of a log's lease writes to it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest

from cutcard.chain import start
from cutcard.ledger import (
    Account,
    AccountId,
    Post,
    Transfer,
    TransferId,
    Void,
    house,
    stack,
    transfer_id,
    wallet,
)
from cutcard.refusals import Refusal
from cutcard.store import Answered, Batch, Lease, Money, Played, Significant, Store, open_store
from cutcard.store.postgres import PostgresStore
from tests.engines import fresh
from tests.store.writing import ANN, LAYOUT, LOG, Pen, held, moved, promised, refusal

pytestmark = pytest.mark.anyio


@pytest.fixture
async def other(store: Store, address: str) -> AsyncIterator[Store]:
    """The same database, opened by somebody else."""
    assert store
    second = open_store(address)
    await second.open()
    yield second
    await second.close()


# --- all or nothing


@pytest.mark.parametrize(
    ("spoilt", "code"),
    [
        (Batch(answers=[Answered("ann", "k", b"", b"", 1)] * 2), "store/answered"),
        (Batch(played=[Played("ann", LOG, "1", 99, 1, 1, 1, "settled")]), "store/constraint"),
        (Batch(significant=[Significant(2**63, "x", "y")]), "store/value"),
    ],
)
async def test_a_failure_in_a_late_table_leaves_nothing(
    store: Store, spoilt: Batch, code: str
) -> None:
    epochs = await held(store)
    batch = replace(Pen().money(moved(1, 100)), answers=spoilt.answers)
    batch.played, batch.significant = spoilt.played, spoilt.significant

    refused = await refusal(store.commit(batch, epochs, 1))

    assert refused.code == code
    assert await store.records(LOG) == []
    assert await store.logs() == {LOG: start(LOG)}
    assert (await store.books()).accounts == {}
    assert await store.answered("ann", "k") is None

    # And the store goes on as if nothing had been tried.
    await store.commit(Pen().money(moved(1, 100)), epochs, 1)
    assert (await store.books()).accounts[ANN] == Account(100)


async def test_a_batch_of_nothing_is_committed(store: Store) -> None:
    await store.commit(Batch(), {}, 1)


# --- the chain


async def test_a_gap_is_refused(store: Store) -> None:
    pen = Pen()
    epochs = await held(store)
    first, second, third = (pen.record() for _ in range(3))

    refused = await refusal(store.commit(Batch([first, third]), epochs, 1))
    assert refused == Refusal("store/chain", {"log": LOG, "number": 3})
    refused = await refusal(store.commit(Batch([second]), epochs, 1))
    assert refused == Refusal("store/chain", {"log": LOG, "number": 2})
    await store.commit(Batch([first, second]), epochs, 1)
    refused = await refusal(store.commit(Batch([second, third]), epochs, 1))
    assert refused == Refusal("store/chain", {"log": LOG, "number": 2})

    assert await store.records(LOG) == [first, second]


async def test_a_record_whose_hash_is_not_its_own_is_refused(store: Store) -> None:
    epochs = await held(store)
    record = Pen().record(said="one")

    for forged in (replace(record, record=b'{"said":"two"}'), replace(record, hash=bytes(32))):
        refused = await refusal(store.commit(Batch([forged]), epochs, 1))
        assert refused == Refusal("store/chain", {"log": LOG, "number": 1})


# --- money


@pytest.mark.parametrize(
    "entries",
    [
        [Transfer(transfer_id("t7", 5), ANN, LAYOUT, 101, "stake")],
        [Transfer(transfer_id("t7", 5), ANN, LAYOUT, 101, "stake", pending=True)],
        [Transfer(transfer_id("t7", 5), ANN, ANN, 1, "stake")],
        [Transfer(transfer_id("t7", 5), ANN, wallet("bob"), 1, "gift")],
        [Transfer(transfer_id("t7", 5), ANN, stack("t7", "bob"), 1, "gift")],
        [Transfer(transfer_id("t7", 5), ANN, LAYOUT, 0, "stake")],
        [Transfer(transfer_id("t7", 5), ANN, LAYOUT, -1, "stake")],
        [Transfer(transfer_id("t7", 5), ANN, LAYOUT, True, "stake")],
        [Transfer(transfer_id("t7", 5), ANN, LAYOUT, 1, " \t")],
        [moved(5, 10**18)],
        [moved(1, 1)],
        [moved(5, 1), moved(5, 1)],
        [moved(6, 1), moved(5, 1)],
        [Post(transfer_id("t7", 5), transfer_id("t7", 4))],
        [Void(transfer_id("t7", 5), transfer_id("t7", 1))],
        [promised(5, 10), Post(transfer_id("t7", 6), transfer_id("t7", 5), 11)],
        [promised(5, 10), Post(transfer_id("t7", 6), transfer_id("t7", 5), 0)],
        [
            promised(5, 10),
            Post(transfer_id("t7", 6), transfer_id("t7", 5)),
            Void(transfer_id("t7", 7), transfer_id("t7", 5)),
        ],
        # Below the floor on the way, though not at the end: the order of entries counts.
        [Transfer(transfer_id("t7", 5), ANN, LAYOUT, 150, "stake"), moved(6, 50)],
        # Completed before it began.
        [Post(transfer_id("t7", 5), transfer_id("t7", 6)), promised(6, 10)],
        # The account's name is not one that the ledger could have made.
        [replace(moved(5, 1), credit=AccountId("purse:ann"))],
        [replace(moved(5, 1), credit=AccountId("layout:a\tb"))],
        [replace(moved(5, 1), id=TransferId("t7:05.0"))],
    ],
)
async def test_what_the_ledger_refuses_the_store_refuses(
    store: Store, entries: list[Transfer | Post | Void]
) -> None:
    pen = Pen()
    epochs = await held(store)
    await store.commit(pen.money(moved(1, 100)), epochs, 1)
    before = await store.books()

    refused = await refusal(store.commit(pen.money(*entries), epochs, 2))

    assert refused.code == "store/money"
    assert await store.books() == before


async def test_an_entry_of_no_record_is_refused(store: Store) -> None:
    epochs = await held(store)
    batch = Batch([Pen().record()], [Money(LOG, 2, moved(1, 100))])

    assert (await refusal(store.commit(batch, epochs, 1))).code == "store/money"


async def test_an_account_refused_once_may_open_later(store: Store) -> None:
    """What was rolled back is not remembered as being there."""
    epochs = await held(store)
    win = Transfer(transfer_id("t7", 1), house(LOG), LAYOUT, 10, "win")
    spoilt = Pen().money(win, Transfer(transfer_id("t7", 2), ANN, LAYOUT, 1, "stake"))
    await refusal(store.commit(spoilt, epochs, 1))

    await store.commit(Pen().money(win), epochs, 1)

    assert (await store.books()).accounts == {house(LOG): Account(-10), LAYOUT: Account(10)}


# --- leases


async def test_a_lease_counts_its_owners(store: Store) -> None:
    assert await store.lease(["t7", "t8"], "one", 0, 10) == [
        Lease("t7", "one", 1, 10),
        Lease("t8", "one", 1, 10),
    ]
    # Renewed as it is, even late, where nobody has come between.
    assert await store.lease(["t7"], "one", 5, 20) == [Lease("t7", "one", 1, 20)]
    assert await store.lease(["t8"], "one", 50, 60) == [Lease("t8", "one", 1, 60)]
    # Somebody else may have it when it has run out, and not before.
    refused = await refusal(store.lease(["t7"], "two", 19, 30))
    assert refused == Refusal("store/owned", {"log": "t7", "owner": "one"})
    assert await store.lease(["t7"], "two", 20, 30) == [Lease("t7", "two", 2, 30)]


async def test_all_logs_are_leased_or_none(store: Store) -> None:
    await store.lease(["t8"], "one", 0, 10)

    refused = await refusal(store.lease(["t7", "t8", "t9"], "two", 0, 10))

    assert refused == Refusal("store/owned", {"log": "t8", "owner": "one"})
    assert await store.lease(["t7"], "three", 0, 10) == [Lease("t7", "three", 1, 10)]


async def test_a_released_log_is_free_at_once(store: Store) -> None:
    await store.lease(["t7", "t8"], "one", 0, 10)
    await store.lease(["t9"], "two", 0, 10)
    await store.release("one")

    assert await store.lease(["t7"], "two", 1, 10) == [Lease("t7", "two", 2, 10)]
    # Whoever gave it up comes back as a new owner.
    assert await store.lease(["t8"], "one", 1, 10) == [Lease("t8", "one", 2, 10)]
    refused = await refusal(store.lease(["t9"], "one", 1, 10))
    assert refused == Refusal("store/owned", {"log": "t9", "owner": "two"})


@pytest.mark.parametrize("epochs", [{}, {LOG: 0}, {LOG: 2}, {"t8": 1}])
async def test_a_wrong_epoch_is_fenced(store: Store, epochs: dict[str, int]) -> None:
    await store.lease([LOG], "one", 0, 10)

    refused = await refusal(store.commit(Batch([Pen().record()]), epochs, 1))

    assert refused == Refusal("store/fenced", {"log": LOG})


async def test_a_lease_that_has_run_out_is_fenced(store: Store) -> None:
    await store.lease([LOG], "one", 0, 10)
    pen = Pen()

    await store.commit(Batch([pen.record()]), {LOG: 1}, 9)
    refused = await refusal(store.commit(Batch([pen.record()]), {LOG: 1}, 10))

    assert refused == Refusal("store/fenced", {"log": LOG})
    assert len(await store.records(LOG)) == 1


async def test_money_without_a_lease_is_fenced(store: Store) -> None:
    epochs = await held(store, "t7", "t8")
    batch = Pen().money(moved(1, 100))
    batch.money.append(Money("t8", 1, moved(2, 100)))

    refused = await refusal(store.commit(batch, {"t7": epochs["t7"]}, 1))

    assert refused == Refusal("store/fenced", {"log": "t8"})


async def test_a_log_nobody_ever_leased_is_fenced(store: Store) -> None:
    refused = await refusal(store.commit(Batch([Pen().record("t9")]), {"t9": 1}, 1))

    assert refused == Refusal("store/fenced", {"log": "t9"})


async def test_the_old_owner_writes_nothing_after_a_takeover(store: Store, other: Store) -> None:
    pen = Pen()
    await store.lease([LOG], "one", 0, 10)
    first = pen.record()
    await store.commit(Batch([first]), {LOG: 1}, 5)
    assert await other.lease([LOG], "two", 10, 100) == [Lease(LOG, "two", 2, 100)]
    second = pen.record()

    # The old owner's clock is slow, so it thinks that its lease still runs.
    refused = await refusal(store.commit(Batch([second]), {LOG: 1}, 6))
    await other.commit(Batch([second]), {LOG: 2}, 11)

    assert refused == Refusal("store/fenced", {"log": LOG})
    assert await store.records(LOG) == [first, second]


async def test_of_many_owners_racing_one_wins(store: Store, other: Store) -> None:
    tries = [(store if n % 2 else other).lease([LOG, "t8"], f"owner {n}", 0, 10) for n in range(10)]

    results = await asyncio.gather(*tries, return_exceptions=True)

    won = [result for result in results if not isinstance(result, BaseException)]
    lost = [result for result in results if isinstance(result, Refusal)]
    assert len(won) == 1
    assert [lease.epoch for lease in won[0]] == [1, 1]
    assert [one.code for one in lost] == ["store/owned"] * 9


@pytest.mark.parametrize("alone", ["answers", "significant"])
async def test_what_no_log_tells_of_needs_a_lease_too(
    store: Store, other: Store, alone: str
) -> None:
    """A server that another one has followed answers nobody and notes nothing."""
    kept: dict[str, list[Any]] = {
        "answers": [Answered("ann", "k", b"", b"", 1)],
        "significant": [Significant(1, "x", "y")],
    }
    batch = Batch(**{alone: kept[alone]})
    epochs = await held(store, until=10)
    await other.lease([LOG], "two", 10, 100)

    assert (await refusal(store.commit(batch, epochs, 5))).code == "store/fenced"
    assert await other.answered("ann", "k") is None
    assert await other.significant(9) == []


async def test_a_takeover_while_the_old_owner_writes_leaves_one_chain(
    store: Store, other: Store
) -> None:
    """Whatever comes first, no record of the old owner stands after the new one has the log."""
    pen = Pen()
    await store.lease([LOG], "one", 0, 10)
    records = [pen.record(said=n) for n in range(30)]

    async def write() -> int:
        for done, record in enumerate(records):
            try:
                await store.commit(Batch([record]), {LOG: 1}, 5)
            except Refusal:
                return done
        return len(records)

    async def take() -> int:
        await asyncio.sleep(0.01)
        await other.lease([LOG], "two", 10, 100)
        return (await other.logs())[LOG].count

    written, seen = await asyncio.gather(write(), take())

    assert written == seen
    assert await store.records(LOG) == records[:seen]


async def test_two_stores_move_money_of_one_account(store: Store, other: Store) -> None:
    """Tables of two processes meet on the cage; no entry is lost and none is doubled."""

    async def work(store: Store, log: str) -> None:
        pen = Pen()
        epochs = await held(store, log, owner=log)
        for event in range(20):
            entry = replace(moved(1, 1), id=transfer_id(log, event))
            await store.commit(pen.money(entry, log=log), epochs, 1)

    await asyncio.gather(work(store, "t1"), work(other, "t2"))

    books = await store.books()
    assert books.accounts[ANN] == Account(40)
    assert sum(account.posted for account in books.accounts.values()) == 0


async def test_a_commit_whose_answer_was_lost_is_gone_on_from(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL has written it, and the writer cannot know: what it remembers is worth nothing."""
    store = PostgresStore(await fresh("postgresql", request))
    await store.open()
    epochs, pen = await held(store), Pen()
    await store.commit(pen.money(moved(1, 500)), epochs, 1)
    written = asyncpg.Connection.execute

    async def unheard(*given: object) -> None:
        await written(*given)
        raise asyncpg.ConnectionDoesNotExistError("cut off")

    with monkeypatch.context() as cut:
        cut.setattr(asyncpg.Connection, "execute", unheard)
        lost = pen.money(promised(2, 30))
        assert (await refusal(store.commit(lost, epochs, 1))).code == "store/away"
    assert (await store.logs())[LOG].count == 2

    await store.commit(pen.money(Post(transfer_id("t7", 3), promised(2, 30).id)), epochs, 1)

    assert (await store.books()).accounts[ANN] == Account(470, 0)
    await store.close()


async def test_whoever_takes_a_log_back_follows_on_what_was_written_meanwhile(
    store: Store, other: Store
) -> None:
    pen = Pen()
    await store.commit(pen.money(moved(1, 500)), await held(store, until=10), 1)
    meanwhile = await other.lease((LOG,), "two", 11, 20)
    await other.commit(pen.money(moved(2, 500)), {one.log: one.epoch for one in meanwhile}, 12)

    again = await store.lease((LOG,), "one", 21, 30)
    await store.commit(pen.money(moved(3, 500)), {one.log: one.epoch for one in again}, 22)

    assert (await store.books()).accounts[ANN] == Account(1_500, 0)


async def test_a_server_that_hangs_counts_as_away(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cutcard.store.postgres.HANGS", 0.3)
    address, pen = await fresh("postgresql", request), Pen()
    store = open_store(address)
    await store.open()
    epochs = await held(store)
    await store.commit(pen.money(moved(1, 500)), epochs, 1)
    second = pen.money(moved(2, 500))
    other = await asyncpg.connect(address)
    async with other.transaction():
        await other.execute("SELECT 1 FROM log FOR UPDATE")
        assert (await refusal(store.commit(second, epochs, 1))).code == "store/away"
    await other.close()

    if (await store.logs())[LOG].count == 1:
        # What was cut off may go on without us, and be there just after we looked.
        with contextlib.suppress(Refusal):
            await store.commit(second, epochs, 1)

    assert (await store.books()).accounts[ANN] == Account(1_000, 0)
    await store.close()
