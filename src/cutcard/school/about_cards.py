"""Questions about cards: where they belong, and who gets the next one."""

from collections.abc import Iterator

from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.events import CardDealt
from cutcard.round.state import Phase
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side, next_side
from cutcard.rules.rulebook import Role
from cutcard.rules.shoe import SeededDice
from cutcard.school import reasons, words
from cutcard.school.asking import ask
from cutcard.school.lesson import Choice, Question, Topic
from cutcard.school.mistakes import MISREAD, WRONG_SIDE, same_hands
from cutcard.school.rehearsal import DEALER, pick, staff
from cutcard.school.situation import AFTER, Situation
from cutcard.table import decide
from cutcard.table import incident as kinds
from cutcard.table.advice import Path
from cutcard.table.commands import Command, InRound, Resolve
from cutcard.table.incident import Step

# --- the hands ------------------------------------------------------------------------------------


def hands(situation: Situation, dice: SeededDice) -> Question | None:
    """What the hands are once they are put right."""
    if situation.kind not in (kinds.EXCESS, WRONG_SIDE, kinds.TOGETHER, MISREAD):
        return None
    path = pick(dice, [path for path in situation.advice.paths if path.step in ORDERING])
    after = situation.after(situation.resolve(path)).coup
    return ask(
        dice,
        Topic.HANDS,
        _lead(path) + " What are the hands now?",
        _hands(after),
        [_hands(wrong) for wrong in _tempting(situation, after) if not same_hands(wrong, after)],
        _why_hands(situation, path, after),
        reasons.quotes(situation.book, path.clause, *reasons.dealing(situation.book, after)),
    )


ORDERING = (Step.RECONSTRUCT, Step.ORDER, Step.CORRECT)


def _hands(coup: Coup) -> Choice:
    return Choice(str(coup), words.hands(coup))


def _lead(path: Path) -> str:
    if path.step is Step.ORDER:
        return f"The {path.role.value} says that {words.card(path.order[0])} came first."
    return words.taken(path.step)


def _why_hands(situation: Situation, path: Path, after: Coup) -> str:
    if path.step is Step.CORRECT:
        return "The hands are the cards that lie there."
    left = [card for card in path.order or _drawn(situation) if card not in after.dealt]
    said = f"In their order the cards are {words.cards(after.dealt)}."
    if left:
        said += f" {words.card(left[0])} belongs to neither side and waits for the next round."
    return f"{said} {reasons.next_card(after, next_side(after))}"


def _drawn(situation: Situation) -> tuple[Card, ...]:
    return situation.incident.drawn if situation.incident is not None else ()


def _tempting(situation: Situation, right: Coup) -> Iterator[Coup]:
    """Hands that somebody could take for the right ones."""
    incident = situation.incident
    assert incident is not None, "something is to be put right"
    found = [incident.lying or situation.coup, situation.coup]
    found += [path.coup for path in situation.advice.paths if path.coup is not None]
    for card in incident.drawn:
        found += [situation.coup.with_card(side, card) for side in Side]
    if len(incident.drawn) == 2:
        one, other = incident.drawn
        found.append(situation.coup.with_card(Side.PLAYER, one).with_card(Side.BANKER, other))
        found.append(situation.coup.with_card(Side.PLAYER, other).with_card(Side.BANKER, one))
    found.append(Coup(right.banker, right.player))
    found += [_moved(right, side) for side in Side]
    if right.player and right.banker:
        player, banker = right.player, right.banker
        found.append(Coup((banker[0], *player[1:]), (player[0], *banker[1:])))
    seen: list[Coup] = []
    for coup in found:
        fits = max(len(coup.player), len(coup.banker)) <= 3 and len(coup.dealt) > 0
        if fits and not any(same_hands(coup, other) for other in seen):
            seen.append(coup)
            yield coup


def _moved(coup: Coup, side: Side) -> Coup:
    """The last card of a side on the other side."""
    if side is Side.PLAYER:
        return Coup(coup.player[:-1], (*coup.banker, *coup.player[-1:]))
    return Coup((*coup.player, *coup.banker[-1:]), coup.banker[:-1])


# --- one card -------------------------------------------------------------------------------------

PLACES = {
    "player": "It goes to the Player.",
    "banker": "It goes to the Banker.",
    "next round": "It is kept: it will be the first card of the next round.",
    "burned": "It is burned.",
    "shoe": "It goes back into the shoe.",
}


