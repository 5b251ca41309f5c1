"""Verifying the log of a table, or one round of it."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import itemgetter
from re import fullmatch
from typing import Any

from cutcard.chain import Anchor, Entry, Fault, Head, audit, parse_anchor, start
from cutcard.fairness import Phase, VerifiableShoe, tally
from cutcard.pack.export import Pack, closing_of
from cutcard.pack.finding import Verdict, compared, legible, many
from cutcard.pack.proof import Proof
from cutcard.pack.reading import (
    HASH,
    Links,
    Unreadable,
    books,
    fields,
    links,
    listed,
    unhex,
)
from cutcard.pack.replay import Numbered, Replay, Span
from cutcard.pack.shoes import Known, compare_book, compare_seeds, remark_abort, seeded
from cutcard.refusals import Refusal
from cutcard.rulebooks import MORE, ids, load
from cutcard.rules.moment import milliseconds
from cutcard.rules.rulebook import Rulebook
from cutcard.wire import TABLE_EVENTS, Concerning, Happened, Standing, name_of, read

FAULTS = {
    Fault.NUMBER: "chain/number",
    Fault.RECORD: "chain/record",
    Fault.VALUE: "chain/value",
    Fault.HEAD: "head/other-log",
    Fault.ANCHOR: "anchor/other-log",
    Fault.SHORT: "chain/short",
    Fault.TABLE: "chain/table",
    Fault.SIGNATURE: "head/signature",
    Fault.KEY: "head/key",
}


def verify_table(pack: Pack, verdict: Verdict, known: Known) -> None:
    """A table's log from its first record on."""
    found = links(pack)
    _chain(pack, found, verdict, known)
    if (found.before.count, found.before.hash) != (0, start(str(pack["table"])).hash):
        verdict.find("chain/start", None, "The log does not begin with the start of its table.")
    replay = _replayed(pack, found, verdict, known, None)
    _shoes(replay.proof, verdict, known)
    _ended(pack, found, replay, verdict)


def verify_round(pack: Pack, verdict: Verdict, known: Known) -> None:
    """One round, from the standing before it on."""
    found = links(pack)
    _chain(pack, found, verdict, known)
    shoe = None
    if pack["shoe"] is not None:
        given = fields(pack["shoe"], {"commitment": dict, "seeds": list})
        shoe = seeded(given["commitment"], given["seeds"], verdict, known)
    else:
        if known.commitments:
            told = "You were shown a commitment, and the shoe of this round has none."
            verdict.find("shoe/commitment", None, told, known.commitments[0].hex())
        compare_seeds((), verdict, known)
    replay = _replayed(pack, found, verdict, known, shoe)
    claimed = fields(pack["round"], {"shoe": int, "number": int})
    name = f"{claimed['shoe']}/{claimed['number']}"
    if [*replay.rounds] != [name]:
        held = ", ".join(replay.rounds) or "none"
        verdict.find("pack/round", None, f"The pack should hold round {name}, and holds {held}.")
    _ended(pack, found, replay, verdict)


def _shoes(proof: Proof, verdict: Verdict, known: Known) -> None:
    """Every shoe of a table: how each ended, and whether none is missing."""
    proof.finish()
    for hash in known.commitments:
        if hash not in proof.committed:
            told = "A commitment that you were shown is not in this log."
            verdict.find("shoe/commitment", None, told, hash.hex())
    compare_seeds(proof.given, verdict, known)
    if not proof.committed:
        return
    shoes = [*proof.shoes()]
    count = tally(shoes)
    verdict.check(
        f"{many(len(shoes), 'committed shoe')}: {count.opened} opened, {count.aborted} aborted, "
        f"{count.unfinished} unfinished, {len(count.missing)} missing."
    )
    for shoe in shoes:
        if shoe.phase is Phase.ABORTED:
            remark_abort(shoe, verdict)
    if not known.commitments:
        named = [f"{name} is {hash.hex()}" for hash, name in islice(proof.committed.items(), 3)]
        more = len(proof.committed) - len(named)
        verdict.remark(
            f"Compare the commitments with those shown before the seeds were taken: "
            f"{', '.join(named)}{f', and {more} more' if more else ''}."
        )


