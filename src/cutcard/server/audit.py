"""The audit: everything that a database says, worked out again from its logs alone.

    every log        chain, numbers, marks, signed heads
    every table      each event by the rules of its book, as a pack is verified
    cage, patrons    folded; what one room says happened in another did happen there
    the ledger       every entry is a record's, every balance is the sum of its entries
    vouchers, rounds what is written beside the log is what the log says

Nothing is changed and nothing is trusted that can be worked out. Records are read one by
one, however many there are; one moment is audited, also of a venue that is open.
"""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Container

from cutcard import chain, wire
from cutcard.chain import Head
from cutcard.chain.canonical import canonical
from cutcard.chain.signing import SignedHead
from cutcard.ledger import AccountId
from cutcard.ledger.accounts import kind
from cutcard.refusals import Refusal
from cutcard.server.desk import LOGS, PATRONS
from cutcard.server.rooms import (
    Audit,
    CageRoom,
    Finding,
    Known,
    Library,
    PatronsRoom,
    Room,
    TableRoom,
)
from cutcard.store import Paper
from cutcard.store.migrations import guards, kind_rows
from cutcard.store.rows import ENTRY, PAPER, PLAYED, SIGNED_HEAD, Row
from cutcard.store.rows import signed_head as head_of
from cutcard.store.snapshot import Snapshot, open_snapshot
from cutcard.venue import CAGE

__all__ = ["Audit", "Finding", "verify"]


async def verify(url: str, keys: Container[bytes] | None = None) -> Audit:
    """Audit the database at an address; `keys` are the house's public keys, if they are known."""
    began = time.monotonic()
    snapshot = await open_snapshot(url)
    try:
        found = await _Auditor(snapshot, keys).run()
    finally:
        await snapshot.close()
    found.seconds = time.monotonic() - began
    return found


class _Beside:
    """Rows of another table that belong to the records of a log, in the same order."""

    def __init__(self, rows: AsyncIterator[Row], place: int) -> None:
        self._rows, self._place = rows, place
        self._next: Row | None = None
        self._over = False

    async def of(self, number: int) -> tuple[list[Row], list[Row]]:
        """The rows of a record, and rows before it that belong to none."""
        mine: list[Row] = []
        strays: list[Row] = []
        while (row := await self._peek()) is not None and row[self._place] <= number:
            (mine if row[self._place] == number else strays).append(row)
            self._next = None
        return mine, strays

    async def rest(self) -> AsyncIterator[Row]:
        while (row := await self._peek()) is not None:
            self._next = None
            yield row

    async def _peek(self) -> Row | None:
        if self._next is None and not self._over:
            self._next = await anext(self._rows, None)
            self._over = self._next is None
        return self._next


