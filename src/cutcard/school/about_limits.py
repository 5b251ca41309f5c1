"""Questions about limits: what the dealer does, what stays of a bet, and what it counts for."""

from cutcard.round import commands as rounds
from cutcard.round.events import BetWithdrawn, Laid
from cutcard.rules.shoe import SeededDice
from cutcard.school import reasons
from cutcard.school.asking import ask
from cutcard.school.lesson import Choice, Question, Topic
from cutcard.school.limits import (
    BELOW_MINIMUM,
    BELOW_UNNOTICED,
    BOX,
    DIFFERENTIAL,
    EXCESS_BETS,
    EXCESS_UNNOTICED,
    MINIMUM,
)
from cutcard.school.rehearsal import DEALER, pick
from cutcard.school.situation import AFTER, Situation
from cutcard.table import decide
from cutcard.table.commands import InRound

# --- before the close -----------------------------------------------------------------------------

SEEN = {
    "reject": "The dealer rejects the excess before betting closes.",
    "advise": "The dealer tells the patron, who may raise the bet or take it back.",
    "stand": "Nothing: the bet wins or loses as it was placed.",
    "part": "Nothing now: after the close the bets count for a part of themselves.",
    "void": "The round is void, and every bet is returned.",
}


def noticed(situation: Situation, dice: SeededDice) -> Question | None:
    """What the dealer does who sees it in time."""
    right = {EXCESS_BETS: "reject", BELOW_MINIMUM: "advise"}.get(situation.kind)
    if right is None:
        return None
    why = {
        "reject": "What was seen before the close is rejected, so that the box is within it.",
        "advise": "Seen before the close, a bet below the minimum may be raised or taken back.",
    }[right]
    if right == "advise":
        bet = next(situation.table.round.bets)
        spot, at = situation.book.spots[bet.spot], situation.now + AFTER
        more = -(-(MINIMUM - bet.stake) // spot.step) * spot.step
        for wish in (
            rounds.PlaceBet(bet.patron, BOX, bet.spot, more, at),
            rounds.WithdrawBet(bet.patron, BOX, bet.spot, at),
        ):
            assert not situation.refuses(InRound(wish, bet.patron)), "betting is still open"
    return ask(
        dice,
        Topic.LIMIT,
        "What does the dealer do about it?",
        Choice(right, SEEN[right]),
        [Choice(*one) for one in SEEN.items()],
        why,
        reasons.quotes(situation.book, situation.advice.clause),
    )


def rejected(situation: Situation, dice: SeededDice) -> Question | None:
    """What stays of a bet when the excess is rejected: the seat first, then the rest in order."""
    if situation.kind != EXCESS_BETS:
        return None
    at = situation.now + AFTER
    cut = {
        event.bet.key: 0 if event.left is None else event.left.stake
        for event in decide(
            situation.table,
            InRound(rounds.RejectExcess(BOX, DEALER, at), DEALER),
            situation.book,
        )
        if isinstance(event, BetWithdrawn)
    }
    bet = pick(dice, [bet for bet in situation.table.round.bets if bet.spot == _heavy(situation)])
    closed = situation.after(situation.by_dealer(rounds.CloseBets(at)))
    right = cut.get(bet.key, bet.stake)
    return _how_much(
        situation,
        dice,
        f"The excess is rejected. How much of {bet.patron}'s bet on "
        f"{situation.book.spots[bet.spot].label} stays?",
        bet,
        right,
        [closed.table.round.effective.get(bet.key, bet.stake), 0, *cut.values()],
        "The seated patron's bet counts first, then the others in the order in which they were "
        "put, until the differential is reached.",
    )


# --- after the close ------------------------------------------------------------------------------


def counted(situation: Situation, dice: SeededDice) -> Question | None:
    """What a bet counts for once nobody saw the excess in time."""
    if situation.kind != EXCESS_UNNOTICED:
        return None
    effective = situation.table.round.effective
    bet = pick(dice, [bet for bet in situation.table.round.bets if bet.spot == _heavy(situation)])
    right = effective.get(bet.key, bet.stake)
    if bet.stake < MINIMUM:
        why = "A bet below the minimum is not cut down: it wins or loses in full."
    elif right == MINIMUM:
        why = "The bets are cut down in proportion, but none below the minimum."
    else:
        why = (
            "The bets of the heavier side are cut down in proportion, until the box is within "
            "the differential; the rest of each stake is returned."
        )
    return _how_much(
        situation,
        dice,
        f"For how much does {bet.patron}'s bet on {situation.book.spots[bet.spot].label} count?",
        bet,
        right,
        [0, MINIMUM, bet.stake // 2, DIFFERENTIAL, *effective.values()],
        why,
    )


def below(situation: Situation, dice: SeededDice) -> Question | None:
    """What becomes of a bet below the minimum that nobody saw."""
    if situation.kind != BELOW_UNNOTICED:
        return None
    bet = next(situation.table.round.bets)
    assert not situation.table.round.effective, "it counts for what it is"
    return _how_much(
        situation,
        dice,
        f"For how much does {bet.patron}'s bet on {situation.book.spots[bet.spot].label} count?",
        bet,
        bet.stake,
        [0, MINIMUM, bet.stake // 2],
        "What nobody saw before the close wins or loses as it was placed.",
    )


def _heavy(situation: Situation) -> str:
    sums = situation.table.round.by_spot
    return max(sums, key=lambda spot: sums[spot])


def _how_much(
    situation: Situation,
    dice: SeededDice,
    asks: str,
    bet: Laid,
    right: int,
    tempting: list[int],
    why: str,
) -> Question | None:
    return ask(
        dice,
        Topic.LIMIT,
        asks,
        Choice(str(right), f"{right:,}"),
        [Choice(str(wrong), f"{wrong:,}") for wrong in (bet.stake, *tempting)],
        why,
        reasons.quotes(situation.book, situation.advice.clause),
        order=lambda choice: int(choice.value),
    )