def _chain(pack: Pack, found: Links, verdict: Verdict, known: Known) -> None:
    """Canonical bytes, chain, signatures, anchors."""
    table, first = str(pack["table"]), found.before.count
    last = found.entries[-1].number if found.entries else first
    heads = [_head(one) for one in listed(pack["heads"])]
    told = [*_anchors(listed(pack["anchors"]), verdict), *known.anchors]
    if pack["kind"] == "round":
        # What lies before or after the round is not in the pack, and nothing is wrong with that.
        for one in told:
            if one.table == table and not first <= one.count <= last:
                verdict.remark(f"The anchor {one} speaks of no record in this pack.")
        told = [one for one in told if one.table != table or first <= one.count <= last]
    trusted = frozenset(known.keys or (head.key for head in heads))
    for fault in audit(
        table, found.entries, heads=heads, keys=trusted, anchors=told, before=found.before
    ):
        sentence = f"{fault.fault.value[0].upper()}{fault.fault.value[1:]}."
        verdict.find(FAULTS[fault.fault], fault.record, sentence)
    verdict.check(
        f"The chain of {many(len(found.entries), 'record')}, {many(len(heads), 'signed head')} and "
        f"{many(len(told), 'anchor')}."
    )
    if not known.keys and heads:
        named = ", ".join(islice(dict.fromkeys(head.key.hex() for head in heads), 8))
        verdict.remark(
            f"The heads are signed with the key {named}: compare it with the house's own. Anybody "
            "can sign with a key of theirs."
        )


def _head(given: object) -> Any:
    from cutcard.chain.signing import KEY, Occasion, SignedHead

    one = fields(
        given,
        {
            "table": str,
            "count": int,
            "hash": str,
            "occasion": str,
            "name": str,
            "at": int,
            "key": str,
            "signature": str,
        },
    )
    if one["occasion"] not in [occasion.value for occasion in Occasion]:
        raise Unreadable("pack/shape", "A head is signed for a round or a day.")
    head = Head(one["table"], one["count"], unhex(one["hash"], HASH))
    key, signature = unhex(one["key"], KEY), unhex(one["signature"], 64)
    return SignedHead(head, Occasion(one["occasion"]), one["name"], one["at"], key, signature)


def _anchors(given: list[object], verdict: Verdict) -> list[Anchor]:
    found = []
    for text in given:
        try:
            if not isinstance(text, str):
                raise Refusal("chain/anchor", {"text": f"{text!s:.100}"})
            found.append(parse_anchor(text))
        except Refusal as refusal:
            verdict.find("anchor/unread", None, f"An anchor of the pack cannot be read. {refusal}")
    return found


def _replayed(
    pack: Pack, found: Links, verdict: Verdict, known: Known, shoe: VerifiableShoe | None
) -> Replay:
    """Every event once more, by the books in the pack."""
    name = str(pack["table"])
    proof = Proof(name, verdict, shoe, whole=pack["kind"] == "table")
    replay = Replay(name, _readable(pack, verdict, known), proof, verdict)
    records = _records(found.entries, verdict)
    if pack["kind"] == "round" and not (records and isinstance(records[0].record, Standing)):
        verdict.find("standing/missing", None, "A round's pack begins with a standing.")
    elif len(records) == len(found.entries):
        replay.run(records)
    else:
        replay.whole = False
    return replay


def _readable(pack: Pack, verdict: Verdict, known: Known) -> dict[str, Rulebook]:
    good: dict[str, Rulebook] = {}
    for hash, book in books(pack).items():
        if isinstance(book, Unreadable):
            verdict.find(book.code, None, str(book))
        else:
            good[hash] = book
            _tell_book(book, verdict, known)
            compare_book(hash, verdict, known)
    return good


def _tell_book(book: Rulebook, verdict: Verdict, known: Known) -> None:
    """A book by its hash: anybody can write other rules under the same name."""
    name = f"The rulebook {legible(book.name, 100)}, version {legible(book.version, 40)}"
    if book.id in (*ids(), *ids(MORE)) and load(book.id).hash == book.hash:
        told = f'the "{book.id}" that comes with this cutcard'
    else:
        told = "no book that comes with this cutcard"
        if not known.books:
            verdict.remark(f"{name}, is {told}: compare its hash, {book.hash}, with the house's.")
    verdict.check(f"{name}, of hash {book.hash[:16]}…: {told}.")


