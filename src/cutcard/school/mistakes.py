"""The mistakes that lessons are about, one function each, named as the rulebooks name them.

Each plays a round up to the moment at which something goes wrong, and tells it in
a sentence or two. It never says what the book orders; that is what is asked.
"""

from collections.abc import Callable, Sequence

from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.state import Phase
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import Coup, Side, check_dealt, next_side
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import SeededDice
from cutcard.school import words
from cutcard.school.limits import LIMITS, can_happen
from cutcard.school.rehearsal import Rehearsal, pick
from cutcard.school.situation import NOTHING, Situation, end
from cutcard.table import incident as kinds
from cutcard.table.checks import opened
from cutcard.table.sentinel import RUN

WRONG_SIDE = "card to the wrong side"
WRONG_PERSON = "card to the wrong person"
WRONG_NUMBER = "wrong number of cards"
OTHER = "other dealing error"
MISREAD = "misread card"
ANYTHING = "anything else"
LATE_BET = "late bet"
LATE_WITHDRAWAL = "late withdrawal"
WALKED_AWAY = "patron walked away"
MISPLACED = "misplaced bet"
DISPLAY = "wrong display"

Make = Callable[[Rulebook, SeededDice], Situation]


def dealt(
    book: Rulebook, dice: SeededDice, least: int = 0, most: int = 5, **choices: object
) -> Rehearsal:
    """A round in which so many cards are out and at least one more is due."""
    table = Rehearsal(book, dice, **choices)
    table.begin()
    number = least + dice.below(most - least + 1)
    table.look_for(lambda coup: len(coup.dealt) > number)
    table.deal(number)
    return table


def finished(book: Rulebook, dice: SeededDice, **choices: object) -> Rehearsal:
    """A round whose cards are all out, the result not called yet."""
    table = Rehearsal(book, dice, **choices)
    table.begin()
    cards = pick(dice, (4, 4, 5, 6))
    table.look_for(lambda coup: len(coup.dealt) == cards)
    table.deal(cards)
    return table


def bettor(table: Rehearsal) -> str:
    bets = list(table.table.round.bets)
    return pick(table.dice, bets).patron


# --- the shoe and its cards -----------------------------------------------------------------------


def foreign_card(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice)
    card = table.coming.pop(0)
    table.report(kinds.FOREIGN, drawn=(card,))
    what = pick(dice, ("has another back than the rest", "comes from another set of cards"))
    return end(table, kinds.FOREIGN, f"The next card out of the shoe, {words.card(card)}, {what}.")


def miscounted_shoe(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice) if dice.below(3) else finished(book, dice)
    if table.over:
        table.call()
        table.settle()
        when = "Right after this round was settled, before the next one opens, the shoe is counted."
    else:
        when = "The dealer doubts the shoe, and it is counted before the next card."
    table.report(kinds.MISCOUNT)
    found = pick(dice, ("One card is missing.", "There is one card too many in it."))
    return end(table, kinds.MISCOUNT, when, found)


def insufficient_cards(book: Rulebook, dice: SeededDice) -> Situation:
    """The cut card lay too deep, and nobody saw how few cards were left."""
    table = Rehearsal(book, dice, decks=book.decks.least)
    table.play_down()
    if len(table.coming) < 2:
        # The cards came out even, or nobody would have opened another round.
        return insufficient_cards(book, dice)
    table.begin()
    table.deal(len(table.coming))
    side = next_side(table.table.round.coup)
    assert side is not None, "one more card is due"
    return end(
        table,
        kinds.TOO_FEW,
        f"The shoe is empty. The {words.side(side)} must still have a card.",
    )


