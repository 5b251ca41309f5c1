"""A table's log for the tests: some records, and the head after each."""

from cutcard.chain import Entry, Head, append, start

RECORDS: list[object] = [
    {"event": "RoundOpened", "round": 1},
    {"event": "BetPlaced", "patron": "p1", "stake": 100},
    {"event": "CardDrawn", "card": "9h"},
    {"event": "RoundSettled", "round": 1},
    {"event": "RoundOpened", "round": 2},
    {"event": "CardDrawn", "card": "Ks"},
    {"event": "RoundSettled", "round": 2},
]


def written(records: list[object], table: str = "t7") -> tuple[list[Entry], list[Head]]:
    """The entries, and the heads from the empty log on."""
    heads, entries = [start(table)], []
    for record in records:
        head, entry = append(heads[-1], record)
        heads.append(head)
        entries.append(entry)
    return entries, heads
