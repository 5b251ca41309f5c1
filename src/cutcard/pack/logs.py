"""Verifying the log of a table, or one round of it."""

from collections.abc import Iterable
from typing import Any

from cutcard.chain import Anchor, Entry, Fault, Head, audit, parse_anchor, start
from cutcard.fairness import VerifiableShoe
from cutcard.pack.export import Pack, closing_of
from cutcard.pack.finding import Verdict, compared
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
from cutcard.pack.replay import Numbered, Replay
from cutcard.pack.shoes import Known, seeded
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Rulebook
from cutcard.wire import TABLE_EVENTS, Concerning, Happened, Standing, read

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
    replay = _replayed(pack, found, verdict, None)
    for hash in known.commitments:
        if hash not in replay.proof.committed:
            told = "A commitment that you were shown is not in this log."
            verdict.find("shoe/commitment", None, told, hash.hex())
    _ended(pack, found, replay, verdict)


def verify_round(pack: Pack, verdict: Verdict, known: Known) -> None:
    """One round, from the standing before it on."""
    found = links(pack)
    _chain(pack, found, verdict, known)
    shoe = None
    if pack["shoe"] is not None:
        given = fields(pack["shoe"], {"commitment": dict, "seeds": list})
        shoe = seeded(given["commitment"], given["seeds"], verdict, known)
    replay = _replayed(pack, found, verdict, shoe)
    claimed = fields(pack["round"], {"shoe": int, "number": int})
    name = f"{claimed['shoe']}/{claimed['number']}"
    if [*replay.rounds] != [name]:
        held = ", ".join(replay.rounds) or "none"
        verdict.find("pack/round", None, f"The pack should hold round {name}, and holds {held}.")
    _ended(pack, found, replay, verdict)


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
                verdict.remarks.append(f"The anchor {one} speaks of no record in this pack.")
        told = [one for one in told if one.table != table or first <= one.count <= last]
    trusted = known.keys or [head.key for head in heads]
    for fault in audit(
        table, found.entries, heads=heads, keys=trusted, anchors=told, before=found.before
    ):
        sentence = f"{fault.fault.value[0].upper()}{fault.fault.value[1:]}."
        verdict.find(FAULTS[fault.fault], fault.record, sentence)
    verdict.checked.append(
        f"The chain of {len(found.entries)} records, {len(heads)} signed heads and "
        f"{len(told)} anchors."
    )
    if not known.keys and heads:
        named = ", ".join(dict.fromkeys(head.key.hex() for head in heads))
        verdict.remarks.append(
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
            found.append(parse_anchor(str(text)))
        except Refusal as refusal:
            verdict.find("anchor/unread", None, f"An anchor of the pack cannot be read. {refusal}")
    return found


def _replayed(pack: Pack, found: Links, verdict: Verdict, shoe: VerifiableShoe | None) -> Replay:
    """Every event once more, by the books in the pack."""
    name = str(pack["table"])
    proof = Proof(name, verdict, shoe)
    replay = Replay(name, _readable(pack, verdict), proof, verdict)
    records = _records(found.entries, verdict)
    if pack["kind"] == "round" and not (records and isinstance(records[0].record, Standing)):
        verdict.find("standing/missing", None, "A round's pack begins with a standing.")
    elif len(records) == len(found.entries):
        replay.run(records)
    else:
        replay.whole = False
    return replay


def _readable(pack: Pack, verdict: Verdict) -> dict[str, Rulebook]:
    good: dict[str, Rulebook] = {}
    for hash, book in books(pack).items():
        if isinstance(book, Unreadable):
            verdict.find(book.code, None, str(book))
        else:
            good[hash] = book
            verdict.checked.append(
                f"The rulebook {book.name}, version {book.version}, by its hash."
            )
    return good


def _records(entries: Iterable[Entry], verdict: Verdict) -> list[Numbered]:
    found = []
    for entry in entries:
        try:
            record = read(entry.record)
        except Refusal as refusal:
            verdict.find("record/unread", entry.number, f"The record cannot be read. {refusal}")
            continue
        if (
            isinstance(record, Happened | Concerning)
            and type(record.event).__name__ not in TABLE_EVENTS
        ):
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
        over = sum(1 for _, end in replay.rounds.values() if end)
        verdict.checked.append(
            f"{over} rounds: every event by the rulebook, cards by the tableau, apportionment, "
            "result, settlement with its clause, entries, stacks, balances and roads."
        )
        if replay.proof.cards:
            told = f"{replay.proof.cards} cards against the shoe that was committed."
            verdict.checked.append(told)
        elif replay.rounds:
            verdict.remarks.append(
                "The shoe was not committed, so the pack cannot show that its order was fair."
            )
    _signed(pack, found, replay, verdict)


def _signed(pack: Pack, found: Links, replay: Replay, verdict: Verdict) -> None:
    """Whether every round that is over is under a signed head, and each head where it says."""
    heads = listed(pack["heads"])
    covered = max((one["count"] for one in heads), default=found.before.count)
    opened = sorted(begin for begin, _ in replay.rounds.values())
    for name, (_, end) in replay.rounds.items():
        if end > covered:
            verdict.find("head/none", end, f"No signed head speaks of round {name}.")
            break
    for one in heads:
        if one["occasion"] == "round" and replay.whole:
            begin, end = replay.rounds.get(one["name"], (0, 0))
            following = next((other for other in opened if other > begin), one["count"] + 1)
            if not (end and begin < one["count"] < following):
                told = f"A head is signed for round {one['name']}, and speaks of something else."
                verdict.find("head/name", one["count"], told)
    last = found.entries[-1].number if found.entries else found.before.count
    if covered < last:
        verdict.remarks.append(
            f"Records {covered + 1} to {last} come after the last signed head: nothing but an "
            "anchor protects them yet."
        )
