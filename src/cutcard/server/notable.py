"""What an event leaves beside its record: rounds played, vouchers, significant events.

All of it can be worked out from the log again; it is written down so that a question
about one patron or one day need not read the log of years.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cutcard import cage, patron
from cutcard.cage.voucher import Voucher
from cutcard.round import events as in_round
from cutcard.rules.coup import Coup
from cutcard.rules.limits import Limit
from cutcard.rules.moment import written
from cutcard.store import Batch, Paper, Played, Significant
from cutcard.table import events as at_table
from cutcard.venue import CAGE, PATRON, Event, Venue

SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Amounts:
    """From which amounts a bet or a win is worth an inspector's attention; 0 for none is."""

    bet: int = 0
    win: int = 0


NONE = Amounts()

VOUCHERS = (
    cage.VoucherIssued
    | cage.VoucherClaimed
    | cage.VoucherReleased
    | cage.VoucherRedeemed
    | cage.VoucherVoided
    | cage.VoucherExpired
)
"""What changes where a voucher stands."""


def gather(
    batch: Batch,
    before: Venue,
    after: Venue,
    source: str,
    event: Event,
    number: int,
    round: str,
    amounts: Amounts,
) -> None:
    """Add to a batch what an event leaves, given the venue just before and after it."""
    match event:
        case in_round.BetPlaced():
            if amounts.bet and event.bet.stake >= amounts.bet:
                stake = event.bet.stake
                batch.significant.append(_large(source, "large bet", event.bet, stake, event.at))
        case in_round.RoundSettled():
            batch.played += _played(source, round, number, event.at, event.bets, "settled")
            batch.significant += _large_wins(source, event, amounts.win)
        case in_round.SettlementCorrected():
            batch.played += _played(source, round, number, event.at, event.bets, "corrected")
            settled = before.table(source).round
            was = settled.settled.bets if settled.settled else ()
            batch.played += _returned(was, source, round, number, event)
            batch.significant += _large_wins(source, event, amounts.win, was)
            told = (paid_told(settled.coup, was), paid_told(event.coup, event.bets))
            batch.significant.append(
                Significant(
                    event.at,
                    "correction",
                    event.by,
                    source,
                    event.reason,
                    *(f"{round} {one}" for one in told),
                )
            )
        case in_round.RoundVoided():
            who = dict.fromkeys(bet.patron for bet in (*event.returned, *event.removed))
            batch.played += [
                Played(one, source, round, number, event.at, 0, 0, "void") for one in who
            ]
            batch.significant.append(
                Significant(event.at, "void", event.by, source, event.reason, round, event.clause)
            )
        case at_table.TableOpened() | at_table.TableClosed():
            kind = "table opened" if isinstance(event, at_table.TableOpened) else "table closed"
            batch.significant.append(Significant(event.at, kind, event.by, source))
        case at_table.LimitsScheduled():
            told = (limits_told(before.table(source).limits), limits_told(event.limits))
            batch.significant.append(Significant(event.at, "limits", event.by, source, "", *told))
        case at_table.ShoeRegistered() | at_table.ShoeEnded() | at_table.ShoeRemoved():
            batch.significant += shoe_notes([(source, event)])
        case at_table.IncidentReported():
            found = event.incident
            batch.significant.append(
                Significant(event.at, "incident", found.by, source, found.kind, round)
            )
        case at_table.IncidentResolved():
            second = f", confirmed by {event.confirmed_by}" if event.confirmed_by else ""
            done = event.step.value + second
            batch.significant.append(
                Significant(
                    event.at, "incident resolved", event.by, source, event.reason, round, done
                )
            )
        case patron.SelfExcluded() | patron.TimeOutTaken():
            if isinstance(event, patron.SelfExcluded) and event.by is not None:
                # What staff did is told with their names and their reason.
                return
            name = source.removeprefix(PATRON)
            kind = "exclusion" if isinstance(event, patron.SelfExcluded) else "time-out"
            until = until_told(event.until)
            batch.significant.append(Significant(event.at, kind, name, after=until))
        case _:
            if source == CAGE:
                _paper(batch, after, event)


def until_told(until: int) -> str:
    """The end of an exclusion or a time-out, as a significant event tells it."""
    return "for good" if until == patron.FOREVER else f"until {written(until)}"


def limits_told(limits: Iterable[Limit]) -> str:
    """Limits as a significant event tells them."""
    return "; ".join(f"{one.kind.value} {','.join(one.spots)} {one.amount}" for one in limits)


def shoe_notes(caused: Iterable[tuple[str, Event]]) -> list[Significant]:
    """Where shoes came to a table or left it; `after` is the shoe."""
    found = []
    for source, event in caused:
        match event:
            case at_table.ShoeRegistered():
                kind, why = "shoe registered", event.shuffle_record
            case at_table.ShoeEnded():
                kind, why = "shoe ended", f"{event.missing} missing" if event.missing else ""
            case at_table.ShoeRemoved():
                kind, why = "shoe removed", event.clause
            case _:
                continue
        found.append(Significant(event.at, kind, event.by, source, why, "", event.shoe))
    return found


def paid_told(coup: Coup | None, bets: Iterable[in_round.Settled]) -> str:
    """A settlement in a line: by which hands, and what the house had of it, commission counted."""
    hands = "void" if coup is None else str(coup)
    return f"{hands}, house {-sum(one.net for one in bets)}"


def _large(source: str, kind: str, bet: in_round.Laid, amount: int, at: int) -> Significant:
    return Significant(at, kind, bet.patron, source, bet.spot, after=str(amount))


def _large_wins(
    source: str,
    event: in_round.RoundSettled | in_round.SettlementCorrected,
    least: int,
    was: Iterable[in_round.Settled] = (),
) -> list[Significant]:
    """What was won in a settlement, told once: in one that corrects it, only what is new."""
    before = {one.bet.key: one.net for one in was}
    return [
        _large(source, "large win", one.bet, one.net, event.at)
        for one in event.bets
        if least and one.net >= least and one.net != before.get(one.bet.key)
    ]


def _played(
    source: str, round: str, number: int, at: int, bets: Iterable[in_round.Settled], ended: str
) -> list[Played]:
    staked: dict[str, int] = {}
    net: dict[str, int] = {}
    for one in bets:
        who = one.bet.patron
        staked[who] = staked.get(who, 0) + one.effective
        net[who] = net.get(who, 0) + one.net
    return [Played(who, source, round, number, at, staked[who], net[who], ended) for who in staked]


def _returned(
    was: Iterable[in_round.Settled],
    source: str,
    round: str,
    number: int,
    event: in_round.SettlementCorrected,
) -> list[Played]:
    """Patrons who were part of the settlement and are not of the corrected one."""
    still = {one.bet.patron for one in event.bets}
    gone = dict.fromkeys(one.bet.patron for one in was)
    return [
        Played(who, source, round, number, event.at, 0, 0, "void")
        for who in gone
        if who not in still
    ]


def _paper(batch: Batch, after: Venue, event: Event) -> None:
    if isinstance(event, VOUCHERS):
        batch.papers.append(paper(after.cage.vouchers[event.number], event.at))


def paper(voucher: Voucher, at: int) -> Paper:
    """Where a voucher stands; it is the patron's from whose money it was made."""
    return Paper(
        voucher.number,
        voucher.amount,
        voucher.state.value,
        voucher.patron,
        voucher.expires_at,
        at,
    )
