"""The dealer's prompt: the one lawful thing to do next at a table that people deal.

Pure, and the twin of nothing: the automatic dealer asks `dealer.due` when to act, a person is
told what to do. Both end in the same commands, so neither can do what the other may not.
"""

from dataclasses import dataclass
from enum import Enum

from cutcard.round.decide import undecided
from cutcard.round.state import FINISHED, Phase
from cutcard.rules.coup import Side, next_side
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.server.dealer import FIRST_FOUR
from cutcard.table.advice import entry_of
from cutcard.table.decide import needs_dealer
from cutcard.table.squeezing import squeezes_to_answer
from cutcard.table.state import Table


class Next(Enum):
    """What a dealer can be told to do; most are named as the command that does it."""

    OPEN_TABLE = "open-table"
    CLOSE_TABLE = "close-table"
    REGISTER = "register-shoe"
    EXPOSE = "expose-card"
    BURN = "burn-card"
    DEALER = "await-dealer"
    OPEN = "open-round"
    CLOSE = "close-bets"
    SQUEEZE = "answer-squeeze"
    DEAL = "scan-card"
    ENTER = "enter-card"
    KEPT = "deal-kept-card"
    TURN = "turn-cards"
    DECISIONS = "await-decisions"
    END_DECISIONS = "end-decisions"
    CALL = "call-result"
    SETTLE = "settle-round"
    END_SHOE = "end-shoe"
    RESOLVE = "resolve"
    OPTIONS = "await-options"
    END_OPTIONS = "end-options"
    AUTOMATIC = "automatic"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One thing to do, who does it, and the figures that go with it."""

    act: Next
    role: Role = Role.DEALER
    side: Side | None = None
    number: int = 0
    """Which card of the coup, how many cards to burn, or how many patrons are waited for."""

    card: str | None = None
    until: int | None = None


def prompt(table: Table, book: Rulebook, now: int, virtual: bool = False) -> Prompt:
    """What comes next at a table, as it is.

    Nobody deals from a virtual shoe by hand: its round is finished by the automatic dealer.
    """
    if table.incident is not None:
        return Prompt(Next.RESOLVE, entry_of(book, table.incident.kind).decides)
    if table.options is not None:
        waiting = sum(one is None for one in table.options.values())
        over = waiting == 0 or now >= table.options_until
        act = Next.END_OPTIONS if over else Next.OPTIONS
        return Prompt(act, number=waiting, until=table.options_until)
    if not table.open:
        return Prompt(Next.OPEN_TABLE, Role.PIT_SUPERVISOR)
    if table.round.phase in FINISHED:
        return _between_rounds(table, book, now, virtual)
    return Prompt(Next.AUTOMATIC, Role.PIT_SUPERVISOR) if virtual else _in_round(table, book, now)


def _between_rounds(table: Table, book: Rulebook, now: int, virtual: bool) -> Prompt:
    if table.last_round is not None and table.rounds >= table.last_round:
        return Prompt(Next.CLOSE_TABLE, Role.PIT_SUPERVISOR)
    shoe = table.shoe
    if shoe is None:
        return Prompt(Next.REGISTER)
    if virtual:
        return Prompt(Next.END_SHOE)
    if shoe.to_burn is None:
        return Prompt(Next.EXPOSE)
    if shoe.to_burn:
        return Prompt(Next.BURN, number=shoe.to_burn)
    if shoe.cut_card:
        return Prompt(Next.END_SHOE)
    return Prompt(Next.DEALER if needs_dealer(table, book, now) else Next.OPEN)


def _in_round(table: Table, book: Rulebook, now: int) -> Prompt:
    round, dealt = table.round, len(table.round.coup.dealt)
    if round.phase is Phase.BETTING:
        return Prompt(Next.CLOSE)
    if round.phase is Phase.DECIDING:
        waiting = len(undecided(round, book))
        over = round.decide_until is not None and now >= round.decide_until
        act = Next.END_DECISIONS if over else Next.DECISIONS
        return Prompt(act, number=waiting, until=round.decide_until)
    if round.phase is Phase.RESULT:
        return Prompt(Next.SETTLE)
    if table.shoe is None:
        # It was taken away in the middle of the round, which a new one finishes.
        return Prompt(Next.REGISTER)
    if not table.shoe.ready:
        left = table.shoe.to_burn
        return Prompt(Next.EXPOSE) if left is None else Prompt(Next.BURN, number=left)
    if squeezes_to_answer(table):
        return Prompt(Next.SQUEEZE)
    # Two cards to each side are turned over before anybody draws a third.
    if dealt >= FIRST_FOUR and len(table.face_up) < dealt:
        return Prompt(Next.TURN)
    side = next_side(round.coup)
    if side is None:
        return Prompt(Next.CALL)
    kept = str(table.kept[0]) if table.kept else None
    if table.setup is not None and not table.setup.scanner:
        return Prompt(Next.ENTER, side=side, number=dealt + 1, card=kept)
    return Prompt(Next.KEPT if kept else Next.DEAL, side=side, number=dealt + 1, card=kept)
