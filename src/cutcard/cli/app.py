"""The commands, each a thin layer between the words typed and the library call."""

import json
import sys
from collections.abc import Iterable
from re import fullmatch, sub
from typing import Annotated

import typer
from rich.console import Console

from cutcard import __version__
from cutcard.cli import draw
from cutcard.cli.demo import Demonstration
from cutcard.refusals import LANGUAGES, Refusal
from cutcard.refusals.catalogue import word
from cutcard.roads import parse
from cutcard.roads import roads as read_roads
from cutcard.rulebooks import MORE, load, printed
from cutcard.rulebooks import clauses as list_clauses
from cutcard.rulebooks import rulebooks as all_rulebooks
from cutcard.rules.dealing import deal as deal_shoe
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import MOST_STAKE
from cutcard.rules.settlement import settle as settle_bets

app = typer.Typer(
    name="cutcard",
    help="Baccarat, straight from its rulebook.",
    add_completion=False,
    rich_markup_mode="rich",
)


SLOWEST = 60
"""Seconds between the coups of a demonstration, at most."""

MOST_DIGITS = 40
"""Of a stake that is read as a number."""

Book = Annotated[str, typer.Argument(help="A rulebook's id, or the path of a file of your own.")]
Json = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]
Decks = Annotated[int | None, typer.Option("--decks", help="Decks in the shoe.")]


def terminal() -> Console:
    """Where everything for human eyes is written."""
    return Console(highlight=False, markup=False, emoji=False)


def write(document: object) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2))


@app.callback(invoke_without_command=True)
def every_command(
    language: Annotated[
        str, typer.Option("--language", help=f"Language of refusals: {', '.join(LANGUAGES)}.")
    ] = "en",
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Baccarat, straight from its rulebook."""
    if version:
        print(f"cutcard {__version__}")
        raise typer.Exit
    if language not in LANGUAGES:
        raise typer.BadParameter(f"use one of {', '.join(LANGUAGES)}", param_hint="--language")


@app.command()
def rulebooks(as_json: Json = False) -> None:
    """List the rulebooks."""
    books = all_rulebooks()
    if as_json:
        more = [printed.book_summary(book) for book in all_rulebooks(MORE)]
        write({"rulebooks": [printed.book_summary(book) for book in books], "more": more})
    else:
        terminal().print(draw.books(books, "Rulebooks"))
        terminal().print(draw.books(all_rulebooks(MORE), "More games, as data only"))


@app.command()
def show(book: Book, as_json: Json = False) -> None:
    """Show a rulebook as a patron would read it: bets, limits, tableau, clauses."""
    found = load(book)
    if as_json:
        write(printed.book_document(found, list_clauses(found)))
    else:
        terminal().print(draw.book(found, list_clauses(found)))


@app.command()
def settle(
    book: Book,
    coup: Annotated[str, typer.Argument(help='Both hands, Player first: "2h 3s 9c / 5d Kc".')],
    bet: Annotated[list[str] | None, typer.Option("--bet", help="spot=stake, repeatable.")] = None,
    decks: Decks = None,
    as_json: Json = False,
) -> None:
    """Settle bets on a finished coup: facts, each bet's net and clause, total."""
    found = load(book)
    settlement = settle_bets(found, coup, parse_bets(found, bet or ()), decks)
    if as_json:
        write(settlement.document())
    else:
        terminal().print(draw.settlement(found, settlement))


@app.command()
def deal(
    book: Book,
    seed: Annotated[int, typer.Option("--seed", help="The same seed deals the same shoe.")],
    decks: Decks = None,
    rounds: Annotated[int | None, typer.Option("--rounds", help="Stop after so many.")] = None,
    as_json: Json = False,
) -> None:
    """Deal a demonstration shoe: burn, cut card, coups, results."""
    transcript = deal_shoe(load(book), seed, decks, rounds)
    if as_json:
        write(transcript.document())
    else:
        terminal().print(draw.transcript(transcript))


@app.command()
def roads(
    results: Annotated[
        str, typer.Argument(help='Results of a shoe in order, such as "TBBPPP"; - reads a pipe.')
    ],
    as_json: Json = False,
) -> None:
    """Draw the five roads of a shoe, and the ask-roads."""
    scoreboard = read_roads(parse(_piped() if results == "-" else results))
    if as_json:
        write(scoreboard.document())
    else:
        console = terminal()
        console.print(draw.roads(scoreboard, console.width))


@app.command()
def clauses(
    book: Annotated[str | None, typer.Argument(help="Only this rulebook's clauses.")] = None,
    as_json: Json = False,
) -> None:
    """Print which clauses the software keeps, and which await a room."""
    found = None if book is None else load(book)
    listed = list_clauses(found)
    if as_json:
        write(printed.coverage_document(listed))
    elif found is None:
        terminal().print(draw.coverage(all_rulebooks(), listed))
    else:
        terminal().print(draw.coverage([found], listed))
        terminal().print(draw.clause_list(listed))


@app.command()
def demo(
    book: Annotated[str, typer.Option("--book", help="Which rulebook to deal.")] = "rws-commission",
    seed: Annotated[int, typer.Option("--seed", help="Which shoe.")] = 7,
    rounds: Annotated[int | None, typer.Option("--rounds", help="Stop after so many.")] = None,
    pace: Annotated[float | None, typer.Option("--pace", help="Seconds between coups.")] = None,
    as_json: Json = False,
) -> None:
    """Deal a demonstration shoe coup by coup, with bets settled and roads drawn."""
    if pace is not None and not 0 <= pace <= SLOWEST:
        raise typer.BadParameter(f"a pace is 0 to {SLOWEST} seconds", param_hint="--pace")
    show = Demonstration(load(book), seed, rounds)
    if as_json:
        write(show.document())
    else:
        show.play(terminal(), pace)


def _piped() -> str:
    """All that comes through a pipe; what is no text in it is for the reader to refuse."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin.read()


def parse_bets(book: Rulebook, texts: Iterable[str]) -> dict[str, int]:
    """Read `spot=stake`, each spot once."""
    bets: dict[str, int] = {}
    for text in texts:
        typed, _, stake = (part.strip() for part in text.partition("="))
        if not fullmatch(r"-?[0-9]+", stake):
            raise Refusal("bet/unreadable", {"text": text})
        spot = spot_typed(book, typed)
        if spot in bets:
            raise Refusal("bet/twice", {"spot": spot})
        if len(stake) > MOST_DIGITS:
            raise Refusal(
                "bet/stake",
                {"spot": spot, "stake": f"{stake[:MOST_DIGITS]}…", "most": MOST_STAKE},
                "HOUSE stake",
            )
        bets[spot] = int(stake)
    return bets


def spot_typed(book: Rulebook, text: str) -> str:
    """The id of the one spot that is meant by its id, its label or its name in any language.

    Whatever is none of these is given back as it is, for the book to refuse.
    """
    if text in book.spots:
        return text
    meant = {
        id
        for id, spot in book.spots.items()
        for name in (id, spot.label, *(word("spot", id, language) for language in LANGUAGES))
        if _plain(name) == _plain(text)
    }
    return meant.pop() if len(meant) == 1 else text


def _plain(name: str) -> str:
    """A name without capitals; blanks, dashes and brackets are all one."""
    return sub(r"[\W_]+", "_", name.casefold()).strip("_")
