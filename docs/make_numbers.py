"""Writes numbers.md from the engine: `python docs/make_numbers.py`. A test holds the page to it."""

from collections.abc import Iterator
from pathlib import Path

from cutcard.odds import Composition, Price, odds, outlook
from cutcard.odds.certificate import best_odds, deviation, percent
from cutcard.odds.pricing import decimal
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.coup import Coup
from cutcard.rules.rulebook import Rulebook

PAGE = Path(__file__).with_name("numbers.md")

STUDIES = Path(__file__).with_name("studies")

OPENING = """# The numbers

Every figure up to [the studies](#the-studies) is exact, rounded only in print: all orders of six
cards are counted in whole numbers, and the pay lines that settle bets price them. `cutcard odds
BOOK` prints them for any shoe, `cutcard certify BOOK -o sheet.html` puts them on one sheet with the
counts behind them, and `cutcard design BOOK --bet tie --target-edge 5%` says what other odds would
do. `--json` gives the fractions. This page is made by `python docs/make_numbers.py`.

Edges are per cent of a unit bet, for the next coup of a fresh shoe; pushes count as bets.
An 8-deck shoe has 4,998,398,275,503,360 orders of six cards: Banker wins
2,292,252,566,437,888 of them, Player 2,230,518,282,592,256, and 475,627,426,473,216 tie."""


def page() -> str:
    """The whole page."""
    exact = [OPENING, *_books(), *_second_stage(), *_cow_cow(), *_exposed()]
    return "\n\n".join([*exact, *_studies()]) + "\n"


def _books() -> Iterator[str]:
    yield "## Every bet of every book"
    yield "Chances, RTP and standard deviation are for eight decks."
    for book in (*rulebooks(), *rulebooks(MORE)):
        yield f"### {book.name}"
        allowed = [decks for decks in (4, 6, 8) if book.decks.least <= decks <= book.decks.most]
        by_decks = {decks: odds(book, Composition.of_decks(decks)).bets for decks in allowed}
        header = ["Bet", "Best odds", "Win %", "Push %", "RTP %", "Std dev"]
        header += [f"Edge %, {decks} decks" for decks in allowed]
        rows = [
            [book.spots[id].label, best_odds(book.spots[id], price), *_figures(price)]
            + [percent(by_decks[decks][id].edge, 6) for decks in allowed]
            for id, price in by_decks[8].items()
        ]
        yield table(header, rows)


def _figures(price: Price) -> list[str]:
    return [percent(price.win), percent(price.push), percent(price.rtp), deviation(price)]


def _second_stage() -> Iterator[str]:
    yield "## Ante and Wager"
    yield (
        "An Ante is priced together with its Wager, under the best decision for each first card. "
        "Continuing is always right: what it is worth per Ante, against −1 for declining:"
    )
    found = odds(load("rws-knockout"))
    ranks = ["A", *"23456789", "10, J, Q, K"]
    rows = []
    for decision in found.decisions.values():
        values = [decision.choices[value] for value in (*range(1, 10), 0)]
        assert all(choice.continues for choice in values), "the sentence above says so"
        rows.append([decision.first.label, *(decimal(one.continuing, 4) for one in values)])
    yield table(["First card", *ranks], rows)
    both = "; ".join(
        f"{decision.first.label} {percent(decision.best.edge, 6)} % of the Ante, "
        f"{percent(decision.best.edge_of_action, 6)} % of all that is staked"
        for decision in found.decisions.values()
    )
    yield f"House edge: {both}."


def _cow_cow() -> Iterator[str]:
    yield "## Cow Cow"
    bets = odds(load("online-cow-cow")).bets
    player, banker = bets["player"], bets["banker"]
    yield (
        "A bet can lose nine times its amount, so the edge is given per unit bet and per unit of "
        f"action ({decimal(player.action, 6)} units on average): Player "
        f"{percent(player.edge, 6)} % and {percent(player.edge_of_action, 6)} %, Banker "
        f"{percent(banker.edge, 6)} % and {percent(banker.edge_of_action, 6)} %."
    )


def _exposed() -> Iterator[str]:
    yield "## An exposed first card"
    yield (
        "When the next coup's first card is known before bets are placed, this is what a patron "
        "gains on each bet of RWS Commission Baccarat (negative: loses), in per cent of the stake:"
    )
    book = load("rws-commission")
    rows = []
    for card in ("Ah", *(f"{value}h" for value in range(2, 10)), "Kh"):
        coup = Coup.parse(f"{card} /")
        seen = outlook(book, Composition.of_decks(8).without(coup.dealt), coup)
        name = "10, J, Q, K" if card == "Kh" else card[0]
        rows.append([name, *(percent(seen[id].ev) for id in ("player", "banker", "tie"))])
    yield table(["First card", *_labels(book)], rows)


SHOWN = {
    "per-hour": """### What a patron pays an hour

`cutcard study per-hour BOOK --stake 100 --rounds 70`""",
    "distribution": """### Results after many rounds

`cutcard study distribution BOOK --bet banker --rounds 600`""",
    "ruin": """### Bankroll and ruin

`cutcard study ruin BOOK --bet banker --bankroll 10000 --maximum 10000`. A betting system decides
how much is staked and nothing else: each loses the edge of what it stakes. One that raises stakes
after losses wins often and little, until it meets its bankroll or the table's maximum.""",
    "counting": """### Counting cards

`cutcard study counting BOOK --shoes 1000`. Whoever knows every card that was shown, and works
out every bet exactly before each round, hardly ever finds Player, Banker or Tie worth a bet; side
bets a little more often, at the very end of a shoe.""",
    "cut-card": """### The cut card

`cutcard study cut-card BOOK --shoes 40000 --cut 14`. Rounds that use few cards make a shoe last
longer, and the rounds gained come from a shoe poor in eights and nines. So the odds averaged over
all rounds up to a cut card are not quite those of a fresh shoe. A burned card changes nothing.
A change smaller than two or three of its errors is not shown to be there at all.""",
    "simulation": """### A thousand million rounds

`cutcard simulate BOOK --rounds 1e9 --rounds-per-shoe 60`, and with `--cut 14`. With a fixed
number of rounds a shoe the simulation agrees with the exact odds; up to a cut card, where the
effect above is at work, it need not.""",
}


def _studies() -> Iterator[str]:
    yield "## The studies"
    yield (
        "What has no short formula is simulated, from seeds that are written down; what has one is "
        "worked out. `cutcard study` makes each of these for any book, `-o x.svg` draws it, "
        "`--json` is for programs, `from cutcard.lab import …` for Python, and the odds lab of a "
        'running floor has a page of them. They need `pip install "cutcard[lab]"`; with '
        "`cutcard[cluster]` and `--dask ADDRESS` the long ones run on many machines, to the same "
        "figures. These files are made by `python docs/make_studies.py`."
    )
    for name, opening in SHOWN.items():
        yield opening
        yield (STUDIES / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def _labels(book: Rulebook) -> list[str]:
    return [book.spots[id].label for id in ("player", "banker", "tie")]


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
