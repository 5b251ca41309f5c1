"""The simulation: a seed in, a night on the floor out, with the auditor's verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cutcard.floor.auditor import Finding
from cutcard.floor.dice import FloorDice
from cutcard.floor.floor import Floor, Tally
from cutcard.floor.journal import Record
from cutcard.floor.staff import Crew, books_for
from cutcard.floor.wishes import Patrons
from cutcard.ledger import AccountId, commission, house
from cutcard.patron import HOUR
from cutcard.round.state import FINISHED, Phase
from cutcard.rules.coup import next_side
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table import Table
from cutcard.table.view import PUBLIC, Audience, Viewer, view

PATRONS_PER_TABLE = 3
CRASHES = 2
"""How often the whole floor crashes on average, however long the run: each replays everything."""

RESTARTS = 6
"""How often a single table does."""

MISHAPS = 45
"""Once in so many things that are done at a table, something goes wrong."""

AFTERWARDS = 10
"""After settlement there is little time to notice anything, so people look closely."""


@dataclass(frozen=True)
class Report:
    """What came of a run; `failure` says what broke, if anything did."""

    seed: int
    asked: int
    """How many rounds were asked for: with the seed, all that it takes to run it again."""

    tables: dict[str, Tally]
    won: dict[str, int]
    """By table: what the house won, commission included."""

    elsewhere: dict[str, int]
    rounds: int
    events: int
    crashes: int
    foreseen: int
    """How often advice on money was compared with what came of it."""

    findings: tuple[Finding, ...]
    failure: str | None

    @property
    def agreed(self) -> bool:
        return not self.findings and self.failure is None


def simulate(
    seed: int,
    rounds: int,
    books: Sequence[Rulebook],
    tables: int | None = None,
    keep: Callable[[Record], None] | None = None,
) -> Report:
    """Run a floor until so many rounds are over; `keep` is given every journal record."""
    dice = FloorDice(seed)
    floor = Floor(books_for(list(books), len(books) if tables is None else tables), keep)
    failure = None
    try:
        _run(floor, dice, rounds)
    except Exception as error:  # whatever it is, it must be told with its seed
        failure = f"{type(error).__name__}: {error}"
    return Report(
        seed=seed,
        asked=rounds,
        tables=floor.tallies,
        won={name: _won(floor, name) for name in floor.books},
        elsewhere=dict(floor.elsewhere),
        rounds=floor.rounds,
        events=len(floor.log),
        crashes=floor.crashes,
        foreseen=floor.foreseen,
        findings=tuple(floor.auditor.findings),
        failure=failure,
    )


def _won(floor: Floor, name: str) -> int:
    accounts: tuple[AccountId, ...] = (house(name), commission(name))
    return sum(floor.venue.ledger.balance(one) for one in accounts)


def _run(floor: Floor, dice: FloorDice, rounds: int) -> None:
    patrons = Patrons(floor, dice, PATRONS_PER_TABLE * len(floor.books))
    crews = [Crew(floor, dice, name) for name in floor.books]
    done = 0
    while floor.rounds < rounds and not floor.auditor.findings:
        _step(floor, dice, patrons, dice.pick(crews))
        if floor.rounds > done:
            done = floor.rounds
            if dice.below(max(rounds, CRASHES)) < CRASHES:
                floor.crash()
                for crew in crews:
                    # Whatever is void now was a round, too.
                    if floor.rounds < rounds:
                        floor.resume(crew.name)
            if dice.below(max(rounds, RESTARTS)) < RESTARTS and floor.rounds < rounds:
                name = dice.pick(crews).name
                floor.restart(name)
                floor.resume(name)
    floor.crash()
    floor.close()


def _step(floor: Floor, dice: FloorDice, patrons: Patrons, crew: Crew) -> None:
    """One person does one thing."""
    floor.at += dice.between(1, 4000)
    if dice.one_in(20_000):
        floor.at += dice.between(1, 30) * HOUR
    table = floor.table(crew.name)
    if table.seats and dice.one_in(8):
        crew.free_seats()
    elif crew.electronic and dice.one_in(6):
        crew.terminals.look_after()
    elif dice.one_in(20):
        patrons.elsewhere()
    elif dice.one_in(25):
        crew.whim()
    elif dice.one_in(200):
        _look(floor, dice, patrons, crew)
    elif table.incident is not None or table.options is not None:
        _wait(dice, patrons, crew)
    elif table.shoe is None and table.round.phase not in FINISHED and dice.one_in(3):
        crew.mishaps.out_of_cards()
    elif crew.mishaps.noticed():
        pass
    elif dice.one_in(AFTERWARDS if table.round.phase is Phase.SETTLED else MISHAPS):
        crew.mishaps.happen()
    elif table.round.phase is Phase.BETTING:
        crew.go_on() if dice.one_in(14) else patrons.at_table(crew.name)
    elif table.round.phase is Phase.DECIDING:
        crew.go_on() if dice.one_in(6) else patrons.choose(crew.name, table)
    elif _card_to_come(table) and dice.one_in(4):
        patrons.squeeze(crew.name, table)
        crew.answer()
    elif dice.one_in(12):
        patrons.at_table(crew.name)
    else:
        crew.go_on()


def _card_to_come(table: Table) -> bool:
    """Whether a squeeze is asked for now: before the first card, face down also before others."""
    if table.round.phase is Phase.CLOSED:
        return True
    hidden = table.setup is not None and table.setup.face_down
    dealing = table.round.phase is Phase.DEALING
    return hidden and dealing and next_side(table.round.coup) is not None


def _wait(dice: FloorDice, patrons: Patrons, crew: Crew) -> None:
    """Something went wrong: somebody puts it right or chooses, and somebody cannot wait."""
    table = crew.floor.table(crew.name)
    if table.round.phase is Phase.SETTLED and dice.one_in(4):
        patrons.take_all(crew.name, table)
    elif dice.one_in(8):
        patrons.at_table(crew.name) if dice.one_in(2) else crew.go_on()
    elif dice.one_in(16):
        crew.mishaps.interrupt()
    elif table.incident is not None:
        crew.mishaps.put_right()
    elif dice.one_in(5):
        crew.mishaps.end_options()
    else:
        patrons.option(crew.name, table)


def _look(floor: Floor, dice: FloorDice, patrons: Patrons, crew: Crew) -> None:
    """Somebody looks at the table, and sees neither a card that lies face down nor a count."""
    table = floor.table(crew.name)
    if table.setup is None:
        return
    who = dice.pick(patrons.here)
    staff = Viewer(Audience.STAFF, crew.dealer, Role.DEALER)
    for viewer in (PUBLIC, Viewer(Audience.PATRON, who), staff):
        seen = view(table, viewer, crew.book)
        if (seen.left, seen.cards_left) != (None, None):
            raise AssertionError(f"{viewer} sees how many cards the shoe should hold")
        open_cards = sum(card is not None for card in (*seen.player, *seen.banker))
        should = len(table.face_up)
        should += _squeezed(table, who) if viewer.audience is Audience.PATRON else 0
        if open_cards != should and table.round.phase not in FINISHED:
            raise AssertionError(f"{viewer} sees {open_cards} cards of {should}")


def _squeezed(table: Table, who: str) -> int:
    """How many cards a patron holds alone: those of a side dealt since the squeeze was granted."""
    coup = table.round.coup
    return sum(
        coup.place(side, number) not in table.face_up
        for side, squeezer in table.squeeze.items()
        for number in range(table.squeeze_from[side], len(coup.hand(side)))
        if squeezer == who
    )
