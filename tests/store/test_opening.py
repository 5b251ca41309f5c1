"""Addresses, migrations, and a writer who is killed."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cutcard.chain.log import linked, start
from cutcard.ledger.accounts import KINDS
from cutcard.refusals import Refusal
from cutcard.store import Store, open_store
from cutcard.store.migrations import Migration, migrations, missing, new_kinds
from cutcard.store.sqlite import SqliteStore
from tests.cases import every
from tests.store.conftest import Raw
from tests.store.writing import LOG, Pen, held, moved, refusal

pytestmark = pytest.mark.anyio


@every(
    ("address", "engine"),
    [
        ("venue.db", "sqlite"),
        ("/var/lib/cutcard/venue.db", "sqlite"),
        ("sqlite:venue.db", "sqlite"),
        ("postgresql://localhost/venue", "postgresql"),
        ("postgres://localhost/venue", "postgresql"),
    ],
)
def test_an_address_names_its_engine(address: str, engine: str) -> None:
    assert open_store(address).name == engine


@every("address", [":memory:", "sqlite::memory:", "sqlite:", ""])
def test_memory_is_no_store(address: str) -> None:
    with pytest.raises(Refusal) as refused:
        open_store(address)

    assert refused.value == Refusal("store/memory", {"address": address})


@every("address", ["mysql://localhost/venue", "http://localhost", "sqlite://x"])
def test_an_address_that_means_nothing_is_refused(address: str) -> None:
    with pytest.raises(Refusal) as refused:
        open_store(address)

    assert refused.value == Refusal("store/address", {"address": address})


def test_asyncpg_is_loaded_only_where_it_is_used() -> None:
    """A command that never sees PostgreSQL does not wait for its driver."""
    code = (
        "import sys, cutcard.store; cutcard.store.open_store('x'); print('asyncpg' in sys.modules)"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout == "False\n"


async def test_a_folder_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "nowhere" / "venue.db"))

    assert (await refusal(store.open())).code == "store/away"


async def test_a_server_that_is_not_there_is_said_so() -> None:
    store = open_store("postgresql://nobody@127.0.0.1:1/nothing")

    assert (await refusal(store.open())).code == "store/away"


async def test_a_file_that_is_no_database_is_said_so(tmp_path: Path) -> None:
    file = tmp_path / "venue.db"
    file.write_text("Dear diary, " * 1000)

    assert (await refusal(open_store(str(file)).open())).code == "store/away"


# --- migrations


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_migrations_are_numbered_from_one(engine: str) -> None:
    assert [step.number for step in migrations(engine)] == [1, 2, 3]


def test_only_what_is_missing_is_applied() -> None:
    known = (Migration(1, "", "a"), Migration(2, "", "b"), Migration(3, "", "c"))

    assert missing(known, {}) == known
    assert missing(known, {1: "a", 2: "b"}) == known[2:]
    assert missing(known, {1: "a", 2: "b", 3: "c"}) == ()


async def test_a_newer_schema_is_refused(store: Store, raw: Raw, address: str) -> None:
    assert store
    await raw.run("INSERT INTO migration VALUES (99, 'from the future')")

    refused = await refusal(open_store(address).open())

    assert refused == Refusal("store/newer", {"found": 99, "known": len(migrations(store.name))})


async def test_a_changed_migration_is_noticed(store: Store, raw: Raw, address: str) -> None:
    assert store
    await raw.run("UPDATE migration SET hash = 'edited'")

    refused = await refusal(open_store(address).open())

    assert refused == Refusal("store/changed", {"number": 1})


async def test_the_kinds_of_accounts_are_the_ledgers(raw: Raw) -> None:
    kept = await raw.run("SELECT kind, parts, floor, ceiling, personal FROM account_kind")

    assert {row[0]: row[1:] for row in kept} == {
        name: (kind.parts, kind.floor, kind.ceiling, kind.personal) for name, kind in KINDS.items()
    }


def test_a_kind_with_other_limits_is_refused() -> None:
    kept = {row[0]: row for row in new_kinds({})}
    assert new_kinds(kept) == []
    name, parts, _, ceiling, personal = kept["wallet"]
    kept["wallet"] = name, parts, -1, ceiling, personal

    with pytest.raises(Refusal) as refused:
        new_kinds(kept)

    assert refused.value == Refusal("store/kinds", {"kind": "wallet"})


async def test_many_may_open_a_new_store_at_once(address: str) -> None:
    stores = [open_store(address) for _ in range(4)]

    await asyncio.gather(*(store.open() for store in stores))

    for store in stores:
        await store.ping()
        await store.close()


# --- a writer is killed

WRITER = """
import asyncio, sys
from cutcard.store import open_store
from tests.store.writing import LOG, Pen, held, moved

