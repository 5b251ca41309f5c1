"""A net under the server: everything it sends is searched for what nobody may know yet.

Secrets are taken from the server's own memory at the moment of sending, so that no list of
them can be out of date.
"""

import base64
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from cutcard.fairness.shoe import FINISHED, VerifiableShoe
from cutcard.rules.coup import Side
from cutcard.server.app import App
from cutcard.server.live import Socket, encode, framed
from cutcard.server.signin import Signed
from cutcard.server.socket import payload
from cutcard.store import Person
from tests.server.house import KEYS, House

CARD = re.compile(r"(?<![0-9A-Za-z-])(?:10|[2-9TJQKA])[shdc](?![0-9A-Za-z-])")
WORD = 64
"""Letters of a nonce or a seed."""

HEX = re.compile(rb"[0-9a-f]{%d,}" % WORD)

FOR_INSPECTORS = ("/pack", "/significant-events")
"""Where an inspector reads who did what."""

FOR_STAFF = ("/staff", "/pit", "/people", "/advice", "/patrons", "live")
"""Where staff who work at tables are told patrons' names."""

AT_TABLES = ("dealer", "pit supervisor", "pit manager", "shift manager", "auditor", "operator")

RULES = ("/book", "/odds", "/openapi.json", "/health", "/time", "/ready")
"""What is the same for every shoe: cards there are examples."""


class Leak(AssertionError):
    """Something was sent that its receiver may not know."""


