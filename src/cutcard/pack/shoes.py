"""Verifying a shoe that was committed, or one card of it."""

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any

from cutcard.chain import Anchor
from cutcard.fairness import CardShown, Commitment, Phase, VerifiableShoe, advance, begin
from cutcard.fairness import record as steps
from cutcard.fairness import verify as go_through
from cutcard.pack.export import SEEDING, Pack
from cutcard.pack.finding import Verdict, legible, many
from cutcard.pack.reading import Unreadable, listed
from cutcard.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Known:
    """What whoever verifies has from elsewhere than the pack."""

    keys: tuple[bytes, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    commitments: tuple[bytes, ...] = ()
    seeds: tuple[bytes, ...] = ()
    """Seeds that whoever verifies gave, or their seals."""

    books: tuple[bytes, ...] = ()
    """Hashes of rulebooks."""


def verify_card(pack: Pack, verdict: Verdict, known: Known) -> None:
    """One card that was shown."""
    shoe = seeded(pack["commitment"], pack["seeds"], verdict, known)
    shown = _step(pack["card"])
    if not isinstance(shown, CardShown):
        raise Unreadable("pack/shape", 'The member "card" is no card that was shown.')
    if shoe is None:
        return
    if not 0 <= shown.place < shoe.commitment.cards:
        verdict.find("shoe/step", None, f"The shoe has no card {shown.place + 1}.")
        return
    try:
        # What left the shoe before this card is not in the pack.
        advance(replace(shoe, left=shown.place), shown)
    except Refusal as refusal:
        verdict.find("shoe/step", None, f"The card does not hold. {refusal} ({refusal.code})")
        return
    seeds = "seed was" if len(shoe.seeds) == 1 else "seeds were"
    gave = "it" if len(shoe.seeds) == 1 else "they"
    verdict.check(
        f"Card {shown.place + 1} of shoe {shoe.commitment.shoe} is {shown.card}: it was committed "
        f"before the {len(shoe.seeds)} {seeds} taken, and {gave} gave it this place."
    )


def verify_shoe(pack: Pack, verdict: Verdict, known: Known) -> None:
    """A shoe as far as it has gone."""
    commitment = _committed(pack["commitment"])
    verdict.counts = "Step"
    _compare_commitment(commitment, verdict, known)
    all_steps: list[Any] = [_step(one) for one in listed(pack["steps"])]
    told = go_through(commitment, all_steps)
    if told.refusal is not None:
        where = "The commitment" if not told.wrong else "This"
        refusal = f"{told.refusal} ({told.refusal.code})"
        verdict.find("shoe/step", told.wrong, f"{where} does not hold. {refusal}")
        return
    shoe = told.shoe
    assert shoe is not None, "it began"
    compare_seeds({*shoe.seals.values(), *shoe.seeds.values()}, verdict, known)
    cards = "card was" if len(shoe.shown) == 1 else "cards were"
    verdict.check(
        f"Shoe {commitment.shoe}: {many(len(all_steps), 'step')} gone through, "
        f"{len(shoe.shown)} {cards} shown."
    )
    if shoe.phase is Phase.ABORTED:
        remark_abort(shoe, verdict)
    elif shoe.phase is not Phase.OPENED:
        verdict.remark(
            "The shoe is not opened yet: nobody can know what was not shown, nor whether all "
            "cards are there."
        )


def seeded(
    committed: object, seeds: object, verdict: Verdict, known: Known
) -> VerifiableShoe | None:
    """A shoe whose order of dealing is fixed, if what fixes it holds."""
    commitment = _committed(committed)
    _compare_commitment(commitment, verdict, known)
    try:
        shoe = begin(commitment)
        for given in listed(seeds):
            step = _step(given)
            if not isinstance(step, SEEDING):
                raise Unreadable("pack/shape", "Among the seeds stands something else.")
            shoe = advance(shoe, step)
    except Refusal as refusal:
        verdict.find("shoe/step", None, f"The seeds do not hold. {refusal} ({refusal.code})")
        return None
    if shoe.phase is not Phase.DEALING:
        verdict.find("shoe/step", None, "A seed that was sealed is missing: there is no order yet.")
        return None
    compare_seeds({*shoe.seals.values(), *shoe.seeds.values()}, verdict, known)
    return shoe


def compare_seeds(given: Container[bytes], verdict: Verdict, known: Known) -> None:
    """Whether the seeds of whoever verifies are in: only then did they have a say in the order."""
    for seed in known.seeds:
        if seed not in given:
            told = "A seed that you gave, or its seal, is not among those that gave the order."
            verdict.find("shoe/seed", None, told, seed.hex())


def remark_abort(shoe: VerifiableShoe, verdict: Verdict) -> None:
    """Say that a shoe was thrown away, and what the house could know when it did so."""
    knew = "knew its order by then" if shoe.order else "could not know its order yet"
    verdict.remark(
        f"Shoe {shoe.commitment.shoe} was aborted, and opened: {legible(shoe.reason, 200)}. The "
        f"house {knew}: ask how often shoes are aborted."
    )


def _committed(given: object) -> Commitment:
    step = _step(given)
    if not isinstance(step, Commitment):
        raise Unreadable("pack/shape", 'The member "commitment" is none.')
    return step


def _step(given: object) -> Any:
    try:
        return steps.parse(given)
    except Refusal as refusal:
        raise Unreadable("pack/shape", f"A step cannot be read. {refusal}") from None


def _compare_commitment(commitment: Commitment, verdict: Verdict, known: Known) -> None:
    hash = commitment.hash
    if known.commitments and hash not in known.commitments:
        told = "The shoe's commitment is not one that you were shown."
        verdict.find("shoe/commitment", None, told, known.commitments[0].hex(), hash.hex())
    elif not known.commitments:
        verdict.remark(
            f"The commitment is {hash.hex()}: compare it with the one shown before the seeds were "
            "taken. Another shoe would hold as well."
        )
    compare_book(commitment.book, verdict, known)


def compare_book(hash: str, verdict: Verdict, known: Known) -> None:
    """Whether a book is one that whoever verifies knows."""
    if known.books and hash not in [one.hex() for one in known.books]:
        told = "The rulebook is not one that you know."
        verdict.find("book/other", None, told, known.books[0].hex(), hash)