def loose_card(situation: Situation, dice: SeededDice) -> Question | None:
    """Where a card goes that came out too early or too often."""
    if situation.kind != kinds.EXCESS or len(_drawn(situation)) != 1:
        return None
    (card,) = _drawn(situation)
    path = situation.advice.paths[0]
    events = decide(situation.table, situation.resolve(path), situation.book)
    sides = [event.side for event in events if isinstance(event, CardDealt)]
    place = sides[0].value if sides else "next round"
    assert sides or card in path.kept, "a card that nobody gets is kept"
    assert path.coup is not None, "the cards are put in order"
    why = reasons.next_card(situation.coup, next_side(situation.coup))
    kept = " So the card waits for the next round." if not sides else ""
    return ask(
        dice,
        Topic.CARD,
        f"{words.taken(path.step)} What becomes of {words.card(card)}?",
        Choice(place, PLACES[place]),
        [Choice(*one) for one in PLACES.items()],
        why + kept,
        reasons.quotes(
            situation.book,
            path.clause,
            *(
                reasons.dealing(situation.book, situation.coup)
                if sides
                else ("HOUSE exposed card",)
            ),
        ),
    )


# --- what comes next ------------------------------------------------------------------------------

ACTIONS = {
    "draw player": "Draw a card for the Player.",
    "draw banker": "Draw a card for the Banker.",
    "call": "Draw no card and call the result.",
    "settle": "Pay and take the bets.",
    "close": "Close the betting.",
    "open": "Open the next round.",
    "void": "Void the round and return every bet.",
}


def lawful_action(situation: Situation) -> str | None:
    """What the dealer does next, by asking `decide` for everything in turn."""
    for value in ACTIONS:
        if not why_not(situation, value):
            return value
    return None


def why_not(situation: Situation, value: str) -> Refusal | str | None:
    """Why something is not what the dealer may do now; None where it is."""
    try:
        events = decide(situation.table, _command(situation, value), situation.book)
    except Refusal as refusal:
        return refusal
    if value.startswith("draw"):
        sides = [event.side.value for event in events if isinstance(event, CardDealt)]
        return None if value == f"draw {''.join(sides)}" else "that card is another side's"
    return None


def _command(situation: Situation, value: str) -> Command:
    at, kept = situation.now + AFTER, situation.table.kept
    terms = situation.table.round.terms
    assert terms is not None, "the round was opened"
    if value == "void":
        return Resolve(Step.VOID, staff(Role.PIT_SUPERVISOR), at)
    card = kept[0] if kept else situation.coming[0]
    commands: dict[str, rounds.Command] = {
        "call": rounds.CallResult(at),
        "settle": rounds.SettleRound(at),
        "close": rounds.CloseBets(at),
        "open": rounds.OpenRound(0, terms, at),
    }
    return InRound(commands.get(value, rounds.DrawCard(card, at)), DEALER)


def next_action(situation: Situation, dice: SeededDice) -> Question | None:
    """Where nothing is wrong: what the dealer does next."""
    right = lawful_action(situation)
    assert right is not None, "where nothing is wrong, something comes next"
    dealing = ("draw player", "draw banker", "call", "void")
    beside = ("draw player", "call", "settle", "close", "open", "void")
    tempting = dealing if right in dealing else beside
    return ask(
        dice,
        Topic.NEXT,
        "What does the dealer do now?",
        Choice(right, ACTIONS[right]),
        [Choice(value, ACTIONS[value]) for value in tempting],
        _why_action(situation, right),
        reasons.quotes(situation.book, *_cited(situation, right)),
    )


def _why_action(situation: Situation, right: str) -> str:
    said = {
        "settle": "The result is called, so the bets are settled.",
        "close": "No card leaves the shoe while betting is open.",
        "open": "The round is settled.",
    }
    usual = reasons.next_card(situation.coup, next_side(situation.coup))
    return f"Nothing is wrong. {said.get(right, usual)}"


def _cited(situation: Situation, right: str) -> tuple[str, ...]:
    book = situation.book
    if right in ("close", "open"):
        return (book.announcements[right].clause,)
    return (book.cites["winner"],) if right == "settle" else reasons.dealing(book, situation.coup)


def next_card(situation: Situation, dice: SeededDice) -> Question | None:
    """After the mistake is put right: who gets the next card."""
    path = situation.advice.paths[0]
    if path.coup is None or situation.kind == MISREAD or not situation.all_open:
        return None
    after = situation.taken(path)
    lead = "The dealer refuses." if situation.late else _lead(path)
    if path.step is Step.RESCAN:
        # The card was out already: once it is read it lies in its hand.
        side, read = next_side(after.coup), after.coming[0]
        after = after.drawn()
        assert side is not None, "a card was due"
        lead = f"{lead} It is {words.card(read)}, and is laid on the {words.side(side)}."
    if after.table.round.phase not in (Phase.CLOSED, Phase.DEALING):
        return None
    right = lawful_action(after)
    assert right is not None, "a round that goes on goes somewhere"
    goes_on = " Everybody chooses to go on." if path.offered else ""
    return ask(
        dice,
        Topic.NEXT,
        f"{lead}{goes_on} What does the dealer do next?",
        Choice(right, ACTIONS[right]),
        [Choice(value, ACTIONS[value]) for value in ("draw player", "draw banker", "call", "void")],
        reasons.next_card(after.coup, next_side(after.coup)),
        reasons.quotes(situation.book, path.clause, *reasons.dealing(situation.book, after.coup)),
    )