def unshuffled_cards(book: Rulebook, dice: SeededDice) -> Situation:
    """Sometimes the table's own alarm finds it, sometimes the dealer does."""
    table = Rehearsal(book, dice, sentinel=RUN)
    table.begin()
    first = dice.below(13 - RUN) + 13 * dice.below(4)
    run = list(DECK[first : first + RUN])
    if dice.below(2):
        run.reverse()
    for card in reversed(run):
        table.coming.remove(card)
        table.coming.insert(0, card)
    table.deal(RUN)
    shown = words.cards(table.table.round.coup.dealt)
    who = "The table raises an alarm"
    if table.table.incident is None:
        who = "The dealer raises an alarm"
        table.report(kinds.UNSHUFFLED)
    return end(
        table, kinds.UNSHUFFLED, f"{who}: the cards come in the order of a new deck, {shown}."
    )


def unread_card(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice)
    table.report(kinds.UNREAD)
    return end(table, kinds.UNREAD, "The next card is drawn, but the scanner cannot read it.")


def misread_card(book: Rulebook, dice: SeededDice) -> Situation:
    settled = dice.below(3) == 0
    table = finished(book, dice) if settled else dealt(book, dice, least=1)
    if settled:
        table.call()
        table.settle()
    shown = table.table.round.coup
    truth = misread(shown, table.coming, finished=settled)
    if truth is None:
        # The last card could only be what the record says: another one, then.
        return misread_card(book, dice)
    place = next(place for place, card in enumerate(shown.dealt) if card != truth.dealt[place])
    side, number = where(shown, place)
    card = truth.dealt[place]
    table.report(MISREAD)
    return end(
        table,
        MISREAD,
        f"The record shows {words.card(shown.dealt[place])} as the {words.side(side)}'s "
        f"{words.ordinal(number)} card. The card that lies there is {words.card(card)}.",
        truth=truth,
    )


def misread(shown: Coup, coming: Sequence[Card], *, finished: bool) -> Coup | None:
    """The same hands with another last card, if the tableau allows any other."""
    last = len(shown.dealt) - 1
    side, number = where(shown, last)
    for card in coming:
        if card.points == shown.dealt[last].points:
            continue
        hand = list(shown.player if side is Side.PLAYER else shown.banker)
        hand[number] = card
        player = tuple(hand) if side is Side.PLAYER else shown.player
        banker = tuple(hand) if side is Side.BANKER else shown.banker
        truth = Coup(player, banker)
        try:
            check_dealt(truth, finished=finished)
        except Refusal:
            continue
        return truth
    return None


def where(coup: Coup, place: int) -> tuple[Side, int]:
    """The side of a card by its place in the deal, and its place in that hand, both from 0."""
    # The fifth card is the Banker's where the Player stood.
    if place == 4 and len(coup.player) == 2:
        return Side.BANKER, 2
    return (Side.PLAYER if place % 2 == 0 else Side.BANKER), place // 2


# --- cards where they do not belong ---------------------------------------------------------------


def excess_card(book: Rulebook, dice: SeededDice) -> Situation:
    if dice.below(2):
        table = finished(book, dice)
        card = table.coming[0]
        table.in_round(rounds.DrawCard(card, table.at()))
        table.coming.pop(0)
        hungry = [
            side
            for side, hand in (
                (Side.PLAYER, table.table.round.coup.player),
                (Side.BANKER, table.table.round.coup.banker),
            )
            if len(hand) < 3
        ]
        whom = f"for the {words.side(pick(dice, hungry))}" if hungry else "as a seventh card"
        said = f"The dealer draws {words.card(card)} {whom}, and everybody sees it."
        return end(table, kinds.EXCESS, said)
    table = dealt(book, dice, least=1)
    card = table.coming.pop(0)
    table.report(kinds.EXCESS, drawn=(card,))
    out = words.counted(len(table.table.round.coup.dealt), "card")
    return end(
        table,
        kinds.EXCESS,
        f"With {out} on the table, the next one slips out of the shoe before the dealer calls "
        f"for it. Everybody sees it: {words.card(card)}.",
    )


