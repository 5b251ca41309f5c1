"""What it costs to verify a table with very many stacks: `python bench/pack.py`.

A verifier must read a hostile pack in time that grows with the pack, and no faster. The reference
is a pack with a tenth of the stacks, in the same run: ten times the stacks should take about ten
times as long.
"""

import json
import statistics
import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from cutcard.pack.verify import examine
from tests.pack.crowd import crowd

FEW, MANY = 600, 6_000
TIMES = 5


def main() -> None:
    packs = {number: json.dumps(crowd(number).table_pack()).encode() for number in (FEW, MANY)}
    spent: dict[int, list[float]] = {number: [] for number in packs}
    for _ in range(TIMES):
        for number, text in packs.items():
            began = process_time()
            assert examine(text).findings == []
            spent[number].append(process_time() - began)
    few, many = (statistics.median(spent[number]) for number in (FEW, MANY))
    print(f"{FEW:,} stacks: {few:.3f} s, {MANY:,} stacks: {many:.3f} s (medians of {TIMES})")
    print(f"ratio for {MANY // FEW} times the stacks: {many / few:.1f}")


if __name__ == "__main__":
    main()
