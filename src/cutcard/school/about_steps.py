"""Questions about remedies: what is established, what may be done, by whom, and who may choose."""

from cutcard.round import commands as rounds
from cutcard.rules.rulebook import Interruption, Options, Role
from cutcard.rules.shoe import SeededDice
from cutcard.school import reasons, words
from cutcard.school.asking import ask, rank
from cutcard.school.lesson import Choice, Question, Topic
from cutcard.school.mistakes import (
    ANYTHING,
    DISPLAY,
    MISPLACED,
    MISREAD,
    OTHER,
    WALKED_AWAY,
    WRONG_NUMBER,
    WRONG_PERSON,
    WRONG_SIDE,
)
from cutcard.school.rehearsal import DEALER, pick, refused, staff
from cutcard.school.situation import AFTER, Situation
from cutcard.table import incident as kinds
from cutcard.table.advice import Path
from cutcard.table.commands import EndOptions, InRound
from cutcard.table.incident import Step

NOBODY = "none"

# --- what is established --------------------------------------------------------------------------


def established(situation: Situation, dice: SeededDice) -> Question | None:
    """By which bet an outcome is established, where something depends on that."""
    book, entry = situation.book, situation.book.irregularities[situation.kind]
    matters = entry.options in (
        Options.UNLESS_ESTABLISHED,
        Options.UNLESS_ESTABLISHED_AND_RECONSTRUCTABLE,
    )
    if situation.kind == kinds.INTERRUPTION:
        matters = book.interruption is Interruption.ESTABLISHED
    if not matters:
        return None
    found = situation.advice.established
    nothing = Choice(NOBODY, "No: every bet can still win, lose or push.")
    right = nothing
    if found:
        right = _by(situation, pick(dice, found))
    others = [_by(situation, spot) for spot in book.spots if spot not in found]
    if not others:
        # Where the cards have decided every bet, nobody needs to be asked.
        return None
    if found:
        others.append(Choice("called", "No, not before the result is called."))
    return ask(
        dice,
        Topic.ESTABLISHED,
        "Is an outcome established? If so, by which of these bets?",
        right,
        # That nothing is established is always one of the choices.
        ([] if right is nothing else [nothing]) + _some(others, dice, 2 if found else 3),
        reasons.established(situation),
        reasons.quotes(
            book, "HOUSE available" if found or situation.all_open else "HOUSE known", entry.clause
        ),
    )


def _by(situation: Situation, spot: str) -> Choice:
    return Choice(spot, f"Yes, by {situation.book.spots[spot].label}.")


def _some(choices: list[Choice], dice: SeededDice, number: int) -> list[Choice]:
    left, found = list(choices), list[Choice]()
    while left and len(found) < number:
        found.append(left.pop(dice.below(len(left))))
    return found


# --- steps ----------------------------------------------------------------------------------------

MEANING = {
    Step.VOID: "void",
    Step.RULE_VOID: "void",
    Step.NO_RULING: "void",
    Step.CONCLUDE: "on",
    Step.CONTINUE: "on",
    Step.PLAY_ON: "on",
    Step.RULE_CONTINUE: "on",
    Step.RECORD: "on",
    Step.DISMISS: "on",
    Step.RETRACT: "nothing happened",
    Step.RECONSTRUCT: "order",
    Step.ORDER: "order",
    Step.RESCAN: "record",
    Step.CORRECT: "record",
    Step.RULE_BURN: "burn",
}
"""What steps come to. A wrong choice must not come to the same as a lawful one."""

DEAL_AGAIN, OFFER, CALL, RETURN, MOVE, SETTLE_AS_SHOWN, SETTLE_AGAIN, PUT_BACK = (
    "deal again",
    "offer a choice",
    "call the result",
    "return the bets",
    "move the chips",
    "settle as shown",
    "settle again",
    "put back",
)