def card_to_the_wrong_side(book: Rulebook, dice: SeededDice) -> Situation:
    table = finished(book, dice) if dice.below(2) else dealt(book, dice, least=2)
    coup = table.table.round.coup
    ways = misplacements(coup)
    if not ways:
        # Equal cards lie right wherever they lie: other cards, then.
        return card_to_the_wrong_side(book, dice)
    how, lying = pick(dice, ways)
    table.report(WRONG_SIDE, lying=lying)
    order = words.cards(coup.dealt)
    return end(table, WRONG_SIDE, how, f"The cards came out in this order: {order}.")


def misplacements(coup: Coup) -> list[tuple[str, Coup]]:
    """Ways in which a dealer lays these cards wrongly, and how the hands then lie."""
    cards = coup.dealt
    found = []
    last, (side, _) = cards[-1], where(coup, len(cards) - 1)
    if side is Side.PLAYER:
        moved = Coup(coup.player[:-1], (*coup.banker, last))
    else:
        moved = Coup((*coup.player, last), coup.banker[:-1])
    other = Side.BANKER if side is Side.PLAYER else Side.PLAYER
    if max(len(moved.player), len(moved.banker)) <= 3:
        said = f"The dealer lays the {words.ordinal(len(cards) - 1)} card, {words.card(last)}, "
        found.append((f"{said}on the {words.side(other)}.", moved))
    swapped = Coup((cards[1], *coup.player[1:]), (cards[0], *coup.banker[1:]))
    said = f"The dealer lays the first card, {words.card(cards[0])}, on the Banker, "
    found.append((f"{said}and the second, {words.card(cards[1])}, on the Player.", swapped))
    if len(cards) == 4:
        pairs = Coup(cards[:2], cards[2:])
        said = "The dealer lays the first two cards on the Player and the next two on the Banker."
        found.append((said, pairs))
    return [(how, lying) for how, lying in found if not same_hands(lying, coup)]


def same_hands(one: Coup, other: Coup) -> bool:
    """Whether both sides hold the same cards, in whatever order they lie."""
    return sorted(one.player) == sorted(other.player) and sorted(one.banker) == sorted(other.banker)


def card_to_the_wrong_person(book: Rulebook, dice: SeededDice) -> Situation:
    table = face_down(book, dice)
    place = len(table.table.round.coup.dealt) - 1
    side, _ = where(table.table.round.coup, place)
    holders = table.patrons[:2]
    wrong = holders[1] if side is Side.PLAYER else holders[0]
    table.report(WRONG_PERSON)
    return end(
        table,
        WRONG_PERSON,
        f"{holders[0]} holds the Player's cards, {holders[1]} the Banker's.",
        f"The dealer hands the {words.ordinal(place)} card, which is the {words.side(side)}'s, "
        f"to {wrong}.",
    )


def card_face_up(book: Rulebook, dice: SeededDice) -> Situation:
    table = face_down(book, dice)
    coup = table.table.round.coup
    place = len(coup.dealt) - 1
    table.report(kinds.FACE_UP, exposed=place)
    return end(
        table,
        kinds.FACE_UP,
        "Cards are dealt face down at this table.",
        f"The dealer lays the {words.ordinal(place)} card face up: {words.card(coup.dealt[-1])}.",
    )


def face_down(book: Rulebook, dice: SeededDice) -> Rehearsal:
    """A face-down round whose latest card lies face down; the first four may have been opened."""
    table = Rehearsal(book, dice, face_down=True)
    table.begin()
    number = pick(dice, (2, 3, 4, 5, 5, 5))
    table.look_for(lambda coup: len(coup.dealt) >= number)
    table.deal(min(number, 4))
    if number == 5:
        table.turn_over()
        table.deal(1)
    return table


def simultaneous_cards(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice, least=pick(dice, (0, 4)), most=4)
    drawn = (table.coming.pop(0), table.coming.pop(0))
    while drawn[0] == drawn[1]:
        drawn = (drawn[0], table.coming.pop(0))
    table.report(kinds.TOGETHER, drawn=drawn)
    one, other = map(words.card, drawn)
    return end(
        table,
        kinds.TOGETHER,
        f"Two cards come out of the shoe together, {one} and {other}. Nobody can say which was "
        "first.",
    )


