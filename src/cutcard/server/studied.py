"""Studies for whoever asks: worked out in a process of its own, so that no table waits.

The process is started when the first study is asked for, and gives way to everything else on the
machine. What is asked may be chosen only within bounds, and how many shoes are dealt not at all,
so that a study takes seconds. Books travel as their documents, since a book is more than data.
"""

import asyncio
import json
import os
import signal
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

from cutcard.refusals import Refusal
from cutcard.rules.reading import read
from cutcard.rules.rulebook import Rulebook
from cutcard.server.priced import WAIT, Once

STUDIES = ("per-hour", "distribution", "ruin", "counting", "cut-card")
STUDIES_A_MINUTE = 20
SESSIONS = 2_000
SHOES_COUNTED, SHOES_CUT = 100, 400
MOST_SECONDS = 120.0
"""A study that takes longer is given up; the first one waits for the compiler too."""

Wishes = Mapping[str, int | str]


class Studied:
    """Works studies out, one at a time, and keeps them."""

    def __init__(self) -> None:
        self._once = Once(STUDIES_A_MINUTE)
        self._pool: ProcessPoolExecutor | None = None

    async def ask(
        self, study: str, book: Rulebook, wishes: Wishes, address: str, now: int
    ) -> dict[str, Any]:
        """A study's document."""
        if study not in STUDIES:
            raise Refusal("lab/study", {"text": study, "others": STUDIES})
        if find_spec("numba") is None:
            raise Refusal("lab/not-installed")
        key = (study, book.hash, *sorted(wishes.items()))
        try:
            told: dict[str, Any] = await self._once.ask(
                key, lambda: self._begin(study, book, wishes), address, now
            )
        except BrokenProcessPool:
            self._pool = None
            raise Refusal("server/too-often", {"seconds": WAIT}) from None
        return told

    def _begin(self, study: str, book: Rulebook, wishes: Wishes) -> "asyncio.Future[Any]":
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=give_way
            )
        words = (study, json.dumps(book.written), book.cited, dict(wishes))
        loop = asyncio.get_running_loop()
        begun = loop.run_in_executor(self._pool, study_document, *words)
        return asyncio.ensure_future(self._in_time(begun))

    async def _in_time(self, begun: "asyncio.Future[Any]") -> Any:
        try:
            async with asyncio.timeout(MOST_SECONDS):
                return await begun
        except TimeoutError:
            self.close()
            raise Refusal("lab/too-long") from None

    def close(self) -> None:
        """End the process, whatever it is at; who waits is told to ask again."""
        if self._pool is not None:
            # It would be waited for at the very end, and counting does not hear an interrupt.
            for process in tuple(self._pool._processes.values()):
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def give_way() -> None:
    """Everything else goes first, and an interrupt is for the server to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)


def study_document(
    study: str, document: str, cited: tuple[str, ...], wishes: Wishes
) -> dict[str, Any]:
    """What a study says, or a refusal that can travel as well."""
    book = read(json.loads(document), "book", dict.fromkeys(cited))
    try:
        return work_out(study, book, dict(wishes))
    except Refusal as refusal:
        figures = {name: _plain(value) for name, value in refusal.params.items()}
        raise Refusal(refusal.code, figures, refusal.clause) from None


def _plain(value: object) -> object:
    """A spot's name is more than its id, and only the id can travel."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return str(value) if isinstance(value, str) else value


def work_out(study: str, book: Rulebook, wishes: dict[str, Any]) -> dict[str, Any]:
    # The lab's packages are for this process alone.
    from cutcard import lab

    decks, seed = wishes.get("decks"), wishes.get("seed", 1)
    bet = wishes.get("bet") or next(iter(book.spots))
    match study:
        case "per-hour":
            found: Any = lab.per_hour(
                book, wishes.get("stake", 100), wishes.get("rounds", 70), decks
            )
        case "distribution":
            found = lab.distribution(book, bet, wishes.get("rounds", 100), decks)
        case "ruin":
            unit = wishes.get("stake", 100)
            limits = lab.Limits(
                bankroll=wishes.get("bankroll", 100 * unit),
                unit=unit,
                least=wishes.get("minimum", unit),
                most=wishes.get("maximum", 100 * unit),
                goal=wishes.get("goal", 0),
            )
            rounds = wishes.get("rounds", 500)
            found = lab.ruin(
                book, bet, limits, rounds, sessions=SESSIONS, seed=seed, decks=decks, threads=1
            )
        case "counting":
            chosen = wishes.get("bet") or None
            found = lab.counting(book, SHOES_COUNTED, seed, chosen, decks, threads=1)
        case _:
            found = lab.cut_card_effect(book, SHOES_CUT, seed, decks, threads=1)
    told: dict[str, Any] = found.document()
    return told
