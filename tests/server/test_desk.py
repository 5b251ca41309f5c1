"""The desk: decided at once, told only when it is on disk."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from cutcard import cage
from cutcard.chain.signing import public_key
from cutcard.ledger import wallet
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.rulebook import Role
from cutcard.server.desk import LOGS, SLOWEST, Desk, Published
from cutcard.store import Answered, Batch, Lease, Significant, Store, open_store
from cutcard.table import commands as ask
from cutcard.table import setup
from cutcard.table.setup import Approval
from cutcard.venue import At
from tests.patience import until
from tests.server.house import KEYS

pytestmark = pytest.mark.anyio

BOOK = load("rws-commission")
BOOKS = {"t1": BOOK, "t2": BOOK}
NOW = 1_700_000_000_000


class Slow:
    """A store whose commits wait until they are let through, or fail as told."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = 0
        self.commits: list[Batch] = []
        self.before: list[Exception] = []
        self.after: list[Exception] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        self.begun += 1
        await self.gate.wait()
        if self.before:
            raise self.before.pop(0)
        await self._store.commit(batch, epochs, now)
        self.commits.append(batch)
        if self.after:
            raise self.after.pop(0)


@pytest.fixture
async def desk(address: str) -> AsyncIterator[Desk]:
    store = open_store(address)
    await store.open()
    slow = Slow(store)
    made = Desk(slow, BOOKS, lambda: NOW, KEYS.signing)

    async def renew() -> None:
        now = made.now()
        made.hold(await store.lease((*LOGS, *BOOKS), "desk", now, now + 60_000))

    made.renew = renew
    await renew()
    writing = asyncio.ensure_future(made.write_forever())
    yield made
    writing.cancel()
    with contextlib.suppress(asyncio.CancelledError, Refusal):
        await writing
    await store.close()


def slow(desk: Desk) -> Slow:
    return desk.store  # type: ignore[return-value]


async def test_nothing_is_shown_before_it_is_on_disk(desk: Desk) -> None:
    slow(desk).gate.clear()
    told: list[Published] = []
    desk.listeners.append(told.append)
    desk.act(cage.Deposit("ann", 500, NOW))
    waiting = asyncio.ensure_future(desk.settled())
    await until(lambda: slow(desk).begun)

    assert desk.venue.ledger.balance(wallet("ann")) == 500
    assert desk.shown.ledger.balance(wallet("ann")) == 0
    assert not waiting.done()
    assert told == []

    slow(desk).gate.set()
    await waiting
    assert desk.shown.ledger.balance(wallet("ann")) == 500
    (published,) = told
    assert [source for source, _ in published.caused] == ["patron:ann", "cage"]


async def test_what_waits_is_written_in_one_commit(desk: Desk) -> None:
    slow(desk).gate.clear()
    desk.act(cage.Deposit("ann", 1, NOW))
    await until(lambda: slow(desk).begun)
    for number in range(50):
        desk.act(cage.Deposit("ben", number + 1, NOW))
        desk.answer(Answered("ben", f"key-{number}", b"b", b"{}", NOW))
    slow(desk).gate.set()
    await desk.settled()

    assert [len(batch.records) for batch in slow(desk).commits] == [2, 100]
    assert len(slow(desk).commits[1].answers) == 50
    assert (await desk.store.books()).accounts[wallet("ben")].posted == 1275


async def test_a_command_refused_half_way_changes_nothing(desk: Desk) -> None:
    with pytest.raises(Refusal):
        desk.act(cage.Deposit("ann", 500, NOW), cage.Withdraw("ann", 501, NOW))
    await desk.settled()

    assert desk.venue.ledger.balance(wallet("ann")) == 0
    assert slow(desk).commits == []


async def test_time_never_goes_back(desk: Desk) -> None:
    times = iter((NOW + 5, NOW, NOW + 7))
    desk._clock = lambda: next(times)

    assert [desk.now(), desk.now(), desk.now()] == [NOW + 5, NOW + 5, NOW + 7]


