"""Simulation beside a textbook's: rounds a second, in one run, median of five.

    python bench/simulate.py

Everybody deals the same: eight decks, one card exposed and its value burned, the cut card 14
from the end, and for every round the points, cards and pairs of both sides. The references are
`bench/textbook.c`, compiled with `gcc -O3 -march=native`, and a plain loop over
`random.shuffle`. All take turns, because machines are noisy; times are processor seconds, and
seconds of the clock for two threads beside one.

Exact odds of many shoes stand beside the pure path of `cutcard.odds`, which they must equal.
Exit code 1 if a ratio falls short of what is promised.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cutcard.lab import odds_of_many, simulate
from cutcard.lab.batch import as_cards, lines_of
from cutcard.lab.lanes import LANES, deal_blocks
from cutcard.lab.simulation import warm_up
from cutcard.odds import Composition, odds
from cutcard.rulebooks import load
from cutcard.rules.cards import Rank

RUNS = 5
SHOES_C, BLOCKS, SHOES_PYTHON, ROUNDS_THREADS = 150_000, 6_000, 300, 150_000_000
SHOES_EXACT, SHOES_PURE = 2_000, 10
WANTED = {"c": 3.5, "python": 200.0, "threads": 1.8, "exact": 50.0}

POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
BANKER_DRAWS_TO = (3, 3, 4, 4, 5, 5, 6, 6, 2, 3)


def shuffled(shoes: int) -> int:
    """The plain loop: shuffle a list, deal it, count."""
    shoe = [card % 13 for card in range(416)]
    counted: Counter[tuple[int, int, bool, bool, bool, bool]] = Counter()
    for _ in range(shoes):
        random.shuffle(shoe)
        at = 1 + (POINTS[shoe[0]] or 10)
        while at <= 416 - 14:
            p1, b1, p2, b2 = shoe[at : at + 4]
            player, banker = (POINTS[p1] + POINTS[p2]) % 10, (POINTS[b1] + POINTS[b2]) % 10
            at += 4
            player_drew = banker_drew = False
            if player < 8 and banker < 8:
                draws_to = 5
                if player <= 5:
                    third = POINTS[shoe[at]]
                    player, player_drew, at = (player + third) % 10, True, at + 1
                    draws_to = BANKER_DRAWS_TO[third]
                if banker <= draws_to:
                    banker, banker_drew, at = (banker + POINTS[shoe[at]]) % 10, True, at + 1
            counted[player, banker, player_drew, banker_drew, p1 == p2, b1 == b2] += 1
    return counted.total()


def compiled(folder: str) -> str | None:
    """The textbook's program, or None where there is no compiler."""
    gcc = shutil.which("gcc")
    if gcc is None:
        print("no gcc on this machine: the textbook's program is skipped")
        return None
    program = str(Path(folder) / "textbook")
    source = str(Path(__file__).with_name("textbook.c"))
    subprocess.run([gcc, "-O3", "-march=native", "-o", program, source], check=True)
    return program


def textbook(program: str, seed: int) -> float:
    """Rounds a second of the C program, by its own clock of processor time."""
    words = [program, str(SHOES_C), str(seed)]
    said = subprocess.run(words, capture_output=True, text=True, check=True)
    rounds, seconds = said.stderr.split()
    return int(rounds) / float(seconds)


def speed(work: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    began = clock()
    done = work()
    return done / (clock() - began)


def threaded(number: int) -> int:
    return simulate(load("rws-commission"), ROUNDS_THREADS, cut=14, threads=number).rounds


def lanes() -> int:
    return int(deal_blocks(np.uint64(7), 0, BLOCKS, 8, 14, 14, 0)[1])


def simulation(program: str | None) -> list[bool]:
    warm_up()
    rates: dict[str, list[float]] = {}
    for run in range(RUNS):
        if program is not None:
            rates.setdefault("c", []).append(textbook(program, run))
        rates.setdefault("python", []).append(speed(lambda: shuffled(SHOES_PYTHON)))
        rates.setdefault("lanes", []).append(speed(lanes))
        for number in (1, 2):
            rates.setdefault(f"{number} threads", []).append(
                speed(lambda number=number: threaded(number), time.perf_counter)  # type: ignore[misc]
            )
    middle = {name: statistics.median(several) for name, several in rates.items()}
    names = {
        "python": "CPython, random.shuffle",
        "c": "textbook C, gcc -O3 -march=native",
        "lanes": f"cutcard, {LANES} shoes in lockstep, one core",
        "1 threads": "cutcard simulate, one thread (by the clock)",
        "2 threads": "cutcard simulate, two threads (by the clock)",
    }
    print(f"{'median of ' + str(RUNS):<48}{'Mrounds/s':>10}{'× CPython':>11}{'× C':>7}")
    for name, told in names.items():
        if name in middle:
            rate = middle[name]
            beside = f"{rate / middle['c']:7.2f}" if program else ""
            print(f"{told:<48}{rate / 1e6:10.2f}{rate / middle['python']:11.1f}{beside}")
    both = middle["2 threads"] / middle["1 threads"]
    print(f"two threads deal {both:.2f} × as fast as one")
    return [
        not program or middle["lanes"] / middle["c"] >= WANTED["c"],
        middle["lanes"] / middle["python"] >= WANTED["python"],
        both >= WANTED["threads"] or (os.cpu_count() or 1) < 2,
    ]


def exact() -> bool:
    """Thousands of shoes at once, beside one after another."""
    book, dice = load("rws-commission"), random.Random(5)
    shoes = [Composition({rank: dice.randint(8, 32) for rank in Rank}) for _ in range(SHOES_EXACT)]
    batch = odds_of_many(book, shoes)
    cards, lines = as_cards(book, shoes), lines_of(book)
    several, alone = [], []
    for _ in range(RUNS):
        several.append(speed(lambda: len(lines.count(cards))))
        alone.append(speed(lambda: len([odds(book, shoe) for shoe in shoes[:SHOES_PURE]])))
    for place, shoe in enumerate(shoes[:SHOES_PURE]):
        for spot, priced in odds(book, shoe).bets.items():
            assert batch.price(place, spot) == priced, "equal to the integer"
    fast, pure = statistics.median(several), statistics.median(alone)
    print(f"{'exact odds of every bet':<48}{'shoes/s':>10}{'× pure':>11}")
    print(f"{'one by one, in Python integers':<48}{pure:10.0f}{1.0:11.1f}")
    print(f"{'in a batch, compiled, one core':<48}{fast:10.0f}{fast / pure:11.1f}")
    return fast / pure >= WANTED["exact"]


def main() -> int:
    load_average = " ".join(f"{one:.2f}" for one in os.getloadavg())
    print(f"{os.cpu_count()} processors, load {load_average}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory(prefix="cutcard-bench-") as folder:
        kept = simulation(compiled(folder))
    kept.append(exact())
    print("every promise kept" if all(kept) else f"FAILED: {kept}")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
