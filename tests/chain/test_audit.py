"""The audit: every way to change a log, done, and found at the right record."""

from collections.abc import Sequence
from dataclasses import replace

from cutcard.chain import Anchor, Entry, Fault, Finding, anchor, append, audit, start
from cutcard.chain.signing import Occasion, SignedHead, public_key, sign
from tests.cases import every
from tests.chain.writing import RECORDS, written

PRIVATE, OTHER = bytes([7]) * 32, bytes([8]) * 32
HOUSE = public_key(PRIVATE)
ENTRIES, HEADS = written(RECORDS)

BY_ROUND = [
    sign(HEADS[4], Occasion.ROUND, "1", 0, PRIVATE),
    sign(HEADS[7], Occasion.ROUND, "2", 1, PRIVATE),
]
BY_DAY = [sign(HEADS[7], Occasion.DAY, "2026-11-15", 2, PRIVATE)]


def found(
    entries: Sequence[Entry],
    heads: Sequence[SignedHead] = (),
    anchors: Sequence[Anchor] = (),
    table: str = "t7",
) -> list[tuple[int, Fault]]:
    findings = audit(table, entries, heads=heads, keys={HOUSE}, anchors=anchors)
    return [(one.record, one.fault) for one in findings]


def rewritten(records: list[object]) -> list[Entry]:
    """A forger's log: all hashes computed anew."""
    return written(records)[0]


def changed(records: list[object], place: int, record: object) -> list[object]:
    return [*records[:place], record, *records[place + 1 :]]


EDITED: list[object] = changed(RECORDS, 1, {"event": "BetPlaced", "patron": "p1", "stake": 900})
INSERTED: list[object] = [*RECORDS[:3], {"event": "BetPlaced", "stake": 5}, *RECORDS[3:]]
DELETED: list[object] = [*RECORDS[:2], *RECORDS[3:]]
REORDERED: list[object] = [RECORDS[0], RECORDS[2], RECORDS[1], *RECORDS[3:]]


# --- sound logs


def test_a_sound_log_has_no_findings() -> None:
    heads, anchors = [*BY_ROUND, *BY_DAY], [anchor(head) for head in HEADS]

    assert found(ENTRIES, heads, anchors) == []
    assert found([], [sign(start("t7"), Occasion.DAY, "2026-11-14", 0, PRIVATE)]) == []


def test_a_log_that_has_grown_since_is_sound() -> None:
    head, entry = append(HEADS[-1], {"event": "RoundOpened", "round": 3})

    assert found([*ENTRIES, entry], BY_ROUND, [anchor(head), anchor(HEADS[2])]) == []


# --- careless changes: the chain alone shows them, at the record


def test_an_edited_record() -> None:
    entries = changed_entry(1, record=EDITED[1])

    assert found(entries) == [(2, Fault.RECORD)]


def test_an_edited_record_with_its_own_hash_made_anew_shows_in_the_next() -> None:
    _, forged = append(HEADS[1], EDITED[1])
    entries = changed_entry(1, record=EDITED[1], hash=forged.hash)

    assert found(entries) == [(3, Fault.RECORD)]


def changed_entry(place: int, **changes: object) -> list[Entry]:
    entry = replace(ENTRIES[place], **changes)  # type: ignore[arg-type]
    return [*ENTRIES[:place], entry, *ENTRIES[place + 1 :]]


def test_an_inserted_record() -> None:
    _, extra = append(HEADS[3], {"event": "BetPlaced", "stake": 5})

    assert found([*ENTRIES[:3], extra, *ENTRIES[3:]]) == [(4, Fault.NUMBER)]


def test_an_inserted_record_with_all_numbers_made_to_fit() -> None:
    _, extra = append(HEADS[3], {"event": "BetPlaced", "stake": 5})
    moved = [replace(entry, number=entry.number + 1) for entry in ENTRIES[3:]]

    assert found([*ENTRIES[:3], extra, *moved]) == [(5, Fault.RECORD)]


def test_a_deleted_record() -> None:
    assert found([*ENTRIES[:2], *ENTRIES[3:]]) == [(4, Fault.NUMBER)]
    assert found(ENTRIES[1:]) == [(2, Fault.NUMBER)]


def test_a_deleted_record_with_all_numbers_made_to_fit() -> None:
    moved = [replace(entry, number=entry.number - 1) for entry in ENTRIES[3:]]

    assert found([*ENTRIES[:2], *moved]) == [(3, Fault.RECORD)]


def test_two_records_in_each_others_place() -> None:
    entries = [ENTRIES[0], ENTRIES[2], ENTRIES[1], *ENTRIES[3:]]

    assert found(entries) == [(3, Fault.NUMBER), (2, Fault.NUMBER), (4, Fault.NUMBER)]