async def test_a_desk_that_was_fenced_out_stops_and_says_so(desk: Desk) -> None:
    """Another owner took the logs while this one was paused."""
    later = NOW + 100_000
    await desk.store.lease((*LOGS, *BOOKS), "another", later, later + 60_000)
    desk.act(cage.Deposit("ann", 500, NOW))
    with pytest.raises(Refusal) as caught:
        await desk.settled()

    assert caught.value.code == "server/stopped"
    assert desk.stopped is not None
    assert desk.stopped.code == "store/owned"
    with pytest.raises(Refusal):
        desk.act(cage.Deposit("ann", 500, NOW))
    assert (await desk.store.books()).accounts == {}


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_database_that_goes_away_is_waited_for_and_nothing_is_written_twice(
    desk: Desk, when: str
) -> None:
    getattr(slow(desk), when).append(Refusal("store/away", {}))
    desk.act(cage.Deposit("ann", 500, NOW))
    await desk.settled()

    assert (await desk.store.books()).accounts[wallet("ann")].posted == 500
    assert (await desk.store.logs())["cage"].count == 1


async def test_what_another_owner_wrote_is_not_taken_for_ours(desk: Desk) -> None:
    """Cut off; meanwhile somebody else has the logs, and a record of the same number."""
    other = Desk(slow(desk)._store, BOOKS, lambda: NOW + 100_000, KEYS.signing)
    logs = (*LOGS, *BOOKS)

    async def cut_off(*_: object) -> None:
        later = NOW + 100_000
        other.hold(await other.store.lease(logs, "another", later, later + 60_000))
        writing = asyncio.ensure_future(other.write_forever())
        other.act(cage.Deposit("ben", 7, later))
        await other.settled()
        writing.cancel()
        raise Refusal("store/away", {})

    slow(desk).commit = cut_off  # type: ignore[assignment, method-assign]
    desk.act(cage.Deposit("ann", 500, NOW))
    with pytest.raises(Refusal) as caught:
        await desk.settled()

    assert caught.value.code == "server/stopped"
    assert desk.stopped is not None
    assert desk.stopped.code == "store/owned"
    accounts = (await desk.store.books()).accounts
    assert wallet("ann") not in accounts
    assert accounts[wallet("ben")].posted == 7