def wrong_number_of_cards(book: Rulebook, dice: SeededDice) -> Situation:
    table = Rehearsal(book, dice)
    table.begin()
    ends = table.look_for(lambda coup: len(coup.dealt) > 4)
    table.deal(4 + dice.below(len(ends.dealt) - 4))
    coup = table.table.round.coup
    table.report(WRONG_NUMBER)
    return end(
        table,
        WRONG_NUMBER,
        f"The dealer says “no more cards” and announces Player {coup.player_points}, "
        f"Banker {coup.banker_points}.",
        "A patron says that a card is missing. The next round has not opened.",
    )


def other_dealing_error(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice, least=1)
    table.report(OTHER)
    said = (
        "In the middle of the round the dealer burns a card, unseen.",
        "The dealer takes a card out of the shoe, lays it in the discard rack unseen, and stops.",
    )
    return end(table, OTHER, pick(dice, said))


def noticed_a_round_late(book: Rulebook, dice: SeededDice) -> Situation:
    table = finished(book, dice)
    table.call()
    table.settle()
    ended = table.table.round.coup
    table.open()
    table.bet()
    if dice.below(2):
        table.close()
        table.deal(dice.below(3))
    table.report(WRONG_SIDE, round=1)
    return end(
        table,
        kinds.LATE,
        "Now somebody sees on the recording that in round 1 a card was laid on the wrong side.",
        f"Round 1 was settled as {words.hands(ended)}.",
    )


# --- interruptions and what the book does not foresee ---------------------------------------------


def interruption(book: Rulebook, dice: SeededDice) -> Situation:
    table = Rehearsal(book, dice)
    table.begin()
    number = dice.below(6)
    table.look_for(lambda coup: len(coup.dealt) > number)
    # Sometimes the fault comes while patrons decide on their Antes.
    table.deal(number, decide_too=number != 1)
    table.report(kinds.INTERRUPTION)
    said = ("The power fails, and the round stops.", "The system fails, and the round stops.")
    out = words.counted(number, "card")
    be = "is" if number == 1 else "are"
    asked = ""
    if table.table.round.phase is Phase.DECIDING:
        asked = " Patrons with an Ante were just deciding whether to go on."
    return end(table, kinds.INTERRUPTION, pick(dice, said), f"{out.capitalize()} {be} out.{asked}")


def anything_else(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice)
    table.report(ANYTHING)
    said = (
        "A glass falls over and water runs across the layout.",
        "Somebody sweeps the discarded cards of the last rounds onto the layout.",
        "Two patrons begin to fight at the table, and chips fall to the floor.",
    )
    return end(table, ANYTHING, pick(dice, said), "No clause of the book speaks of this.")


# --- bets -----------------------------------------------------------------------------------------


def late_bet(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice)
    patron = pick(dice, [*table.patrons, *table.onlookers])
    spots = [s.id for s in book.spots.values() if s.stage is None and s.needs is None]
    spot = pick(dice, spots)
    stake = table.unit(spot) * pick(dice, (1, 2))
    close = book.announcements["close"].words.rstrip(".")
    late = rounds.PlaceBet(patron, table.box(patron), spot, stake, table.at())
    said = f"After “{close}” {patron} puts {stake:,} on {book.spots[spot].label}."
    return end(table, LATE_BET, said, late=late)


def late_withdrawal(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice)
    plain = [bet for bet in table.table.round.bets if book.spots[bet.spot].stage is None]
    # An Ante may be given up by not deciding on it; that is another lesson.
    plain = [bet for bet in plain if book.stage_of(bet.spot) is None] or plain
    bet = pick(dice, plain)
    close = book.announcements["close"].words.rstrip(".")
    late = rounds.WithdrawBet(bet.patron, bet.box, bet.spot, table.at())
    takes = "wants to take" if opened(table.table).is_open else "takes"
    label = book.spots[bet.spot].label
    said = f"After “{close}” {bet.patron} {takes} the {bet.stake:,} off {label} again."
    return end(table, LATE_WITHDRAWAL, said, late=late)


