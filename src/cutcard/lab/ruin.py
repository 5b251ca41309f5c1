"""Bankroll and ruin: sessions of a patron who bets by a system, under a table's limits.

All systems bet on the same shoes, dealt card by card, each session from a fresh one on. A stake
above the table's maximum is placed at the maximum; a patron who cannot afford it places what is
left. Who cannot place the minimum any more is ruined and leaves; so does who has reached a goal.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutcard.lab.compiled import compiled
from cutcard.lab.pictures import Bands, bands
from cutcard.lab.results import check_rounds
from cutcard.lab.sheet import Sheet, percent
from cutcard.lab.shoes import SUITED_CELLS, deal_shoes
from cutcard.lab.simulation import kind_of_cell
from cutcard.lab.systems import SYSTEMS, System, system
from cutcard.lab.ways import Bet, bets, exact_prices
from cutcard.lab.work import Told, in_order, key_of
from cutcard.odds.certificate import Grid
from cutcard.odds.certificate import percent as exact_percent
from cutcard.odds.pricing import Outcome
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import MOST_STAKE

MOST_ROUNDS = 20_000
MOST_SESSIONS = 100_000
"""Every session's bankroll is kept at many points of it: more would not fit into a machine."""

MOST_STEPS = 200_000_000
"""Bankrolls times rounds that an exact walk may look at: a second's work."""

TASK = 500
"""Sessions in one task."""

POINTS = 50
"""So many times a session's bankroll is written down."""

PLAYED, RUINED, REACHED = range(3)


@dataclass(frozen=True)
class Limits:
    """A patron's money and a table's limits, in minor units; a goal of 0 is none."""

    bankroll: int
    unit: int
    least: int
    most: int
    goal: int = 0


@dataclass(frozen=True)
class Order:
    """Sessions to be played, in numbers alone, so that others can be asked to play them."""

    key: int
    decks: int
    cut: tuple[int, int]
    nets: NDArray[np.int64]
    step: int
    reserve: int
    systems: tuple[System, ...]
    limits: Limits
    rounds: int
    start: int
    stop: int


