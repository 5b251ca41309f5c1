"""`people`: the first person of a venue, and whoever comes after."""

import asyncio
import io
import json
from pathlib import Path

import pytest

from cutcard.store import open_store
from tests.cli.asking import Ask, Said
from tests.server.house import CHEAP

PASSWORD = "a password of tests"


class People:
    """Types commands about the people of one database."""

    def __init__(self, cutcard: Ask, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self._cutcard, self.database, self._monkeypatch = cutcard, database, monkeypatch

    def __call__(self, *words: str, typed: str = PASSWORD) -> Said:
        self._monkeypatch.setattr("sys.stdin", io.StringIO(f"{typed}\n"))
        return self._cutcard("people", *words, "--database", self.database)

    def listed(self) -> list[tuple[str, str, bool]]:
        told = json.loads(self("list", "--json").out)
        return [(one["name"], one["role"], one["barred"]) for one in told["people"]]

    def noted(self) -> list[tuple[str, str, str]]:
        async def found() -> list[tuple[str, str, str]]:
            store = open_store(self.database)
            await store.open()
            names = {one.id: one.name for one in await store.people()}
            notes = await store.significant(20)
            await store.close()
            return [(one.kind, one.who, names[one.where]) for one in notes]

        return asyncio.run(found())


@pytest.fixture
def people(cutcard: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("cutcard.server.passwords.usual_hasher", lambda: CHEAP)
    return People(cutcard, f"sqlite:{tmp_path / 'venue.db'}", monkeypatch)


@pytest.fixture
def empty(people: People) -> People:
    """A venue that is there, with nobody in it."""

    async def made() -> None:
        store = open_store(people.database)
        await store.open()
        await store.close()

    asyncio.run(made())
    return people


def test_a_venue_begins_with_nobody(empty: People) -> None:
    people = empty
    assert "cutcard people add" in people("list").out
    assert people.listed() == []


def test_staff_and_patrons(people: People) -> None:
    assert people("add", "Shi", "--role", "shift manager").out == (
        "shi may sign in as shift manager.\n"
    )
    assert people("add", "ann", "--speaks", "zh-Hans").out == "ann may sign in as patron.\n"

    assert people.listed() == [("ann", "patron", False), ("shi", "shift manager", False)]
    assert "ann                      patron" in people("list").out
    assert people.noted() == [
        ("person added", "command line", "ann"),
        ("person added", "command line", "shi"),
    ]


def test_a_bar_and_a_new_password(people: People) -> None:
    people("add", "ann")
    before = people("password", "ANN", typed="another password")
    assert people("bar", "ann").out == "ann may sign in no more.\n"
    assert people.listed() == [("ann", "patron", True)]
    assert people("unbar", "ann").out == "ann may sign in again.\n"

    assert before.out == "ANN has a new password.\n"
    assert people.listed() == [("ann", "patron", False)]
    assert [kind for kind, _, _ in people.noted()] == [
        "person admitted",
        "person barred",
        "password changed",
        "person added",
    ]


@pytest.mark.parametrize(
    ("words", "typed", "code"),
    [
        (("add", "ann"), PASSWORD, "store/person"),
        (("add", "ben"), "short", "signin/password"),
        (("add", "ben", "--role", "boss"), PASSWORD, "signin/choice"),
        (("add", "ben", "--speaks", "fr"), PASSWORD, "signin/choice"),
        (("add", " "), PASSWORD, "signin/name"),
        (("bar", "nobody"), "", "store/nobody"),
        (("password", "nobody"), PASSWORD, "store/nobody"),
    ],
)
def test_what_is_refused(people: People, words: tuple[str, ...], typed: str, code: str) -> None:
    people("add", "ann")

    said = people(*words, typed=typed)

    assert (said.code, said.out) == (2, "")
    assert f"[{code}]" in said.err
    assert people.listed() == [("ann", "patron", False)]


@pytest.mark.parametrize(
    "words",
    [
        ("people", "list"),
        ("people", "password", "ann"),
        ("people", "bar", "ann"),
        ("people", "unbar", "ann"),
        ("people", "bots", "--password", PASSWORD),
        ("backup", "copy.db"),
    ],
    ids=" ".join,
)
def test_a_mistyped_database_becomes_no_venue(
    cutcard: Ask, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))

    said = cutcard(*words, "--database", "sqlite:typo.db")

    assert (said.code, said.out) == (2, "")
    assert said.err == (
        "The database does not answer: typo.db: there is no such file. [store/away]\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_without_a_demonstration_nobody_is_listed_and_nothing_made(
    cutcard: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert "[store/away]" in cutcard("people", "list").err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("copy", "made"), [("nothing.db", 0), ("empty.db", 1)])
def test_who_restores_nothing_makes_nothing(
    cutcard: Ask, copy: str, made: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if made:
        (tmp_path / copy).touch()

    said = cutcard("restore", copy, "--database", "sqlite:restored.db")

    assert (said.code, said.out) == (2, "")
    assert "[store/copy]" in said.err
    assert len(list(tmp_path.iterdir())) == made


def test_a_venue_is_copied_and_restored(people: People, cutcard: Ask, tmp_path: Path) -> None:
    people("add", "ann")
    copy = str(tmp_path / "copy.db")

    assert cutcard("backup", copy, "--database", people.database).code == 0
    people.database = f"sqlite:{tmp_path / 'restored.db'}"
    assert cutcard("restore", copy, "--database", people.database).code == 0

    assert people.listed() == [("ann", "patron", False)]


def test_bots_are_made_by_the_dozen(empty: People) -> None:
    people = empty
    said = people("bots", "--password", PASSWORD, "--count", "3")

    assert said.out == "3 added, 0 were there already.\n"
    assert [name for name, _, _ in people.listed()] == ["bot1", "bot2", "bot3"]
