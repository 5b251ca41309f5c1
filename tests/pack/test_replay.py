"""Whatever the engine may do, the verifier follows: random tables, a random floor."""

from typing import Any

import pytest
from hypothesis import settings

from cutcard.floor.dice import FloorDice
from cutcard.floor.floor import Floor
from cutcard.floor.simulation import _run
from cutcard.floor.staff import books_for
from cutcard.pack import (
    Finding,
    Logbook,
    Pack,
    export_round,
    export_table,
    rounds_of,
    verify,
)
from cutcard.rulebooks import rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.table.events import Event
from tests.table.scene import TABLE
from tests.table.test_machine import Tables


def kept(name: str, events: list[Event]) -> Logbook:
    log = Logbook(name, bytes(32))
    log.happen(*events)
    return log


def check(log: Logbook, book: Rulebook, *, rounds: int, clock: bool = True) -> None:
    """The whole log holds, and so does each of its latest rounds alone.

    Without a clock, commands come at any time: the engine believes whoever gives them, and only
    the verifier finds that times went backwards.
    """
    let_pass = () if clock else ("time/backwards",)

    def wrong(pack: Pack) -> list[Finding]:
        return [one for one in verify(pack) if one.code not in let_pass]

    assert wrong(export_table(log.name, log.entries, log.heads, [book])) == []
    for shoe, number in rounds_of(log.entries)[-rounds:]:
        pack = export_round(log.name, log.entries, log.heads, [book], shoe=shoe, number=number)
        assert wrong(pack) == [], f"round {shoe}/{number}"


class Packed(Tables):
    """A table under random commands, whose log is then verified."""

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "scene"):
            check(kept(TABLE, self.scene.log), self.scene.book, rounds=3, clock=False)


@pytest.fixture(autouse=True)
def any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenes play long before any book was in force."""
    monkeypatch.setattr(Rulebook, "check_in_force", lambda *_: None)


TestPackedTables = Packed.TestCase
TestPackedTables.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)


def test_every_table_of_a_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    books = books_for(list(rulebooks()), len(rulebooks()))
    floor = Floor(books, None)
    # The auditor has its own tests; here only the log matters.
    monkeypatch.setattr(floor.auditor, "read", lambda _: None)
    _run(floor, FloorDice(5), 120)

    for name, book in books.items():
        events: Any = [event for source, event in floor.log if source == name]
        check(kept(name, events), book, rounds=4)
