"""run.py: what can be proved of the set-up without a network."""

import ast
import contextlib
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import run
from tests.cases import every

ROOT = Path(run.__file__).parent


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project folder with a lock, in place of the real one."""
    for name, path in (
        ("ROOT", tmp_path),
        ("VENV", tmp_path / ".venv"),
        ("STAMP", tmp_path / ".venv" / "cutcard-stamp"),
        ("LOCK", tmp_path / "requirements.lock"),
        ("PYPROJECT", tmp_path / "pyproject.toml"),
    ):
        monkeypatch.setattr(run, name, path)
    (tmp_path / "requirements.lock").write_text("typer==1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    return tmp_path


@pytest.fixture
def installs(house: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Set-up in `house` with its slow steps replaced; the list tells which were taken."""
    taken: list[str] = []

    def make_venv() -> None:
        taken.append("make_venv")
        shutil.rmtree(house / ".venv", ignore_errors=True)
        for name in ("python", "cutcard"):
            program = Path(run.tool(name))
            program.parent.mkdir(parents=True, exist_ok=True)
            program.touch()

    monkeypatch.setattr(run, "make_venv", make_venv)
    monkeypatch.setattr(run, "install", lambda: taken.append("install"))
    return taken


# --- the command line


@every(
    ("typed", "command", "passed_on"),
    [
        ("", "serve", []),
        ("--shoes 3", "serve", ["--shoes", "3"]),
        ("-- test", "serve", ["test"]),
        ("test", "test", []),
        ("test -- -k tie", "test", ["-k", "tie"]),
        ("test -k tie", "test", ["-k", "tie"]),
        ("mutate rules roads", "mutate", ["rules", "roads"]),
        ("lock --upgrade", "lock", ["--upgrade"]),
        ("help", "help", []),
        ("--help", "help", []),
    ],
)
def test_a_command_is_read(typed: str, command: str, passed_on: list[str]) -> None:
    assert run.parse(typed.split()) == (command, passed_on)


def test_an_unknown_command_is_named_in_the_answer() -> None:
    with pytest.raises(run.Stop, match="no command “tset”") as stop:
        run.parse(["tset"])

    assert stop.value.code == 2


def test_an_unknown_room_is_not_mutated() -> None:
    with pytest.raises(run.Stop, match="no room “kitchen”") as stop:
        run.chosen_rooms(["kitchen"])

    assert stop.value.code == 2


def test_all_rooms_are_mutated_by_default() -> None:
    rooms = ["rules", "roads", "round", "ledger", "cage", "patron", "chain", "fairness", "table"]

    assert run.chosen_rooms([]) == rooms


# --- an old Python


def test_an_old_python_is_told_what_is_needed() -> None:
    assert run.too_old((3, 8, 18)).startswith(
        "cutcard needs Python 3.11 or newer, and this is Python 3.8."
    )


@every("version", [(3, 11), (3, 11, 0), (3, 14, 1), (4, 0)])
def test_a_new_python_will_do(version: tuple[int, ...]) -> None:
    assert run.too_old(version) == ""


def test_an_old_python_can_read_as_far_as_the_sentence() -> None:
    """Otherwise it would stop at a syntax error before it could say anything."""
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))


# --- the stamp


@pytest.mark.usefixtures("house")
def test_without_a_venv_nothing_is_ready() -> None:
    assert not run.is_ready()


def test_a_second_set_up_does_nothing(installs: list[str]) -> None:
    run.set_up()
    run.set_up()

    assert installs == ["make_venv", "install"]


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_a_changed_lock_is_installed_into_the_same_venv(
    house: Path, installs: list[str], name: str
) -> None:
    run.set_up()
    (house / name).write_text("# changed\n")
    run.set_up()

    assert installs == ["make_venv", "install", "install"]


