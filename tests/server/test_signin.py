"""Signing in: what a guesser learns (nothing), and when a sign-in ends (at once)."""

import asyncio
import re
from collections.abc import Awaitable
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

import pytest

from cutcard.refusals import Refusal
from cutcard.server import signin as module
from cutcard.server.passwords import Passwords
from cutcard.server.signin import plain
from cutcard.store import Session
from tests.cases import every
from tests.patience import until
from tests.server.people import ADDRESS, PASSWORD, Desk, Papers

Answer = TypeVar("Answer")


def run(work: Awaitable[Answer]) -> Answer:
    async def all_of_it() -> Answer:
        return await work

    return asyncio.run(all_of_it())


# --- signing in -----------------------------------------------------------------------------------


def test_whoever_knows_the_password_gets_a_token_that_the_store_never_sees() -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()

            (session,) = await desk.papers.sessions()
            assert session.token_hash == sha256(signed.token.encode()).digest()
            assert re.fullmatch(r"[A-Za-z0-9_-]{43}", signed.token)
            assert re.fullmatch(r"[A-Za-z0-9_-]{43}", signed.csrf)
            assert signed.csrf != signed.token
            assert signed.token.encode() not in desk.written()
            assert signed.token not in repr(signed)
            assert (await desk.signin.who(signed.token)).person.name == "ann"

    run(story())


def test_every_sign_in_has_a_token_of_its_own() -> None:
    async def story() -> None:
        async with Desk() as desk:
            one, other = await desk.signed(), await desk.signin.sign_in("ann", PASSWORD, ADDRESS)

            assert one.token != other.token
            await desk.signin.sign_out(one.token)
            assert not await desk.knows(one.token)
            assert await desk.knows(other.token)

    run(story())


@every("typed", ["ann", "ANN", "  Ann ", "\uff21nn"])
def test_a_name_is_the_same_however_it_is_typed(typed: str) -> None:
    async def story() -> None:
        async with Desk() as desk:
            await desk.ann()
            assert await desk.code(typed, PASSWORD) == ""

    run(story())


@every(
    ("name", "password"),
    [
        ("Ann", "wrong"),
        ("Nobody", PASSWORD),
        ("", PASSWORD),
        ("Ann\0", PASSWORD),
        ("\ud800", "\ud800"),
        ("x" * 100_000, PASSWORD),
        ("Ann", "x" * 100_000),
    ],
)
def test_a_wrong_name_and_a_wrong_password_sound_the_same(name: str, password: str) -> None:
    async def story() -> None:
        async with Desk() as desk:
            await desk.ann()
            with pytest.raises(Refusal) as refused:
                await desk.signin.sign_in(name, password, ADDRESS)
            assert refused.value == Refusal("signin/wrong", {})

    run(story())


