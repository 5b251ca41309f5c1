"""The commands about numbers: exact odds, certificates, designs."""

from pathlib import Path
from typing import Annotated

import typer

from cutcard.cli.app import Book, Decks, Json, app, spot_typed, terminal, write
from cutcard.cli.draw import odds as draw
from cutcard.odds import Composition, effect_of_removal
from cutcard.odds import odds as exact_odds
from cutcard.odds.certificate import certificate
from cutcard.odds.design import design as design_bet
from cutcard.odds.design import parse_target
from cutcard.odds.sheets import html, markdown
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.rulebook import Rulebook

ShoeText = Annotated[
    str | None, typer.Option("--shoe", help='What is in the shoe: "A=31,2=32,…" or "9h=8,…".')
]
Removed = Annotated[str, typer.Option("--remove", help='Cards that have left it, such as "9h 9s".')]


def shoe_of(book: Rulebook, decks: int | None, shoe: str | None, removed: str) -> Composition:
    """The shoe that was asked for: fresh decks or a composition, less what was removed."""
    number = book.decks_for(decks)
    full = Composition.of_decks(number) if shoe is None else Composition.parse(shoe)
    full.check(number if decks is not None else book.decks.most, book.decks.clause)
    cards = parse_cards(removed)
    return full.without(cards) if cards else full


@app.command()
def odds(
    book: Book,
    decks: Decks = None,
    shoe: ShoeText = None,
    remove: Removed = "",
    removal: Annotated[
        bool, typer.Option("--removal", help="Also the effect of removing each rank.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Exact odds of every bet: chances, edge, RTP and variance, for any shoe."""
    found = load(book)
    composition = shoe_of(found, decks, shoe, remove)
    priced = exact_odds(found, composition)
    effects = effect_of_removal(found, composition) if removal else {}
    if as_json:
        document = priced.document()
        if removal:
            document["removal"] = {
                spot: {rank.value: str(change) for rank, change in changes.items()}
                for spot, changes in effects.items()
            }
        write(document)
    else:
        console = terminal()
        console.print(draw.odds(priced))
        if removal:
            console.print(draw.removal(priced, effects))


@app.command()
def certify(
    book: Book,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="x.html or x.md.")] = None,
    decks: Decks = None,
    shoe: ShoeText = None,
    remove: Removed = "",
    as_json: Json = False,
) -> None:
    """Write the certificate of a book: every exact figure on one sheet."""
    if output is not None and output.suffix not in (".html", ".md"):
        raise typer.BadParameter("a certificate is written as .html or .md", param_hint="-o")
    found = load(book)
    sheet = certificate(found, shoe_of(found, decks, shoe, remove))
    text = html(sheet) if output is not None and output.suffix == ".html" else markdown(sheet)
    if output is not None:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise typer.BadParameter(f"{output}: {error.strerror}", param_hint="-o") from None
    if as_json:
        made = {"markdown": text} if output is None else {"file": str(output)}
        write({"book": found.id, "hash": found.hash, **made})
    elif output is None:
        print(text, end="")
    else:
        terminal().print(f"Certificate of {found.name} written to {output}.")


@app.command()
def design(
    book: Book,
    bet: Annotated[str, typer.Option("--bet", help="The spot whose odds are to be designed.")],
    target_edge: Annotated[str, typer.Option("--target-edge", help="The edge wanted, such as 5%.")],
    decks: Decks = None,
    as_json: Json = False,
) -> None:
    """Say which odds would give a bet a wanted edge, and what each step does."""
    found = load(book)
    made = design_bet(
        found, spot_typed(found, bet), parse_target(target_edge), shoe_of(found, decks, None, "")
    )
    if as_json:
        write(made.document())
    else:
        terminal().print(draw.design(made))