NO_STEPS = {
    DEAL_AGAIN: "Take the cards away and deal the round again.",
    OFFER: "Let each patron choose: go on, or have the bets returned.",
    CALL: "Let the result stand as it was announced.",
    RETURN: "Return the bets of the patron who left.",
    MOVE: "Move the chips to where they were meant to be.",
    SETTLE_AS_SHOWN: "Settle the bets by what the screen shows.",
    SETTLE_AGAIN: "Put the cards of round 1 in order and settle it again.",
    PUT_BACK: "Put the cards back into the shoe and draw again.",
}
"""Tempting things that are no steps at all."""

TEMPTING: dict[str, tuple[Step | str, ...]] = {
    kinds.FOREIGN: (Step.RULE_BURN, Step.CONTINUE, Step.RECONSTRUCT, OFFER),
    kinds.MISCOUNT: (Step.CONTINUE, Step.RECONSTRUCT, OFFER, Step.CORRECT),
    kinds.TOO_FEW: (Step.CONCLUDE, Step.RECONSTRUCT, OFFER, DEAL_AGAIN),
    kinds.UNSHUFFLED: (Step.CONTINUE, OFFER, Step.RECONSTRUCT, DEAL_AGAIN),
    kinds.EXCESS: (Step.VOID, Step.RULE_BURN, PUT_BACK, DEAL_AGAIN, OFFER),
    kinds.FACE_UP: (Step.VOID, Step.RULE_BURN, DEAL_AGAIN, OFFER),
    kinds.TOGETHER: (Step.VOID, Step.RULE_BURN, PUT_BACK, DEAL_AGAIN),
    kinds.LATE: (Step.VOID, SETTLE_AGAIN, OFFER),
    kinds.UNREAD: (Step.VOID, Step.RULE_BURN, DEAL_AGAIN, OFFER),
    kinds.INTERRUPTION: (Step.VOID, Step.CONCLUDE, OFFER, DEAL_AGAIN),
    WRONG_SIDE: (Step.VOID, DEAL_AGAIN, Step.RULE_BURN, OFFER),
    WRONG_PERSON: (Step.VOID, DEAL_AGAIN, Step.RULE_BURN, OFFER),
    WRONG_NUMBER: (CALL, DEAL_AGAIN, OFFER),
    OTHER: (Step.VOID, DEAL_AGAIN, Step.CORRECT),
    MISREAD: (Step.VOID, Step.RECORD, Step.RECONSTRUCT, DEAL_AGAIN, OFFER),
    WALKED_AWAY: (RETURN, Step.VOID, OFFER),
    MISPLACED: (MOVE, Step.VOID, OFFER),
    DISPLAY: (SETTLE_AS_SHOWN, Step.VOID, OFFER),
}


def step(situation: Situation, dice: SeededDice) -> Question | None:
    """Which of some steps is lawful."""
    if situation.kind not in TEMPTING:
        return None
    path = situation.advice.paths[0]
    return ask(
        dice,
        Topic.STEP,
        "Which of these does the book allow?",
        _missing(path.step) if situation.kind == WRONG_NUMBER else _step(path.step),
        [_step(one) for one in TEMPTING[situation.kind] if _is_wrong(situation, one)],
        reasons.step(situation),
        reasons.quotes(situation.book, path.clause),
    )


def _step(one: Step | str) -> Choice:
    if isinstance(one, Step):
        return Choice(one.value, words.STEPS[one])
    return Choice(one, NO_STEPS[one])


def _missing(step: Step) -> Choice:
    """To put cards in order where one is missing is to draw it."""
    said = "Draw the card that is missing, and go on."
    return Choice(step.value, said if step is Step.RECONSTRUCT else words.STEPS[step])


def _is_wrong(situation: Situation, one: Step | str) -> bool:
    """Whether no lawful step is this one, or comes to the same."""
    paths = situation.advice.paths
    if one == OFFER:
        return not any(path.offered for path in paths)
    return not isinstance(one, Step) or MEANING[one] not in {MEANING[path.step] for path in paths}


