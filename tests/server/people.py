"""A sign-in desk with a clock set by hand, cheap hashes, and a store in its own folder."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from argon2 import PasswordHasher

from cutcard.refusals import Refusal
from cutcard.server.config import Config, parse
from cutcard.server.signin import Signed, SignIn
from cutcard.store import Person, Session, Significant
from cutcard.store.sqlite import SqliteStore

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
ADDRESS = "203.0.113.7"
PASSWORD = "correct horse"


def config(signin: str = "") -> Config:
    text = 'venue.helpline = "1"\n[[table]]\nname = "t"\nbook = "online-baccarat"\n[signin]\n'
    return parse(text + signin)


class Clock:
    """Milliseconds, moved by the test."""

    def __init__(self, now: int = 1_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def pass_by(self, *, minutes: float = 0, seconds: float = 0) -> None:
        self.now += int(60_000 * minutes + 1000 * seconds)


class Papers(SqliteStore):
    """The store itself; it counts what it is asked."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.asked: Counter[str] = Counter()

    async def session(self, token_hash: bytes) -> Session | None:
        self.asked["session"] += 1
        return await super().session(token_hash)

    async def touch_session(self, token_hash: bytes, seen: int) -> None:
        self.asked["touch_session"] += 1
        await super().touch_session(token_hash, seen)

    async def sessions(self) -> list[Session]:
        """All there are, which nobody but a test asks."""
        columns = "token_hash, person, csrf, began, seen, ends"
        return [Session(*row) for row in await self._all(f"SELECT {columns} FROM session")]


class Desk:
    """Everything that a test of signing in looks at; `async with` opens and closes it."""

    def __init__(self, signin: str = "", kind: type[Papers] = Papers) -> None:
        self.clock = Clock()
        self.folder = TemporaryDirectory(prefix="cutcard-")
        self.papers = kind(f"{self.folder.name}/venue.db")
        self.reported: list[Significant] = []
        self.ended: list[Signed] = []
        self.signin = self.another(signin)

    async def __aenter__(self) -> "Desk":
        await self.papers.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.signin.close()
        await self.papers.close()
        self.folder.cleanup()

    def written(self) -> bytes:
        """Every byte that is on disk."""
        return b"".join(path.read_bytes() for path in Path(self.folder.name).iterdir())

    def another(self, signin: str = "") -> SignIn:
        """A second server over the same store."""
        return SignIn(
            self.papers,
            config(signin),
            self.clock,
            hasher=CHEAP,
            report=self.reported.append,
            ended=self.ended.append,
        )

    async def ann(self) -> Person:
        return await self.signin.add_person("Ann", PASSWORD, "patron")

    async def signed(self) -> Signed:
        await self.ann()
        return await self.signin.sign_in("Ann", PASSWORD, ADDRESS)

    async def code(self, name: str, password: str, address: str = ADDRESS) -> str:
        """What an attempt is refused with; empty if it is not."""
        try:
            await self.signin.sign_in(name, password, address)
        except Refusal as refusal:
            return refusal.code
        return ""

    async def knows(self, token: str, *, active: bool = True) -> bool:
        try:
            await self.signin.who(token, active=active)
        except Refusal:
            return False
        return True
