"""Batches for the tests: logs that are chained as a table chains them."""

from cutcard.chain import Head, append, canonical, start
from cutcard.ledger import Entry, Transfer, cage, layout, stack, transfer_id, wallet
from cutcard.refusals import Refusal
from cutcard.store import Batch, Kept, Money, Store

LOG = "t7"
ANN = wallet("ann")
STACK = stack("t7", "ann")
LAYOUT = layout("t7")


class Pen:
    """Writes records to logs, and remembers where each log stands."""

    def __init__(self) -> None:
        self.heads: dict[str, Head] = {}

    def record(self, log: str = LOG, mark: str = "", **said: object) -> Kept:
        head = self.heads.get(log) or start(log)
        head, entry = append(head, {"said": said})
        self.heads[log] = head
        return Kept(log, entry.number, canonical({"said": said}), entry.hash, entry.number, mark)

    def money(self, *entries: Entry, log: str = LOG) -> Batch:
        """A record, and the entries that it causes."""
        record = self.record(log)
        return Batch([record], [Money(log, record.number, entry) for entry in entries])


def moved(event: int, amount: int, place: int = 0) -> Transfer:
    """Ann's money comes in."""
    return Transfer(transfer_id("t7", event, place), cage(), ANN, amount, "cash in")


def promised(event: int, amount: int, place: int = 0) -> Transfer:
    """Ann bets from her wallet, not settled yet."""
    return Transfer(transfer_id("t7", event, place), ANN, LAYOUT, amount, "stake", pending=True)


async def held(store: Store, *logs: str, owner: str = "one", until: int = 10**6) -> dict[str, int]:
    """Lease logs; the epochs to commit with."""
    leases = await store.lease(logs or (LOG,), owner, 0, until)
    return {lease.log: lease.epoch for lease in leases}


async def refusal(doing: object) -> Refusal:
    """What an awaitable refuses with."""
    try:
        await doing  # type: ignore[misc]
    except Refusal as refused:
        return refused
    raise AssertionError("not refused")