def role(situation: Situation, dice: SeededDice) -> Question | None:
    """Who may decide at the least."""
    path = situation.advice.paths[0]
    lead = _to_be(path)
    if situation.late is not None:
        late = isinstance(situation.late, rounds.PlaceBet)
        lead = "The bet is refused." if late else "The bet stays in the round."
    return ask(
        dice,
        Topic.ROLE,
        f"{lead} What is the lowest role that may decide this?",
        Choice(path.role.value, words.role(path.role)),
        [Choice(one.value, words.role(one)) for one in Role],
        reasons.role(situation.book, path.role, path.clause),
        reasons.quotes(
            situation.book,
            path.clause,
            None if reasons.ranked(situation.book, path.role, path.clause) else reasons.WHO_DECIDES,
        ),
        order=rank,
    )


def _to_be(path: Path) -> str:
    if path.step in (Step.RULE_CONTINUE, Step.RULE_VOID):
        return "The round shall go on, or be void."
    return f"This is to be done: “{words.STEPS[path.step]}”"


# --- options --------------------------------------------------------------------------------------


def options(situation: Situation, dice: SeededDice) -> Question | None:
    """Who may choose once a step is taken."""
    entry = situation.book.irregularities[situation.kind]
    if not situation.patrons or entry.options is Options.NEVER:
        return None
    steps = [path for path in situation.advice.paths if path.step is not Step.RETRACT]
    path = pick(dice, steps)
    return ask(
        dice,
        Topic.OPTIONS,
        f"{words.taken(path.step, path.order)} Who may now choose to go on, or to have the bets "
        "of this round returned?",
        _people(situation, path.offered),
        [_people(situation, some) for some in _groups(situation)],
        reasons.options(situation, path),
        reasons.quotes(situation.book, *reasons.about_options(path.clause)),
    )


def _groups(situation: Situation) -> list[tuple[str, ...]]:
    """Everybody, nobody, and those whom one might think of."""
    bets = list(situation.table.round.bets)
    highest = max(bets, key=lambda bet: bet.stake).patron
    some = [
        tuple(dict.fromkeys(b.patron for b in bets if b.spot == s)) for s in situation.book.spots
    ]
    everybody = (*situation.patrons, *situation.onlookers)
    return [(), situation.patrons, everybody, (highest,), *(one for one in some if one)]


def _people(situation: Situation, names: tuple[str, ...]) -> Choice:
    said = words.listed(names)
    if not names:
        return Choice("", "Nobody.")
    if names == situation.patrons:
        return Choice(",".join(names), f"{said}: everybody with a bet.")
    if len(names) > len(situation.patrons):
        return Choice(",".join(names), f"{said}: everybody at the table.")
    return Choice(",".join(names), f"Only {said}.")


BETS_OF_THE_SILENT = {
    "return": "The bets are returned.",
    "continue": "The bets stay, and the patron goes on.",
    "lose": "The bets are lost.",
    "ask": "The dealer asks again and waits.",
}


def silence(situation: Situation, dice: SeededDice) -> Question | None:
    """What becomes of the bets of somebody who does not choose in time."""
    path = situation.advice.paths[0]
    if not path.offered:
        return None
    who = pick(dice, path.offered)
    asked = situation.after(situation.resolve(path))
    over = asked.table.options_until
    ended = EndOptions(DEALER, over)
    assert refused(asked.table, ended, situation.book) is None, "the time is over"
    left = asked.after(ended).patrons
    value = "continue" if who in left else "return"
    assert value == situation.advice.default, "the advice says what happens"
    return ask(
        dice,
        Topic.SILENCE,
        f"{words.taken(path.step, path.order)} {who} may choose, and says nothing until the time "
        "is over. What then?",
        Choice(value, BETS_OF_THE_SILENT[value]),
        [Choice(*one) for one in BETS_OF_THE_SILENT.items()],
        "Whoever does not choose in time has the bets returned, and is told so beforehand.",
        reasons.quotes(situation.book, "HOUSE options default", "CB4 5.12.3"),
    )


