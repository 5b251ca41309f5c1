"""Each constraint attacked by somebody who has the database and no regard for the store."""

from collections.abc import AsyncIterator

import pytest

from cutcard.ledger import Post, Void, transfer_id
from cutcard.store import Answered, Book, Paper, SecretShoe, Significant, Store, open_store
from tests.store.conftest import ENGINES, Raw, fresh
from tests.store.writing import LOG, Pen, held, moved, promised

pytestmark = pytest.mark.anyio

HASH = "x'" + "ab" * 32 + "'"


# One store for all attacks on an engine: those that are refused leave nothing behind.


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
async def address(engine: str, request: pytest.FixtureRequest) -> str:
    return await fresh(engine, request)


@pytest.fixture(scope="module")
async def store(address: str) -> AsyncIterator[Store]:
    store = open_store(address)
    await store.open()
    yield store
    await store.close()


@pytest.fixture(scope="module")
async def full(store: Store, address: str) -> Raw:
    """Ann has 100 in her wallet, 30 of it promised (t7:1.1); 20 more were posted, 10 voided."""
    pen = Pen()
    epochs = await held(store)
    posted, void = promised(1, 20, 2), promised(1, 10, 3)
    batch = pen.money(moved(1, 120), promised(1, 30, 1), posted, void)
    batch.records.append(pen.record())
    batch.answers = [Answered("ann", "k", b"b", b"a", 1)]
    batch.papers = [Paper("000000000000000001", 500, "redeemed", "ann", 900, 10)]
    batch.shoes = [SecretShoe("s1", LOG, 1, b"sealed", 1)]
    batch.significant = [Significant(1, "door", "dan")]
    await store.commit(batch, epochs, 1)
    done = (Post(transfer_id("t7", 2), posted.id), Void(transfer_id("t7", 2, 1), void.id))
    await store.commit(pen.money(*done), epochs, 2)
    await store.archive([Book("aa", "rws", b"one")])
    return Raw(address)


def entry(
    kind: str = "transfer",
    debit: str = "cage",
    credit: str = "wallet:ann",
    moved: int = 5,
    held: int = 0,
    completes: str | None = None,
    reason: str = "why",
    event: int = 9,
    place: int = 0,
    id: str = "",
    number: int = 1,
) -> str:
    name, done = id or f"t7:{event}.{place}", f"'{completes}'" if completes else "NULL"
    return f"""INSERT INTO entry (id, source, event, place, kind, debit, credit, moved, held,
        completes, reason, log, number) VALUES ('{name}', 't7', {event}, {place}, '{kind}',
        '{debit}', '{credit}', {moved}, {held}, {done}, '{reason}', 't7', {number})"""


FORGED = {
    "nothing moved": entry(moved=0),
    "less than nothing": entry(moved=-5),
    "more than fits": entry(moved=10**18 + 1, debit="house:t7"),
    "to itself": entry(debit="wallet:ann"),
    "below the floor": entry(debit="wallet:ann", credit="layout:t7", moved=71),
    "promised below the floor": entry("pending", "wallet:ann", "layout:t7", moved=0, held=71),
    "from an account that is not there": entry(debit="wallet:bob"),
    "to an account that is not there": entry(credit="wallet:bob"),
    "no reason": entry(reason=" "),
    "an id used before": entry(event=1, place=0),
    "an id before the last": entry(event=0),
    "an id that is not its own": entry(id="t7:8.0"),
    "an id of two sources": entry(id="t8:9.0"),
    "no such record": entry(number=99),
    "a held transfer": entry(held=5),
    "a pending one that moves": entry("pending", moved=5, held=5),
    "a kind of its own": entry("gift"),
    "posted twice": entry("post", "wallet:ann", "layout:t7", 20, -20, "t7:1.2", ""),
    "void after a post": entry("void", "wallet:ann", "layout:t7", 0, -20, "t7:1.2", ""),
    "posted after a void": entry("post", "wallet:ann", "layout:t7", 10, -10, "t7:1.3", ""),
    "more than was promised": entry("post", "wallet:ann", "layout:t7", 31, -30, "t7:1.1", ""),
    "more released than was promised": entry(
        "post", "wallet:ann", "layout:t7", 31, -31, "t7:1.1", ""
    ),
    "less released than was promised": entry(
        "post", "wallet:ann", "layout:t7", 29, -29, "t7:1.1", ""
    ),
    "posted to somebody else": entry("post", "wallet:ann", "cage", 30, -30, "t7:1.1", ""),
    "posted from somebody else": entry("post", "cage", "layout:t7", 30, -30, "t7:1.1", ""),
    "a post of what never was": entry("post", "wallet:ann", "layout:t7", 30, -30, "t7:1.9", ""),
    "a post of a plain transfer": entry("post", "cage", "wallet:ann", 120, -120, "t7:1.0", ""),
    "a void that moves": entry("void", "wallet:ann", "layout:t7", 5, -30, "t7:1.1", ""),
    "a post without a promise": entry("post", "wallet:ann", "layout:t7", 5, -5, None, ""),
    "a transfer that completes": entry(completes="t7:1.1"),
}


