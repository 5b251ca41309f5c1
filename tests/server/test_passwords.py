"""Passwords: strong by default, checked by few threads, refused rather than piled up."""

import asyncio
import threading

import pytest
from argon2 import Type, extract_parameters

from cutcard.refusals import Refusal
from cutcard.server.passwords import WAITING, Passwords, usual_hasher
from cutcard.wire.words import LONGEST_PASSWORD
from tests.cases import every
from tests.patience import PATIENCE, until
from tests.server.people import CHEAP


def test_the_usual_hashes_are_as_strong_as_owasp_asks() -> None:
    parameters = extract_parameters(usual_hasher().hash("x"))

    assert parameters.type is Type.ID
    assert (parameters.memory_cost, parameters.time_cost, parameters.parallelism) == (47_104, 1, 1)


@every(
    ("kept", "tried", "fits"),
    [
        ("correct horse", "correct horse", True),
        ("correct horse", "Correct horse", False),
        ("correct horse", "", False),
        ("caf\u00e9 au lait", "cafe\u0301 au lait", True),
        ("x" * LONGEST_PASSWORD, "x" * LONGEST_PASSWORD, True),
        ("x" * LONGEST_PASSWORD, "x" * (LONGEST_PASSWORD + 1), False),
        ("\ud800 half a letter", "\ud800 half a letter", True),
        ("nul\0byte", "nul\0other", False),
    ],
)
def test_what_fits(kept: str, tried: str, fits: bool) -> None:
    async def check() -> bool:
        passwords = Passwords(1, CHEAP)
        return await passwords.fits(await passwords.hash(kept), tried)

    assert asyncio.run(check()) is fits


@every("kept", [None, "", "no hash", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA"])
@every("tried", ["", "correct horse", "x" * 10_000])
def test_nothing_fits_where_there_is_no_hash(kept: str | None, tried: str) -> None:
    assert asyncio.run(Passwords(1, CHEAP).fits(kept, tried)) is False


def test_nobody_takes_as_much_work_as_somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in work, not in time, which a busy machine would blur."""
    work: list[str] = []

    async def check() -> None:
        passwords = Passwords(1, CHEAP)
        kept = await passwords.hash("correct horse")
        verify = passwords._verify

        def counted(kept: str, secret: bytes) -> bool:
            work.append(kept)
            return verify(kept, secret)

        monkeypatch.setattr(passwords, "_verify", counted)
        for one in (kept, None):
            assert not await passwords.fits(one, "wrong")

    asyncio.run(check())
    costs = [extract_parameters(one) for one in work]
    assert len(costs) == 2
    assert (costs[0].memory_cost, costs[0].time_cost) == (costs[1].memory_cost, costs[1].time_cost)


def test_those_who_would_wait_too_long_are_refused_and_room_comes_back() -> None:
    async def check() -> None:
        passwords, gate = Passwords(1, CHEAP), threading.Event()
        waiting = [
            asyncio.create_task(passwords._work(lambda: gate.wait(PATIENCE)))
            for _ in range(1 + WAITING)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Refusal) as refused:
            await passwords.fits(None, "x")
        assert refused.value.code == "signin/busy"
        # Whoever hangs up leaves the work behind, and with it the place in the queue.
        waiting[0].cancel()
        await asyncio.sleep(0)
        with pytest.raises(Refusal):
            await passwords.fits(None, "x")
        gate.set()
        await asyncio.gather(*waiting, return_exceptions=True)
        await until(lambda: passwords._room == 1 + WAITING, "room for everybody")
        assert await passwords.fits(None, "x") is False
        assert passwords._room == 1 + WAITING

    asyncio.run(check())
