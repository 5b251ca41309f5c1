"""Studies on request: the same as the lab's own, in a process that no table waits for."""

import json
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from cutcard.lab import Limits, distribution, per_hour, ruin
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.server.studied import SESSIONS, STUDIES, STUDIES_A_MINUTE, Studied, study_document
from tests.patience import PATIENCE
from tests.server.house import House

pytestmark = pytest.mark.anyio
BOOK = load("rws-commission")
HERE = "203.0.113.7"


@pytest.fixture(scope="module")
async def studied() -> AsyncIterator[Studied]:
    found = Studied()
    yield found
    found.close()


def as_told(document: dict[str, object]) -> Any:
    return json.loads(json.dumps(document))


async def test_a_study_is_the_labs_own(studied: Studied) -> None:
    told = await studied.ask("distribution", BOOK, {"bet": "tie", "rounds": 30}, HERE, 0)

    assert told == distribution(BOOK, "tie", 30).document()


async def test_over_the_api(etg: House, studied: Studied, monkeypatch: pytest.MonkeyPatch) -> None:
    # One process for all these tests; the house closes its own.
    monkeypatch.setattr(etg.server, "studied", studied)
    async with httpx.AsyncClient(base_url=f"{etg.url}/api/v1/books", timeout=PATIENCE) as http:
        hour = await http.get("/rws-commission/studies/per-hour?stake=200&rounds=60&decks=6")
        none = await http.get("/rws-commission/studies/astrology")
        bad = await http.get("/rws-commission/studies/distribution?bet=dragon")
        long = await http.get("/rws-commission/studies/distribution?rounds=2001")

    assert hour.json() == as_told(per_hour(BOOK, 200, 60, 6).document())
    assert (none.status_code, none.json()["code"]) == (404, "lab/study")
    assert (bad.status_code, bad.json()["code"]) == (409, "bet/not-offered")
    assert long.status_code == 400


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_has_an_answer_without_a_wish(study: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("cutcard.server.studied.SESSIONS", 20)
    monkeypatch.setattr("cutcard.server.studied.SHOES_COUNTED", 2)
    monkeypatch.setattr("cutcard.server.studied.SHOES_CUT", 4)
    told = study_document(study, json.dumps(BOOK.written), BOOK.cited, {})

    assert told["study"] == study
    assert as_told(told)["book"] == BOOK.id


def test_ruin_plays_as_many_sessions_as_the_server_allows() -> None:
    wishes: dict[str, int | str] = {
        "bet": "player",
        "stake": 50,
        "bankroll": 1_000,
        "maximum": 400,
        "rounds": 20,
    }
    told = study_document("ruin", json.dumps(BOOK.written), BOOK.cited, wishes)

    limits = Limits(1_000, 50, 50, 400)
    assert told == ruin(BOOK, "player", limits, 20, sessions=SESSIONS).document()


async def test_a_study_is_worked_out_once_for_everybody(studied: Studied) -> None:
    wishes = {"rounds": 31}
    first = await studied.ask("distribution", BOOK, wishes, HERE, 0)

    for other in range(STUDIES_A_MINUTE + 5):
        assert await studied.ask("distribution", BOOK, wishes, f"10.0.0.{other}", 0) is first


async def test_one_address_may_ask_for_only_so_many(studied: Studied) -> None:
    for rounds in range(1, STUDIES_A_MINUTE + 1):
        await studied.ask("distribution", BOOK, {"rounds": rounds}, "203.0.113.9", 0)

    with pytest.raises(Refusal) as refused:
        await studied.ask("distribution", BOOK, {"rounds": 99}, "203.0.113.9", 0)

    assert refused.value.code == "server/too-often"


async def test_a_process_that_dies_is_replaced(studied: Studied) -> None:
    await studied.ask("per-hour", BOOK, {"stake": 7}, "203.0.113.10", 0)
    assert studied._pool is not None
    for pid in list(studied._pool._processes):
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(Refusal, match="5 seconds"):
        await studied.ask("per-hour", BOOK, {"stake": 8}, "203.0.113.10", 0)
    told = await studied.ask("per-hour", BOOK, {"stake": 8}, "203.0.113.10", 0)
    assert told == per_hour(BOOK, 8).document()


async def test_a_study_that_takes_too_long_is_given_up(
    studied: Studied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process ends, so that the next one is not kept waiting."""
    await studied.ask("per-hour", BOOK, {"stake": 10}, "203.0.113.11", 0)
    assert studied._pool is not None
    for pid in studied._pool._processes:
        # It stands still, and so answers nothing, however fast the machine is.
        os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr("cutcard.server.studied.MOST_SECONDS", 0.001)
    with pytest.raises(Refusal, match="too long"):
        await studied.ask("per-hour", BOOK, {"stake": 9}, "203.0.113.11", 0)

    assert studied._pool is None


async def test_without_its_packages_the_lab_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cutcard.server.studied.find_spec", lambda name: None)

    with pytest.raises(Refusal, match=r"cutcard\[lab\]"):
        await Studied().ask("per-hour", BOOK, {}, HERE, 0)
