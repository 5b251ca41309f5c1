"""Verifying a pack: everything worked out again, without the server that wrote it.

    canonical bytes → chain → signed heads, anchors → rulebook → each event by the rules
    → cards by the committed shoe → entries, balances → roads

What holds is said in plain sentences; so is, to the record, what does not. Every layer
is looked at even if another has failed, because a pack that was changed by hand breaks
in one place and a forged one in another.
"""

from collections.abc import Callable, Iterable

from cutcard.chain import Anchor
from cutcard.pack.export import Pack
from cutcard.pack.finding import Finding, Verdict
from cutcard.pack.logs import verify_round, verify_table
from cutcard.pack.reading import Unreadable, check_shape, read_pack
from cutcard.pack.replay import BROKEN
from cutcard.pack.shoes import Known, verify_card, verify_shoe
from cutcard.refusals import Refusal

_KINDS: dict[str, Callable[[Pack, Verdict, Known], None]] = {
    "card": verify_card,
    "shoe": verify_shoe,
    "round": verify_round,
    "table": verify_table,
}


def verify(
    pack: bytes | Pack,
    keys: Iterable[bytes] = (),
    anchors: Iterable[Anchor] = (),
    commitments: Iterable[bytes] = (),
    seeds: Iterable[bytes] = (),
    books: Iterable[bytes] = (),
) -> list[Finding]:
    """Everything that is wrong in a pack; nothing, where all of it holds."""
    return examine(pack, keys, anchors, commitments, seeds, books).findings


def examine(
    pack: bytes | Pack,
    keys: Iterable[bytes] = (),
    anchors: Iterable[Anchor] = (),
    commitments: Iterable[bytes] = (),
    seeds: Iterable[bytes] = (),
    books: Iterable[bytes] = (),
) -> Verdict:
    """What was checked in a pack, what is wrong, and what it cannot show by itself.

    `keys` are the house's public keys, `anchors` heads of the log that were seen elsewhere,
    `commitments` the hashes of shoes' commitments that were seen before their seeds were taken,
    `seeds` what whoever verifies gave for a shoe (or its seal), `books` hashes of rulebooks.
    """
    verdict = Verdict()
    try:
        given = read_pack(pack) if isinstance(pack, bytes) else check_shape(pack)
        known = Known(tuple(keys), tuple(anchors), tuple(commitments), tuple(seeds), tuple(books))
        verdict.kind = str(given["kind"])
        _KINDS[verdict.kind](given, verdict, known)
    except Unreadable as problem:
        verdict.find(problem.code, None, str(problem))
    except (Refusal, RecursionError, *BROKEN) as error:
        # Any bytes in, one verdict out: whoever made the file must not choose a crash instead.
        why = error.code if isinstance(error, Refusal) else type(error).__name__
        verdict.find("pack/failed", None, f"The verifier itself has failed on this file ({why}).")
    return verdict