def test_two_records_in_each_others_place_with_numbers_made_to_fit() -> None:
    second, third = ENTRIES[1], ENTRIES[2]
    entries = [ENTRIES[0], replace(third, number=2), replace(second, number=3), *ENTRIES[3:]]

    assert found(entries) == [(2, Fault.RECORD), (3, Fault.RECORD), (4, Fault.RECORD)]


def test_a_record_that_is_no_plain_value() -> None:
    assert found(changed_entry(1, record={"odds": 0.95})) == [(2, Fault.VALUE)]


@every("hash", [b"", bytes(31), bytes(33)])
def test_a_hash_that_is_none(hash: bytes) -> None:
    heads, anchors = [sign(HEADS[2], Occasion.ROUND, "1", 0, PRIVATE)], [anchor(HEADS[2])]

    assert found(changed_entry(1, hash=hash), heads, anchors) == [
        (2, Fault.RECORD),
        (3, Fault.RECORD),
        (2, Fault.HEAD),
        (2, Fault.ANCHOR),
    ]


# --- careful changes: every hash made anew; what has left the house shows them


@every("forged", [EDITED, INSERTED, DELETED, REORDERED])
def test_a_log_rewritten_to_its_end_agrees_with_itself(forged: list[object]) -> None:
    """Nobody can see it from the log alone; that is what heads and anchors are for."""
    assert found(rewritten(forged)) == []


@every("forged", [EDITED, INSERTED, REORDERED])
def test_signed_heads_show_a_rewritten_log(forged: list[object]) -> None:
    assert found(rewritten(forged), BY_ROUND) == [(4, Fault.HEAD), (7, Fault.HEAD)]


def test_signed_heads_show_a_record_deleted_from_a_rewritten_log() -> None:
    assert found(rewritten(DELETED), BY_ROUND) == [(4, Fault.HEAD), (6, Fault.SHORT)]


@every("forged", [EDITED, INSERTED, DELETED, REORDERED])
def test_a_photographed_anchor_shows_a_rewritten_log(forged: list[object]) -> None:
    assert found(rewritten(forged), anchors=[anchor(HEADS[5])]) == [(5, Fault.ANCHOR)]


def test_heads_tell_between_which_of_them_something_was_changed() -> None:
    late = changed(RECORDS, 5, {"event": "CardDrawn", "card": "9s"})

    assert found(rewritten(late), BY_ROUND) == [(7, Fault.HEAD)]


# --- truncation


@every("left", range(7))
def test_a_log_cut_short_agrees_with_itself(left: int) -> None:
    assert found(ENTRIES[:left]) == []


@every("left", range(7))
def test_a_log_cut_short_is_shown_by_a_head_of_a_round_or_day(left: int) -> None:
    assert found(ENTRIES[:left], BY_ROUND[1:]) == [(left, Fault.SHORT)]
    assert found(ENTRIES[:left], BY_DAY) == [(left, Fault.SHORT)]


def test_a_log_cut_short_is_shown_by_an_anchor() -> None:
    assert found(ENTRIES[:4], anchors=[anchor(HEADS[5])]) == [(4, Fault.SHORT)]
    assert found([], anchors=[anchor(HEADS[1])]) == [(0, Fault.SHORT)]


def test_what_nobody_has_seen_can_be_cut_off_unseen() -> None:
    """Records after the last head and anchor are not protected yet: heads come every round."""
    assert found(ENTRIES[:5], BY_ROUND[:1], [anchor(HEADS[5])]) == []


# --- heads and anchors that prove nothing


def test_a_head_that_was_changed_after_signing() -> None:
    forged = replace(BY_ROUND[0], name="2")

    assert found(ENTRIES, [forged]) == [(4, Fault.SIGNATURE)]


def test_a_head_signed_by_somebody_else() -> None:
    theirs = sign(HEADS[4], Occasion.ROUND, "1", 0, OTHER)

    assert found(ENTRIES, [theirs]) == [(4, Fault.KEY)]
    assert audit("t7", ENTRIES, heads=[theirs], keys={HOUSE, theirs.key}) == []


def test_a_log_heads_and_anchors_of_another_table() -> None:
    other, heads = written(RECORDS, "t8")
    signed = sign(heads[4], Occasion.ROUND, "1", 0, PRIVATE)

    assert found(other) == [(1, Fault.RECORD)]
    assert found(ENTRIES, [signed], [anchor(heads[5])]) == [(4, Fault.TABLE), (5, Fault.TABLE)]


def test_a_finding_says_what_is_wrong_and_where() -> None:
    assert str(Finding(7, Fault.RECORD)) == (
        "record 7: the record does not follow from those before it"
    )