def test_another_python_gets_another_venv(
    installs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.set_up()
    monkeypatch.setattr(sys, "version", "3.99.0 (later)")
    run.set_up()

    assert installs == ["make_venv", "install"] * 2


def test_a_moved_folder_gets_another_venv(
    house: Path, installs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.set_up()
    monkeypatch.setattr(run, "ROOT", house / "..")
    monkeypatch.setattr(run, "alone", contextlib.nullcontext)
    run.set_up()

    assert installs == ["make_venv", "install"] * 2


def test_a_venv_without_its_python_is_made_anew(installs: list[str]) -> None:
    run.set_up()
    Path(run.tool("python")).unlink()
    run.set_up()

    assert installs == ["make_venv", "install"] * 2


def test_an_interrupted_set_up_is_begun_again(
    house: Path, installs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    run.set_up()
    (house / "requirements.lock").write_text("typer==2\n")
    with monkeypatch.context() as patch:
        patch.setattr(run, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.set_up()
    run.set_up()

    assert installs == ["make_venv", "install"] * 2


def test_a_missing_lock_is_named(house: Path) -> None:
    (house / "requirements.lock").unlink()

    with pytest.raises(run.Stop, match=r"requirements\.lock is missing"):
        run.set_up()


# --- the installers


def test_the_lock_pins_uv() -> None:
    ours, others = run.split_lock((ROOT / "requirements.lock").read_text(encoding="utf-8"))

    assert re.match(r"uv==[\d.]+ ", ours)
    assert "--hash=sha256:" in ours
    assert "\nuv==" not in others


def test_every_package_of_pyproject_is_locked() -> None:
    """A dependency added without `python3 run.py lock` is found here, not on a fresh machine."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for group in project["dependency-groups"].values():
        wanted += [entry for entry in group if isinstance(entry, str)]
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))

    assert {re.split(r"[^\w-]", entry)[0] for entry in wanted} <= locked


def test_pips_settings_reach_uv() -> None:
    listing = "\n".join(
        (
            "global.index-url='https://mirror.example/simple'",
            "global.extra-index-url='\\nhttps://a.example\\nhttps://b.example'",
            "global.timeout='60'",
            "install.trusted-host='mirror.example'",
            "freeze.cert='/elsewhere.pem'",
            ":env:.index-url='https://nearer.example/simple'",
        )
    )

    assert run.translate(run.pip_settings(listing)) == {
        "UV_DEFAULT_INDEX": "https://nearer.example/simple",
        "UV_INDEX": "https://a.example https://b.example",
        "UV_INSECURE_HOST": "mirror.example",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }


@every(
    ("output", "verdict"),
    [
        ("[Errno -3] Temporary failure in name resolution", True),
        ("Caused by: dns error: failed to lookup address information", True),
        ("NewConnectionError: [Errno 111] Connection refused", True),
        ("Hash mismatch for `typer==0.1`", False),
    ],
)
def test_a_missing_network_is_told_from_other_trouble(output: str, verdict: bool) -> None:
    assert run.cannot_connect(output) is verdict


@pytest.mark.usefixtures("house")
def test_without_ensurepip_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise run.Failed("... because ensurepip is not available.")

    monkeypatch.setattr(run, "step", fail)

    with pytest.raises(run.Stop, match="apt install python3-venv"):
        run.make_venv()


# --- what no file of the repository may hold

# Put together here, so that this file does not hold them itself.
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("python" + "hosted", "org"),
        ("pypi", "python", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("deb", "debian", "org"),
    )
]
# Folders of one machine, at the start of a path and not inside an address.
PLACES = "|".join(("work", "root", re.escape(str(Path.home()).strip("/")) or "root"))
FORBIDDEN = re.compile(
    "|".join(re.escape(host) for host in REGISTRIES) + rf"|(?<![\w.~/-])/(?:{PLACES})/",
    re.IGNORECASE,
)


def texts() -> Iterator[tuple[str, str]]:
    """Every file that git tracks or would track."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, so nothing tells which files belong to it")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        path = ROOT / name
        if path.is_file():
            yield name, path.read_bytes().decode(errors="replace")


def test_no_file_names_a_registry_or_a_folder_of_one_machine() -> None:
    found = [
        f"{name}:{text.count(chr(10), 0, hit.start()) + 1}: {hit[0]}"
        for name, text in texts()
        for hit in FORBIDDEN.finditer(text)
    ]

    assert found == []


def test_the_search_finds_what_it_forbids() -> None:
    assert FORBIDDEN.search("https://" + REGISTRIES[0] + "/simple")
    assert FORBIDDEN.search('path = "/' + 'work/main"')
    # Inside an address or a longer path these are ordinary words.
    assert not FORBIDDEN.search("https://example.org/" + "work/of/art")
    assert not FORBIDDEN.search("docs/" + "root/index.md")


def test_ci_calls_the_command_of_the_readme() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert lines[-1] == "python3 run.py test"