@pytest.mark.parametrize("what", FORGED)
async def test_a_forged_entry_is_refused(full: Raw, store: Store, what: str) -> None:
    before = await store.books()

    await full.refused(FORGED[what])

    assert await store.books() == before


async def test_the_forger_knows_the_columns(full: Raw) -> None:
    """An honest entry goes through the same hands, so the refusals above are for what they say."""
    stood = await full.tried(
        entry(),
        entry("post", "wallet:ann", "layout:t7", 30, -30, "t7:1.1", "", event=10),
        "SELECT posted, held FROM account WHERE id = 'wallet:ann'",
    )

    assert stood == [(75, 0)]


TOUCHED = {
    "record": "at = 7",
    "entry": "moved = 7",
    "significant": "who = 'nobody'",
    "signed_head": "at = 7",
    "answer": "answer = body",
    "secret_shoe": "number = 7",
    "book": "id = 'mine'",
    "account": "posted = posted + 1",
    "promise": "amount = 1",
    "source": "event = 99",
    "paper": "state = 'issued'",
    "account_kind": "floor = -5",
    "played": "net = 7",
}


@pytest.mark.parametrize("table", sorted(set(TOUCHED) - {"signed_head", "played"}))
async def test_nothing_kept_is_changed(full: Raw, table: str) -> None:
    before = await full.run(f"SELECT * FROM {table}")

    await full.refused(f"UPDATE {table} SET {TOUCHED[table]}")

    assert before
    assert await full.run(f"SELECT * FROM {table}") == before


@pytest.mark.parametrize("table", sorted(set(TOUCHED) - {"signed_head", "played", "answer"}))
async def test_nothing_kept_is_deleted(full: Raw, table: str) -> None:
    before = await full.run(f"SELECT * FROM {table}")

    await full.refused(f"DELETE FROM {table}")

    assert await full.run(f"SELECT * FROM {table}") == before


async def test_a_log_is_not_deleted_either(full: Raw) -> None:
    await full.refused("DELETE FROM log")


def opened(account: str, posted: int) -> str:
    return f"INSERT INTO account VALUES ({account}, 1000000000000000000, {posted}, 0, 0)"


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE account SET posted = 1000000 WHERE id = 'wallet:ann'",
        "UPDATE account SET posted = posted + 5, entry = entry + 1 WHERE id = 'wallet:ann'",
        "UPDATE account SET held = 0 WHERE id = 'wallet:ann'",
        "UPDATE account SET floor = -1000 WHERE id = 'wallet:ann'",
        opened("'wallet:eve', 'wallet', 'eve', 0", posted=9),
        opened("'wallet:eve', 'wallet', 'eve', -9", posted=0),
        opened("'wallet:eve', 'wallet', 'ann', 0", posted=0),
        opened("'wallet:eve', 'wallet', NULL, 0", posted=0),
        opened("'wallet:a:b', 'wallet', 'b', 0", posted=0),
        opened("'purse:eve', 'purse', 'eve', 0", posted=0),
        "INSERT INTO promise VALUES ('t7:1.2', 'wallet:ann', 'layout:t7', 20)",
        "INSERT INTO source VALUES ('t8', 1, 1)",
    ],
)
async def test_balances_change_by_entries_only(full: Raw, store: Store, sql: str) -> None:
    before = await store.books()

    await full.refused(sql)

    assert await store.books() == before


