"""No card before its time, no name but one's own, no secret at all: over every message."""

import asyncio
import contextlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cutcard import wire
from cutcard.client import Client, Live, RefusedError
from cutcard.refusals import Refusal
from cutcard.round.state import Phase
from cutcard.rulebooks import ids
from cutcard.rules.coup import Side
from cutcard.rules.rulebook import Role
from cutcard.server.clockwork import OPERATOR
from cutcard.server.dealer import Act
from cutcard.server.desk import Published, Wanted
from cutcard.server.memory import Memory
from cutcard.table import commands as ask
from cutcard.table.events import SqueezeAnswered
from cutcard.table.incident import Step
from cutcard.table.squeezing import highest_bettor
from cutcard.venue import At
from cutcard.wire import api
from tests.patience import PATIENCE, until
from tests.server.house import BLITZ, HOUR, PASSWORD, House, configuration, has_seats, house
from tests.server.net import Net

pytestmark = pytest.mark.anyio

SLOW = replace(BLITZ, betting_ms=HOUR, card_ms=40, squeeze_ms=300, result_ms=150, free_rounds=True)
"""Slow enough to look between two cards. The tests close the betting themselves."""

ENOUGH = 100
"""Messages that each kind of person must have been sent."""

ELECTRONIC = "rws-non-commission-etg"
QUESTIONS = (
    "/api/v1/tables",
    "/api/v1/tables/{table}",
    "/api/v1/tables/{table}/rounds",
    "/api/v1/tables/{table}/rounds/1/1",
    "/api/v1/tables/{table}/shoe",
    "/api/v1/tables/{table}/shoes/1",
    "/api/v1/tables/{table}/shoes/1/cards/12",
    "/api/v1/tables/{table}/head",
    "/api/v1/tables/{table}/pack",
    "/api/v1/tables/{table}/pack?round=1/1",
    "/api/v1/significant-events",
    "/api/v1/me",
    "/api/v1/me/wallet",
    "/api/v1/me/rounds",
    "/api/v1/me/vouchers",
    "/api/v1/me/protection",
    "/metrics",
)


async def everybody(found: House) -> dict[str, Client]:
    auditor = "ursula-auditor"
    await found.server.signin.add_person(auditor, PASSWORD, "staff", "auditor")
    return {
        "nobody": Client(found.url),
        "ann": await found.client("ann-waterhouse"),
        "ben": await found.client("ben-quickstep"),
        "dealer": await found.client("dana-dealer", Role.DEALER),
        "supervisor": await found.client("sam-supervisor", Role.PIT_SUPERVISOR),
        "manager": await found.client("shi-manager", Role.SHIFT_MANAGER),
        "auditor": await Client.sign_in(found.url, auditor, PASSWORD),
    }


async def look_round(people: dict[str, Client], tables: Sequence[str]) -> None:
    """Everybody asks everything, again and again."""
    every = [one.format(table=table) for one in QUESTIONS for table in tables]
    order = random.Random(1)
    while True:
        for path in order.sample(every, len(every)):
            asked = (one._http.get(one.url + path, headers=one._headers) for one in people.values())
            began = asyncio.get_running_loop().time()
            await asyncio.gather(*asked)
            # The tables need time too.
            await asyncio.sleep(asyncio.get_running_loop().time() - began)