def _records(entries: Iterable[Entry], verdict: Verdict) -> list[Numbered]:
    found = []
    for entry in entries:
        try:
            record = read(entry.record)
        except Refusal as refusal:
            verdict.find("record/unread", entry.number, f"The record cannot be read. {refusal}")
            continue
        if isinstance(record, Happened | Concerning) and name_of(record.event) not in TABLE_EVENTS:
            verdict.find("record/unread", entry.number, "No table writes such an event.")
            continue
        found.append(Numbered(entry.number, record))
    return found


def _ended(pack: Pack, found: Links, replay: Replay, verdict: Verdict) -> None:
    """What the pack says of beginning and end, and whether the house put its name to it."""
    if replay.whole and replay.table is not None:
        opening = {"stacks": dict(sorted(replay.opening.items()))}
        compared(verdict, "opening/differs", None, "The opening", opening, pack["opening"])
        closing = closing_of(replay.table, replay.money)
        compared(verdict, "closing/differs", None, "The closing", closing, pack["closing"])
        over = sum(1 for span in replay.rounds.values() if span.end)
        verdict.check(
            f"{many(over, 'round')}: every event by the rulebook, cards by the tableau, "
            "apportionment, result, settlement with its clause, entries, stacks, balances, roads."
        )
        if replay.proof.cards:
            told = many(replay.proof.cards, "card")
            verdict.check(f"{told} against the shoe that was committed.")
        for shoe in replay.proof.uncommitted:
            verdict.remark(
                f"Shoe {legible(shoe, 100)} was not committed: the pack cannot show that its order "
                "was fair."
            )
    _signed(pack, found, replay, verdict)


def _signed(pack: Pack, found: Links, replay: Replay, verdict: Verdict) -> None:
    """Whether every round that is over is under a signed head, and each head where it says."""
    heads = sorted(listed(pack["heads"]), key=itemgetter("count", "at"))
    covered = heads[-1]["count"] if heads else found.before.count
    for name, span in replay.rounds.items():
        if span.end > covered:
            verdict.find("head/none", span.end, f"No signed head speaks of round {name}.")
            break
    opened = sorted(span.begin for span in replay.rounds.values())
    seen, last_at = set(), None
    for one in heads:
        count, at, name = one["count"], one["at"], legible(one["name"], 40)
        same = (count, one["occasion"], one["name"])
        if same in seen:
            verdict.find(
                "head/twice", count, f"The head for {one['occasion']} {name} stands twice."
            )
            continue
        seen.add(same)
        if one["occasion"] == "day":
            if not _is_day(one["name"], at):
                told = f"A head is signed for the day {name}: no such day, or not its time."
                verdict.find("head/name", count, told)
        elif replay.whole and not _is_round(replay.rounds.get(one["name"]), opened, count):
            told = f"A head is signed for round {name}, and speaks of something else."
            verdict.find("head/name", count, told)
        earliest = max(at if last_at is None else last_at, replay.times.get(count, at))
        if at < earliest:
            told = f"A head was signed {earliest - at} ms before what it speaks of."
            verdict.find("time/backwards", count, told, earliest, at)
        last_at = at
    last = found.entries[-1].number if found.entries else found.before.count
    if covered < last:
        records = f"Records {covered + 1} to {last} come"
        if covered + 1 == last:
            records = f"Record {last} comes"
        verdict.remark(
            f"{records} after the last signed head: nothing but an anchor protects what stands "
            "there yet."
        )


def _is_round(span: Span | None, opened: Sequence[int], count: int) -> bool:
    """Whether a head lies after the end of its round, and before the next is opened."""
    if span is None or not span.first:
        return False
    following = bisect_right(opened, span.begin)
    return span.first <= count and (following == len(opened) or count < opened[following])


_HOUR = 3_600_000
EARLIEST, LATEST = -14 * _HOUR, 8 * 24 * _HOUR
"""A day's head is signed once the day has begun somewhere on earth, and within the week after."""


def _is_day(name: str, at: int) -> bool:
    """Whether a day is in the calendar, and a head was signed about then."""
    found = fullmatch("([0-9]{4})-([0-9]{2})-([0-9]{2})", name)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not (1 <= month <= 12 and 1 <= day <= days[month - 1]):
        return False
    return EARLIEST <= at - milliseconds(name) < LATEST
