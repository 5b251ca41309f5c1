"""The demonstration: three patrons play a whole shoe in the terminal."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import lcm

from rich.console import Console

from cutcard.cli import draw
from cutcard.roads import Result, roads
from cutcard.rules.coup import Winner
from cutcard.rules.dealing import check_rounds, demonstration_shoe, first_rounds
from cutcard.rules.limits import Kind
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import Settlement, settle
from cutcard.rules.shoe import DealtCoup

STAKE = 100
ROADS_EVERY = 20
"""Coups between two drawings of the roads."""


@dataclass
class Demonstration:
    """One shoe of one book, with three patrons of simple habits."""

    book: Rulebook
    seed: int
    rounds: int | None = None
    results: list[Result] = field(default_factory=list)
    balance: dict[str, int] = field(default_factory=lambda: {"Ann": 0, "Ben": 0, "Cho": 0})
    last_winner: str = "player"

    def __post_init__(self) -> None:
        check_rounds(self.rounds)
        self.shoe = demonstration_shoe(self.book, self.seed)

    def coups(self) -> Iterator[tuple[DealtCoup, dict[str, Settlement]]]:
        """Deal and settle coup by coup."""
        for dealt in first_rounds(self.shoe, self.rounds):
            settled = {
                patron: settle(self.book, dealt.coup, bets)
                for patron, bets in self.bets(dealt.number).items()
            }
            for patron, settlement in settled.items():
                self.balance[patron] += settlement.net
            self.note(dealt)
            yield dealt, settled

    def bets(self, number: int) -> dict[str, dict[str, int]]:
        """Ann backs the Banker, Ben the last winner, Cho tries every bet in turn."""
        first_stage = [spot.id for spot in self.book.spots.values() if spot.stage is None]
        tried = first_stage[number % len(first_stage)]
        ann = "banker" if "banker" in first_stage else first_stage[0]
        ben = self.last_winner if self.last_winner in first_stage else ann
        return {"Ann": self.wish(ann), "Ben": self.wish(ben), "Cho": self.wish(tried)}

    def wish(self, id: str) -> dict[str, int]:
        """A bet, with whatever the book wants beside or after it, each on its step."""
        spot, second = self.book.spots[id], self.book.stage_of(id)
        bets = self.wish(spot.needs.any_of[0]) if spot.needs is not None else {}
        if second is None or second.stage is None:
            return {**bets, id: self.stake(id, spot.step)}
        stake = self.stake(id, lcm(spot.step, second.step))
        return {**bets, id: stake, second.id: stake * second.stage.multiple}

    def stake(self, id: str, step: int) -> int:
        """The least multiple of a step that is no less than the usual stake and the minimum."""
        minima = (one for one in self.book.limits if one.kind is Kind.MINIMUM and id in one.spots)
        least = max([STAKE, *(limit.amount for limit in minima)])
        return -(-least // step) * step

    def note(self, dealt: DealtCoup) -> None:
        self.results.append(Result.of(dealt.coup))
        if dealt.coup.winner is not Winner.TIE:
            self.last_winner = dealt.coup.winner.value

    def play(self, console: Console, pace: float | None) -> None:
        """Show it all; at a terminal with a short pause between coups."""
        pause = (0.15 if console.is_terminal else 0.0) if pace is None else pace
        console.print(draw.demonstration_opening(self.book, self.seed, self.shoe))
        for dealt, settled in self.coups():
            console.print(draw.demonstration_coup(dealt, settled))
            if dealt.number % ROADS_EVERY == 0:
                console.print(draw.roads(roads(self.results), console.width))
            time.sleep(pause)
        if len(self.results) % ROADS_EVERY:
            console.print(draw.roads(roads(self.results), console.width))
        console.print(draw.demonstration_end(self.balance, len(self.results)))

    def document(self) -> dict[str, object]:
        played = [
            {
                "round": dealt.number,
                "coup": str(dealt.coup),
                "winner": dealt.coup.winner.value,
                "patrons": {patron: one.document()["bets"] for patron, one in settled.items()},
            }
            for dealt, settled in self.coups()
        ]
        return {
            "book": self.book.id,
            "seed": self.seed,
            "rounds": played,
            "net": dict(self.balance),
            "roads": roads(self.results).document(),
        }
