"""The store and the ledger agree: on every balance, every promise and every refusal."""

import asyncio
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutcard.ledger import (
    MOST,
    AccountId,
    Entry,
    Ledger,
    Post,
    Transfer,
    TransferId,
    Void,
    debt,
    house,
    layout,
    post,
    stack,
    transfer_id,
    wallet,
)
from cutcard.refusals import Refusal
from cutcard.store import Batch, Books, Money, Store, open_store
from tests.engines import Raw, fresh
from tests.patience import PATIENCE
from tests.store.writing import Pen, held, moved, promised

pytestmark = pytest.mark.anyio

_tables = count(1)

HOUSE, LAYOUT, STACK, WALLET, OTHER, DEBT = range(6)
LAWFUL = [
    *[(HOUSE, LAYOUT), (HOUSE, STACK), (HOUSE, WALLET), (HOUSE, OTHER), (LAYOUT, HOUSE)],
    *[(STACK, LAYOUT), (STACK, WALLET), (WALLET, STACK), (OTHER, LAYOUT), (DEBT, HOUSE)],
]
# An entry before its table has a name: what it is, from and to, how much, which earlier one, and
# how far the count goes on. Most are lawful, or no batch of several ever would be.
PLAN = st.tuples(
    st.sampled_from(["move", "move", "promise", "promise", "post", "post", "void"]),
    st.sampled_from([*LAWFUL * 3, (STACK, OTHER), (STACK, STACK), (HOUSE, DEBT)]),
    st.sampled_from([*range(1, 40), 0, -1, MOST]),
    st.sampled_from([0, 0, 0, 0, 0, 0, 1]),
    st.sampled_from([1] * 30 + [0]),
)
Plan = tuple[str, tuple[int, int], int, int, int]


class Sheet:
    """Turns plans into entries of one table, some lawful and some not."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.accounts: list[AccountId] = [
            house(table),
            layout(table),
            stack(table, f"ann-{table}"),
            wallet(f"ann-{table}"),
            stack(table, f"bob-{table}"),
            debt(f"bob-{table}"),
        ]
        self.promises: list[TransferId] = []
        self.event = 0

    def opening(self) -> list[Entry]:
        """Everybody has 100, from the house."""
        return [
            self.entry(("move", (HOUSE, to), 100, 0, 1)) for to in (LAYOUT, STACK, WALLET, OTHER)
        ]

    def entry(self, plan: Plan) -> Entry:
        kind, (debit, credit), amount, earlier, jump = plan
        self.event += jump
        id = transfer_id(self.table, self.event)
        if kind in ("move", "promise") or len(self.promises) <= earlier:
            if kind == "promise":
                self.promises.append(id)
            return Transfer(
                id, self.accounts[debit], self.accounts[credit], amount, "x", kind == "promise"
            )
        # The next one that is due, or now and then one that may have been completed already.
        pending = self.promises[earlier] if earlier else self.promises.pop(0)
        if kind == "void":
            return Void(id, pending)
        return Post(id, pending, None if amount > 5 else amount)


def of_table(books: Books, table: str) -> tuple[object, object, object]:
    """The books of one table; other examples have written to the same store."""
    return (
        {id: holds for id, holds in books.accounts.items() if table in id},
        {id: one for id, one in books.pending.items() if id.startswith(f"{table}:")},
        books.last.get(table),
    )


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(batches=st.lists(st.lists(PLAN, min_size=1, max_size=8), min_size=1, max_size=5))
async def test_random_batches_come_to_the_same(store: Store, batches: list[list[Plan]]) -> None:
    table = f"table{next(_tables):06}"
    pen, sheet, ledger = Pen(), Sheet(table), Ledger()
    epochs = await held(store, table)
    opening = sheet.opening()
    filled = [[sheet.entry(plan) for plan in plans] for plans in batches]
    for entries in [opening, *filled]:
        before = pen.heads.get(table)
        record = pen.record(table)
        batch = Batch([record], [Money(table, record.number, entry) for entry in entries])
        try:
            ledger = post(ledger, entries)
        except Refusal:
            with pytest.raises(Refusal) as refused:
                await store.commit(batch, epochs, 1)
            assert refused.value.code == "store/money"
            pen.heads.pop(table)
            if before is not None:
                pen.heads[table] = before
        else:
            await store.commit(batch, epochs, 1)

        assert of_table(await store.books(), table) == (
            dict(ledger.accounts),
            dict(ledger.pending),
            ledger.last.get(table),
        )


async def test_what_completes_a_promise_is_looked_up_and_not_searched_for(
    request: pytest.FixtureRequest,
) -> None:
    """PostgreSQL keeps a plan that it made while a table was small."""
    address, pen, events, places = await fresh("postgresql", request), Pen(), 20, range(30)
    store = open_store(address)
    await store.open()
    epochs = await held(store)
    await store.commit(pen.money(*(moved(0, 40, place) for place in places)), epochs, 1)
    for event in range(1, events + 1):
        ends = [transfer_id("t7", event - 1, 30 + place) for place in places if event > 1]
        voids = [Void(transfer_id("t7", event, place), one) for place, one in enumerate(ends)]
        begins = [promised(event, 5, 30 + place) for place in places]
        await store.commit(pen.money(*voids, *begins), epochs, 1)
    # Whatever a connection has counted is told when it ends.
    await store.close()

    asked = """SELECT idx_tup_read FROM pg_stat_user_indexes
        WHERE schemaname = current_schema() AND indexrelname = 'entry_id_key'"""
    completed, read = len(places) * (events - 1), 0
    async with asyncio.timeout(PATIENCE):
        while read < completed:
            ((found,),) = await Raw(address).run(asked)
            read = found if isinstance(found, int) else 0
            await asyncio.sleep(0.02)
    assert read <= 2 * completed
