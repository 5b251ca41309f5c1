"""Signing in: who somebody is, for how long, and how often it may be tried.

A token is given once and only its hash is kept, so a copy of the database signs nobody
in. Whoever guesses learns nothing: an unknown name and a wrong password take as long and
sound the same. Names stay here and in the store; logs know people by an id that says
nothing about them.
"""

import base64
import hmac
import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from argon2 import PasswordHasher

from cutcard.refusals import LANGUAGES, Refusal
from cutcard.rules.rulebook import Role
from cutcard.server.limits import Limiter, network
from cutcard.server.passwords import Passwords
from cutcard.server.shapes import Config
from cutcard.store import Person, Session, Significant, Store
from cutcard.wire.words import LONGEST_PASSWORD

MINUTE, HOUR = 60_000, 3_600_000

TOKEN = 32
"""Bytes of a token: nobody guesses one."""

TOUCH_MS = MINUTE
"""How often a session in use is looked up and written to; in between memory answers."""

MOST_CACHED = 20_000
LONGEST_NAME = 64
LEAST_PASSWORD = {"staff": 10, "patron": 8, "terminal": 10}
TERMINAL_DAYS = 365
"""For so long a device of the house stays signed in, used or not."""

ID_LETTERS = 10
ROLES = (*(role.value for role in Role), "cashier", "auditor", "operator", "reader")
"""The roles at a table, whoever works in the cage, who may look at everything, who arranges
the staff, and machines that read cards."""

Entropy = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Signed:
    """Somebody who is signed in."""

    token: str = field(repr=False)
    csrf: str = field(repr=False)
    person: Person = field(repr=False)
    session: Session = field(repr=False)


@dataclass(slots=True)
class _Held:
    """A session in memory: when it was last used, and when the store last confirmed it."""

    signed: Signed
    seen: int
    checked: int