# --- bets too late --------------------------------------------------------------------------------


def late(situation: Situation, dice: SeededDice) -> Question | None:
    """What becomes of a bet that came or went after the close."""
    wish = situation.late
    if wish is None:
        return None
    for who in (wish.patron, staff(Role.PIT_SUPERVISOR)):
        assert situation.refuses(InRound(wish, who)), "after the close it is too late for anybody"
    if isinstance(wish, rounds.PlaceBet):
        right = Choice("refuse", "It is refused and has no part in this round.")
        wrong = [
            Choice("stand", "It stands: it lies on the layout."),
            Choice("agree", "It stands if the pit supervisor agrees."),
            Choice("half", "It counts for half, because it came late."),
        ]
        why = "Once betting is closed, no bet is placed or raised, whoever agrees to it."
    else:
        right = Choice("as placed", "It stays in the round, and wins or loses as it was placed.")
        wrong = [
            Choice("off", "It is off: the patron may take it back until the result is called."),
            Choice("agree", "It is off if the pit supervisor agrees."),
            Choice("lost", "It is lost at once, whatever the cards are."),
        ]
        why = "Once betting is closed, no bet is taken back, whoever agrees to it."
    if not any(path.step is Step.VOID for path in situation.advice.paths):
        wrong.append(Choice("void", "The whole round is void."))
    return ask(
        dice,
        Topic.BET,
        f"What becomes of {wish.patron}'s bet on {situation.book.spots[wish.spot].label}?",
        right,
        wrong,
        why,
        reasons.quotes(situation.book, situation.advice.clause),
    )


# --- cards that cannot be read, and rulings -------------------------------------------------------

TYPING = {
    "no": "No, it must be scanned until it is read.",
    "alone": "Yes, by the dealer alone.",
    "together": "Yes, if a second member of staff confirms it.",
}


def typing(situation: Situation, dice: SeededDice) -> Question | None:
    """Whether a card that the scanner cannot read may be typed in."""
    if situation.kind != kinds.UNREAD:
        return None
    scanned = situation.taken(situation.advice.paths[0])

    def typed(seen_by: str) -> bool:
        card = rounds.DrawCard(scanned.coming[0], scanned.now + AFTER, seen_by=seen_by)
        return not scanned.refuses(InRound(card, DEALER))

    together, alone = typed(staff(Role.PIT_SUPERVISOR)), typed(DEALER)
    assert not alone, "nobody types a card alone"
    value = "together" if together else "no"
    why = {
        "together": "A card typed in by hand is confirmed by a second person.",
        "no": "This book lets nobody type a card in.",
    }[value]
    return ask(
        dice,
        Topic.TYPING,
        "The scanner still cannot read it. May the card be typed in by hand?",
        Choice(value, TYPING[value]),
        [Choice(*one) for one in TYPING.items()],
        why,
        reasons.quotes(situation.book, situation.advice.clause),
    )


UNRULED = {
    "void": "The round is void, and every bet is returned.",
    "go on": "The round goes on as if nothing had happened.",
    "dealer": "The dealer rules on it.",
    "supervisor": "The pit supervisor rules on it.",
}


def no_ruling(situation: Situation, dice: SeededDice) -> Question | None:
    """What happens when nobody can be found who may rule."""
    paths = [path for path in situation.unruled.paths if path.step is Step.NO_RULING]
    if situation.kind != ANYTHING or not paths:
        return None
    return ask(
        dice,
        Topic.NO_RULING,
        "Nobody who may rule on it can be found. What now?",
        Choice("void", UNRULED["void"]),
        [Choice(*one) for one in UNRULED.items()],
        "Where a ruling is due and nobody can give it, the round is void and the log says why.",
        reasons.quotes(situation.book, paths[0].clause, situation.advice.clause),
    )
