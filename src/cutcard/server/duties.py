"""Which commands are whose: the least role for each, before the table itself is asked."""

from collections.abc import Mapping
from typing import Any, get_args

from cutcard.rules.rulebook import Role
from cutcard.wire import house

AT_TABLES = frozenset(role.value for role in Role)
"""Cashiers, auditors and operators have no say at a table."""

READER = "reader"
"""A machine that reads cards: it scans for the dealer at the table, and does nothing else."""

COMMANDS = get_args(house.StaffCommand)
LEAST: Mapping[type[Any], Role] = {
    house.SignOn: Role.DEALER,
    house.SignOff: Role.DEALER,
    house.StayAwake: Role.DEALER,
    house.CallSupervisor: Role.DEALER,
    house.RegisterShoe: Role.DEALER,
    house.BurnCard: Role.DEALER,
    house.ShowCutCard: Role.DEALER,
    house.EndShoe: Role.DEALER,
    house.OpenRound: Role.DEALER,
    house.RejectExcess: Role.DEALER,
    house.CloseBets: Role.DEALER,
    house.ScanCard: Role.DEALER,
    house.EnterCard: Role.DEALER,
    house.TurnCards: Role.DEALER,
    house.EndDecisions: Role.DEALER,
    house.EndOptions: Role.DEALER,
    house.CallResult: Role.DEALER,
    house.SettleRound: Role.DEALER,
    house.AnswerSqueeze: Role.DEALER,
    house.FreeSeat: Role.DEALER,
    house.AnswerAttendant: Role.DEALER,
    house.BetFor: Role.DEALER,
    house.WithdrawFor: Role.DEALER,
    house.DecideFor: Role.DEALER,
    house.ChooseFor: Role.DEALER,
    house.ReportRemoved: Role.DEALER,
    house.Report: Role.DEALER,
    # Which step needs whom is the book's to say; some are a dealer's.
    house.Resolve: Role.DEALER,
    house.ActAs: Role.PIT_SUPERVISOR,
    house.AnswerCall: Role.PIT_SUPERVISOR,
    house.SwitchDealer: Role.PIT_SUPERVISOR,
    house.Confirm: Role.PIT_SUPERVISOR,
    house.Decline: Role.PIT_SUPERVISOR,
    house.ChangeLimits: Role.PIT_SUPERVISOR,
    house.AnnounceClosing: Role.PIT_SUPERVISOR,
    house.CloseTable: Role.PIT_SUPERVISOR,
    house.OpenTable: Role.PIT_SUPERVISOR,
    house.AddTerminal: Role.PIT_SUPERVISOR,
    house.RemoveTerminal: Role.PIT_SUPERVISOR,
    house.LockTerminal: Role.PIT_SUPERVISOR,
    house.UnlockTerminal: Role.PIT_SUPERVISOR,
    house.ChooseBook: Role.PIT_MANAGER,
    house.ReleaseShoe: Role.PIT_MANAGER,
    house.LimitPatron: Role.PIT_MANAGER,
    house.ExcludePatron: Role.PIT_MANAGER,
}
"""The least role for each command, before the table itself is asked."""

DEALING = (
    house.RegisterShoe,
    house.BurnCard,
    house.ShowCutCard,
    house.EndShoe,
    house.OpenRound,
    house.RejectExcess,
    house.CloseBets,
    house.ScanCard,
    house.EnterCard,
    house.TurnCards,
    house.EndDecisions,
    house.EndOptions,
    house.CallResult,
    house.SettleRound,
    house.AnswerSqueeze,
)
"""What the automatic dealer does while it is on, and nobody beside it."""

DECIDING = (house.Resolve, house.SignOff)
"""A dealer's commands that a supervisor gives from the pit."""
