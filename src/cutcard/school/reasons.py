"""Reasons: why an answer is the right one, in a sentence or two, and the clauses that say so."""

from functools import cache

from cutcard.round.state import Phase
from cutcard.rulebooks import clauses
from cutcard.rules.coup import Coup, Side
from cutcard.rules.facts import facts
from cutcard.rules.rulebook import Interruption, Options, Remedy, Role, Rulebook
from cutcard.rules.tableau import is_natural, player_draws
from cutcard.school import words
from cutcard.school.lesson import Quote
from cutcard.school.situation import Situation
from cutcard.table import incident as kinds
from cutcard.table.advice import Path
from cutcard.table.staff import RANK

MOST_QUOTES = 3
"""More than this nobody reads before the next question."""


# --- clauses --------------------------------------------------------------------------------------


@cache
def _texts(book: Rulebook | None) -> dict[str, str]:
    return {clause.citation: clause.text for clause in clauses(book)}


def _known(book: Rulebook) -> dict[str, str]:
    """The text of every clause; a book may take remedies from another document."""
    return {**_texts(None), **_texts(book)}


def quotes(book: Rulebook, *citations: str | None) -> tuple[Quote, ...]:
    """What clauses say. A heading without words of its own is quoted by what stands under it."""
    texts = _known(book)
    found: dict[str, str] = {}
    for citation in citations:
        if citation is None:
            continue
        if citation in texts:
            found[citation] = texts[citation]
        else:
            under = (f"{citation}.", f"{citation} ")
            found |= {one: text for one, text in texts.items() if one.startswith(under)}
    return tuple(Quote(*one) for one in list(found.items())[:MOST_QUOTES])


PARTS = {
    "player": "P",
    "banker": "B",
    "tie": "T",
    "player_pair": "pair",
    "banker_pair": "pair",
    "winning_total_1_4": "1-4",
    "winning_total_5_6": "5-6",
    "winning_total_7": "7",
    "winning_total_8": "8",
    "winning_total_9": "9",
}
"""Under a heading on what bets pay: the part that speaks of a spot."""


def pay_line(book: Rulebook, spot: str, clause: str) -> str:
    """The clause by which a bet was paid; where it is a heading, the part about this bet."""
    return clause if clause in _known(book) else f"{clause} {PARTS[spot]}"


def dealing(book: Rulebook, coup: Coup) -> tuple[str, ...]:
    """Where the book says who gets the next card."""
    by_turns = len(coup.dealt) < 4 or len(coup.banker) == 3
    return (book.cites["deal"],) if by_turns else tableau(book, coup)


def tableau(book: Rulebook, coup: Coup) -> tuple[str, ...]:
    """Where the book says whether the next card is drawn: its table, or the rows that say so."""
    clause = book.cites["tableau"]
    if clause in _known(book):
        return (clause,)
    return tuple(f"{clause} {row}" for row in _rows(coup))


def _rows(coup: Coup) -> tuple[str, ...]:
    player, banker = _two(coup, Side.PLAYER), _two(coup, Side.BANKER)
    if is_natural(player) or is_natural(banker):
        return ("nat",)
    of_banker = "B0-2" if banker <= 2 else f"B{banker}"
    if len(coup.player) == 3:
        return (of_banker,)
    return ("P0-5",) if player_draws(player) else ("P6-7", of_banker)


def about_options(clause: str) -> tuple[str, ...]:
    """Where a clause's document speaks of the options: under the clause, or at its group's end."""
    document, _, number = clause.partition(" ")
    group = number.rpartition(".")[0]
    return clause, f"{document} {number}.1", f"{document} {group} tail"


# --- what is established --------------------------------------------------------------------------


def established(situation: Situation) -> str:
    """Which bets are decided, and how, or that none is."""
    spots = situation.advice.established
    if spots:
        ends = [f"{situation.book.spots[spot].label} {how}" for spot, how in _decided(situation)]
        return f"Whatever comes, {words.listed(ends)}. Whether anybody bet on it does not matter."
    if not situation.all_open:
        return "No bet is decided by the cards that lie open; cards face down do not count."
    return "No bet is won or lost in every way the round can still end."


def _decided(situation: Situation) -> list[tuple[str, str]]:
    """Established bets, and whether they win or lose: as in any one way the round can end."""
    in_order = situation.advice.reconstructed or situation.coup
    ended = Coup.deal([*in_order.dealt, *situation.coming])
    truth = facts(ended)
    lines = {
        spot: situation.book.spots[spot].table.line(truth) for spot in situation.advice.established
    }
    return [(spot, "wins" if line.net > 0 else "loses") for spot, line in lines.items()]


# --- what is to be done ---------------------------------------------------------------------------

REMEDIES = {
    Remedy.VOID: "Every bet in the round is returned. Earlier rounds stand.",
    Remedy.RECONSTRUCT: (
        "The order of the deal and the tableau say where each card belongs. Only if the house "
        "finds that the cards cannot be put in order do they stay where they lie."
    ),
    Remedy.RECONSTRUCT_OR_VOID: (
        "What is missing can still be dealt. The round is void only if the house finds that the "
        "cards cannot be put in order."
    ),
    Remedy.CONTINUE: "The round goes on, and its result stands.",
    Remedy.ORDER_CARDS: "The order is unknown, so somebody must say which card counts as first.",
    Remedy.RESCAN: "The card is scanned until it can be read.",
    Remedy.RESCAN_OR_ENTER: "The card is scanned again; the round waits for it.",
    Remedy.CORRECT: "The cards on the table decide, not the record of them.",
    Remedy.AS_PLACED: "Bets count as they lay when betting closed.",
    Remedy.RULING: "Where the book is silent, somebody rules, in words that are kept.",
}