def test_the_same_work_is_done_for_every_name(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[bool] = []
    fits = Passwords.fits

    async def counted(self: Passwords, kept: str | None, password: str) -> bool:
        checked.append(kept is not None)
        return await fits(self, kept, password)

    async def story() -> None:
        async with Desk() as desk:
            await desk.ann()
            await desk.code("ann", "wrong")
            await desk.code("nobody", "wrong")
            await desk.code("\0", "wrong")

    monkeypatch.setattr(Passwords, "fits", counted)
    run(story())
    assert checked == [True, False, False]


def test_only_whoever_knows_the_password_learns_that_an_account_is_barred() -> None:
    async def story() -> None:
        async with Desk() as desk:
            ann = await desk.ann()
            await desk.signin.change_person(replace(ann, barred=True))

            assert await desk.code("ann", "wrong") == "signin/wrong"
            assert await desk.code("ann", PASSWORD) == "signin/barred"
            assert await desk.papers.sessions() == []
            assert [one.kind for one in desk.reported] == ["sign-in failed", "sign-in refused"]

    run(story())


def test_a_password_changed_while_it_is_checked_counts_no_more() -> None:
    class Slow(Papers):
        async def add_session(self, session: Session) -> None:
            await super().add_session(session)
            (ann,) = await self.people()
            await self.change_person(replace(ann, password="another"))

    async def story() -> None:
        async with Desk(kind=Slow) as desk:
            await desk.ann()
            assert await desk.code("ann", PASSWORD) == "signin/wrong"
            assert await desk.papers.sessions() == []

    run(story())


# --- guessing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_an_account_locks_after_too_many_failures_whether_it_exists_or_not(name: str) -> None:
    async def story() -> None:
        async with Desk("attempts_account = 3\nwindow_minutes = 15") as desk:
            await desk.ann()
            for number in range(3):
                assert await desk.code(name, "wrong", f"203.0.113.{number}") == "signin/wrong"
            desk.clock.pass_by(seconds=60)

            with pytest.raises(Refusal) as refused:
                await desk.signin.sign_in(name, PASSWORD, "203.0.113.9")
            assert refused.value == Refusal("signin/too-many", {"seconds": 840})

            desk.clock.pass_by(seconds=840)
            assert await desk.code("ann", PASSWORD) == ""

    run(story())


def test_an_address_locks_whatever_names_it_tries() -> None:
    async def story() -> None:
        async with Desk("attempts_address = 3") as desk:
            await desk.ann()
            for number in range(3):
                await desk.code(f"name {number}", "wrong")

            assert await desk.code("ann", PASSWORD) == "signin/too-many"
            assert await desk.code("ann", PASSWORD, "198.51.100.1") == ""

    run(story())


def test_a_customers_whole_ipv6_network_is_one_address() -> None:
    async def story() -> None:
        async with Desk("attempts_address = 2") as desk:
            await desk.ann()
            await desk.code("a", "wrong", "2001:db8::1")
            await desk.code("b", "wrong", "2001:db8::2")

            assert await desk.code("ann", PASSWORD, "2001:db8::3") == "signin/too-many"

    run(story())


def test_those_who_know_their_password_are_not_counted() -> None:
    """A hall of terminals behind one address signs in all day."""

    async def story() -> None:
        async with Desk("attempts_address = 2\nattempts_account = 2") as desk:
            await desk.ann()
            for _ in range(9):
                assert await desk.code("ann", PASSWORD) == ""

    run(story())


def test_a_stranger_cannot_lock_somebody_out_of_where_they_usually_sign_in() -> None:
    async def story() -> None:
        async with Desk("attempts_account = 2") as desk:
            await desk.signed()
            for number in range(5):
                await desk.code("ann", "wrong", f"198.51.100.{number}")

            assert await desk.code("ann", PASSWORD, "198.51.100.77") == "signin/too-many"
            assert await desk.code("ann", PASSWORD) == ""

    run(story())


def test_there_too_guesses_are_counted() -> None:
    async def story() -> None:
        async with Desk("attempts_account = 2") as desk:
            await desk.signed()
            codes = [await desk.code("ann", "wrong") for _ in range(3)]

            assert codes == ["signin/wrong", "signin/wrong", "signin/too-many"]
            assert await desk.code("ann", PASSWORD, "198.51.100.1") == ""

    run(story())


def test_somebody_signed_in_is_asked_again_and_guesses_count_the_same() -> None:
    async def story() -> None:
        async with Desk("attempts_account = 1") as desk:
            signed = await desk.signed()
            await desk.signin.confirm(signed, PASSWORD, ADDRESS)
            for code in ("signin/wrong", "signin/too-many"):
                with pytest.raises(Refusal) as refused:
                    await desk.signin.confirm(signed, "wrong", ADDRESS)
                assert refused.value.code == code

    run(story())


def test_a_new_password_does_not_let_the_barred_in_again() -> None:
    async def story() -> None:
        async with Desk() as desk:
            ann = await desk.ann()
            await desk.signin.change_person(replace(ann, barred=True))
            await desk.signin.set_password(ann, "another horse")

            assert await desk.code("ann", "another horse") == "signin/barred"

    run(story())


def test_many_guesses_at_once_are_counted_one_by_one() -> None:
    async def story() -> None:
        async with Desk("attempts_account = 3\npool = 4") as desk:
            await desk.ann()
            codes = await asyncio.gather(*(desk.code("ann", f"guess {n}") for n in range(20)))

            assert codes.count("signin/wrong") == 3
            assert codes.count("signin/too-many") == 17

    run(story())


def test_whoever_is_sent_away_because_others_wait_has_not_failed() -> None:
    async def story() -> None:
        async with Desk("attempts_account = 1") as desk:
            await desk.ann()
            desk.signin._passwords._room = 0
            assert await desk.code("ann", "wrong") == "signin/busy"
            desk.signin._passwords._room = 1
            assert await desk.code("ann", PASSWORD) == ""

    run(story())


def test_failures_and_the_lock_are_reported_once_without_what_was_typed() -> None:
    async def story() -> None:
        async with Desk("attempts_account = 2") as desk:
            ann = await desk.ann()
            for _ in range(5):
                await desk.code("ann", "typed secret")
            await desk.code("typed secret", "x")

            told = [(one.kind, one.who, one.where, one.why) for one in desk.reported]
            assert told == [
                ("sign-in failed", ann.id, ADDRESS, "wrong password"),
                ("sign-in failed", ann.id, ADDRESS, "wrong password"),
                ("account locked", ann.id, ADDRESS, "too many failed sign-ins"),
                ("sign-in failed", "", ADDRESS, "unknown name"),
            ]
            assert "secret" not in repr(desk.reported)

    run(story())


# --- how long -------------------------------------------------------------------------------------


def test_half_an_hour_without_activity_ends_a_sign_in() -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()
            for _ in range(3):
                desk.clock.pass_by(minutes=29.9)
                assert await desk.knows(signed.token)
            desk.clock.pass_by(minutes=30)

            assert not await desk.knows(signed.token)
            assert await desk.papers.sessions() == []
            assert [one.token for one in desk.ended] == [signed.token]

    run(story())


def test_listening_keeps_nobody_signed_in() -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()
            for _ in range(29):
                desk.clock.pass_by(minutes=1)
                assert await desk.knows(signed.token, active=False)
            desk.clock.pass_by(minutes=1)
            assert not await desk.knows(signed.token, active=False)

    run(story())


def test_no_sign_in_outlives_its_longest_time() -> None:
    async def story() -> None:
        async with Desk("longest_hours = 2") as desk:
            signed = await desk.signed()
            for _ in range(5):
                desk.clock.pass_by(minutes=20)
                assert await desk.knows(signed.token)
            desk.clock.pass_by(minutes=20)
            assert not await desk.knows(signed.token)

    run(story())


def test_the_store_is_asked_and_told_at_most_once_a_minute() -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()
            desk.papers.asked.clear()
            for _ in range(600):
                desk.clock.pass_by(seconds=0.5)
                assert await desk.knows(signed.token)

            assert desk.papers.asked["session"] == 5
            assert desk.papers.asked["touch_session"] == 5

    run(story())


def test_activity_is_known_to_a_server_that_starts_again() -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()
            desk.clock.pass_by(minutes=29)
            assert await desk.knows(signed.token)
            desk.signin = desk.another()
            desk.clock.pass_by(minutes=29)
            assert await desk.knows(signed.token)
            desk.signin = desk.another()
            desk.clock.pass_by(minutes=30)
            assert not await desk.knows(signed.token)

    run(story())


# --- signing out ----------------------------------------------------------------------------------


def test_signing_out_counts_at_once() -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()
            await desk.signin.who(signed.token)
            await desk.signin.sign_out(signed.token)

            assert not await desk.knows(signed.token)
            assert desk.ended == [signed]

    run(story())


@every("change", ["everywhere", "barred", "password"])
def test_all_of_a_persons_sign_ins_end_together(change: str) -> None:
    async def story() -> None:
        async with Desk() as desk:
            one = await desk.signed()
            other = await desk.signin.sign_in("ann", PASSWORD, ADDRESS)
            await desk.signin.add_person("Ben", PASSWORD, "patron")
            ben = await desk.signin.sign_in("ben", PASSWORD, ADDRESS)
            if change == "everywhere":
                assert await desk.signin.sign_out_everywhere(one.person.id) == 2
            elif change == "barred":
                await desk.signin.change_person(replace(one.person, barred=True))
            else:
                await desk.signin.set_password(one.person, "another horse")
                assert await desk.code("ann", PASSWORD) == "signin/wrong"

            assert not await desk.knows(one.token)
            assert not await desk.knows(other.token)
            assert await desk.knows(ben.token)

    run(story())


def test_another_servers_sign_out_is_noticed_within_a_minute() -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()
            await desk.another().sign_out(signed.token)
            desk.clock.pass_by(minutes=1)
            assert not await desk.knows(signed.token)

    run(story())


def test_a_sign_out_while_a_session_is_looked_up_is_not_lost() -> None:
    class Slow(Papers):
        gate: asyncio.Event | None = None

        async def session(self, token_hash: bytes) -> Session | None:
            found = await super().session(token_hash)
            if self.gate is not None:
                await self.gate.wait()
            return found

    async def story() -> None:
        async with Desk(kind=Slow) as desk:
            signed = await desk.signed()
            desk.signin = desk.another()
            gate = Slow.gate = asyncio.Event()
            looking = asyncio.create_task(desk.knows(signed.token))
            await until(lambda: desk.papers.asked["session"])
            await desk.signin.sign_out(signed.token)
            gate.set()

            assert await looking is False
            assert not await desk.knows(signed.token)

    run(story())


@every("token", [None, "", "x", "x" * 43, "x" * 10_000, "\ud800", "é" * 43])
def test_what_is_no_token_is_nobody(token: str | None) -> None:
    async def story() -> None:
        async with Desk() as desk:
            await desk.signed()
            with pytest.raises(Refusal) as refused:
                await desk.signin.who(token)
            assert refused.value.code == "signin/needed"

    run(story())


def test_memory_is_bounded_and_who_falls_out_of_it_stays_signed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_CACHED", 2)

    async def story() -> None:
        async with Desk() as desk:
            await desk.ann()
            tokens = [(await desk.signin.sign_in("ann", PASSWORD, ADDRESS)).token for _ in range(5)]
            assert len(desk.signin._held) == 2
            assert all([await desk.knows(token) for token in tokens])
            assert len(desk.signin._held) == 2
            assert await desk.signin.sign_out_everywhere((await desk.papers.people())[0].id) == 5
            assert not any([await desk.knows(token) for token in tokens])

    run(story())


# --- requests of our own pages --------------------------------------------------------------------


@every("header", [None, "", "x", "é", "\ud800"])
def test_a_request_without_the_right_header_is_refused(header: str | None) -> None:
    async def story() -> None:
        async with Desk() as desk:
            signed = await desk.signed()
            desk.signin.check_csrf(signed, signed.csrf)
            with pytest.raises(Refusal) as refused:
                desk.signin.check_csrf(signed, header)
            assert refused.value.code == "signin/csrf"

    run(story())


# --- people ---------------------------------------------------------------------------------------


def test_an_id_says_nothing_about_a_person() -> None:
    async def story() -> None:
        async with Desk() as desk:
            ann = await desk.ann()
            olga = await desk.signin.add_person(
                "Olga", PASSWORD, "staff", "pit supervisor", "zh-Hans"
            )

            assert re.fullmatch(r"p-[a-z2-7]{10}", ann.id)
            assert re.fullmatch(r"s-[a-z2-7]{10}", olga.id)
            assert (olga.role, olga.language, olga.barred) == ("pit supervisor", "zh-Hans", False)
            assert ann.id.encode() in desk.written()
            assert PASSWORD.encode() not in desk.written()

    run(story())


@every(
    ("person", "code"),
    [
        (("", PASSWORD, "patron"), "name"),
        (("   ", PASSWORD, "patron"), "name"),
        (("x" * 65, PASSWORD, "patron"), "name"),
        (("a\0b", PASSWORD, "patron"), "name"),
        (("a\u202eb", PASSWORD, "patron"), "name"),
        (("\ud800", PASSWORD, "patron"), "name"),
        (("Ann", "1234567", "patron"), "password"),
        (("Ann", "123456789", "staff", "dealer"), "password"),
        (("Ann", "x" * 257, "patron"), "password"),
        (("Ann", PASSWORD, "guest"), "choice"),
        (("Ann", PASSWORD, "patron", "dealer"), "choice"),
        (("Ann", PASSWORD, "staff", "king"), "choice"),
        (("Ann", PASSWORD, "staff"), "choice"),
        (("Ann", PASSWORD, "patron", "", "fr"), "choice"),
    ],
)
def test_who_cannot_be_added(person: tuple[str, ...], code: str) -> None:
    async def story() -> None:
        async with Desk() as desk:
            with pytest.raises(Refusal) as refused:
                await desk.signin.add_person(*person)
            assert refused.value.code == f"signin/{code}"
            assert await desk.papers.people() == []

    run(story())


def test_a_name_is_taken_however_it_is_typed() -> None:
    async def story() -> None:
        async with Desk() as desk:
            await desk.ann()
            with pytest.raises(Refusal) as refused:
                await desk.signin.add_person(" ANN", PASSWORD, "patron")
            assert refused.value.code == "store/person"

    run(story())


def test_the_shortest_passwords_that_will_do() -> None:
    async def story() -> None:
        async with Desk() as desk:
            await desk.signin.add_person("Ann", "12345678", "patron")
            await desk.signin.add_person("Ben", "1234567890", "staff", "dealer")

    run(story())


@pytest.mark.parametrize("long", ["x" * 64, "\ufdfa" * 3])
def test_a_name_is_measured_as_it_is_kept(long: str) -> None:
    """One letter may stand for many: it is the many that must fit."""
    assert len(plain(long)) <= 64
    assert plain("\ufdfa" * 64) == ""
