"""What the store keeps, as small frozen types.

The store knows logs, money and people's papers; it has never looked inside a record.
"""

from dataclasses import dataclass, field

from cutcard.chain.signing import SignedHead
from cutcard.ledger import Account, AccountId, Entry, Transfer


@dataclass(frozen=True, slots=True)
class Kept:
    """One record of a log: its canonical bytes, and the chain's hash after it."""

    log: str
    number: int
    """Counted from 1 in each log, without a gap."""

    record: bytes
    hash: bytes
    at: int
    mark: str = ""
    """What a reader may look it up by, such as the round that it opens; most have none."""


@dataclass(frozen=True, slots=True)
class Money:
    """An entry of the ledger, with the record that caused it."""

    log: str
    number: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Answered:
    """What a command with an idempotency key was answered, so that it is never done twice."""

    actor: str
    key: str
    body: bytes
    """A hash of the command: the same key for another command is refused."""

    answer: bytes
    at: int


@dataclass(frozen=True, slots=True)
class SecretShoe:
    """A committed shoe's undealt order, encrypted."""

    shoe: str
    table: str
    number: int
    sealed: bytes
    at: int


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What stood at a record of a log, encrypted, so that the log need not be read up to there."""

    log: str
    number: int
    hash: bytes
    sealed: bytes


@dataclass(frozen=True, slots=True)
class Paper:
    """Where a voucher stands."""

    number: str
    amount: int
    state: str
    """issued, pending, redeemed, voided or expired; the last three for ever."""

    patron: str
    """Who had it issued."""

    expires_at: int
    at: int


@dataclass(frozen=True, slots=True)
class Played:
    """A round in which a patron had bets, and how it ended for the patron."""

    patron: str
    log: str
    round: str
    number: int
    """The record that ended it; a correction gives the round a second one."""

    at: int
    staked: int
    net: int
    ended: str
    """settled, void or corrected."""


@dataclass(frozen=True, slots=True)
class Significant:
    """Something that an inspector would ask about: who, why, before and after."""

    at: int
    kind: str
    who: str
    where: str = ""
    why: str = ""
    before: str = ""
    after: str = ""


@dataclass(slots=True)
class Batch:
    """Everything that one commit writes: all of it, or nothing."""

    records: list[Kept] = field(default_factory=list)
    money: list[Money] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    heads: list[SignedHead] = field(default_factory=list)
    shoes: list[SecretShoe] = field(default_factory=list)
    papers: list[Paper] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    significant: list[Significant] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any(
            (
                self.records,
                self.money,
                self.answers,
                self.heads,
                self.shoes,
                self.papers,
                self.played,
                self.significant,
            )
        )


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to a log until some time; each new owner has a higher epoch."""

    log: str
    owner: str
    epoch: int
    until: int


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may sign in. Only here is a name kept beside the id that logs use."""

    id: str
    name: str
    """What they sign in with."""

    kind: str
    """patron, staff or terminal."""

    role: str
    """A member of staff's role; empty for a patron."""

    password: str
    """As argon2 keeps it."""

    language: str = "en"
    barred: bool = False

    @property
    def plays(self) -> bool:
        """Whether bets are placed under this id: by a patron, or at a terminal of the house."""
        return self.kind in ("patron", "terminal")


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in; the store knows only the hash of its token."""

    token_hash: bytes
    person: str
    csrf: str
    began: int
    seen: int
    ends: int


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook as it was when some round was played, by its content hash."""

    hash: str
    id: str
    document: bytes


@dataclass(frozen=True, slots=True)
class Books:
    """The ledger as the store has it: every account, and every transfer still pending."""

    accounts: dict[AccountId, Account]
    pending: dict[str, Transfer]
    last: dict[str, tuple[int, int]]
    """The latest entry of every source."""
