"""A drill: lessons one after another, every kind before any comes again."""

from collections.abc import Iterator
from dataclasses import replace

from cutcard.refusals import Refusal
from cutcard.round.state import Phase
from cutcard.rules.cards import Card
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import SeededDice, shuffled
from cutcard.school import about_cards, about_limits, about_money, about_steps
from cutcard.school.asking import Ask
from cutcard.school.lesson import Bet, Felt, Lesson, Question
from cutcard.school.limits import LIMITS
from cutcard.school.mistakes import kinds_of, situation
from cutcard.school.rehearsal import pick
from cutcard.school.situation import NOTHING, Situation

MOST_QUESTIONS = 3
"""Of one lesson: another situation teaches more than a fourth question."""

ABOUT_A_MISTAKE: tuple[Ask, ...] = (
    about_steps.established,
    about_steps.late,
    about_steps.step,
    about_steps.role,
    about_steps.typing,
    about_steps.no_ruling,
    about_cards.hands,
    about_cards.loose_card,
    about_steps.options,
    about_steps.silence,
    about_cards.next_card,
    about_money.money,
)
"""In the order in which somebody at the table would have to answer them."""

ABOUT_NOTHING: tuple[Ask, ...] = (about_cards.next_action, about_money.money)

ABOUT_LIMITS: tuple[Ask, ...] = (
    about_limits.noticed,
    about_limits.rejected,
    about_limits.counted,
    about_limits.below,
    about_money.money,
)

ALWAYS: tuple[Ask, ...] = (
    about_steps.step,
    about_steps.late,
    about_limits.noticed,
    about_limits.counted,
    about_limits.below,
    about_cards.next_action,
)


def lesson(book: Rulebook, seed: int, kind: str | None = None) -> Lesson:
    """A lesson by a book. The same book, seed and kind give the same lesson everywhere."""
    found, dice = begun(book, seed, kind_of(book, seed) if kind is None else kind)
    return Lesson(
        book=book.id,
        seed=seed,
        kind=found.kind,
        story=found.story,
        felt=felt(found),
        questions=questions(found, dice),
    )


def kind_of(book: Rulebook, seed: int) -> str:
    """What a lesson is about where nobody chose."""
    return pick(SeededDice(f"lesson {book.id} {seed}"), kinds_of(book))


def begun(book: Rulebook, seed: int, kind: str) -> tuple[Situation, SeededDice]:
    """The situation of a lesson, and the dice as they lie once it is made."""
    known = kinds_of(book)
    if kind not in known:
        raise Refusal("drill/kind", {"kind": kind, "known": known})
    dice = SeededDice(f"lesson {book.id} {seed} {kind}")
    return situation(book, kind, dice), dice


def questions(found: Situation, dice: SeededDice) -> tuple[Question, ...]:
    """Up to three questions in the order of things; what is to be done is always one of them."""
    asks = ABOUT_NOTHING if found.kind == NOTHING else ABOUT_A_MISTAKE
    asks = ABOUT_LIMITS if found.kind in LIMITS else asks
    made: dict[Ask, Question] = {}
    for ask in sorted(shuffled(asks, dice), key=lambda one: one not in ALWAYS):
        question = ask(found, dice) if len(made) < MOST_QUESTIONS else None
        if question is not None:
            made[ask] = question
    return tuple(made[ask] for ask in asks if ask in made)


def drill(book: Rulebook, seed: int, number: int) -> Iterator[Lesson]:
    """Lessons with so many questions in all, each made when it is asked for."""
    dice = SeededDice(f"drill {book.id} {seed}")
    kinds: list[str] = []
    left = number
    while left > 0:
        # Plain rounds come up between the mistakes, so that nobody expects one always.
        kinds = kinds or [*shuffled((*kinds_of(book), NOTHING, NOTHING), dice)]
        one = lesson(book, dice.below(10**6), kinds.pop())
        asked = one.questions[:left]
        left -= len(asked)
        yield replace(one, questions=asked)


# --- the table as it stands -----------------------------------------------------------------------

PHASES = {
    Phase.BETTING: "Betting is open.",
    Phase.CLOSED: "Betting is closed.",
    Phase.DECIDING: "Betting is closed; Antes are being decided on.",
    Phase.DEALING: "Betting is closed.",
    Phase.RESULT: "The result is called.",
    Phase.SETTLED: "The bets are settled.",
}


def felt(found: Situation) -> Felt:
    """What a trainee sees of a table."""
    table, book = found.table, found.book
    incident = table.incident
    lying = incident.lying if incident is not None else None
    coup = lying or found.coup
    hidden = [card for place, card in enumerate(found.coup.dealt) if place not in table.face_up]

    def seen(cards: tuple[Card, ...]) -> tuple[Card | None, ...]:
        shown: list[Card | None] = []
        for card in cards:
            covered = lying is None and card in hidden
            if covered:
                hidden.remove(card)
            shown.append(None if covered else card)
        return tuple(shown)

    return Felt(
        round=table.round.number,
        phase=PHASES[table.round.phase],
        player=seen(coup.player),
        banker=seen(coup.banker),
        loose=(*table.kept, *(incident.drawn if incident is not None else ())),
        bets=tuple(
            Bet(
                bet.patron,
                bet.box,
                bet.spot,
                book.spots[bet.spot].label,
                bet.stake,
                "declined" if bet.key in table.round.declined else "",
            )
            for bet in table.round.bets
        ),
        onlookers=found.onlookers,
    )
