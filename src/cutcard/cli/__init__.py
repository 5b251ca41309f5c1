"""The command line: `cutcard`.

Every command has a `--json` form for programs. Whatever is wrong with the input
ends in one sentence and exit code 2, never in a traceback.
"""

import json
import sys
from collections.abc import Sequence

import typer

from cutcard.cli.app import app, terminal
from cutcard.refusals import LANGUAGES, Refusal

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(given))


def run(arguments: list[str]) -> int:
    """Run one command; the exit code is 0, or 2 for refused input."""
    try:
        code = app(args=arguments or ["--help"], prog_name="cutcard", standalone_mode=False)
        sys.stdout.flush()
    except Refusal as refusal:
        return _refuse(refusal.document(_language(arguments)), arguments)
    except typer.TyperException as error:
        sentence = f"{error}".strip() or "Say which command: see cutcard --help."
        return _refuse({"code": "usage", "message": sentence, "clause": None}, arguments)
    except (typer.Abort, KeyboardInterrupt):
        terminal().print("[dim]stopped[/]")
        return 130
    except BrokenPipeError:
        # The reader of our output has seen enough (`cutcard deal … | head`).
        sys.stdout = None
        return 0
    return code if isinstance(code, int) else 0


def _refuse(error: dict[str, object], arguments: list[str]) -> int:
    if "--json" in arguments:
        print(json.dumps({"error": error}, ensure_ascii=False))
    else:
        where = f", {error['clause']}" if error["clause"] else ""
        print(f"{error['message']} [{error['code']}{where}]", file=sys.stderr)
    return 2


def _language(arguments: list[str]) -> str:
    """The language asked for, known even when the command itself was refused."""
    for place, word in enumerate(arguments):
        value = word.partition("=")[2] if "=" in word else "".join(arguments[place + 1 : place + 2])
        if word.partition("=")[0] == "--language" and value in LANGUAGES:
            return value
    return "en"
