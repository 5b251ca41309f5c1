"""A sign-in desk with a clock that is set by hand, cheap hashes, and a store in memory."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import cast

from argon2 import PasswordHasher

from cutcard.refusals import Refusal
from cutcard.server.config import Config, parse
from cutcard.server.signin import Signed, SignIn
from cutcard.store import Person, Session, Significant, Store

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


@dataclass
class Papers:
    """The part of a store that signing in needs, in dictionaries; it counts what is asked."""

    persons: dict[str, Person] = field(default_factory=dict)
    sessions: dict[bytes, Session] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)

    async def add_person(self, person: Person) -> None:
        if any(person.name == one.name or person.id == one.id for one in self.persons.values()):
            raise Refusal("signin/choice", {"word": person.name, "known": ()})
        self.persons[person.id] = person

    async def person(self, id: str) -> Person | None:
        self.asked["person"] += 1
        return self.persons.get(id)

    async def person_named(self, name: str) -> Person | None:
        self.asked["person_named"] += 1
        return next((one for one in self.persons.values() if one.name == name), None)

    async def change_person(self, person: Person) -> None:
        self.persons[person.id] = person

    async def add_session(self, session: Session) -> None:
        self.sessions[session.token_hash] = session

    async def session(self, token_hash: bytes) -> Session | None:
        self.asked["session"] += 1
        return self.sessions.get(token_hash)

    async def touch_session(self, token_hash: bytes, seen: int) -> None:
        self.asked["touch_session"] += 1
        if token_hash in self.sessions:
            self.sessions[token_hash] = replace(self.sessions[token_hash], seen=seen)

    async def end_sessions(self, *, token_hash: bytes | None = None, person: str = "") -> int:
        gone = [
            hash
            for hash, session in self.sessions.items()
            if hash == token_hash or (token_hash is None and session.person == person)
        ]
        for hash in gone:
            del self.sessions[hash]
        return len(gone)


class Desk:
    """Everything that a test of signing in looks at."""

    def __init__(self, signin: str = "", papers: Papers | None = None) -> None:
        self.clock = Clock()
        self.papers = papers or Papers()
        self.reported: list[Significant] = []
        self.ended: list[Signed] = []
        self.signin = self.another(signin)

    def another(self, signin: str = "") -> SignIn:
        """A second server over the same store."""
        return SignIn(
            cast(Store, self.papers),
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
