"""Passwords, kept as argon2id hashes and checked by a few threads only.

Each check costs a core and much memory on purpose. So that a flood of guesses cannot take
the machine from the tables, few are checked at a time, few wait, and the rest are refused.
"""

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from cutcard.refusals import Refusal
from cutcard.wire.words import LONGEST_PASSWORD

WAITING = 16
"""How many may wait for each thread: a second or two of work."""

Answer = TypeVar("Answer")


def usual_hasher() -> PasswordHasher:
    """Argon2id with the parameters that OWASP names first."""
    return PasswordHasher(time_cost=1, memory_cost=47_104, parallelism=1)


class Passwords:
    """A bounded pool that makes and checks password hashes."""

    def __init__(self, threads: int, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or usual_hasher()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="password")
        self._room = threads * (1 + WAITING)
        # What a password is checked against where there is no account.
        self._nobody = self._hasher.hash(secrets.token_bytes(32))

    async def hash(self, password: str) -> str:
        """A new hash, salted by argon2 itself."""
        secret = _bytes(password)
        return await self._work(lambda: self._hasher.hash(secret))

    async def fits(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one kept; for None the same work is done for nothing."""
        secret = _bytes(password[: LONGEST_PASSWORD + 1])
        fits = await self._work(lambda: self._verify(kept or self._nobody, secret))
        return fits and bool(kept) and len(password) <= LONGEST_PASSWORD

    def close(self) -> None:
        """Let the threads go; who waits is not answered."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _verify(self, kept: str, secret: bytes) -> bool:
        try:
            return self._hasher.verify(kept, secret)
        except (VerificationError, InvalidHashError):
            return False

    async def _work(self, work: Callable[[], Answer]) -> Answer:
        if self._room <= 0:
            raise Refusal("signin/busy", {})
        self._room -= 1
        future = self._pool.submit(work)
        # Room comes back when the thread is done, also if whoever asked has gone away: a flood
        # of requests that hang up would otherwise pile up unseen.
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: self._done(loop))
        return await asyncio.wrap_future(future)

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        """In the thread: have the loop count the room, unless the server has stopped."""
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self._room += 1


def _bytes(password: str) -> bytes:
    """The same bytes however a keyboard composes its letters; half a letter is one too."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
