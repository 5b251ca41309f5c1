"""Copies: made while the store is in use, restored into either engine, and equal."""

import asyncio
import sqlite3
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cutcard.chain.signing import Occasion, sign
from cutcard.ledger import Post, transfer_id
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
from cutcard.store.copying import COPIED, RESTORED, restore
from tests.store.conftest import ENGINES, Raw, fresh
from tests.store.writing import LOG, Pen, held, moved, promised, refusal

pytestmark = pytest.mark.anyio

TABLES = [table.name for table in COPIED] + ["promise", "source", "account_kind"]


@pytest.fixture(params=ENGINES)
async def elsewhere(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """A store to restore into, of the same engine or of the other."""
    store = open_store(await fresh(request.param, request))
    await store.open()
    yield store
    await store.close()


async def fill(store: Store) -> None:
    """Something in every table."""
    pen = Pen()
    epochs = await held(store)
    stake = promised(1, 30, 1)
    batch = pen.money(moved(1, 100), stake, promised(1, 5, 2))
    batch.heads = [sign(pen.heads[LOG], Occasion.ROUND, "1", 5, bytes(32))]
    batch.answers = [Answered("ann", "k1", b"\x00", b"\xff", 10)]
    batch.shoes = [SecretShoe("s1", LOG, 3, bytes(range(256)), 10)]
    batch.papers = [Paper("000000000000000001", 500, "redeemed", "ann", 900, 10)]
    batch.played = [Played("ann", LOG, "1", 1, 10, 100, -95, "settled")]
    batch.significant = [Significant(n, "door", "庄") for n in (3, 1, 2)]
    await store.commit(batch, epochs, 1)
    await store.commit(pen.money(Post(transfer_id("t7", 2), stake.id, 20)), epochs, 2)
    await store.add_person(Person("p1", "ann", "patron", "", "x", barred=True))
    await store.add_session(Session(bytes(32), "p1", "csrf", 1, 2, 3))
    await store.archive([Book("aa", "rws", b"one")])


async def everything(store: Store) -> list[object]:
    """All that can be read from a store."""
    return [
        await store.logs(),
        await store.records(LOG),
        await store.heads(LOG),
        await store.books(),
        await store.papers(),
        await store.answered("ann", "k1"),
        await store.secret_shoe("s1"),
        await store.played("ann", 9),
        await store.significant(9, kinds={"door"}),
        await store.people(),
        await store.session(bytes(32)),
        await store.archived(),
    ]


async def test_a_copy_restored_is_the_same(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    await fill(store)
    copy = str(tmp_path / "copy.db")

    await store.backup(copy)
    await restore(copy, elsewhere)

    assert await everything(elsewhere) == await everything(store)
    # Only that it was restored is new: cards that came after the copy are known to many.
    (note,) = await elsewhere.significant(9, kinds={RESTORED})
    assert (note.who, note.why) == ("system", "copy.db")
    # The copy is nobody's, and whoever held a log of the original has an epoch too low for it.
    assert await elsewhere.lease([LOG], "two", 0, 5) == [Lease(LOG, "two", 2, 5)]
    # And it goes on where the original stood.
    pen = Pen()
    pen.heads = await elsewhere.logs()
    await elsewhere.commit(pen.money(Post(transfer_id("t7", 3), promised(1, 5, 2).id)), {LOG: 2}, 1)


async def test_a_copy_is_one_file_with_every_row(store: Store, raw: Raw, tmp_path: Path) -> None:
    await fill(store)
    copy = tmp_path / "folder" / "copy.db"
    copy.parent.mkdir()

    await store.backup(str(copy))

    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    db = sqlite3.connect(copy)
    for table in TABLES:
        (rows,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()
        assert await raw.run(f"SELECT count(*) FROM {table}") == [(rows,)]
        assert rows > 0
    db.close()


async def test_a_copy_made_while_the_store_is_written_to(
    store: Store, elsewhere: Store, tmp_path: Path
) -> None:
    """Whatever moment the copy is of, it is one moment: money and records fit each other."""
    pen = Pen()
    epochs = await held(store)
    going, begun = True, asyncio.Event()

    async def write() -> int:
        event = 0
        while going:
            event += 1
            await store.commit(pen.money(moved(event, 1), promised(event, 1, 1)), epochs, 1)
            begun.set()
        return event

    writing = asyncio.create_task(write())
    await begun.wait()
    before = (await store.logs())[LOG].count
    await store.backup(str(tmp_path / "copy.db"))
    going = False
    written = await writing
    await restore(str(tmp_path / "copy.db"), elsewhere)

    copied = (await elsewhere.logs())[LOG].count
    assert 0 < before <= copied <= written
    books = await elsewhere.books()
    assert books.accounts[moved(1, 1).credit] == (copied, copied)
    assert len(books.pending) == copied
    assert await elsewhere.records(LOG) == await store.records(LOG, most=copied)


async def test_a_copy_is_read_by_its_owner_only_and_written_over_what_was_left(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "copy.db.part").write_bytes(b"half a copy")

    await store.backup(str(tmp_path / "copy.db"))

    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


async def test_a_copy_never_overwrites(store: Store, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("precious")

    refused = await refusal(store.backup(str(copy)))

    assert refused == Refusal("store/exists", {"file": str(copy)})
    assert copy.read_text() == "precious"


async def test_a_copy_into_no_folder_is_refused_in_words(store: Store, tmp_path: Path) -> None:
    refused = await refusal(store.backup(str(tmp_path / "nowhere" / "copy.db")))

    assert refused.code == "store/copy"


async def test_only_an_empty_store_is_restored_into(store: Store, tmp_path: Path) -> None:
    await fill(store)
    copy = str(tmp_path / "copy.db")
    await store.backup(copy)
    before = await everything(store)

    assert await refusal(restore(copy, store)) == Refusal("store/not-empty")
    assert await everything(store) == before


async def test_what_is_no_copy_is_refused_in_words(store: Store, tmp_path: Path) -> None:
    other = tmp_path / "diary.db"
    other.write_text("Dear diary, " * 1000)

    assert (await refusal(restore(str(other), store))).code == "store/copy"
    assert (await refusal(restore(str(tmp_path / "nothing"), store))).code == "store/copy"
    assert await store.logs() == {}


async def test_a_copy_with_a_forged_record_is_refused(store: Store, tmp_path: Path) -> None:
    await fill(store)
    copy = str(tmp_path / "copy.db")
    await store.backup(copy)
    db = sqlite3.connect(copy)
    db.execute("DROP TRIGGER record_unchanged")
    db.execute("UPDATE record SET record = CAST('{}' AS BLOB) WHERE number = 2")
    db.commit()
    db.close()
    other = open_store(str(tmp_path / "other.db"))
    await other.open()

    refused = await refusal(restore(copy, other))

    assert refused == Refusal("store/chain", {"log": LOG, "number": 2})
    assert await other.logs() == {}
    await other.close()


async def test_a_forged_copy_is_refused(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    """Somebody takes the triggers away and makes Ann rich; her entries do not say so."""
    await fill(store)
    copy = str(tmp_path / "copy.db")
    await store.backup(copy)
    db = sqlite3.connect(copy)
    db.execute("DROP TRIGGER account_moves")
    db.execute("UPDATE account SET posted = 1000000 WHERE id = 'wallet:ann'")
    db.commit()
    db.close()

    refused = await refusal(restore(copy, elsewhere))

    assert refused.code == "store/copy"
    assert await elsewhere.logs() == {}, "nothing of it stays"


async def test_an_empty_store_is_copied_too(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    await store.backup(str(tmp_path / "copy.db"))
    await restore(str(tmp_path / "copy.db"), elsewhere)

    await elsewhere.commit(Batch(), {}, 1)
    assert await elsewhere.logs() == {}