async def write(address):
    store, pen = open_store(address), Pen()
    await store.open()
    epochs = await held(store)
    for event in range(100_000):
        await store.commit(pen.money(moved(event, 1), moved(event, 2, 1)), epochs, 1)
        # Said only after the commit: whatever was said must be there.
        print(event + 1, flush=True)

asyncio.run(write(sys.argv[1]))
"""


async def test_what_was_committed_survives_a_killed_writer(address: str) -> None:
    """The chain is whole, the money fits the records, and nothing acknowledged is missing."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, address], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    said = [int(writer.stdout.readline()) for _ in range(25)]
    time.sleep(0.003)
    os.kill(writer.pid, signal.SIGKILL)
    said += [int(line) for line in writer.stdout.read().split("\n") if line]
    writer.stdout.close()
    writer.wait()

    store = open_store(address)
    await store.open()
    try:
        # What the killed one had sent may be written after its end, but not after this.
        (lease,) = await store.lease((LOG,), "two", 10**6, 10**7)
        records = await store.records(LOG)
        assert len(records) in (said[-1], said[-1] + 1)
        hash = start(LOG).hash
        for number, record in enumerate(records, 1):
            hash = linked(hash, record.record)
            assert (record.number, record.hash) == (number, hash)
        assert (await store.logs())[LOG].hash == hash
        books = await store.books()
        assert books.accounts[moved(0, 1).credit].posted == 3 * len(records)

        pen = Pen()
        pen.heads = await store.logs()
        batch = pen.money(moved(len(records), 5))
        await store.commit(batch, {LOG: lease.epoch}, 10**6)
    finally:
        await store.close()


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
async def test_a_commit_waits_for_the_disk_itself(store: Store) -> None:
    """FULL is 2: with less, what was acknowledged may be gone after a loss of power."""
    assert isinstance(store, SqliteStore)
    asked = ("synchronous", "foreign_keys", "recursive_triggers", "journal_mode")
    found = [await store._writer.run(_pragma, one) for one in asked]

    assert found == [2, 1, 1, "wal"]


def _pragma(db: sqlite3.Connection, name: str) -> object:
    return db.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
async def test_a_closed_store_is_one_file(store: Store, address: str) -> None:
    await store.commit(Pen().money(moved(1, 1)), await held(store), 1)
    await store.close()

    file = Path(address.removeprefix("sqlite:"))
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    db = sqlite3.connect(file)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()


_CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"""


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
async def test_who_only_reads_does_not_notice_a_lost_connection(
    store: Store, raw: Raw, engine: str
) -> None:
    """However far the news has come: nothing read yet, the server's last words, or its end."""
    assert engine
    known = await store.logs()
    for moments in range(8):
        await asyncio.gather(*(store.logs() for _ in range(4)))
        await raw.run(_CUT)
        for _ in range(moments):
            await asyncio.sleep(0)
        assert await asyncio.gather(*(store.logs() for _ in range(4))) == [known] * 4
        await raw.run(_CUT)
        assert (await store.books()).accounts == {}


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
async def test_a_lost_connection_is_said_so_and_made_again(
    store: Store, raw: Raw, engine: str
) -> None:
    """Nothing is half written, and the next commit finds the server by itself."""
    assert engine
    pen = Pen()
    epochs = await held(store)
    await store.commit(pen.money(moved(1, 1)), epochs, 1)
    await raw.run(_CUT)
    batch = pen.money(moved(2, 1))

    (told,) = await asyncio.gather(store.commit(batch, epochs, 1), return_exceptions=True)
    # Whether the loss is noticed before the commit or by it is a matter of moments.
    if told is not None:
        assert isinstance(told, Refusal)
        assert told.code == "store/away"
        await store.commit(batch, epochs, 1)

    assert (await store.books()).accounts[moved(1, 1).credit].posted == 2