async def play(
    found: House, people: dict[str, Client], table: str, enough: Callable[[], bool]
) -> None:
    """Both patrons bet in two rounds, and in further ones until enough was seen."""
    ann, ben = people["ann"], people["ben"]
    spots = (await ann.get(f"/tables/{table}/book"))["bets"]
    spot = next(name for name, one in spots.items() if not one["needs"] and not one["stage"])
    for box, who in enumerate((ann, ben), start=1):
        await who.do(api.Deposit(amount=100_000_000))
        await who.do(api.BuyIn(table=table, amount=100_000_000))
        if has_seats(table):
            await who.do(api.TakeSeat(table=table, box=box))
    async with Live(found.url, ann.token, PATIENCE) as live:
        watched = await live.watch(table)
        rounds = 0
        while rounds < 2 or not enough():
            rounds += 1
            await live.until(lambda: watched.shown["phase"] == "betting")
            await ann.do(api.PlaceBet(table=table, spot=spot, stake=50_000))
            await ben.do(api.PlaceBet(table=table, spot=spot, stake=40_000))
            await found.server.clockwork.perform(table, Act.CLOSE)
            await live.until(lambda: watched.shown["phase"] != "betting")
            await live.until(lambda: watched.shown["phase"] in ("settled", "void", "betting"))


def ask_for_the_squeeze(found: House, patch: pytest.MonkeyPatch) -> None:
    """Whoever has the highest bet asks when bets are closed, and before each third card."""
    desk, clockwork = found.server.desk, found.server.clockwork
    usual = clockwork._wanted

    def wanted(name: str, act: Act) -> list[Wanted]:
        found = usual(name, act)
        table = desk.venue.table(name)
        who = highest_bettor(table)
        if act not in (Act.CLOSE, Act.TURN) or who is None:
            return found
        side = (Side.PLAYER, Side.BANKER)[table.round.number % 2]
        asked = [*found, At(name, ask.RequestSqueeze(who, side, desk.now()))]
        try:
            desk.check(*asked)
        except Refusal:
            return found
        return asked

    patch.setattr(clockwork, "_wanted", wanted)


class Errors:
    """At each table one error in the middle of a coup, after which the patrons choose."""

    def __init__(self, found: House, people: dict[str, Client]) -> None:
        self.desk, self.people = found.server.desk, people
        self.offered: set[str] = set()
        self._choosing: list[asyncio.Task[None]] = []
        self.desk.listeners.append(self._listen)

    def _listen(self, told: Published) -> None:
        for name in told.tables:
            if told.after.table(name).round.phase is Phase.DEALING and name not in self.offered:
                asyncio.get_running_loop().call_soon(self._report, name)

    def _report(self, name: str) -> None:
        table, desk = self.desk.venue.table(name), self.desk
        in_time = table.round.phase is Phase.DEALING and 1 <= len(table.round.coup.dealt) < 4
        known = "other dealing error" in desk.books[name].irregularities
        if not (known and in_time and table.round.own) or name in self.offered:
            return
        desk.act(At(name, ask.Report("other dealing error", OPERATOR, desk.now())))
        desk.act(At(name, ask.Resolve(Step.CONTINUE, OPERATOR, desk.now())))
        if desk.venue.table(name).options:
            self.offered.add(name)
            self._choosing.append(asyncio.ensure_future(self._choose(name)))

    async def _choose(self, name: str) -> None:
        for who, continues in (("ann", True), ("ben", False)):
            # Whose bet came too late for the round has nothing to choose.
            with contextlib.suppress(RefusedError):
                await self.people[who].do(api.ChooseOption(table=name, continues=continues))

    async def chosen(self) -> None:
        await asyncio.gather(*self._choosing)


