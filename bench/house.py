"""A venue for the bench of the server: many patrons with money and sessions.

    python bench/house.py FOLDER DATABASE TABLES PATRONS

It is the server itself, run as `cutcard serve` runs it, on a free port of this machine. Only
what would take minutes by way of the API is done inside: patrons are added without a password
of their own, signed in under tokens made here, and given money. When all is prepared, the
venue is written to FOLDER/venue.json; it serves until it is told to stop.
"""

import asyncio
import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

import uvloop

from cutcard import cage
from cutcard.round.state import Phase
from cutcard.rules.limits import Kind
from cutcard.server.config import Config, LimitSettings, Pace, demonstration
from cutcard.server.desk import Wanted
from cutcard.server.running import Running, run
from cutcard.server.server import Server
from cutcard.store import Person, Session

BOOK = "rws-non-commission-etg"
SPOTS = ("player", "banker", "tie", "player_pair", "banker_pair")
STACK = 10**10
STAKE = 1_000
HIGHEST = 10**9
AT_ONCE = 500
PACE = Pace(
    # One round is open for bets as long as anything is measured.
    betting_ms=600_000,
    decision_ms=1,
    card_ms=0,
    result_ms=0,
    least_round_ms=0,
    seeds_ms=0,
    squeeze_ms=0,
    test=True,
)


def configuration(folder: Path, database: str, tables: int) -> Config:
    """So many electronic tables, which take bets of any height."""
    known = demonstration()
    table = replace(
        known.table(BOOK),
        limits=(LimitSettings(kind=Kind.MAXIMUM, spots=SPOTS, amount=HIGHEST),),
    )
    return replace(
        known,
        paces=MappingProxyType({"usual": PACE}),
        money=replace(known.money, large_bet=HIGHEST, large_win=HIGHEST),
        tables=tuple(replace(table, name=f"t{number}") for number in range(1, tables + 1)),
        server=replace(
            known.server,
            database=database,
            keys=str(folder / "keys"),
            port=0,
            anonymous_requests=1_000_000,
            anonymous_sockets=20_000,
        ),
    )


class Preparation:
    """Makes patrons, and a place for each."""

    def __init__(self, running: Running, patrons: int) -> None:
        self.url, self.server = running.url, running.server
        self.patrons = patrons

    async def prepare(self, told: Path) -> None:
        names = list(self.server.arranged)
        people = [await _patron(self.server, number) for number in range(self.patrons)]
        places = [
            (person.id, names[number % len(names)]) for number, (person, _) in enumerate(people)
        ]
        await self._do([[cage.Deposit(who, STACK, self._now())] for who, _ in places])
        await self._do([[cage.BuyIn(who, at, STACK, self._now())] for who, at in places])
        while any(not self._betting(name) for name in names):
            await asyncio.sleep(0.01)
        patrons = [
            {"token": token, "table": at}
            for (_, token), (_, at) in zip(people, places, strict=True)
        ]
        part = told.with_suffix(".part")
        part.write_text(json.dumps({"url": self.url, "patrons": patrons}))
        part.rename(told)

    def _now(self) -> int:
        return self.server.desk.now()

    def _betting(self, name: str) -> bool:
        return self.server.desk.shown.table(name).round.phase is Phase.BETTING

    async def _do(self, wanted: Sequence[Sequence[Wanted]]) -> None:
        for some in _chunks(wanted):
            for one in some:
                self.server.desk.act(*one)
            await self.server.desk.settled()


async def _patron(server: Server, number: int) -> tuple[Person, str]:
    """A patron who is signed in, with the token."""
    now, token = server.desk.now(), secrets.token_urlsafe(32)
    person = Person(f"p-bench{number:05}", f"bench {number}", "patron", "", "none")
    await server.store.add_person(person)
    await server.store.add_session(
        Session(sha256(token.encode()).digest(), person.id, "", now, now, now + 3_600_000)
    )
    server.begin_session(person)
    return person, token


def _chunks(wanted: Sequence[Sequence[Wanted]]) -> Iterator[Sequence[Sequence[Wanted]]]:
    for start in range(0, len(wanted), AT_ONCE):
        yield wanted[start : start + AT_ONCE]


def main(folder: str, database: str, tables: str, patrons: str) -> None:
    config = configuration(Path(folder), database, int(tables))

    def ready(running: Running) -> None:
        preparation = Preparation(running, int(patrons))
        running.server.keep(preparation.prepare(Path(folder) / "venue.json"))

    uvloop.run(run(config, ready, logs="error", patience=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