def patron_walked_away(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice)
    patron = bettor(table)
    table.report(WALKED_AWAY)
    said = f"{patron} walks away from the table and leaves the chips on the layout."
    return end(table, WALKED_AWAY, said)


def misplaced_bet(book: Rulebook, dice: SeededDice) -> Situation:
    table = dealt(book, dice)
    bet = pick(dice, [one for one in table.table.round.bets if not book.spots[one.spot].stage])
    others = [spot for spot in book.spots.values() if spot.id != bet.spot and spot.stage is None]
    meant = pick(dice, others).label
    table.report(MISPLACED)
    return end(
        table,
        MISPLACED,
        f"{bet.patron} says that the {bet.stake:,} on {book.spots[bet.spot].label} were meant "
        f"for {meant}, and wants them moved. Betting is closed.",
    )


def wrong_display(book: Rulebook, dice: SeededDice) -> Situation:
    table = finished(book, dice)
    table.call()
    winner = table.table.round.coup.winner
    shown = pick(dice, [one for one in type(winner) if one is not winner]).value
    table.report(DISPLAY)
    said = "a tie" if shown == "tie" else f"{shown.title()} as the winner"
    return end(table, DISPLAY, f"The screen above the table shows {said}.")


# --- nothing --------------------------------------------------------------------------------------


def nothing_wrong(book: Rulebook, dice: SeededDice) -> Situation:
    """A plain round, mostly at the moment at which third cards are due."""
    moment = dice.below(8)
    if moment == 0:
        table = Rehearsal(book, dice)
        table.open()
        table.bet()
        return end(table, NOTHING, "Everybody who wants to bet has bet.")
    if moment == 1:
        table = finished(book, dice)
        table.call()
        return end(table, NOTHING, "The result is called.")
    table = finished(book, dice) if moment < 4 else dealt(book, dice, least=4)
    coup = table.table.round.coup
    said = [f"{words.counted(len(coup.dealt), 'card').capitalize()} are out."]
    if dice.below(3) == 0:
        whom = pick(dice, ("the Player must draw", "the Banker must draw", "nobody may draw"))
        said.append(f"{bettor(table)} says that {whom}.")
    return end(table, NOTHING, " ".join(said))


MISTAKES: dict[str, Make] = {
    kinds.FOREIGN: foreign_card,
    kinds.MISCOUNT: miscounted_shoe,
    WRONG_NUMBER: wrong_number_of_cards,
    kinds.TOO_FEW: insufficient_cards,
    kinds.UNSHUFFLED: unshuffled_cards,
    kinds.EXCESS: excess_card,
    WRONG_SIDE: card_to_the_wrong_side,
    WRONG_PERSON: card_to_the_wrong_person,
    kinds.FACE_UP: card_face_up,
    kinds.TOGETHER: simultaneous_cards,
    kinds.LATE: noticed_a_round_late,
    OTHER: other_dealing_error,
    kinds.UNREAD: unread_card,
    MISREAD: misread_card,
    ANYTHING: anything_else,
    kinds.INTERRUPTION: interruption,
    LATE_BET: late_bet,
    LATE_WITHDRAWAL: late_withdrawal,
    WALKED_AWAY: patron_walked_away,
    MISPLACED: misplaced_bet,
    DISPLAY: wrong_display,
    **LIMITS,
}


def kinds_of(book: Rulebook) -> tuple[str, ...]:
    """What a lesson by this book may be about: the mistakes it foresees, and none at all."""
    foreseen = (kind for kind in MISTAKES if kind in book.irregularities)
    return (*(kind for kind in foreseen if can_happen(kind, book)), NOTHING)


def situation(book: Rulebook, kind: str, dice: SeededDice) -> Situation:
    return nothing_wrong(book, dice) if kind == NOTHING else MISTAKES[kind](book, dice)