async def test_a_commit_that_went_on_without_us_is_found(desk: Desk) -> None:
    """Cut off before anything was there, and there by the time that it is tried again."""
    real, tries = slow(desk)._store, []

    async def late(batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        tries.append(batch)
        if len(tries) == 1:
            raise Refusal("store/away", {})
        await real.commit(batch, epochs, now)
        await real.commit(batch, epochs, now)

    slow(desk).commit = late  # type: ignore[method-assign]
    desk.act(cage.Deposit("ann", 500, NOW))
    await desk.settled()

    assert len(tries) == 2
    assert desk.stopped is None
    assert (await desk.store.logs())["cage"].count == 1


async def test_the_lease_is_made_sure_of_before_another_try(desk: Desk) -> None:
    asked: list[str] = []

    async def renew() -> None:
        asked.append("lease")
        if len(asked) == 1:
            raise Refusal("store/away", {})

    desk.renew = renew
    slow(desk).before.append(Refusal("store/away", {}))
    desk.act(cage.Deposit("ann", 500, NOW))
    await desk.settled()

    assert asked == ["lease", "lease"]


async def test_whoever_is_late_with_a_lease_that_nobody_took_goes_on(desk: Desk) -> None:
    asked: list[str] = []

    async def renew() -> None:
        asked.append("lease")

    desk.renew = renew
    slow(desk).before.append(Refusal("store/fenced", {"log": "cage"}))
    desk.act(cage.Deposit("ann", 500, NOW))
    await desk.settled()

    assert asked == ["lease"]
    assert desk.shown.ledger.balance(wallet("ann")) == 500


async def test_a_machine_that_is_always_late_goes_on_while_nobody_takes_the_lease(
    desk: Desk,
) -> None:
    """Two renewals take longer than the lease lasts; the commit after the third is in time."""
    times = iter((*range(NOW, NOW + 500_000, 100_000), *[NOW + 500_000] * 9))
    desk._clock = lambda: next(times)
    begun = NOW + 60_000
    assert desk.until == begun
    desk.now()
    desk.act(cage.Deposit("ann", 500, NOW))
    await desk.settled()

    assert desk.stopped is None
    assert desk.shown.ledger.balance(wallet("ann")) == 500
    assert slow(desk).begun == 4
    assert desk.until > begun + 300_000


async def test_a_database_that_is_away_for_long_is_waited_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it goes away while writing, while looking, or while the lease is renewed."""
    pauses = paused(monkeypatch)
    gone = [Refusal("store/away", {}) for _ in range(20)]
    told: list[Refusal | None] = []
    desk.away = told.append
    real = desk.renew

    async def renew() -> None:
        if gone:
            raise gone.pop()
        await real()

    desk.renew = renew
    slow(desk).before.append(Refusal("store/away", {}))
    desk.act(cage.Deposit("ann", 500, NOW))
    await desk.settled()

    assert desk.stopped is None
    assert (await desk.store.books()).accounts[wallet("ann")].posted == 500
    assert pauses == [0.1, *GROWING, *[SLOWEST] * 16]
    assert told[-1] is None


async def test_a_database_that_answers_and_writes_nothing_is_not_asked_without_a_pause(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = paused(monkeypatch)
    slow(desk).before += [Refusal("store/away", {}) for _ in range(20)]
    desk.act(cage.Deposit("ann", 500, NOW))
    await desk.settled()

    assert slow(desk).begun == 21
    assert pauses == [*GROWING, *[SLOWEST] * 16]


GROWING = (0.1, 0.2, 0.5, 1.0)


def paused(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that a desk makes, none of which takes any time."""
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def no_time(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr("cutcard.server.desk.asyncio.sleep", no_time)
    return pauses


async def test_under_a_later_lease_nothing_is_written(desk: Desk) -> None:
    """Somebody else may have had the log in between, and written."""
    held = dict(desk.epochs)
    with pytest.raises(Refusal) as caught:
        desk.hold([Lease("cage", "desk", held["cage"] + 1, NOW + 90_000)])

    assert caught.value == Refusal("store/fenced", {"log": "cage"})
    assert desk.epochs == held
    desk.hold([Lease("cage", "desk", held["cage"], NOW + 90_000)])


async def test_notes_whose_commit_was_cut_off_are_written_once(desk: Desk) -> None:
    slow(desk).after.append(Refusal("store/away", {}))
    desk.note(Significant(NOW, "door", "dan"), Significant(NOW, "door", "dora"))
    await desk.settled()

    assert len(await desk.store.significant(10)) == 2


async def test_rounds_and_days_are_signed(desk: Desk) -> None:
    desk.act(
        At("t1", ask.SignOn("pit", Role.PIT_SUPERVISOR, NOW)),
        At(
            "t1",
            ask.OpenTable(
                setup(BOOK, "t1", helpline="1", approval=Approval("r", "a", "b")), "pit", NOW
            ),
        ),
    )
    desk.sign_day("2026-11-15")
    await desk.settled()
    (head,) = await desk.store.heads("t1")

    assert head.holds
    assert head.key == public_key(KEYS.signing)
    assert (head.head.count, head.name, head.occasion.value) == (2, "2026-11-15", "day")
    notes = await desk.store.significant(10)
    assert [(one.kind, one.who, one.where) for one in notes] == [("table opened", "pit", "t1")]


async def test_what_no_record_tells_is_kept_too(desk: Desk) -> None:
    desk.note(Significant(NOW, "clock set", "operator", before="1", after="2"))
    await desk.settled()

    assert await desk.store.significant(1) == [
        Significant(NOW, "clock set", "operator", before="1", after="2")
    ]
