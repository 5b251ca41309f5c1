"""Starting a server: what keeps it from opening is told in a sentence, and nothing is made."""

import asyncio
import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from cutcard.refusals import Refusal
from cutcard.server.config import Config
from cutcard.server.keys import Keys
from cutcard.server.operations import set_up_logs
from cutcard.server.running import run
from cutcard.store import open_store
from cutcard.store.snapshot import open_snapshot
from tests.patience import PATIENCE
from tests.server.crashing import phoenix
from tests.server.house import configuration

pytestmark = pytest.mark.anyio


def venue(folder: Path, **server: object) -> Config:
    found = configuration(database=f"sqlite:{folder / 'venue.db'}")
    kept = replace(found.server, keys=str(folder / "keys"), port=0, **server)  # type: ignore[arg-type]
    return replace(found, server=kept)


async def refused(config: Config) -> Refusal:
    with pytest.raises(Refusal) as caught:
        async with asyncio.timeout(PATIENCE):
            await run(config, logs="error")
    return caught.value


async def test_keys_are_made_for_a_new_venue_only(tmp_path: Path) -> None:
    config = venue(tmp_path)
    store = open_store(config.server.database)
    await store.open()
    await store.lease(["cage"], "somebody", 1, 2)
    await store.close()

    found = await refused(config)

    assert found == Refusal("server/keys-missing", {"file": config.server.keys})
    assert not Path(config.server.keys).exists()


async def test_keys_that_open_no_shoe_are_refused(tmp_path: Path) -> None:
    found = phoenix(f"sqlite:{tmp_path / 'venue.db'}", "rws-commission")
    await found.live()
    await found.deal()
    await found.die()
    found.keys = Keys(b"s" * 32, b"e" * 32)

    with pytest.raises(Refusal) as caught:
        await found.live()
    assert caught.value.code == "server/keys-other"
    await found.die()


async def test_a_certificate_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "c.pem").write_text("nonsense")
    missing = venue(tmp_path, tls_cert=str(tmp_path / "no.pem"), tls_key=str(tmp_path / "c.pem"))
    nonsense = venue(tmp_path, tls_cert=str(tmp_path / "c.pem"), tls_key=str(tmp_path / "c.pem"))

    first, second = await refused(missing), await refused(nonsense)

    assert first.code == second.code == "server/tls"
    assert first.params["file"] == str(tmp_path / "no.pem")
    assert str(tmp_path / "c.pem") in str(second)


async def test_looking_at_a_database_makes_none(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as caught:
        await open_snapshot(f"sqlite:{tmp_path / 'nothing.db'}")

    assert "there is no such file" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_what_libraries_say_is_one_line_of_json_as_well(capfd: pytest.CaptureFixture[str]) -> None:
    try:
        set_up_logs("info")
        try:
            raise ValueError("on two\nlines")
        except ValueError:
            logging.getLogger("below").exception("it broke")
        (line,) = capfd.readouterr().err.splitlines()
    finally:
        logging.basicConfig(handlers=[logging.NullHandler()], force=True)

    told = json.loads(line)
    assert (told["event"], told["level"]) == ("it broke", "error")
    assert "ValueError: on two" in told["exception"]
