"""Cards, coups and what was won on them."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cutcard.cli.draw.books import heading
from cutcard.cli.draw.style import BLUE, RED, WINNER, amount, gain, grid
from cutcard.rules import wording
from cutcard.rules.cards import Card, Suit
from cutcard.rules.coup import Coup
from cutcard.rules.dealing import Transcript
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import Settlement
from cutcard.rules.shoe import DealtCoup, Shoe


def card(one: Card) -> Text:
    style = "red" if one.suit in (Suit.HEARTS, Suit.DIAMONDS) else ""
    return Text(one.rank.value.replace("T", "10") + one.suit.symbol, style=style)


def hand(cards: Sequence[Card], points: int) -> Text:
    return Text(" ").join([*map(card, cards), Text(f"({points})", style="bold")])


def coup(one: Coup) -> Text:
    return Text.assemble(
        ("Player ", BLUE),
        hand(one.player, one.player_points),
        "   ",
        ("Banker ", RED),
        hand(one.banker, one.banker_points),
    )


def winner(one: Coup) -> Text:
    name = one.winner.value
    return Text(name.upper(), style=WINNER[name])


def settlement(book: Rulebook, settled: Settlement) -> RenderableType:
    head = Text.assemble(coup(settled.coup), "   ", winner(settled.coup))
    said = Text(wording.facts_in_words(settled.facts), style="dim")
    table = grid("Bet", "Stake", "Net", "Commission", "Clause")
    for column in table.columns[1:4]:
        column.justify = "right"
    for bet in settled.bets:
        table.add_row(
            book.spots[bet.spot].label,
            amount(bet.stake),
            gain(bet.net),
            amount(bet.commission) if bet.commission else "",
            bet.clause,
        )
    table.add_section()
    staked = sum(bet.stake for bet in settled.bets)
    table.add_row(Text("Total", style="bold"), amount(staked), gain(settled.net), "", "")
    return Group(head, said, table)


def transcript(one: Transcript) -> RenderableType:
    table = grid("Round", "Player", "Banker", "Result")
    for dealt in one.coups:
        hands = dealt.coup
        mark = Text("  cut card: last round", style="yellow") if dealt.cut_card else Text()
        table.add_row(
            str(dealt.number),
            hand(hands.player, hands.player_points),
            hand(hands.banker, hands.banker_points),
            Text.assemble(winner(hands), mark),
        )
    return Group(
        shoe_opening(one.book, one.seed, one.shoe),
        table,
        Text(f"Rounds dealt: {len(one.coups)}. Cards left in the shoe: {one.left}."),
    )


def shoe_opening(book: str, seed: int, shoe: Shoe) -> RenderableType:
    return Text.assemble(
        (f"{book}, seed {seed}: {len(shoe.cards)} cards. ", "bold"),
        "Exposed ",
        card(shoe.exposed),
        f", {len(shoe.burned)} burned. Cut card before card {shoe.cut_position + 1}.",
    )


def demonstration_opening(book: Rulebook, seed: int, shoe: Shoe) -> RenderableType:
    return Group(heading(book), shoe_opening(book.name, seed, shoe), "")


def demonstration_coup(dealt: DealtCoup, settled: Mapping[str, Settlement]) -> RenderableType:
    row = Table.grid(padding=(0, 2))
    for width in (3, 22, 22, 7):
        row.add_column(width=width)
    row.add_row(
        str(dealt.number),
        Text.assemble(("P ", BLUE), hand(dealt.coup.player, dealt.coup.player_points)),
        Text.assemble(("B ", RED), hand(dealt.coup.banker, dealt.coup.banker_points)),
        winner(dealt.coup),
        Text("cut card: last round" if dealt.cut_card else "", style="yellow"),
    )
    patrons = Text("   ").join(_patron(patron, one) for patron, one in settled.items())
    return Group(row, Padding(patrons, (0, 0, 0, 5)))


def _patron(patron: str, settled: Settlement) -> Text:
    spots = "+".join(bet.spot for bet in settled.bets)
    return Text.assemble((f"{patron} {spots} ", "dim"), gain(settled.net))


def demonstration_end(balance: Mapping[str, int], rounds: int) -> RenderableType:
    parts = [Text.assemble(f"{patron} ", gain(net)) for patron, net in balance.items()]
    return Text.assemble(f"After {rounds} rounds: ", Text(", ").join(parts))
