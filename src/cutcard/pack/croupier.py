"""A croupier: plays a table by itself and writes its log, for demonstrations and vectors.

Everything goes through the table's own `decide`, and the shoe is committed, sealed and
proven as in a real game; only the entropy is made from a seed, so that the same seed
always gives the same file. Never for money: whoever knows the seed knows the shoe.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from cutcard.fairness import (
    CardShown,
    Commitment,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    Source,
    Step,
    VerifiableShoe,
    abort,
    opening,
    prepare,
    seal,
    show,
    take,
)
from cutcard.fairness.drbg import HmacDrbg
from cutcard.fairness.house import Secret
from cutcard.pack.export import Pack, export_card, export_round, export_shoe, export_table
from cutcard.pack.logbook import Logbook
from cutcard.pack.proof import COMMITTED
from cutcard.round import commands as rounds
from cutcard.round.decide import undecided
from cutcard.round.events import Laid
from cutcard.round.state import Phase
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import next_side
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table import commands as ask
from cutcard.table import decide, setup
from cutcard.table.commands import Command, InRound
from cutcard.table.setup import Approval
from cutcard.wire import Stepped, read

SECOND = 1000
EPOCH, DAY = 1_767_225_600_000, "2026-01-01"
"""New Year 2026: demonstrations have no clock either."""

DEALER, SUPERVISOR = "dealer", "supervisor"

Bets = Mapping[str, Mapping[str, int]]
"""Stakes by spot, by patron."""

Choice = Callable[[Laid], bool]
"""Whether a first-stage bet goes on."""


def private_key(seed: int | str) -> bytes:
    """The key of a demonstration; anybody can make it, so it proves nothing."""
    return sha256(f"cutcard demonstration key {seed}".encode()).digest()


class Croupier:
    """One table, its staff, its patrons and its shoe."""

    def __init__(self, book: Rulebook, seed: int | str, table: str = "t7") -> None:
        self.book, self.seed, self.at = book, seed, EPOCH
        self.log = Logbook(table, private_key(seed))
        self._entropy = HmacDrbg(
            sha256(f"cutcard demonstration {seed}".encode()).digest(), b"", b"cutcard pack 1"
        )
        self._secret: Secret | None = None

    def do(self, *commands: Command) -> None:
        """Give commands; whatever comes of them is in the log."""
        for command in commands:
            self.log.happen(*decide(self.log.table, command, self.book))

    def in_round(self, command: rounds.Command, by: str = DEALER) -> None:
        self.do(InRound(command, by))

    def tick(self, seconds: int = 1) -> int:
        self.at += seconds * SECOND
        return self.at

    # --- table and shoe ---------------------------------------------------------------------------

    def open(self, stacks: Mapping[str, int], **choices: object) -> None:
        """Open the table; each patron comes with a stack, and sits down where there are seats."""
        approval = Approval("demonstration", "operator", "compliance")
        usual = {"approval": approval, "helpline": "1800 858 858"}
        arranged = setup(self.book, self.log.name, **{**usual, **choices})
        self.do(
            ask.SignOn(SUPERVISOR, Role.PIT_SUPERVISOR, self.at),
            ask.SignOn(DEALER, Role.DEALER, self.at),
            ask.OpenTable(arranged, SUPERVISOR, self.at),
        )
        for box, (patron, amount) in enumerate(stacks.items(), start=1):
            self.do(ask.FillStack(patron, amount, self.tick()))
            if not arranged.is_open:
                self.do(ask.TakeSeat(patron, box, self.at))

    def commit(self, givers: tuple[str, ...] = ("g1", "g2"), **other: Any) -> None:
        """A new shoe: committed, sealed, seeded, registered, its first cards burned.

        Terms `other` than the table's show what a verifier must find.
        """
        commitment = self.seeded(givers, **other)
        self.register(commitment.shoe, COMMITTED + commitment.hash.hex())
        self._expose()

    def seeded(self, givers: tuple[str, ...], **other: Any) -> Commitment:
        """A shoe that was committed, and whose order is fixed."""
        table = self.log.table
        assert table.setup is not None, "the table is open"
        until = self.at + 60 * SECOND
        terms = {
            "table": self.log.name,
            "number": 1 + (self.log.shoe.commitment.number if self.log.shoe else 0),
            "book": self.book.hash,
            "decks": table.setup.decks,
            "behind_cut": self.book.cut.least,
            "seeds_until": until,
        }
        commitment, self._secret = prepare(Source(self._entropy.generate), **{**terms, **other})
        seeds = {giver: self._entropy.generate(32) for giver in givers}
        self.log.step(commitment)
        for giver, seed in seeds.items():
            self.log.step(SeedSealed(giver, seal(commitment, giver, seed), self.tick()))
        self.at = until
        self.log.step(SeedsClosed(until))
        self.log.step(*(SeedGiven(giver, seed) for giver, seed in seeds.items()))
        return commitment

    def abort(self, reason: str) -> None:
        """Throw the shoe away, and open it."""
        self.log.step(abort(self._held, reason))

    def register(self, shoe: str, shuffle_record: str) -> None:
        assert self.log.table.setup is not None, "the table is open"
        manifest = dict.fromkeys(DECK, self.log.table.setup.decks)
        self.do(ask.RegisterShoe(shoe, manifest, shuffle_record, DEALER, self.tick()))

    def _expose(self) -> None:
        shown = show(self._shoe, self._held)
        self.log.step(shown)
        self.do(ask.BurnCard(shown.card, DEALER, self.tick()))
        while self._shoe.to_burn:
            self.log.step(take(self._shoe))
            self.do(ask.BurnCard(None, DEALER, self.at))

    @property
    def _held(self) -> Secret:
        assert self._secret is not None, "a shoe was committed"
        return self._secret

    @property
    def _shoe(self) -> VerifiableShoe:
        assert self.log.shoe is not None, "a shoe was committed"
        return self.log.shoe

    @property
    def first_card(self) -> Card:
        """The card that everybody has seen first in this round."""
        return self.log.table.round.coup.player[0]

    @property
    def last_shown(self) -> int:
        """The place of the last card that was shown."""
        return max(self._shoe.shown)

    @property
    def over(self) -> bool:
        """Whether the cut card has come out."""
        return self.log.table.shoe is not None and self.log.table.shoe.cut_card

    def end(self) -> None:
        """The shoe is counted and opened: as one that was dealt, or else as aborted."""
        self.do(ask.EndShoe(self._shoe.commitment.cards - self._shoe.left, DEALER, self.tick()))
        dealt = self._shoe.left > self._shoe.commitment.cards - self._shoe.commitment.behind_cut
        self.log.step(
            opening(self._held) if dealt else abort(self._held, "the demonstration ends here")
        )
        self.log.sign("day", DAY, self.tick())

    # --- a round ----------------------------------------------------------------------------------

    def round(self, bets: Bets, choice: Choice = lambda _: True) -> None:
        """Play a round from the first bet to the last chip paid."""
        self.bet(bets)
        self.deal(choice)
        self.settle()

    def bet(self, bets: Bets) -> None:
        """Open a round and take bets, each patron's in the patron's own box, until the close."""
        self.in_round(rounds.OpenRound(0, None, self.tick(20)))
        for patron, stakes in bets.items():
            box = self.log.table.bets_in(patron)
            box = 1 if box is None else box
            for spot, stake in stakes.items():
                self.place(patron, box, spot, stake)
        self.in_round(rounds.CloseBets(self.tick(5)))

    def place(self, patron: str, box: int, spot: str, stake: int) -> None:
        self.in_round(rounds.PlaceBet(patron, box, spot, stake, self.tick()), patron)

    def deal(self, choice: Choice = lambda _: True) -> None:
        """Deal until the coup is over; first-stage bets are decided on as somebody chooses."""
        while next_side(self.log.table.round.coup) is not None:
            if self.log.table.round.phase is Phase.DECIDING:
                self._decide(choice)
            else:
                self.draw()

    def draw(self) -> None:
        """The next card of the committed shoe, with its proof."""
        shoe = self._shoe
        if shoe.left == shoe.commitment.cards - shoe.commitment.behind_cut:
            self.do(ask.ShowCutCard(DEALER, self.tick()))
        shown = show(shoe, self._held)
        self.log.step(shown)
        self.in_round(rounds.DrawCard(shown.card, self.tick()))

    def _decide(self, choice: Choice) -> None:
        for bet, _ in undecided(self.log.table.round, self.book):
            chosen = rounds.ChooseSecondStage(
                bet.patron, bet.box, bet.spot, choice(bet), self.tick()
            )
            self.in_round(chosen, bet.patron)

    def settle(self) -> None:
        self.in_round(rounds.CallResult(self.tick()))
        self.in_round(rounds.SettleRound(self.tick()))

    # --- packs ------------------------------------------------------------------------------------

    def table_pack(self) -> Pack:
        return export_table(self.log.name, self.log.entries, self.log.heads, [self.book])

    def round_pack(self, shoe: int, number: int) -> Pack:
        log = self.log
        return export_round(log.name, log.entries, log.heads, [self.book], shoe=shoe, number=number)

    def shoe_pack(self) -> Pack:
        """The latest shoe that was committed."""
        return export_shoe(self._shoe.commitment, self._steps())

    def card_pack(self, place: int) -> Pack:
        """One card of the latest shoe, by its place of dealing from 0."""
        steps = self._steps()
        shown = next(one for one in steps if isinstance(one, CardShown) and one.place == place)
        return export_card(self._shoe.commitment, steps, shown)

    def _steps(self) -> list[Step]:
        """What happened to the latest shoe since it was committed."""
        found: list[Step] = []
        for entry in self.log.entries:
            record = read(entry.record)
            if isinstance(record, Stepped):
                if isinstance(record.step, Commitment):
                    found = []
                else:
                    found.append(record.step)
        return found
