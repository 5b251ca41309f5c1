"""The command line as a program: exit codes, languages, and streams that go wrong."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from cutcard import __main__, cli
from cutcard.cli.app import app
from tests.cases import every
from tests.patience import PATIENCE

WORDS = ["settle", "rws-commission", "2h 3s 9c / 5d Kc", "--bet", "banker=100"]


def test_every_command_is_where_it_is_looked_for() -> None:
    """Only the module of the command that is asked for is read."""
    cli.read_commands("every one of them")
    commands = [one.callback for one in app.registered_commands]
    found = {one.__name__: one.__module__ for one in commands if one is not None}
    for group in app.registered_groups:
        first = ((group.typer_instance and group.typer_instance.registered_commands) or [])[0]
        assert first.callback is not None
        found[str(group.name)] = first.callback.__module__

    wanted = {word: f"cutcard.cli.{module}" for word, module in cli.MODULES.items()}
    own = dict.fromkeys(cli.OWN, "cutcard.cli.app")
    assert found == {**wanted, **own}


@pytest.mark.parametrize("words", [[], ["serve"], ["odds", "--help"], ["pack", "x", "y"]])
def test_the_version_comes_before_any_command(words: list[str]) -> None:
    said = program(["--version", *words])

    assert (said.returncode, said.stderr) == (0, b"")
    assert said.stdout.startswith(b"cutcard ")


def program(
    words: Sequence[str | bytes], encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    """`python -m cutcard …` as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cutcard", *words],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=PATIENCE,
        check=False,
    )


