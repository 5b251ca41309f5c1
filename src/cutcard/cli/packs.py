"""The commands that make a dispute pack and verify one."""

import json
import os
from enum import StrEnum
from pathlib import Path
from re import fullmatch
from shlex import quote
from typing import Annotated

import typer
from rich.text import Text

from cutcard.chain import anchor, parse_anchor
from cutcard.cli.app import Json, app, terminal, write
from cutcard.cli.demo import Demonstration
from cutcard.pack import Pack, Verdict, examine, rounds_of
from cutcard.pack.croupier import Croupier
from cutcard.pack.finding import many
from cutcard.pack.reading import LARGEST
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.rulebook import Rulebook

STACK = 10**9
MOST_ROUNDS = 200


class Kind(StrEnum):
    CARD = "card"
    SHOE = "shoe"
    ROUND = "round"
    TABLE = "table"


# --- verify ---------------------------------------------------------------------------------------


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="A pack: one card, a shoe, a round or a table.")],
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", help="An anchor that you saw on a display or a receipt."),
    ] = None,
    key: Annotated[
        list[str] | None, typer.Option("--key", help="A public key of the house, from elsewhere.")
    ] = None,
    commitment: Annotated[
        list[str] | None,
        typer.Option("--commitment", help="A shoe's commitment that you were shown."),
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option("--seed", help="A seed that you gave for the shoe, or its seal."),
    ] = None,
    book: Annotated[
        list[str] | None, typer.Option("--book", help="The hash of a rulebook, from elsewhere.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Work everything in a pack out again, offline, and say what holds and what does not."""
    verdict = examine(
        contents(file),
        keys=[unhex(text, "--key") for text in key or ()],
        anchors=[parse_anchor(text) for text in anchor or ()],
        commitments=[unhex(text, "--commitment") for text in commitment or ()],
        seeds=[unhex(text, "--seed") for text in seed or ()],
        books=[unhex(text, "--book") for text in book or ()],
    )
    for option, given in (("--key", key), ("--anchor", anchor)):
        if given and verdict.kind in (Kind.CARD, Kind.SHOE):
            raise Refusal("pack/not-applicable", {"option": option, "kind": verdict.kind})
    if as_json:
        write(document(verdict))
    else:
        terminal().print(drawn(verdict))
    if not verdict.holds:
        raise typer.Exit(1)


def contents(file: str) -> bytes:
    """The bytes of a file, and no more than a pack can have."""
    try:
        with open(file, "rb") as opened:
            return opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise Refusal("pack/file", {"file": file, "why": why}) from None


def unhex(text: str, option: str) -> bytes:
    if not fullmatch("[0-9a-fA-F]{64}", text.strip()):
        raise typer.BadParameter("write 64 hexadecimal digits", param_hint=option)
    return bytes.fromhex(text.strip())


def document(verdict: Verdict) -> dict[str, object]:
    """The verdict for programs."""
    return {
        "holds": verdict.holds,
        "findings": [one.document() for one in verdict.findings],
        "checked": verdict.checked,
        "remarks": verdict.remarks,
    }


def drawn(verdict: Verdict) -> Text:
    """The verdict for people: what was found stands first, what it comes to stands last."""
    page = Text()
    for finding in verdict.findings:
        page.append(f"✗ {finding}\n", style="red")
    for sentence in verdict.checked:
        page.append(f"{'✓' if verdict.holds else '·'} {sentence}\n")
    for sentence in verdict.remarks:
        page.append(f"! {sentence}\n", style="yellow")
    if verdict.holds:
        page.append("Everything in this pack holds.", style="bold green")
    else:
        number = len(verdict.findings)
        what = "1 thing is" if number == 1 else f"{number} things are"
        page.append(f"This pack does not hold: {what} wrong.", style="bold red")
    return page


# --- pack -----------------------------------------------------------------------------------------


@app.command()
def pack(
    file: Annotated[str, typer.Argument(help="A file that does not exist yet.")],
    book: Annotated[str, typer.Option("--book", help="Which rulebook to play.")] = "rws-commission",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same pack.")] = 7,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=MOST_ROUNDS, help="Rounds to play at most.")
    ] = 5,
    kind: Annotated[
        Kind, typer.Option("--kind", help="A card of the last round, it, its shoe, or everything.")
    ] = Kind.TABLE,
    as_json: Json = False,
) -> None:
    """Play a demonstration table with a verifiable shoe, and write its dispute pack."""
    # What is no file, such as /dev/stdout, may be written to.
    if os.path.isfile(file):
        raise Refusal("pack/exists", {"file": file})
    table = played(load(book), seed, rounds)
    made = made_of(table, kind)
    text = json.dumps(made, ensure_ascii=False, sort_keys=True) + "\n"
    try:
        Path(file).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise Refusal("pack/written", {"file": file, "why": why}) from None
    told = about(table, made, file)
    if as_json:
        write(told)
        return
    # A card and a shoe are in no log: there a commitment is compared, and no key.
    alone = kind in (Kind.CARD, Kind.SHOE)
    option = f"--commitment {told['commitment']}" if alone else f"--key {told['key']}"
    number = len(rounds_of(table.log.entries))
    # Lines to be copied are not broken.
    terminal().print(
        f"{file}: a {kind.value} pack of {len(text.encode()):,} bytes, {many(number, 'round')}.\n"
        f"Key {told['key']}\nCommitment {told['commitment']}\nAnchor {told['anchor']}\n"
        f"Verify it: cutcard verify {quote(file)} {option}",
        soft_wrap=True,
    )


def played(book: Rulebook, seed: int, rounds: int) -> Croupier:
    """Three patrons of simple habits play some rounds, or to the end of the shoe."""
    habits = Demonstration(book, seed)
    table = Croupier(book, seed)
    table.open({name.lower(): STACK for name in habits.balance})
    table.commit(("ann", "ben", "cho"))
    for number in range(1, rounds + 1):
        wishes = habits.bets(number)
        first = {
            patron.lower(): {spot: one for spot, one in bets.items() if not book.spots[spot].stage}
            for patron, bets in wishes.items()
        }
        # Ann always goes on with an Ante; the others look whether the card is high.
        table.round(first, lambda bet: bet.patron == "ann" or table.first_card.points > 4)
        winner = table.log.table.round.winner
        if winner is not None and winner.value != "tie":
            habits.last_winner = winner.value
        if table.over:
            break
    table.end()
    return table


def made_of(table: Croupier, kind: Kind) -> Pack:
    shoe, number = rounds_of(table.log.entries)[-1]
    match kind:
        case Kind.CARD:
            return table.card_pack(table.last_shown)
        case Kind.SHOE:
            return table.shoe_pack()
        case Kind.ROUND:
            return table.round_pack(shoe, number)
        case Kind.TABLE:
            return table.table_pack()


def about(table: Croupier, made: Pack, file: str) -> dict[str, object]:
    """What somebody who was there could have written down."""
    shoe = table.log.shoe
    last = table.log.heads[-1]
    return {
        "file": file,
        "kind": made["kind"],
        "rounds": len(rounds_of(table.log.entries)),
        "key": last.key.hex(),
        "commitment": shoe.commitment.hash.hex() if shoe else None,
        "anchor": str(anchor(last.head)),
    }