def record(number: int, previous: str) -> str:
    return f"""INSERT INTO record (log, number, previous, hash, record, at, mark)
        VALUES ('t7', {number}, {previous}, {HASH}, {HASH}, 1, '')"""


LAST = "(SELECT hash FROM log WHERE log = 't7')"


def hashes(engine: str, sql: str) -> str:
    """SQL with its hashes as an engine writes them."""
    return sql if engine == "sqlite" else sql.replace("x'", r"'\x")


async def test_a_gap_in_the_log_is_refused(full: Raw, engine: str) -> None:
    await full.refused(hashes(engine, record(5, LAST)))


async def test_a_gap_within_one_statement_is_refused(full: Raw, engine: str) -> None:
    two = record(4, LAST) + f", ('t7', 6, {HASH}, {HASH}, {HASH}, 1, '')"
    await full.refused(hashes(engine, two))


async def test_a_second_record_of_the_same_number_is_refused(full: Raw, engine: str) -> None:
    await full.refused(hashes(engine, record(3, LAST)))
    await full.refused(hashes(engine, record(1, LAST)))


async def test_a_record_that_follows_on_another_hash_is_refused(full: Raw, engine: str) -> None:
    await full.refused(hashes(engine, record(4, HASH)))


async def test_a_record_of_no_log_is_refused(full: Raw, engine: str) -> None:
    await full.refused(hashes(engine, record(1, LAST).replace("'t7', 1", "'t9', 1")))


@pytest.mark.parametrize(
    "change",
    [
        "count = 1",
        "count = count + 1",
        f"hash = {HASH}",
        f"start = {HASH}",
        "log = 't9'",
        "epoch = epoch - 1",
    ],
)
async def test_a_head_moves_with_its_records_only(full: Raw, engine: str, change: str) -> None:
    before = await full.run("SELECT * FROM log")

    await full.refused(hashes(engine, f"UPDATE log SET {change}"))

    assert await full.run("SELECT * FROM log") == before


async def test_a_log_does_not_begin_with_a_head(full: Raw, engine: str) -> None:
    other = HASH.replace("ab", "cd")
    sql = f"INSERT INTO log (log, start, count, hash) VALUES ('t9', {HASH}, 0, {other})"
    await full.refused(hashes(engine, sql))
    sql = f"INSERT INTO log (log, start, count, hash) VALUES ('t9', {HASH}, 1, {HASH})"
    await full.refused(hashes(engine, sql))


REPLACED = {
    "record": "log, number, previous, hash, record, 99, mark",
    "account": "id, kind, patron, floor, ceiling, 0, 0, 0",
    "entry": "seq, 't7:9.0', 't7', 9, 0, 'transfer', debit, credit, 1, 0, NULL, 'x', log, number",
    "significant": "seq, 99, kind, who, '', '', '', ''",
    "paper": "number, amount, 'issued', patron, 1, 1",
    "answer": "actor, key, body, body, 1",
    "secret_shoe": "shoe, 't7', 9, sealed, 1",
    "book": "hash, 'mine', document",
    "log": "log, start, 0, start, '', 0, 0",
    "source": "source, 1, 0",
    "promise": "id, debit, credit, 1",
    "account_kind": "kind, parts, -9, ceiling, personal",
}


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True, scope="module")
@pytest.mark.parametrize("table", REPLACED)
async def test_replace_is_no_way_round(full: Raw, table: str) -> None:
    """SQLite's REPLACE deletes without asking the triggers that forbid a DELETE."""
    before = await full.run(f"SELECT * FROM {table}")

    await full.refused(
        f"INSERT OR REPLACE INTO {table} SELECT {REPLACED[table]} FROM {table} LIMIT 1"
    )

    assert await full.run(f"SELECT * FROM {table}") == before


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True, scope="module")
@pytest.mark.parametrize("table", [*TOUCHED, "log"])
async def test_truncate_is_no_way_round(full: Raw, table: str) -> None:
    await full.refused(f"TRUNCATE {table} CASCADE")