@pytest.mark.parametrize("face_down", [False, True], ids=["face up", "face down"])
async def test_whole_rounds_of_every_book_tell_nobody_what_is_not_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, face_down: bool
) -> None:
    """Strangers, patrons and every role of staff, over REST and live, errors included."""
    books = [book for book in ids() if not face_down or book != ELECTRONIC]
    config = configuration(books, SLOW, face_down=face_down)
    async with house(config, f"sqlite:{tmp_path / 'leaks.db'}") as found:
        net = Net(found)
        net.spread(monkeypatch)
        people = await everybody(found)
        if face_down:
            ask_for_the_squeeze(found, monkeypatch)
        async with contextlib.AsyncExitStack() as stack:
            for client in people.values():
                live = await stack.enter_async_context(Live(found.url, client.token, PATIENCE))
                for book in books:
                    await live.watch(book)
            errors = Errors(found, people)

            def enough() -> bool:
                hidden = net.hidden if face_down else ENOUGH + 1
                return bool(errors.offered) and min(hidden, *net.seen.values()) > ENOUGH

            # Whatever fails ends everything else, so that nothing is waited for in vain.
            async with asyncio.TaskGroup() as group:
                asking = group.create_task(look_round(people, books))
                await asyncio.gather(*(play(found, people, book, enough) for book in books))
                await errors.chosen()
                asking.cancel()
        for name in ("nobody", "auditor"):
            await people[name].__aexit__(None, None, None)
        squeezed = await _squeezes(found, books)

    assert not net.leaks, net.leaks[:5]
    assert set(net.seen) == {
        "nobody",
        "patron",
        "dealer",
        "pit supervisor",
        "shift manager",
        "auditor",
    }
    assert all(count > ENOUGH for count in net.seen.values())
    assert errors.offered
    if face_down:
        assert net.hidden > ENOUGH
        assert squeezed > 0


async def _squeezes(found: House, books: Sequence[str]) -> int:
    count = 0
    for book in books:
        async for kept in found.store.every_record(book):
            told = wire.read(json.loads(kept.record))
            count += isinstance(told, wire.Happened) and isinstance(told.event, SqueezeAnswered)
    return count


async def test_the_net_has_no_holes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is put into a message on purpose is found."""
    async with house(
        # A card is dealt, face down, and lies there for as long as the test may take.
        configuration(
            ("rws-commission",), replace(SLOW, betting_ms=1, card_ms=HOUR), face_down=True
        ),
        f"sqlite:{tmp_path / 'net.db'}",
    ) as found:
        net = Net(found)
        net.spread(monkeypatch)
        ann, ben = await found.client("ann-waterhouse"), await found.client("ben-quickstep")
        server, table = found.server, "rws-commission"
        await until(lambda: server.desk.shown_shoes.get(table) and server.desk.shoes[table].order)
        await until(lambda: net._down(table), "a card that lies face down")
        while not net._down(table) - net.public(table):
            # Everybody has seen one like it: the card that was exposed, of another deck.
            await server.clockwork.perform(table, Act.DRAW)
        shoe, held = server.desk.shoes[table], server.clockwork._held[table]
        down = min(net._down(table) - net.public(table))
        undealt = next(
            card
            for place in range(shoe.left, len(shoe.order))
            if (card := str(held.secret.cards[shoe.order[place]])) not in net.public(table)
        )
        nonce = held.secret.nonces[shoe.order[-1]].hex()
        mine = await server.signin.who(ann.token)
        for planted in (down, undealt, nonce, nonce * 2, ben.token, ben.id, "ben-quickstep"):
            before = len(net.leaks)
            sent = b'{"is":"change","table":"%b","x":["%b"]}' % (table.encode(), planted.encode())
            net.check(sent, mine.person, "live", None)
            assert len(net.leaks) == before + 1, planted

        sam = await found.client("sam-supervisor", Role.PIT_SUPERVISOR)
        net.leaks.clear()
        pack = await sam.get(f"/tables/{table}/pack")
        told = [one["record"].get("event", {}).get("is") for one in pack["records"]]
        assert told.count("ShoeRegistered") == 1
        assert "RoundOpened" not in told, "the round under way is left out, and it is the first"
        assert net.leaks == []
        with pytest.raises(RefusedError) as caught:
            await sam.get(f"/tables/{table}/pack", round="1/1")
        assert caught.value.code == "server/round-open"
        # The same through the whole server: a pack that holds the round under way.
        monkeypatch.setattr(Memory, "_told", lambda self, table, entries: (entries, None))
        await sam.get(f"/tables/{table}/pack")
        assert "/pack" in net.leaks[0]