class _Auditor:
    """Goes through a snapshot once."""

    def __init__(self, snapshot: Snapshot, keys: Container[bytes] | None) -> None:
        self.snapshot, self.keys, self.audit = snapshot, keys, Audit()
        self._signed_with: set[bytes] = set()

    async def run(self) -> Audit:
        async for (told,) in self.snapshot.rows(self.snapshot.whole):
            if told != "ok":
                self.audit.find("store/damaged", "database", None, f"The file is damaged: {told}.")
        documents = {
            row[0]: row[1] async for row in self.snapshot.rows("SELECT hash, document FROM book")
        }
        self.known = Known(self.audit, Library(documents, self.audit))
        sql = "SELECT log, start, count, hash FROM log ORDER BY log"
        heads = [row async for row in self.snapshot.rows(sql)]
        # The cage first: tables are then compared with a ledger that has its money.
        rooms = []
        for name, start, count, hash in sorted(heads, key=lambda row: row[0] not in LOGS):
            rooms.append(await self._log(name, start, Head(name, count, hash)))
        for room in rooms:
            room.end()
        await self._strays({row[0] for row in heads})
        await self._ledger()
        await self._papers()
        self._between_rooms()
        await self._guards()
        if self.keys is None and self._signed_with:
            named = ", ".join(sorted(key.hex() for key in self._signed_with))
            self.audit.remarks.append(
                f"The heads are signed with the key {named}: compare it with the house's own."
            )
        return self.audit

    async def _guards(self) -> None:
        """What keeps false rows out of the database; somebody may have taken it away."""
        rows = self.snapshot.rows
        ((upto,),) = [row async for row in rows("SELECT count(*) FROM migration")]
        there = {row[0]: row[1] async for row in rows(self.snapshot.guards)}
        should = guards(self.snapshot.engine, upto)
        if gone := sorted(name for name, text in should.items() if there.get(name) != text):
            told = ", ".join(name.rstrip("(") for name in gone)
            told = f"What keeps false rows out is not in force as the schema has it: {told}."
            self.audit.find("schema/trigger", "schema", None, told)
        sql = "SELECT kind, parts, floor, ceiling, personal FROM account_kind ORDER BY kind"
        kept = {tuple(row) async for row in self.snapshot.rows(sql)}
        for row in sorted(kept - set(kind_rows())):
            told = f"The ledger gives accounts of the kind {row[0]} other bounds."
            self.audit.find("schema/kinds", "schema", None, told)

    # --- one log ----------------------------------------------------------------------------------

    async def _log(self, name: str, start: bytes, head: Head) -> Room:
        audit, rows = self.audit, self.snapshot.rows
        audit.logs += 1
        room: Room
        match name:
            case _ if name == CAGE:
                room = CageRoom(self.known, name)
            case _ if name == PATRONS:
                room = PatronsRoom(self.known, name)
            case _:
                room = TableRoom(self.known, name)
        before = chain.start(name)
        if start != before.hash:
            audit.find("chain/start", name, None, "The log does not begin with its own start.")
        entries = _Beside(
            rows(f"SELECT {', '.join(ENTRY)} FROM entry WHERE log = ?1 ORDER BY number, seq", name),
            ENTRY.index("number"),
        )
        played = _Beside(
            rows(
                f"SELECT {', '.join(PLAYED)} FROM played WHERE log = ?1 ORDER BY number, patron",
                name,
            ),
            PLAYED.index("number"),
        )
        signed = _Beside(
            rows(
                f"SELECT {', '.join(SIGNED_HEAD)} FROM signed_head WHERE log = ?1 "
                "ORDER BY count, at, occasion, name",
                name,
            ),
            SIGNED_HEAD.index("count"),
        )
        await self._heads(name, 0, before.hash, signed)
        number, hash = 0, before.hash
        sql = """SELECT number, previous, hash, record, at, mark FROM record
            WHERE log = ?1 ORDER BY number"""
        async for kept in rows(sql, name):
            audit.records += 1
            if audit.records % 256 == 0:
                await asyncio.sleep(0)
            found = kept[0]
            if found != number + 1:
                audit.find(
                    "chain/number",
                    name,
                    found,
                    f"Record {number + 1} should stand here, and {found} does.",
                )
            self._link(name, hash, kept)
            # Going on from what is kept here, one change is one finding and not a thousand.
            number, hash = found, kept[2]
            ends, moved = self._read(room, kept)
            await self._compare(name, number, "entry", entries, moved)
            await self._compare(name, number, "played", played, ends)
            await self._heads(name, number, hash, signed)
        if (head.count, head.hash) != (number, hash):
            told = f"The log has {head.count} records, and {number} are there as it was left."
            audit.find("chain/short", name, number, told)
        for what, beside in (("entry", entries), ("played", played), ("head", signed)):
            async for row in beside.rest():
                told = f"The log ends at {number}, and a row of {what} speaks of more: {row[0]}."
                audit.find(f"{what}/beyond", name, number, told)
        return room

    def _link(self, name: str, before: bytes, kept: Row) -> None:
        number, previous, hash, record = kept[:4]
        if previous != before:
            told = "The record says that it follows on another one."
            self.audit.find("chain/previous", name, number, told)
        if chain.linked(before, record) != hash:
            told = "The record does not follow from those before it: it or they were changed."
            self.audit.find("chain/record", name, number, told)

    def _read(self, room: Room, kept: Row) -> tuple[list[Row], list[Row]]:
        """Follow a record in its room: the rows of rounds and of entries that it must have."""
        number, _, _, written, at, mark = kept
        try:
            plain = json.loads(written)
            record = wire.read(plain)
            if canonical(plain) != written:
                raise Refusal("wire/record", {"place": "bytes"})
        except (Refusal, ValueError, RecursionError) as error:
            room.find("record/unread", number, f"The record cannot be read. {error}")
            return [], []
        ended, should = room.record(number, record)
        if mark != should:
            room.find("record/mark", number, f"The record is marked {mark!r}, and is {should!r}.")
        entries: list[Row] = []
        if isinstance(record, wire.Happened | wire.Concerning) and record.event.at != at:
            room.find("record/time", number, "The record is filed under another time than its own.")
        if isinstance(record, wire.Happened):
            try:
                entries = self.known.sums.enter(room.log, number, record.entries)
            except Refusal as refusal:
                room.find("entries/refused", number, f"The entries cannot be booked. {refusal}")
        rounds = sorted(ended, key=lambda one: one.patron)
        return [tuple(getattr(one, name) for name in PLAYED) for one in rounds], entries

    async def _compare(
        self, log: str, number: int, what: str, beside: _Beside, should: list[Row]
    ) -> None:
        """The rows that a record has beside it with those that it must have."""
        found, strays = await beside.of(number)
        if what == "entry":
            self.audit.entries += len(found)
        for row in strays:
            told = f"A row of {what} belongs to no record: {row[0]}."
            self.audit.find(f"{what}/stray", log, row[-1] if what == "entry" else None, told)
        if [tuple(row) for row in found] == [tuple(row) for row in should]:
            return
        extra = [row for row in found if tuple(row) not in {tuple(one) for one in should}]
        gone = [row for row in should if tuple(row) not in {tuple(one) for one in found}]
        for row in extra:
            self.audit.find(
                f"{what}/forged", log, number, f"The record says nothing of {_told(what, row)}."
            )
        for row in gone:
            self.audit.find(
                f"{what}/missing", log, number, f"The record's {_told(what, row)} is not there."
            )
        if not extra and not gone:
            self.audit.find(f"{what}/order", log, number, f"The rows of {what} are out of order.")

    async def _heads(self, log: str, number: int, hash: bytes, beside: _Beside) -> None:
        """Signed heads that speak of the log as it is after a record."""
        found, strays = await beside.of(number)
        signed = [head_of(row) for row in (*strays, *found)]
        for one in signed:
            self.audit.heads += 1
            self._signed_with.add(one.key)
            self._check_head(log, number, hash, one)
        ended, self.known.ended = self.known.ended, []
        for where, end, name in ended:
            if not any(
                (one.occasion.value, one.name) == ("round", name) and where == log and end == number
                for one in signed
            ):
                self.audit.find("head/none", log, end, f"No signed head speaks of round {name}.")
        for one in signed:
            told = one.occasion.value == "round" and (log, number, one.name) not in ended
            if told:
                self.audit.find(
                    "head/name", log, number, f"Round {one.name} does not end with this record."
                )

    def _check_head(self, log: str, number: int, hash: bytes, one: SignedHead) -> None:
        if not one.holds:
            self.audit.find("head/signature", log, number, "A head's signature does not hold.")
        elif self.keys is not None and one.key not in self.keys:
            told = "A head is signed by a key that is not the house's."
            self.audit.find("head/key", log, number, told)
        elif (one.head.count, one.head.hash) != (number, hash):
            told = "A signed head speaks of another log: this record or one before was changed."
            self.audit.find("head/other-log", log, number, told)

    # --- what rooms tell one another --------------------------------------------------------------

    def _between_rooms(self) -> None:
        for what, should, found in (
            ("result", self.known.won, self.known.booked),
            ("deposit", self.known.deposited, self.known.recorded),
        ):
            for who in sorted({**should, **found}):
                if should.get(who, 0) != found.get(who, 0):
                    told = (
                        f"The {what}s of {who} come to {should.get(who, 0)} elsewhere, and to "
                        f"{found.get(who, 0)} in the patron's own log."
                    )
                    self.audit.find(f"patron/{what}s", PATRONS, None, told)

    # --- what is written beside the logs ----------------------------------------------------------

    async def _strays(self, logs: set[str]) -> None:
        """Rows of logs that there are not."""
        for what in ("record", "entry", "played", "signed_head"):
            sql = f"SELECT log, count(*) FROM {what} GROUP BY log ORDER BY log"
            async for log, count in self.snapshot.rows(sql):
                if log not in logs:
                    told = f"{count} rows of {what} belong to a log that is not there."
                    self.audit.find("log/unknown", log, None, told)

    async def _ledger(self) -> None:
        audit, sums = self.audit, self.known.sums
        await self._in_order()
        left = set(sums.posted)
        async for id, posted, held in self.snapshot.rows("SELECT id, posted, held FROM account"):
            audit.accounts += 1
            audit.total += posted
            left.discard(id)
            for word, found, should in (
                ("balance", posted, sums.posted.get(id, 0)),
                ("held", held, sums.held.get(id, 0)),
            ):
                if found != should:
                    told = f"The account {id} has {found}, and its records come to {should}."
                    audit.find(f"account/{word}", id, None, told)
        for id in sorted(left):
            audit.find("account/missing", id, None, f"The account {id} is not there.")
        if audit.total:
            told = f"The balances add up to {audit.total}, and not to nothing."
            audit.find("account/sum", "", None, told)
        pending = dict(sums.pending)
        sql = "SELECT id, debit, credit, amount FROM promise"
        async for id, debit, credit, amount in self.snapshot.rows(sql):
            one = pending.pop(id, None)
            if one is None or (one.debit, one.credit, one.amount) != (debit, credit, amount):
                told = f"Nothing in the records promises {amount} from {debit} to {credit}."
                audit.find("promise/forged", parse_source(id), None, told)
        for id in sorted(pending):
            told = f"The pending transfer {id} is not among the promises."
            audit.find("promise/missing", parse_source(id), None, told)
        last = dict(sums.last)
        sql = "SELECT source, event, place FROM source"
        async for source, event, place in self.snapshot.rows(sql):
            if last.pop(source, None) != (event, place):
                told = f"The last entry of {source} is not {event}.{place}."
                audit.find("source/differs", source, None, told)
        for source in sorted(last):
            audit.find("source/missing", source, None, f"The last entry of {source} is not kept.")

    async def _in_order(self) -> None:
        """All entries in the order in which they were posted: no account ever below its floor."""
        posted: dict[str, int] = defaultdict(int)
        held: dict[str, int] = defaultdict(int)
        sql = "SELECT id, debit, credit, moved, held, log, number FROM entry ORDER BY seq"
        async for id, debit, credit, moved, holds, log, number in self.snapshot.rows(sql):
            posted[debit] -= moved
            posted[credit] += moved
            held[debit] += holds
            try:
                short = posted[debit] - held[debit] < kind(AccountId(debit)).floor
                full = posted[credit] > kind(AccountId(credit)).ceiling
            except Refusal as refusal:
                self.audit.find("entry/account", log, number, f"Entry {id}: {refusal}")
                continue
            if short or full or held[debit] < 0:
                which = debit if not full else credit
                told = f"After entry {id} the account {which} stands where it never may."
                self.audit.find("entry/floor", log, number, told)
                return

    async def _papers(self) -> None:
        left = dict(self.known.papers)
        async for row in self.snapshot.rows(f"SELECT {', '.join(PAPER)} FROM paper"):
            found = Paper(*row)
            should = left.pop(found.number, None)
            if should is None:
                told = f"The cage has issued no voucher {found.number}."
                self.audit.find("voucher/forged", CAGE, None, told)
            elif should != found:
                told = (
                    f"Voucher {found.number} is {found.state} for {found.amount}, and by the log "
                    f"it is {should.state} for {should.amount}."
                )
                self.audit.find("voucher/differs", CAGE, None, told)
        for number in sorted(left):
            self.audit.find("voucher/missing", CAGE, None, f"Voucher {number} is not there.")


def parse_source(id: str) -> str:
    """The log that an entry's id names."""
    return id.rpartition(":")[0]


def _told(what: str, row: Row) -> str:
    if what == "entry":
        return f"entry {row[0]}: {row[4]} of {row[7] or row[8]} from {row[5]} to {row[6]}"
    return f"the round {row[2]} of {row[0]}: {row[7]}, {row[6]:+}"