@dataclass
class Net:
    """Watches one house."""

    house: House
    seen: dict[str, int] = field(default_factory=dict)
    """How many messages each kind of person was sent."""

    hidden: int = 0
    """How often a card lay hidden that would have been noticed."""

    leaks: list[str] = field(default_factory=list)
    _kept: dict[str, tuple[VerifiableShoe, set[str]]] = field(default_factory=dict)

    # --- everything that is sent ------------------------------------------------------------------

    def check(self, sent: bytes, person: Person | None, path: str, own: Signed | None) -> None:
        whose = (person.role or person.kind) if person else "nobody"
        self.seen[whose] = self.seen.get(whose, 0) + 1
        try:
            self._secrets(sent, own, path)
            self._names(sent, person, path)
            if not path.endswith(RULES):
                self._cards(sent, person, path)
        except Leak as leak:
            self.leaks.append(f"{whose} at {path}: {leak}")

    def _secrets(self, sent: bytes, own: Signed | None, path: str) -> None:
        signin = self.house.server.signin
        for held in signin._held.values():
            signed = held.signed
            theirs = own is not None and own.token == signed.token
            if not (theirs and path.endswith("/sign-in")):
                _absent(sent, signed.token.encode(), "a token")
            # A page that was loaded again asks who it is, and must be able to act.
            if not (theirs and path.endswith(("/sign-in", "/me"))):
                _absent(sent, signed.csrf.encode(), "a CSRF token")
            _absent(sent, signed.session.token_hash.hex().encode(), "a token's hash")
            _absent(sent, signed.person.password.encode(), "a password's hash")
        for key in (KEYS.signing, KEYS.sealing):
            _absent(sent, key.hex().encode(), "a key")
            _absent(sent, base64.b64encode(key), "a key")
        words = {
            run[at : at + WORD].decode()
            for run in HEX.findall(sent)
            for at in range(len(run) - WORD + 1)
        }
        for name in self.house.server.arranged:
            if words & self._unopened(name):
                raise Leak(f"a secret of the shoe at {name}")

    def _unopened(self, name: str) -> set[str]:
        """Nonces of cards that were not shown, and the house's seed until it is given."""
        desk, held = self.house.server.desk, self.house.server.clockwork._held.get(name)
        shoe = desk.shoes.get(name)
        if held is None or shoe is None or shoe.commitment.shoe != held.shoe:
            return set()
        kept = self._kept.get(name)
        if kept is None or kept[0] is not shoe:
            found = set() if "house" in shoe.seeds else {held.seed.hex()}
            if shoe.phase not in FINISHED:
                shown = {shoe.order[place] for place in shoe.shown} if shoe.order else set()
                found |= {
                    nonce.hex()
                    for position, nonce in enumerate(held.secret.nonces)
                    if position not in shown
                }
            kept = self._kept[name] = (shoe, found)
        return kept[1]

    def _names(self, sent: bytes, person: Person | None, path: str) -> None:
        if person is not None and person.role in AT_TABLES and path.endswith(FOR_STAFF):
            return
        inspects = path.endswith(FOR_INSPECTORS) and person is not None and person.kind == "staff"
        for held in self.house.server.signin._held.values():
            one = held.signed.person
            if person is not None and one.id == person.id:
                continue
            _absent(sent, one.name.encode(), "another's name")
            if not inspects:
                _absent(sent, one.id.encode(), "another's id")

    # --- cards ------------------------------------------------------------------------------------

    def public(self, table: str) -> set[str]:
        """Every card of the shoe that has been turned up."""
        desk = self.house.server.desk
        shoe = desk.shoes.get(table)
        cards = {str(card) for card in shoe.shown.values()} if shoe else set()
        if shoe is not None and shoe.phase in FINISHED:
            cards |= {str(card) for card in shoe.opened}
        for venue in (desk.shown, desk.venue):
            found = venue.table(table)
            dealt = found.round.coup.dealt
            cards |= {str(dealt[place]) for place in found.face_up if place < len(dealt)}
        return cards

    def granted(self, table: str, person: Person | None) -> set[str]:
        """The cards that this person alone may look at."""
        if person is None:
            return set()
        cards: set[str] = set()
        for venue in (self.house.server.desk.shown, self.house.server.desk.venue):
            found = venue.table(table)
            for side, hand in (
                (Side.PLAYER, found.round.coup.player),
                (Side.BANKER, found.round.coup.banker),
            ):
                if found.squeeze.get(side) == person.id:
                    cards |= {str(card) for card in hand[found.squeeze_from[side] :]}
        return cards

    def _cards(self, sent: bytes, person: Person | None, path: str) -> None:
        if path == "/metrics":
            return
        told = json.loads(sent)
        for table, text in _by_table(told, _table_in(path)):
            known = self.public(table) | self.granted(table, person)
            said = set(CARD.findall(text))
            if said - known:
                raise Leak(f"{sorted(said - known)} at {table}")
        for table in self.house.server.arranged:
            self.hidden += bool(self._down(table) - self.public(table))

    def _down(self, table: str) -> set[str]:
        found = self.house.server.desk.shown.table(table)
        dealt = found.round.coup.dealt
        return {str(card) for place, card in enumerate(dealt) if place not in found.face_up}

    # --- putting it up ----------------------------------------------------------------------------

    def spread(self, patch: pytest.MonkeyPatch) -> None:
        """Have everything go through the net: frames, and answers over REST."""
        write, tell, call, net = Socket.send, Socket.tell, App.__call__, self

        def send(socket: Socket, frame: bytes) -> None:
            net.check(payload(frame), socket.person, "live", None)
            write(socket, frame)

        def tells(socket: Socket, message: object) -> None:
            net.check(payload(framed(encode(message))), socket.person, "live", None)
            tell(socket, message)

        async def called(app: App, scope: Any, receive: Any, out: Any) -> None:
            if scope["type"] != "http":
                await call(app, scope, receive, out)
                return
            body, headers = bytearray(), dict[bytes, bytes]()

            async def sending(message: Any) -> None:
                headers.update(message.get("headers", ()))
                body.extend(message.get("body", b""))
                await out(message)

            await call(app, scope, receive, sending)
            packed = headers.get(b"content-encoding") == b"gzip"
            sent = gzip.decompress(bytes(body)) if packed else bytes(body)
            held = [one.signed for one in app.server.signin._held.values()]
            token, _ = app.token(scope)
            if scope["path"].endswith("/sign-in"):
                own = next((one for one in held if one.token.encode() in sent), None)
            else:
                own = next((one for one in held if one.token == token), None)
            person = own.person if own else None
            net.check(sent, person, scope["path"], own)
            net._secrets(repr(headers).encode(), own, scope["path"])

        patch.setattr(Socket, "send", send)
        patch.setattr(Socket, "tell", tells)
        patch.setattr(App, "__call__", called)


def _absent(sent: bytes, secret: bytes, what: str) -> None:
    if secret in sent:
        raise Leak(what)


def _table_in(path: str) -> str:
    parts = path.split("/")
    return parts[4] if path.startswith("/api/v1/tables/") else ""


def _by_table(told: Any, table: str) -> Iterator[tuple[str, str]]:
    """The texts of a message, each with the table that it speaks of."""
    if isinstance(told, dict):
        named = told.get("table")
        table = named if isinstance(named, str) and named else table
        for one in told.values():
            yield from _by_table(one, table)
    elif isinstance(told, list):
        for one in told:
            yield from _by_table(one, table)
    elif isinstance(told, str) and table:
        yield table, told