class SignIn:
    """Everybody who may sign in, and everybody who has."""

    def __init__(
        self,
        store: Store,
        config: Config,
        clock: Callable[[], int],
        *,
        entropy: Entropy = secrets.token_bytes,
        hasher: PasswordHasher | None = None,
        report: Callable[[Significant], None] = lambda _: None,
        ended: Callable[[Signed], None] = lambda _: None,
        gone: Callable[[Person], None] = lambda _: None,
        expelled: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`report` hears what an inspector would ask about, `ended` of every sign-out.

        `gone` hears of a person who is signed in nowhere any more, `expelled` of one whose sign-ins
        were all ended at once: by a new password, another role or a bar.
        """
        chosen = config.signin
        self._store, self._clock, self._entropy = store, clock, entropy
        self._report, self._ended = report, ended
        self._gone, self._expelled = gone, expelled
        self._idle_ms = chosen.idle_minutes * MINUTE
        self._longest_ms = chosen.longest_hours * HOUR
        self._accounts = Limiter(chosen.attempts_account, chosen.window_minutes * MINUTE)
        self._addresses = Limiter(chosen.attempts_address, chosen.window_minutes * MINUTE)
        self._passwords = Passwords(chosen.pool, hasher)
        self._held: OrderedDict[bytes, _Held] = OrderedDict()
        self._familiar: OrderedDict[str, None] = OrderedDict()
        """From where an account was signed in to, the latest last."""

        self._sign_outs = 0

    def close(self) -> None:
        self._passwords.close()

    # --- signing in and out -----------------------------------------------------------------------

    async def sign_in(self, name: str, password: str, address: str) -> Signed:
        """A new session for whoever knows the password."""
        person = await self._proven(name, password, address)
        # Only whoever knows the password is told this.
        if person.barred:
            self._tell("sign-in refused", person.id, network(address), "barred")
            raise Refusal("signin/barred", {})
        return await self._begin(person)

    async def proven(self, name: str, password: str, address: str) -> Person:
        """The person with this name and password, without a new session."""
        person = await self._proven(name, password, address)
        if person.barred:
            raise Refusal("signin/barred", {})
        return person

    async def confirm(self, signed: Signed, password: str, address: str) -> None:
        """Refuse unless whoever is signed in still knows the password."""
        await self._proven(signed.person.name, password, address)

    async def admit(self, person: Person) -> Signed:
        """A session for somebody whom the server itself has just made."""
        return await self._begin(person)

    async def sign_out(self, token: str) -> None:
        """End this sign-in, at once."""
        digest = _hashed(token)
        held = self._drop(digest)
        await self._store.end_sessions(token_hash=digest)
        # Somebody may have looked it up just before it was gone.
        self._sign_outs += 1
        held = self._drop(digest) or held
        if held is not None:
            await self._check_gone(held.signed.person)

    async def sign_out_everywhere(self, person: str) -> int:
        """End every sign-in of a person, at once; how many there were."""
        self._drop_person(person)
        self._expelled(person)
        ended = await self._store.end_sessions(person=person)
        self._sign_outs += 1
        self._drop_person(person)
        left = await self._store.person(person)
        if left is not None:
            await self._check_gone(left)
        return ended

    async def _check_gone(self, person: Person) -> None:
        """Tell of a person who has no sign-in left, neither in memory nor in the store."""
        if self.is_in(person.id):
            return
        left, now = await self._store.sessions_of(person.id), self._clock()
        if not self.is_in(person.id) and not any(self._lasts(person, one, now) for one in left):
            self._gone(person)

    def _lasts(self, person: Person, session: Session, now: int) -> bool:
        """Whether a sign-in that the store knows of counts still."""
        idle = now - session.seen >= self._idle_ms and person.kind != "terminal"
        return now < session.ends and not idle

    # --- who is there -----------------------------------------------------------------------------

    async def who(self, token: str | None, *, active: bool = True) -> Signed:
        """Who shows this token; refuses one that is unknown, over, or was idle too long.

        A connection that merely listens asks with `active=False`, which keeps nobody
        signed in. Another server's sign-out is noticed within a minute, one's own at once.
        """
        if not token or len(token) > 2 * TOKEN:
            raise Refusal("signin/needed", {})
        now, digest = self._clock(), _hashed(token)
        held = self._held.get(digest)
        if held is None or now - held.checked >= TOUCH_MS:
            held = await self._look_up(token, digest, held, now)
        latest = replace(held.signed.session, seen=held.seen)
        if not self._lasts(held.signed.person, latest, now):
            await self.sign_out(token)
            raise Refusal("signin/needed", {})
        if active:
            held.seen = max(held.seen, now)
        if held.seen > held.signed.session.seen and held.checked == now:
            await self._touch(digest, held)
        return held.signed

    def holds(self, token: str) -> bool:
        """Whether a token is known here already, without asking the store."""
        return len(token) <= 2 * TOKEN and _hashed(token) in self._held

    def is_in(self, person: str) -> bool:
        """Whether anybody is signed in as this person, as far as memory goes."""
        return any(held.signed.person.id == person for held in self._held.values())

    def check_csrf(self, signed: Signed, header: str | None) -> None:
        """Refuse a change that a page of ours did not ask for."""
        given = (header or "").encode("utf-8", "surrogatepass")
        if not hmac.compare_digest(given, signed.csrf.encode()):
            raise Refusal("signin/csrf", {})

    # --- people -----------------------------------------------------------------------------------

    async def add_person(
        self, name: str, password: str, kind: str, role: str = "", language: str = "en"
    ) -> Person:
        """Somebody new, under an id that says nothing about them."""
        # Whoever has a role is staff.
        _one_of(kind, ("staff",) if role else tuple(LEAST_PASSWORD))
        if kind == "staff":
            _one_of(role, ROLES)
        _one_of(language, LANGUAGES)
        if not plain(name):
            raise Refusal("signin/name", {"most": LONGEST_NAME})
        check_password(password, kind)
        hashed = await self._passwords.hash(password)
        letters = base64.b32encode(self._entropy(10)).decode().lower()[:ID_LETTERS]
        person = Person(f"{kind[0]}-{letters}", plain(name), kind, role, hashed, language)
        await self._store.add_person(person)
        return person

    async def set_password(self, person: Person, password: str) -> None:
        """A new password; every sign-in under the old one ends."""
        check_password(password, person.kind)
        hashed = await self._passwords.hash(password)
        # Whoever was barred in the meantime stays so.
        latest = await self._store.person(person.id) or person
        await self.change_person(replace(latest, password=hashed))

    async def change_staff(self, person: Person, role: str | None, barred: bool | None) -> Person:
        """Another role for a member of staff, or a bar; each as it is where none is given."""
        if role is not None:
            _one_of(role, ROLES)
        after = replace(
            person,
            role=person.role if role is None else role,
            barred=person.barred if barred is None else barred,
        )
        await self.change_person(after)
        return after

    async def change_person(self, person: Person) -> None:
        """Another role, another name, barred: whoever is signed in signs in again."""
        await self._store.change_person(person)
        await self.sign_out_everywhere(person.id)

    # --- inside -----------------------------------------------------------------------------------

    async def _proven(self, name: str, password: str, address: str) -> Person:
        """Whoever has this name and this password."""
        began, known, source = self._clock(), plain(name), network(address)
        account = self._counted(known or name, source)
        self._admit(account, source, began)
        try:
            person = await self._store.person_named(known) if known else None
            fits = await self._passwords.fits(person.password if person else None, password)
        except Refusal:
            # Nothing was learned, so nothing is counted.
            self._accounts.give_back(account, began)
            self._addresses.give_back(source, began)
            raise
        if person is None or not fits:
            self._failed(person, account, source, began)
            raise Refusal("signin/wrong", {})
        self._accounts.give_back(account, began)
        self._addresses.give_back(source, began)
        self._familiar[_pair(known, source)] = None
        self._familiar.move_to_end(_pair(known, source))
        if len(self._familiar) > MOST_CACHED:
            self._familiar.popitem(last=False)
        return person

    def _counted(self, name: str, source: str) -> str:
        """Under which key failures count: where somebody has signed in before, under their own.

        Otherwise a stranger who knows a name could lock its owner out from anywhere.
        """
        pair = _pair(name, source)
        return pair if pair in self._familiar else _hashed(name).hex()

    def _admit(self, account: str, source: str, now: int) -> None:
        """Count an attempt before it is made, so that many at once are not one too many."""
        wait = max(self._accounts.wait(account, now), self._addresses.wait(source, now))
        if wait:
            raise Refusal("signin/too-many", {"seconds": -(-wait // 1000)})
        self._accounts.take(account, now)
        self._addresses.take(source, now)

    def _failed(self, person: Person | None, account: str, source: str, began: int) -> None:
        # What was typed as a name is not repeated: it may be somebody's password.
        who = person.id if person else ""
        self._tell("sign-in failed", who, source, "wrong password" if person else "unknown name")
        if self._accounts.wait(account, began):
            self._tell("account locked", who, source, "too many failed sign-ins")
        if self._addresses.wait(source, began):
            self._tell("address locked", who, source, "too many failed sign-ins")

    def _tell(self, kind: str, who: str, where: str, why: str) -> None:
        self._report(Significant(self._clock(), kind, who, where, why))

    async def _begin(self, person: Person) -> Signed:
        now, token, csrf = self._clock(), self._text(), self._text()
        terminal = person.kind == "terminal"
        ends = now + (TERMINAL_DAYS * 24 * HOUR if terminal else self._longest_ms)
        session = Session(_hashed(token), person.id, csrf, now, now, ends)
        await self._store.add_session(session)
        # While the password was checked, it may have been changed, or the person barred.
        latest = await self._store.person(person.id)
        if latest is None or latest.barred or latest.password != person.password:
            await self._store.end_sessions(token_hash=session.token_hash)
            raise Refusal("signin/wrong", {})
        signed = Signed(token, csrf, latest, session)
        self._keep(_Held(signed, now, now))
        return signed

    async def _look_up(self, token: str, digest: bytes, held: _Held | None, now: int) -> _Held:
        """The session as the store has it; what memory knows of its use is kept."""
        while True:
            before = self._sign_outs
            session = await self._store.session(digest)
            person = await self._store.person(session.person) if session else None
            # A sign-out in between may have been this one's: look again.
            if before == self._sign_outs:
                break
        if session is None or person is None or person.barred:
            gone = self._drop(digest)
            if gone is not None:
                await self._check_gone(gone.signed.person)
            raise Refusal("signin/needed", {})
        seen = max(session.seen, held.seen if held else 0)
        fresh = _Held(Signed(token, session.csrf, person, session), seen, now)
        self._keep(fresh)
        return fresh

    async def _touch(self, digest: bytes, held: _Held) -> None:
        seen = held.seen
        signed = held.signed
        held.signed = replace(signed, session=replace(signed.session, seen=seen))
        await self._store.touch_session(digest, seen)

    def _keep(self, held: _Held) -> None:
        self._held[held.signed.session.token_hash] = held
        self._held.move_to_end(held.signed.session.token_hash)
        if len(self._held) > MOST_CACHED:
            self._held.popitem(last=False)

    def _drop(self, digest: bytes) -> _Held | None:
        held = self._held.pop(digest, None)
        if held is not None:
            self._ended(held.signed)
        return held

    def _drop_person(self, person: str) -> None:
        for digest in [one for one, held in self._held.items() if held.signed.person.id == person]:
            self._drop(digest)

    def _text(self) -> str:
        return base64.urlsafe_b64encode(self._entropy(TOKEN)).decode().rstrip("=")


def plain(name: str) -> str:
    """A name as it is kept, however it is typed; empty for what can be none.

    >>> plain("  Ann LEE ")
    'ann lee'
    """
    folded = " ".join(unicodedata.normalize("NFKC", name[: 4 * LONGEST_NAME]).casefold().split())
    return folded if folded.isprintable() and len(folded) <= LONGEST_NAME else ""


def check_password(password: str, kind: str) -> None:
    """Refuse a password that is too short to be one, or too long to be checked."""
    least = LEAST_PASSWORD[kind]
    if not least <= len(password) <= LONGEST_PASSWORD:
        raise Refusal("signin/password", {"least": least, "most": LONGEST_PASSWORD})


def _one_of(word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise Refusal("signin/choice", {"word": word, "known": known})


def _pair(name: str, source: str) -> str:
    return _hashed(f"{source}\n{name}").hex()


def _hashed(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
