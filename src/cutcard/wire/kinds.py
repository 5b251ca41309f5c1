"""The kinds of things that stand in a log, and the name of each.

A name in a log is promised for ever. A class may be called otherwise one day, and keeps its name
here; what is new gets a name that nothing ever had. The fields of every kind are promised too:
they stand in format.toml beside this file, which a test lets only grow.
"""

from collections.abc import Mapping
from typing import Any, cast

from cutcard import cage, ledger, patron
from cutcard.refusals import Refusal
from cutcard.round import events as in_round
from cutcard.table import events as at_table
from cutcard.wire.codec import Plain, parse, plain

Kinds = Mapping[str, type]

TABLE_EVENTS: Kinds = {
    "TableOpened": at_table.TableOpened,
    "ClosingAnnounced": at_table.ClosingAnnounced,
    "TableClosed": at_table.TableClosed,
    "SignedOn": at_table.SignedOn,
    "SignedOff": at_table.SignedOff,
    "Acting": at_table.Acting,
    "LimitsScheduled": at_table.LimitsScheduled,
    "SeatTaken": at_table.SeatTaken,
    "SeatLeft": at_table.SeatLeft,
    "TerminalAdded": at_table.TerminalAdded,
    "TerminalRemoved": at_table.TerminalRemoved,
    "TerminalLocked": at_table.TerminalLocked,
    "TerminalUnlocked": at_table.TerminalUnlocked,
    "AttendantCalled": at_table.AttendantCalled,
    "AttendantCame": at_table.AttendantCame,
    "StackFilled": at_table.StackFilled,
    "StackEmptied": at_table.StackEmptied,
    "ShoeRegistered": at_table.ShoeRegistered,
    "CardExposed": at_table.CardExposed,
    "CardBurned": at_table.CardBurned,
    "CutCardShown": at_table.CutCardShown,
    "ShoeEnded": at_table.ShoeEnded,
    "SqueezeRequested": at_table.SqueezeRequested,
    "SqueezeAnswered": at_table.SqueezeAnswered,
    "CardsOpened": at_table.CardsOpened,
    "IncidentReported": at_table.IncidentReported,
    "IncidentResolved": at_table.IncidentResolved,
    "CardsKept": at_table.CardsKept,
    "KeptCardsBurned": at_table.KeptCardsBurned,
    "ShoeRemoved": at_table.ShoeRemoved,
    "OptionsOffered": at_table.OptionsOffered,
    "OptionChosen": at_table.OptionChosen,
    "OptionsClosed": at_table.OptionsClosed,
    "RoundOpened": in_round.RoundOpened,
    "BetPlaced": in_round.BetPlaced,
    "BetWithdrawn": in_round.BetWithdrawn,
    "BetsClosed": in_round.BetsClosed,
    "CardDealt": in_round.CardDealt,
    "DecisionsOpened": in_round.DecisionsOpened,
    "DecisionsClosed": in_round.DecisionsClosed,
    "AlwaysChosen": in_round.AlwaysChosen,
    "SecondStagePlaced": in_round.SecondStagePlaced,
    "SecondStageDeclined": in_round.SecondStageDeclined,
    "ChipsRemoved": in_round.ChipsRemoved,
    "ResultCalled": in_round.ResultCalled,
    "RoundSettled": in_round.RoundSettled,
    "RoundVoided": in_round.RoundVoided,
    "CoupCorrected": in_round.CoupCorrected,
    "BetsReturned": in_round.BetsReturned,
    "SettlementCorrected": in_round.SettlementCorrected,
}

CAGE_EVENTS: Kinds = {
    "Deposited": cage.Deposited,
    "Withdrawn": cage.Withdrawn,
    "BoughtIn": cage.BoughtIn,
    "CashedOut": cage.CashedOut,
    "TerminalLoaded": cage.TerminalLoaded,
    "TerminalUnloaded": cage.TerminalUnloaded,
    "DebtPaid": cage.DebtPaid,
    "VoucherIssued": cage.VoucherIssued,
    "VoucherClaimed": cage.VoucherClaimed,
    "VoucherReleased": cage.VoucherReleased,
    "VoucherRedeemed": cage.VoucherRedeemed,
    "VoucherVoided": cage.VoucherVoided,
    "VoucherExpired": cage.VoucherExpired,
    "VoucherReprinted": cage.VoucherReprinted,
}

PATRON_EVENTS: Kinds = {
    "LimitTightened": patron.LimitTightened,
    "LooseningRequested": patron.LooseningRequested,
    "LooseningCancelled": patron.LooseningCancelled,
    "SessionStarted": patron.SessionStarted,
    "RealityCheckAcknowledged": patron.RealityCheckAcknowledged,
    "SessionEnded": patron.SessionEnded,
    "TimeOutTaken": patron.TimeOutTaken,
    "SelfExcluded": patron.SelfExcluded,
    "DepositRecorded": patron.DepositRecorded,
    "ResultBooked": patron.ResultBooked,
}

EVENTS: Kinds = {**TABLE_EVENTS, **CAGE_EVENTS, **PATRON_EVENTS}

ENTRIES: Kinds = {
    "Transfer": ledger.Transfer,
    "Post": ledger.Post,
    "Void": ledger.Void,
}

NAMES: Mapping[type, str] = {kind: name for name, kind in (*EVENTS.items(), *ENTRIES.items())}


def name_of(value: object) -> str:
    """By which name an event or an entry stands in a log."""
    return NAMES[type(value)]


def tagged(value: object) -> Plain:
    """An event or an entry, with its name."""
    written = cast(Plain, plain(value))
    written["is"] = name_of(value)
    return written


def parse_tagged(kinds: Kinds, given: object) -> Any:
    """One of several kinds, by its name."""
    if not isinstance(given, dict) or not isinstance(given.get("is"), str):
        raise Refusal("wire/record", {"place": "is"})
    kind = kinds.get(given["is"])
    if kind is None:
        raise Refusal("wire/record", {"place": "is"})
    return parse(kind, {name: one for name, one in given.items() if name != "is"})