@compiled
def play(
    nets: Any, step: int, reserve: int, stakes: Any, win: int, loss: int, wraps: bool,
    limits: Any, every: int, ends: Any, paths: Any,
) -> None:  # fmt: skip
    """Bet by one system through the net results of each session's rounds.

    `ends` takes money, staked, rounds and how it ended; `paths` the money every so often.
    """
    bankroll, unit, least, most, goal = limits
    last = len(stakes) - 1
    for session in range(len(nets)):
        money, staked, place, ended, played = bankroll, 0, 0, PLAYED, 0
        for number in range(nets.shape[1]):
            if number % every == 0:
                paths[session, number // every] = money
            if ended != PLAYED:
                continue
            stake = min(unit * stakes[place], most, money // reserve) // step * step
            if stake < least:
                ended = RUINED
                continue
            net = nets[session, number]
            money += stake // step * net
            staked += stake
            played += 1
            if net > 0:
                place += win
            elif net < 0:
                place += loss
            if place > last:
                place = 0 if wraps else last
            place = max(place, 0)
            if goal and money >= goal:
                ended = REACHED
        if ended == PLAYED and money // reserve // step * step < least:
            ended = RUINED
        paths[session, paths.shape[1] - 1] = money
        ends[session, 0], ends[session, 1] = money, staked
        ends[session, 2], ends[session, 3] = played, ended


def play_task(order: Order) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Some sessions by every system: how they ended, and their bankrolls over time."""
    per_session = ceil(order.rounds / _fewest(order))
    every = _every(order.rounds)
    dealt = deal_shoes(
        order.key,
        order.start * per_session,
        order.stop * per_session,
        order.decks,
        *order.cut,
    )
    inside = np.arange(dealt.cells.shape[1]) < dealt.rounds[:, None]
    sessions = order.stop - order.start
    nets = np.empty((sessions, order.rounds), np.int64)
    for session in range(sessions):
        shoes = slice(session * per_session, (session + 1) * per_session)
        cells = dealt.cells[shoes][inside[shoes]]
        nets[session] = order.nets[cells[: order.rounds]]
    ends = np.zeros((len(order.systems), sessions, 4), np.int64)
    paths = np.zeros((len(order.systems), sessions, -(-order.rounds // every) + 1), np.int64)
    limits = order.limits
    money = (limits.bankroll, limits.unit, limits.least, limits.most, limits.goal)
    for place, one in enumerate(order.systems):
        # Nobody stakes more than the maximum, and far above it numbers would be too long.
        enough = -(-limits.most // limits.unit)
        stakes = np.array([min(multiple, enough) for multiple in one.stakes], np.int64)
        # fmt: off
        play(
            nets, order.step, order.reserve, stakes, one.win, one.loss, one.wraps,
            money, every, ends[place], paths[place],
        )
        # fmt: on
    return ends, paths


def _every(rounds: int) -> int:
    return max(1, rounds // POINTS)


def _fewest(order: Order) -> int:
    """Rounds that every shoe has at least."""
    return max(1, (52 * order.decks - 11 - order.cut[1]) // 6)


@dataclass(frozen=True)
class Played:
    """What became of the sessions of one system."""

    system: System
    ends: NDArray[np.int64]
    paths: NDArray[np.int64]

    @property
    def sessions(self) -> int:
        return len(self.ends)

    @property
    def ruined(self) -> float:
        return float((self.ends[:, 3] == RUINED).mean())

    @property
    def reached(self) -> float:
        return float((self.ends[:, 3] == REACHED).mean())

    @property
    def staked(self) -> int:
        return int(self.ends[:, 1].sum())

    def mean(self, bankroll: int) -> float:
        return float(self.ends[:, 0].mean()) - bankroll

    def error(self) -> float:
        return float(self.ends[:, 0].std(ddof=1)) / sqrt(self.sessions)

    def ahead(self, bankroll: int) -> float:
        return float((self.ends[:, 0] > bankroll).mean())

    def lost_of_staked(self, bankroll: int) -> Fraction:
        won = int((self.ends[:, 0] - bankroll).sum())
        return Fraction(-won, self.staked) if self.staked else Fraction(0)

    def lost_error(self, edge: Fraction, bankroll: int) -> float:
        """The standard error of what is lost of all that is staked."""
        left = (self.ends[:, 0] - bankroll) + float(edge) * self.ends[:, 1]
        return float(left.std(ddof=1)) * sqrt(self.sessions) / self.staked


@dataclass(frozen=True)
class Ruin:
    """Sessions of several systems on the same shoes."""

    book: Rulebook
    decks: int
    spot: str
    limits: Limits
    rounds: int
    sessions: int
    seed: int | str
    edge: Fraction
    exact_flat: float | None
    played: tuple[Played, ...]

    def document(self) -> dict[str, object]:
        money = self.limits
        return {
            "study": "ruin",
            "book": self.book.id,
            "decks": self.decks,
            "bet": self.spot,
            "bankroll": money.bankroll,
            "unit": money.unit,
            "minimum": money.least,
            "maximum": money.most,
            "goal": money.goal or None,
            "rounds": self.rounds,
            "sessions": self.sessions,
            "seed": self.seed,
            "edge": str(self.edge),
            "exact_flat_ruin": None if self.exact_flat is None else f"{self.exact_flat:.9f}",
            "systems": {one.system.id: self._told(one) for one in self.played},
        }

    def _told(self, one: Played) -> dict[str, object]:
        bankroll = self.limits.bankroll
        return {
            "ruined": int((one.ends[:, 3] == RUINED).sum()),
            "reached": int((one.ends[:, 3] == REACHED).sum()),
            "staked": one.staked,
            "won": int((one.ends[:, 0] - bankroll).sum()),
            "rounds": int(one.ends[:, 2].sum()),
            "ahead": f"{one.ahead(bankroll):.6f}",
            "mean": f"{one.mean(bankroll):.2f}",
            "error": f"{one.error():.2f}",
            "every": _every(self.rounds),
            "bands": {
                f"{share:g}": [int(value) for value in row]
                for share, row in zip(SHARES, self._bands(one), strict=True)
            },
        }

    @staticmethod
    def _bands(one: Played) -> NDArray[np.float64]:
        return np.asarray(np.percentile(one.paths, [share * 100 for share in SHARES], axis=0))

    def sheet(self) -> Sheet:
        money, label = self.limits, self.book.spots[self.spot].label
        title = (
            f"{self.book.name}: {label}, {money.bankroll:,} to play {self.rounds:,} rounds, "
            f"unit {money.unit:,}, limits {money.least:,}–{money.most:,}"
        )
        rows = tuple(
            (
                one.system.name,
                percent(one.ruined),
                *([percent(one.reached)] if money.goal else []),
                percent(one.ahead(money.bankroll)),
                f"{one.mean(money.bankroll):,.0f}",
                f"{one.error():,.0f}",
                f"{one.staked / one.sessions:,.0f}",
                exact_percent(one.lost_of_staked(money.bankroll), 3),
            )
            for one in self.played
        )
        headers = (
            "System", "Ruined %", *(["Goal %"] if money.goal else []), "Ahead %", "Mean result",
            "± std error", "Mean staked", "Lost of staked %",
        )  # fmt: skip
        notes = [
            f"{self.sessions:,} sessions a system, all on the same shoes, seed {self.seed}. "
            f"Every system loses the edge of what it stakes, {exact_percent(self.edge)} %, "
            "give or take chance.",
            *(f"{one.system.name}: {one.system.meaning}." for one in self.played),
        ]
        if self.exact_flat is not None:
            notes.insert(
                1,
                f"Flat betting, worked out exactly for rounds that are each the first of a fresh "
                f"shoe: {percent(self.exact_flat, 3)} % ruined.",
            )
        return Sheet(title, (Grid(headers, rows, 1),), tuple(notes), self._picture(title))

    def _picture(self, title: str) -> str:
        every = _every(self.rounds)
        panels = []
        for one in self.played:
            rows = [[float(value) for value in row] for row in self._bands(one)]
            at = [min(place * every, self.rounds) for place in range(len(rows[0]))]
            ahead = one.ahead(self.limits.bankroll)
            note = f"ruined {percent(one.ruined, 1)}%, ahead {percent(ahead, 1)}%"
            panels.append(
                Bands(
                    one.system.name,
                    note,
                    at,
                    [(rows[0], rows[4]), (rows[1], rows[3])],
                    rows[2],
                    float(self.limits.bankroll),
                )
            )
        across = 1 if len(panels) == 1 else 2 if len(panels) in (2, 4) else 3
        below = "rounds played; bands hold 90 and 50 per cent of sessions, the line is the median"
        return bands(title, panels, across, "", below)


SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def ruin(
    book: Rulebook,
    spot: str,
    limits: Limits,
    rounds: int = 500,
    systems: Sequence[str] = tuple(SYSTEMS),
    sessions: int = 10_000,
    seed: int | str = 1,
    decks: int | None = None,
    executor: Executor | None = None,
    threads: int | None = None,
    told: Told | None = None,
) -> Ruin:
    """Play sessions by betting systems, through real shoes and under a table's limits."""
    check_rounds(rounds, MOST_ROUNDS)
    if not 2 <= sessions <= MOST_SESSIONS:
        raise Refusal("lab/sessions", {"sessions": sessions, "most": MOST_SESSIONS})
    number = book.decks_for(decks)
    name = book.spot(spot).name
    if spot not in bets(book):
        stage = book.spots[spot].stage
        assert stage is not None, "only a second stage has no bet of its own"
        raise Refusal("lab/second-stage", {"spot": name, "other": book.spots[stage.follows].name})
    bet, chosen = bets(book)[spot], tuple(map(system, dict.fromkeys(systems)))
    if not chosen:
        raise Refusal("lab/system", {"text": "", "others": tuple(SYSTEMS)})
    check_limits(name, bet, limits)
    most_won = limits.most // bet.step * int(np.abs(bet.nets).max()) * rounds
    if limits.bankroll + most_won >= 2**62:
        raise Refusal("lab/too-much-money", {"most": limits.most, "rounds": rounds})
    by_cell = np.zeros(SUITED_CELLS, np.int64)
    for cell, kind in kind_of_cell().items():
        by_cell[cell] = bet.nets[bet.way_of[kind]]
    orders = [
        Order(
            key=key_of(seed),
            decks=number,
            cut=book.cut.within(None),
            nets=by_cell,
            step=bet.step,
            reserve=bet.reserve,
            systems=chosen,
            limits=limits,
            rounds=rounds,
            start=start,
            stop=min(start + TASK, sessions),
        )
        for start in range(0, sessions, TASK)
    ]
    done = in_order(executor, threads, play_task, orders, told)
    ends, paths = (np.concatenate(parts, axis=1) for parts in zip(*done, strict=True))
    exact = exact_prices(book, number)[spot]
    return Ruin(
        book, number, spot, limits, rounds, sessions, seed, exact.edge,
        flat_ruin(bet, exact.outcomes, limits, rounds),
        tuple(Played(one, ends[place], paths[place]) for place, one in enumerate(chosen)),
    )  # fmt: skip


def check_limits(name: str, bet: Bet, limits: Limits) -> None:
    """Refuse money and limits under which nobody could place a bet."""
    for stake in (limits.unit, limits.least):
        if not 0 < stake <= MOST_STAKE:
            raise Refusal("lab/stake", {"stake": stake, "most": MOST_STAKE})
    if limits.unit % bet.step or limits.least % bet.step:
        stake = limits.unit if limits.unit % bet.step else limits.least
        raise Refusal(
            "bet/off-step", {"spot": name, "stake": stake, "step": bet.step}, "HOUSE step"
        )
    if not limits.least <= limits.unit <= limits.most <= MOST_STAKE:
        raise Refusal(
            "lab/limits", {"unit": limits.unit, "least": limits.least, "most": limits.most}
        )
    needed = limits.unit * bet.reserve
    if not needed <= limits.bankroll <= MOST_STAKE:
        raise Refusal(
            "lab/bankroll", {"bankroll": limits.bankroll, "least": needed, "most": MOST_STAKE}
        )
    if limits.goal and not limits.bankroll < limits.goal <= MOST_STAKE:
        raise Refusal("lab/goal", {"goal": limits.goal, "bankroll": limits.bankroll})


def flat_ruin(bet: Bet, outcomes: Sequence[Outcome], limits: Limits, rounds: int) -> float | None:
    """The chance that flat betting ruins, each round from a fresh shoe.

    A walk over all bankrolls that can come about, round by round, with two ends. None where
    stakes shrink, or where there are too many of them.
    """
    if limits.unit != limits.least:
        return None
    nets = [int(one.net * limits.unit) for one in outcomes]
    grain = gcd(*nets) or 1
    moves = [(net // grain, one.orders) for net, one in zip(nets, outcomes, strict=True)]
    orders = sum(number for _, number in moves)
    # Money is counted in grains above the least with which a bet can be placed.
    room, over = divmod(limits.bankroll - limits.unit * bet.reserve, grain)
    top = room + rounds * max(move for move, _ in moves)
    if limits.goal:
        top = min(top, -(-(limits.goal - limits.unit * bet.reserve - over) // grain))
    if top * rounds > MOST_STEPS:
        return None
    chances = np.zeros(top + 1)
    chances[min(room, top)] = 1.0
    ruined = 0.0
    for _ in range(rounds):
        after = np.zeros(top + 1)
        playing = chances.copy()
        if limits.goal:
            after[top], playing[top] = chances[top], 0.0
        for move, number in moves:
            share = number / orders
            # One move may be larger than the whole walk.
            far = min(abs(move), top + 1)
            if move < 0:
                ruined += share * float(playing[:far].sum())
                after[: top + 1 - far] += share * playing[far:]
            else:
                after[far:] += share * playing[: top + 1 - far]
                after[top] += share * float(playing[top + 1 - far :].sum())
        chances = after
    return ruined