STANDS = {
    kinds.LATE: "A later round has opened, so nothing changes any more.",
}


def step(situation: Situation) -> str:
    """Why the first path of the advice is lawful."""
    book = situation.book
    entry = book.irregularities[situation.kind]
    if entry.remedy is Remedy.CONCLUDE_OR_VOID:
        return interrupted(situation)
    if entry.remedy is Remedy.STANDS:
        usual = "What happened at the table counts, not what a screen shows of it."
        return STANDS.get(situation.kind, usual)
    said = REMEDIES.get(entry.remedy, "Nothing in the round changes.")
    if situation.kind == kinds.UNSHUFFLED and len(_steps(situation)) > 1:
        said += " Only where the alarm proves false may the pit set it aside, and say why."
    path = situation.advice.paths[0]
    return f"{said} {options(situation, path)}" if path.offered else said


def _steps(situation: Situation) -> set[kinds.Step]:
    return {path.step for path in situation.advice.paths} - {kinds.Step.RETRACT}


def interrupted(situation: Situation) -> str:
    book, phase = situation.book, situation.table.round.phase
    if phase is Phase.DECIDING:
        return "Nobody loses an Ante because the house could not hear the decision."
    policy = words.POLICY[book.interruption]
    if book.interruption is Interruption.FIRST_CARD:
        out = words.counted(len(situation.coup.dealt), "card")
        return f"{policy} Here {out} {'is' if out.startswith('one') else 'are'} out."
    return f"{policy} {established(situation)}"


WHO_DECIDES = "HOUSE who decides"


def ranked(book: Rulebook, one: Role, clause: str) -> bool:
    """Whether a clause itself names the rank that decides."""
    return one.value in _known(book).get(clause, "").lower()


def role(book: Rulebook, one: Role, clause: str) -> str:
    above = [other for other in RANK if RANK[other] > RANK[one]]
    said = f"{clause} names the {one.value}."
    if not ranked(book, one, clause):
        said = f"{clause} names no rank; the house leaves it to the {one.value}."
    return f"{said} Anybody above may decide it too." if above else f"{said} Nobody below may."


def options(situation: Situation, path: Path) -> str:
    if path.step in kinds.VOIDING:
        return "A void round returns every bet, so there is nothing to choose."
    entry = situation.book.irregularities[situation.kind]
    decided = bool(situation.advice.established)
    ordered = path.step is not kinds.Step.PLAY_ON
    match entry.options:
        case Options.NEVER:
            return "The book gives no choice here."
        case Options.ALWAYS:
            return "Everybody with a bet may choose, whether or not an outcome is established."
        case Options.WHO_DECIDED:
            return (
                "Whoever had decided on an Ante may choose, because the card was another one."
                if path.offered
                else "Nobody had decided on an Ante by that card, so nobody may choose."
            )
        case Options.UNLESS_ESTABLISHED:
            return (
                "An outcome is established, so nobody may choose."
                if decided
                else "No outcome is established yet, so everybody with a bet may choose."
            )
        case Options.UNLESS_ESTABLISHED_AND_RECONSTRUCTABLE:
            if not decided:
                return "No outcome is established yet, so everybody with a bet may choose."
            if ordered:
                return (
                    "An outcome is established and the cards are put in order, so nobody may "
                    "choose."
                )
            return (
                "An outcome is established, but the cards are not put in order, so everybody "
                "with a bet may choose."
            )


# --- the tableau ----------------------------------------------------------------------------------


def next_card(coup: Coup, side: Side | None) -> str:
    """Why the next card goes where it goes, in the words of the tableau."""
    if len(coup.player) < 2 or len(coup.banker) < 2:
        return "The first four cards go to Player, Banker, Player, Banker."
    player, banker = _two(coup, Side.PLAYER), _two(coup, Side.BANKER)
    if is_natural(player) or is_natural(banker):
        who = "Player" if is_natural(player) else "Banker"
        return f"The {who} has a natural {max(player, banker)}, so neither side draws."
    if len(coup.banker) == 3:
        return "The Banker has drawn, and that is the last card of any round."
    if side is Side.PLAYER:
        return f"The Player has {player}, and draws on 0 to 5."
    does = "draws" if side is Side.BANKER else "stands"
    if len(coup.player) == 3:
        third = coup.player[2]
        return (
            f"The Banker has {banker}, and the Player's third card counts {third.points}: "
            f"the Banker {does}."
        )
    assert not player_draws(player), "the Player stood"
    return (
        f"The Player stands on {player}. The Banker has {banker}, and then draws on 0 to 5: "
        f"the Banker {does}."
    )


def _two(coup: Coup, side: Side) -> int:
    hand = coup.player if side is Side.PLAYER else coup.banker
    return sum(card.points for card in hand[:2]) % 10
