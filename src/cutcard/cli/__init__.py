"""The command line: `cutcard`.

Every command that tells something has a `--json` form for programs. Whatever is wrong with the
input ends in one sentence and exit code 2, never in a traceback.
"""

import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import typer

from cutcard.cli.app import app
from cutcard.refusals import LANGUAGES, Refusal

OWN = ("rulebooks", "show", "settle", "deal", "roads", "clauses", "demo")
MODULES = {
    "audit": "audit",
    "bots": "bots",
    "drill": "drill",
    "floor": "floor",
    "simulate": "lab",
    "odds": "numbers",
    "certify": "numbers",
    "design": "numbers",
    "verify": "packs",
    "pack": "packs",
    "people": "people",
    "rng": "rng",
    "serve": "serve",
    "openapi": "serve",
    "backup": "serve",
    "restore": "serve",
    "study": "study",
}
"""Where each command is that is not of cutcard.cli.app."""

REFUSED, FAILED, STOPPED = 2, 1, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    _open_streams()
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments)))


def run(arguments: list[str]) -> int:
    """Run one command: 0 when done, 2 for refused input."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is written as an escape, never as a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code = 0
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # The reader of our output has seen enough (`cutcard deal … | head`); rich turns the
        # broken pipe into an exit.
        _write_nowhere()
    except OSError as error:
        print(f"The output cannot be written: {error.strerror}.", file=sys.stderr)
        _write_nowhere()
        return FAILED
    if code == STOPPED:
        print("stopped", file=sys.stderr)
    return code


def read_commands(word: str) -> None:
    """Read the module of one command, which is soon done; for any other word, all of them."""
    if word not in OWN:
        for module in [MODULES[word]] if word in MODULES else MODULES.values():
            import_module(f"cutcard.cli.{module}")


def _run(arguments: list[str]) -> int:
    read_commands(arguments[0] if arguments else "")
    try:
        code = app(args=arguments or ["--help"], prog_name="cutcard", standalone_mode=False)
    except Refusal as refusal:
        return _refuse(refusal.document(_language(arguments)), arguments)
    except typer.TyperException as error:
        sentence = error.format_message() if hasattr(error, "format_message") else str(error)
        return _refuse({"code": "usage", "message": sentence, "clause": None}, arguments)
    except (typer.Abort, KeyboardInterrupt):
        return STOPPED
    return code if isinstance(code, int) else 0


def _refuse(error: dict[str, object], arguments: list[str]) -> int:
    where = f", {error['clause']}" if error["clause"] else ""
    sentence = " ".join(str(error["message"]).split())
    try:
        if "--json" in arguments:
            print(json.dumps({"error": error}, ensure_ascii=False), flush=True)
        else:
            print(f"{sentence} [{error['code']}{where}]", file=sys.stderr)
    except BrokenPipeError:
        # Refused all the same.
        _write_nowhere()
    return REFUSED


def _open_streams() -> None:
    """Open what was closed before us (`>&-`), so that no file of ours is taken for it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _write_nowhere() -> None:
    """Let nothing more be written, not even by the interpreter as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _language(arguments: list[str]) -> str:
    """The language asked for, known even when the command itself was refused."""
    for place, word in enumerate(arguments):
        name, _, value = word.partition("=")
        if name == "--language":
            value = value or "".join(arguments[place + 1 : place + 2])
            return value if value in LANGUAGES else "en"
    return "en"
