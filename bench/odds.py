"""Exact odds of one shoe: the product's count beside a plain enumeration over ranks.

    python bench/odds.py

Both count every kind of coup of the 8-deck shoe in integers and must agree to the last one; the
ratio is printed because machines are noisy. The reference is the readable enumeration that the
tests use as the truth.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cutcard.odds import Composition, odds
from cutcard.odds.kinds import count_kinds
from cutcard.rulebooks import load, rulebooks
from tests.odds.naive import count_kinds_naively

ROUNDS = 5
WANTED = 5


def seconds(work: Callable[[], object]) -> float:
    """Median processor time of a few runs."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return statistics.median(times)


def main() -> int:
    shoe = Composition.of_decks(8).by_rank
    began = time.process_time()
    counted = count_kinds(shoe)
    first = time.process_time() - began
    began = time.process_time()
    truth = count_kinds_naively(shoe.ranks)
    naive = time.process_time() - began
    assert counted == truth, "the fast count must equal the enumeration"
    fast = seconds(lambda: count_kinds(shoe))
    print(f"plain enumeration over ranks   {naive * 1000:9.1f} ms   (reference)")
    print(f"count_kinds, first call        {first * 1000:9.1f} ms   {naive / first:6.1f} × faster")
    print(f"count_kinds                    {fast * 1000:9.1f} ms   {naive / fast:6.1f} × faster")
    for book in rulebooks():
        every = seconds(lambda book=book: odds(load(book.id)))  # type: ignore[misc]
        print(f"every bet of {book.id:24}{every * 1000:6.1f} ms   {naive / every:6.1f} × faster")
    return 0 if naive / fast >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