def unread(words: Sequence[str]) -> tuple[int, bytes]:
    """Exit code and standard error when nobody reads the output any more (`… | head -0`)."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "cutcard", *words],
            stdout=gone,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            timeout=PATIENCE,
            check=False,
        )
    return done.returncode, done.stderr


# --- the program


def test_the_module_is_the_command_line() -> None:
    done = program([*WORDS, "--json"])

    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["net"] == 95


def test_the_program_leaves_with_2_and_one_line_when_it_refuses() -> None:
    done = program(["settle", "rws-commission", "2h 3s 9c / 5d Kc", "--bet", "banker=30"])

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [
        "A stake of 30 on Banker would not pay in whole units: use a multiple of 20. "
        "[bet/off-step, HOUSE step]"
    ]


def test_main_leaves_with_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        cli.main([*WORDS, "--json"])
    with pytest.raises(SystemExit) as refused:
        cli.main(["show", "punto"])

    assert (done.value.code, refused.value.code) == (0, 2)
    assert "punto" in capsys.readouterr().err


def test_main_reads_the_words_that_were_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["cutcard", "roads", "B", "--json"])

    with pytest.raises(SystemExit) as done:
        cli.main()

    assert done.value.code == 0
    assert json.loads(capsys.readouterr().out)["big"] == [
        {"col": 0, "row": 0, "winner": "B", "ties": 0}
    ]


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_without_a_command_the_commands_are_listed(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.run(words)

    said = capsys.readouterr().out
    assert code == 0
    for command in ("rulebooks", "show", "settle", "deal", "roads", "clauses", "demo"):
        assert command in said


@pytest.mark.parametrize(
    "command", ["rulebooks", "show", "settle", "deal", "roads", "clauses", "demo"]
)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.run([command, "--help"])

    said = capsys.readouterr().out
    assert code == 0
    assert "--json" in said


# --- languages

OFF_STEP = {
    "en": "A stake of 30 on Banker would not pay in whole units: use a multiple of 20.",
    "zh-Hans": "庄的注额 30 无法整数派彩：请使用 20 的倍数。",
    "zh-Hant": "莊的注額 30 無法整數派彩：請使用 20 的倍數。",
}
STAKE_30 = [*WORDS[:-1], "banker=30"]


@pytest.mark.parametrize("language", OFF_STEP)
@pytest.mark.parametrize("joined", [False, True], ids=["apart", "joined"])
def test_refusals_are_told_in_the_language_asked_for(
    language: str, joined: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [f"--language={language}"] if joined else ["--language", language]

    assert cli.run([*asked, *STAKE_30]) == 2
    assert capsys.readouterr().err == f"{OFF_STEP[language]} [bet/off-step, HOUSE step]\n"


@pytest.mark.parametrize("language", OFF_STEP)
def test_refusals_in_json_are_told_in_the_language_asked_for(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([f"--language={language}", *STAKE_30, "--json"]) == 2
    assert json.loads(capsys.readouterr().out) == {
        "error": {"code": "bet/off-step", "message": OFF_STEP[language], "clause": "HOUSE step"}
    }


def test_chinese_leaves_the_program_as_utf_8() -> None:
    done = program(["--language", "zh-Hans", *STAKE_30])

    assert done.stderr.decode().startswith("庄的注额 30")


@pytest.mark.parametrize("language", ["fr", "", "zh", "EN"])
def test_an_unknown_language_is_refused_with_the_known_ones(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([f"--language={language}", "rulebooks"]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert "en, zh-Hans, zh-Hant" in said.err
    assert said.err.endswith(" [usage]\n")


# --- streams


@every(
    "words",
    [
        ["deal", "rws-commission", "--seed", "7"],
        ["show", "rws-knockout", "--json"],
        ["demo", "--pace", "0"],
    ],
    ids=" ".join,
)
def test_a_reader_who_has_seen_enough_is_no_error(words: list[str]) -> None:
    """`cutcard deal … | head` ends quietly, as any well-behaved program does."""
    assert unread(words) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="only there can a stream be closed beforehand")
@pytest.mark.parametrize(
    ("words", "closed", "code"),
    [
        (["odds", "rws-commission"], 1, 0),
        (["show", "punto", "--json"], 1, 2),
        (["show", "punto"], 2, 2),
        (["people", "password", "ann", "--database", "sqlite:/no/such"], 0, 2),
    ],
    ids=["output", "refusal, json", "refusal", "input"],
)
def test_a_stream_that_was_closed_beforehand(words: list[str], closed: int, code: int) -> None:
    """`cutcard odds … >&-` ends as it would if anybody read it."""
    begin = f"import os, sys; os.close({closed}); os.execv(sys.executable, sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", begin, sys.executable, "-m", "cutcard", *words],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (done.returncode, b"Traceback" in done.stderr) == (code, False)


def test_stopped_while_the_program_is_still_being_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stop:
        def find_spec(self, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "cutcard.cli")
    monkeypatch.setattr(sys, "meta_path", [Stop()])

    with pytest.raises(SystemExit) as ended:
        __main__.main()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "stopped\n"


def test_a_refusal_that_nobody_reads_is_still_a_refusal() -> None:
    assert unread(["show", "punto", "--json"]) == (2, b"")


def test_a_reader_who_leaves_in_the_middle_is_no_error() -> None:
    """More than a pipe holds, of which one line is read."""
    with subprocess.Popen(
        [sys.executable, "-m", "cutcard", "clauses", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        first = running.stdout.readline()
        running.stdout.close()
        complaint = running.stderr.read()
        code = running.wait(timeout=PATIENCE)

    assert (first, complaint, code) == (b"{\n", b"", 0)


@pytest.mark.skipif(os.name != "posix", reason="only there may an argument be any bytes")
@pytest.mark.parametrize(
    ("words", "as_json"),
    [
        (["show", b"\xff\xfe"], False),
        (["show", b"\xff\xfe"], True),
        ([*WORDS[:-1], b"\xff=100"], True),
        (["--language", b"\xff", "rulebooks"], True),
    ],
    ids=["book", "book, json", "bet, json", "language, json"],
)
def test_bytes_that_are_no_text_are_refused(words: list[str | bytes], as_json: bool) -> None:
    done = program([*words, "--json"] if as_json else words)

    assert b"Traceback" not in done.stderr
    assert done.returncode == 2
    if as_json:
        assert set(json.loads(done.stdout.decode())["error"]) == {"code", "message", "clause"}
    else:
        assert len(done.stderr.splitlines()) == 1


@every(
    ("words", "encoding"),
    [
        (["roads", "TBBPPP"], "cp1252"),
        (WORDS, "ascii"),
        (["show", "rws-commission", "--json"], "ascii"),
        (["--language", "zh-Hans", *STAKE_30, "--json"], "cp1252"),
    ],
    ids=["roads", "settle", "show", "refusal"],
)
def test_a_terminal_without_unicode_is_no_reason_for_a_traceback(
    words: list[str], encoding: str
) -> None:
    """Output sent to a file on Windows is such a terminal; so is an old locale."""
    done = program(words, encoding)

    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)
