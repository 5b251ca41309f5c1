"""The school's words: cards, hands, money, people and steps as a trainee reads them."""

from collections.abc import Iterable, Sequence

from cutcard.rules.cards import Card, points
from cutcard.rules.coup import Coup, Side
from cutcard.rules.rulebook import Interruption, Role
from cutcard.table.incident import Step


def card(one: Card) -> str:
    """`10♥`, as it is printed on the card."""
    return one.rank.value.replace("T", "10") + one.suit.symbol


def cards(many: Iterable[Card]) -> str:
    return " ".join(map(card, many))


def side(one: Side) -> str:
    return one.value.title()


def hands(coup: Coup) -> str:
    """`Player 2♥ 3♠ (5), Banker 6♣ K♦ (6)`."""
    return ", ".join(
        f"{name} {cards(hand)} ({points(hand)})" if hand else f"{name} no card"
        for name, hand in (("Player", coup.player), ("Banker", coup.banker))
    )


def listed(names: Sequence[str]) -> str:
    """`Ann, Ben and Cho`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, noun: str) -> str:
    word = ("no", "one", "two", "three", "four", "five", "six")[number]
    return f"{word} {noun}{'' if number == 1 else 's'}"


def ordinal(place: int) -> str:
    """The name of a place counted from 0."""
    return ("first", "second", "third", "fourth", "fifth", "sixth")[place]


def net(patron: str, amount: int) -> str:
    if amount == 0:
        return f"{patron} wins nothing and loses nothing."
    return f"{patron} {'wins' if amount > 0 else 'loses'} {abs(amount):,}."


def role(one: Role) -> str:
    return f"The {one.value}."


STEPS = {
    Step.VOID: "Void the round and return every bet.",
    Step.CONCLUDE: "Deal on and conclude the round.",
    Step.RECONSTRUCT: "Put every card where the order of the deal puts it, and go on.",
    Step.PLAY_ON: "Leave the cards where they lie and play on.",
    Step.CONTINUE: "Go on with the cards as they are.",
    Step.ORDER: "Decide which card came first, and deal them in that order.",
    Step.RESCAN: "Scan the card again.",
    Step.CORRECT: "Correct the record: it must show the cards that lie there.",
    Step.RECORD: "Write it down and go on; nothing changes.",
    Step.DISMISS: "Set the alarm aside and go on.",
    Step.RETRACT: "Take the report back.",
    Step.RULE_VOID: "Rule that the round is void.",
    Step.RULE_CONTINUE: "Rule that the round goes on.",
    Step.RULE_BURN: "Burn the card and go on.",
    Step.NO_RULING: "Void the round, because nobody can rule on it.",
}

TAKEN = {
    Step.VOID: "The round is void.",
    Step.CONCLUDE: "The round is to be concluded.",
    Step.RECONSTRUCT: "The cards are put in order.",
    Step.PLAY_ON: "The cards stay where they lie.",
    Step.CONTINUE: "The round goes on.",
    Step.ORDER: "{first} is said to have come first.",
    Step.RESCAN: "The card is scanned again.",
    Step.CORRECT: "The record is corrected.",
    Step.RECORD: "It is written down, and the round goes on.",
    Step.DISMISS: "The alarm is set aside.",
    Step.RETRACT: "The report is taken back.",
    Step.RULE_VOID: "The shift manager rules that the round is void.",
    Step.RULE_CONTINUE: "The shift manager rules that the round goes on.",
    Step.RULE_BURN: "The shift manager rules that the card is burned.",
    Step.NO_RULING: "Nobody can rule on it, and the round is void.",
}
"""A step once it was taken."""


def taken(step: Step, order: Sequence[Card] = ()) -> str:
    return TAKEN[step].format(first=card(order[0]) if order else "")


POLICY = {
    Interruption.ESTABLISHED: (
        "A round that a fault interrupts is concluded if an outcome is established, and void "
        "if not."
    ),
    Interruption.FIRST_CARD: (
        "A round that a fault interrupts is concluded once its first card is out, and cancelled "
        "before that."
    ),
}
