"""Verifying a shoe that was committed, or one card of it."""

from dataclasses import dataclass, replace
from typing import Any

from cutcard.chain import Anchor
from cutcard.fairness import CardShown, Commitment, Phase, VerifiableShoe, advance, begin
from cutcard.fairness import record as steps
from cutcard.fairness import verify as go_through
from cutcard.pack.export import SEEDING, Pack
from cutcard.pack.finding import Verdict
from cutcard.pack.reading import Unreadable, listed
from cutcard.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Known:
    """What whoever verifies has from elsewhere than the pack."""

    keys: tuple[bytes, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    commitments: tuple[bytes, ...] = ()


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
    verdict.checked.append(
        f"Card {shown.place + 1} of shoe {shoe.commitment.shoe} is {shown.card}: it was committed "
        f"before the {len(shoe.seeds)} seeds were taken, and they gave it this place."
    )


def verify_shoe(pack: Pack, verdict: Verdict, known: Known) -> None:
    """A shoe as far as it has gone."""
    commitment = _committed(pack["commitment"])
    _compare_commitment(commitment, verdict, known)
    all_steps: list[Any] = [_step(one) for one in listed(pack["steps"])]
    told = go_through(commitment, all_steps)
    if told.refusal is not None:
        where = "The commitment" if not told.wrong else f"Step {told.wrong}"
        refusal = f"{told.refusal} ({told.refusal.code})"
        verdict.find("shoe/step", told.wrong, f"{where} does not hold. {refusal}")
        return
    shoe = told.shoe
    assert shoe is not None, "it began"
    verdict.checked.append(
        f"Shoe {commitment.shoe}: {len(all_steps)} steps hold, {len(shoe.shown)} cards were shown."
    )
    if shoe.phase is Phase.ABORTED:
        verdict.remarks.append(f"The shoe was aborted, and opened: {shoe.reason}.")
    elif shoe.phase is not Phase.OPENED:
        verdict.remarks.append(
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
    return shoe


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
        verdict.remarks.append(
            f"The commitment is {hash.hex()}: compare it with the one shown before the seeds were "
            "taken. Another shoe would hold as well."
        )
