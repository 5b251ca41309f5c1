"""Bookmarks save reading, and are never believed more than the log."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from cutcard import cage, patron
from cutcard.ledger.shelf import Shelf
from cutcard.refusals import Refusal
from cutcard.server import bookmarks, boot
from cutcard.server.bookmarks import Bookmarks
from cutcard.server.desk import LOGS, PATRONS, Desk
from cutcard.server.keys import Keys
from cutcard.store import Bookmark, Kept, Store, open_store
from cutcard.venue import CAGE, Of, Venue
from tests.engines import ENGINES, fresh
from tests.server.house import KEYS

pytestmark = pytest.mark.anyio

OTHERS = Keys(b"s" * 32, b"t" * 32)
VOUCHER = cage.VoucherNumber("000000000000000007")


class Counting:
    """A store that says how many records of a log were read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.read: dict[str, int] = {}

    async def every_record(self, log: str, after: int = 0) -> AsyncIterator[Kept]:
        async for one in self._store.every_record(log, after):
            self.read[log] = self.read.get(log, 0) + 1
            yield one


@pytest.fixture(params=ENGINES)
async def address(request: pytest.FixtureRequest) -> str:
    return await fresh(request.param, request)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """A store with thirty deposits, a voucher and a limit in it."""
    store = open_store(address)
    await store.open()
    desk = await working(store)
    for amount in range(1, 31):
        desk.act(cage.Deposit("ann", amount * 100, amount))
    desk.act(cage.IssueVoucher(VOUCHER, "ann", None, 500, False, "t", 10**9, 40))
    desk.act(Of("ann", patron.SetLimit(patron.Kind.DEPOSIT_DAY, 99_000, 41)))
    await desk._commit()
    await boot.keep_bookmarks(desk, Bookmarks(store, KEYS))
    desk.act(cage.Deposit("ben", 700, 50))
    await desk._commit()
    yield store
    await store.close()


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bookmarks, "EVERY", 20)


async def working(store: Store) -> Desk:
    desk = Desk(store, {}, lambda: 60, KEYS.signing)
    desk.hold(await store.lease(LOGS, "desk", 1, 10**15))
    return desk


async def booted(store: Store, keys: Keys = KEYS) -> tuple[Venue, dict[str, int]]:
    """The venue after a start, and how much of each log was read for it."""
    counting, marks = Counting(store), Bookmarks(store, keys)
    people = await boot.patrons_of(counting, marks)  # type: ignore[arg-type]
    found = await boot.cage_of(counting, marks)  # type: ignore[arg-type]
    return Venue(cage=found, patrons=Shelf(people)), counting.read


async def test_only_what_came_after_a_bookmark_is_read(store: Store) -> None:
    heads = await store.logs()
    whole, every = await booted(store, OTHERS)
    quick, few = await booted(store)

    assert every == {log: heads[log].count for log in LOGS}
    assert few == {CAGE: 1, PATRONS: 1}
    assert quick.cage == whole.cage
    assert dict(quick.patrons) == dict(whole.patrons)
    assert quick.cage.vouchers[VOUCHER].amount == 500
    assert quick.patron("ann").limits == {patron.Kind.DEPOSIT_DAY: 99_000}


async def test_a_bookmark_is_sealed(store: Store) -> None:
    mark = await store.bookmark(PATRONS)

    assert mark is not None
    assert b"ann" not in mark.sealed


@pytest.mark.parametrize("what", ["sealed", "number", "hash", "log"])
async def test_a_bookmark_that_was_changed_is_passed_over(store: Store, what: str) -> None:
    mark, other = await store.bookmark(CAGE), await store.bookmark(PATRONS)
    assert mark is not None
    assert other is not None
    changed = {
        "sealed": replace(mark, sealed=mark.sealed[:-1] + bytes([mark.sealed[-1] ^ 1])),
        "number": replace(mark, number=mark.number - 1),
        "hash": replace(mark, hash=bytes(32)),
        "log": replace(other, log=CAGE),
    }
    await store.put_bookmark(changed[what])

    venue, read = await booted(store)

    assert read[CAGE] == (await store.logs())[CAGE].count
    assert venue.cage == (await booted(store, OTHERS))[0].cage


async def test_a_bookmark_of_another_log_is_passed_over(
    store: Store, request: pytest.FixtureRequest
) -> None:
    """The same house, the same place, and another record there."""
    elsewhere = open_store(await fresh(store.name, request))
    await elsewhere.open()
    desk = await working(elsewhere)
    for amount in range(1, 32):
        desk.act(cage.Deposit("eve", amount, amount))
    await desk._commit()
    await boot.keep_bookmarks(desk, Bookmarks(elsewhere, KEYS))
    mark = await elsewhere.bookmark(CAGE)
    await elsewhere.close()
    assert mark is not None
    await store.put_bookmark(mark)

    _, read = await booted(store)

    assert read[CAGE] == (await store.logs())[CAGE].count


async def test_a_bookmark_beyond_the_end_is_passed_over(store: Store) -> None:
    mark = await store.bookmark(CAGE)
    assert mark is not None
    await store.put_bookmark(replace(mark, number=10**6))

    _, read = await booted(store)

    assert read[CAGE] == (await store.logs())[CAGE].count


async def test_another_release_reads_the_log_itself(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bookmarks, "__version__", "another")

    _, read = await booted(store)

    assert read == {log: head.count for log, head in (await store.logs()).items()}


async def test_the_next_bookmark_comes_when_it_is_time(store: Store) -> None:
    desk, marks = await working(store), Bookmarks(store, KEYS)
    await boot.load(desk, marks, {})
    first = await store.bookmark(CAGE)
    assert first is not None
    for amount in range(1, 19):
        desk.act(cage.Deposit("ben", amount, 60))
    await desk._commit()
    await boot.keep_bookmarks(desk, marks)
    assert await store.bookmark(CAGE) == first

    desk.act(cage.Deposit("ben", 1, 60))
    await desk._commit()
    await boot.keep_bookmarks(desk, marks)
    second = await store.bookmark(CAGE)

    assert second is not None
    assert second.number == first.number + 20
    assert (await booted(store))[1] == {}


async def test_no_bookmark_has_no_hash(store: Store) -> None:
    with pytest.raises(Refusal) as refused:
        await store.put_bookmark(Bookmark(CAGE, 1, b"short", b""))
    assert refused.value.code == "store/constraint"
