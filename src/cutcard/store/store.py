"""The store's interface: what every engine can do, and nothing of how.

Whatever `commit` has returned from survives the loss of the process and of the power.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from typing import Protocol

from cutcard.chain import Head
from cutcard.chain.signing import SignedHead
from cutcard.store.kept import (
    Answered,
    Batch,
    Book,
    Bookmark,
    Books,
    Kept,
    Lease,
    Paper,
    Person,
    Played,
    SecretShoe,
    Session,
    Significant,
)


class Store(Protocol):
    """A database that keeps a venue. Refuses with codes that begin with `store/`."""

    name: str
    """Which engine: sqlite or postgresql."""

    url: str
    """The address by which it can be opened once more."""

    # --- life -------------------------------------------------------------------------------------

    async def open(self, *, as_it_is: bool = False) -> None:
        """Connect, and bring the schema up to date; refuses a schema that is newer than us.

        As it is: the schema is left alone, for whoever only copies.
        """

    async def close(self) -> None: ...

    async def ping(self) -> None:
        """Refuse if the database does not answer."""

    # --- writing ----------------------------------------------------------------------------------

    async def lease(self, logs: Iterable[str], owner: str, now: int, until: int) -> list[Lease]:
        """Own these logs, all or none; refuses (store/owned) while somebody else's lease runs.

        A new owner's epoch is one higher than the last; one's own lease is renewed as it is.
        """

    async def release(self, owner: str) -> None:
        """Give up every lease, so that the next owner need not wait."""

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        """Write a batch, durably, or refuse and write nothing.

        Every log that the batch writes to must be held under the epoch given for it
        (store/fenced otherwise); every record must follow on the last one of its log.
        """

    # --- logs -------------------------------------------------------------------------------------

    async def logs(self) -> dict[str, Head]:
        """Where each log's chain stands."""

    async def records(self, log: str, after: int = 0, most: int | None = None) -> list[Kept]:
        """The records of a log in order, those after a number only."""

    def every_record(self, log: str, after: int = 0) -> AsyncIterator[Kept]:
        """The same, however many there are, without holding them all in memory."""

    async def last_marked(self, log: str, prefix: str, most: int = 1) -> list[Kept]:
        """The latest records whose mark begins with a prefix, the latest first."""

    async def marked(self, log: str, mark: str) -> Kept | None:
        """The first record with a mark."""

    async def heads(self, log: str, since: int = 0) -> list[SignedHead]:
        """Signed heads of a log whose count is above `since`, in order."""

    async def bookmark(self, log: str) -> Bookmark | None: ...

    async def put_bookmark(self, mark: Bookmark) -> None:
        """Put this in place of the bookmark that the log has."""

    # --- money ------------------------------------------------------------------------------------

    async def books(self) -> Books:
        """The ledger as it stands."""

    async def papers(self, patron: str | None = None) -> list[Paper]:
        """Vouchers, the latest first; everybody's, or those that one patron had issued."""

    # --- commands already answered ----------------------------------------------------------------

    async def answered(self, actor: str, key: str) -> Answered | None: ...

    async def answered_since(self, at: int) -> list[tuple[str, str]]:
        """Actor and key of every answer since a time: enough to know that a key is new."""

    async def forget_answers(self, before: int) -> int:
        """Delete answers given before a time; how many there were."""

    # --- shoes, rounds, what happened -------------------------------------------------------------

    async def secret_shoe(self, shoe: str) -> SecretShoe | None: ...

    async def played(
        self, patron: str, most: int, since: int = 0, until: int | None = None
    ) -> list[Played]:
        """Rounds of a patron by time, the latest first, each as it ended last."""

    async def significant(
        self, most: int, since: int = 0, kinds: Collection[str] = ()
    ) -> list[Significant]:
        """Significant events, the latest first; of some kinds only, where any are named."""

    # --- people -----------------------------------------------------------------------------------

    async def add_person(self, person: Person) -> None:
        """Refuses (store/person) a name or id that is taken."""

    async def person(self, id: str) -> Person | None: ...

    async def person_named(self, name: str) -> Person | None: ...

    async def people(self) -> list[Person]: ...

    async def change_person(self, person: Person) -> None:
        """Put this in place of the person with the same id."""

    async def add_session(self, session: Session) -> None: ...

    async def session(self, token_hash: bytes) -> Session | None: ...

    async def sessions_of(self, person: str) -> list[Session]:
        """Every sign-in of a person that was not ended, those that are over among them."""

    async def touch_session(self, token_hash: bytes, seen: int) -> None: ...

    async def end_sessions(self, *, token_hash: bytes | None = None, person: str = "") -> int:
        """End one sign-in, or all of a person's; how many there were."""

    # --- rulebooks --------------------------------------------------------------------------------

    async def archive(self, books: Iterable[Book]) -> None:
        """Keep these books; those already there stay as they are."""

    async def archived(self) -> list[Book]: ...

    # --- copies -----------------------------------------------------------------------------------

    async def backup(self, to: str) -> None:
        """Write a whole, consistent copy to a file that does not exist yet, while in use."""
