"""Devices of the house: what is asked for at them, and whose account is signed in there."""

from collections.abc import Callable
from dataclasses import dataclass

from cutcard.refusals import Refusal
from cutcard.store import Person
from cutcard.venue import Venue
from cutcard.wire import api

MINUTE = 60_000
SIGNED_IN_MS = 2 * MINUTE
"""For so long an account stays signed in at a device without moving credit."""

DEVICES_ONLY = (api.LoadCredit, api.UnloadCredit)
"""What only a device of the house asks for."""

AT_DEVICES = (
    *DEVICES_ONLY,
    api.IssueVoucher,
    api.RedeemVoucher,
    api.PlaceBet,
    api.PlaceBets,
    api.ChangeBet,
    api.WithdrawBet,
    api.Rebet,
    api.Decide,
    api.AlwaysContinue,
    api.ChooseOption,
    api.RequestSqueeze,
    api.OpenNow,
    api.CallStaff,
    api.SealSeed,
    api.GiveSeed,
)
"""What a device asks for, always at the table where it stands. It has no wallet."""


def place_of(venue: Venue, device: str) -> tuple[str, int] | None:
    """The table at which a device stands, and its number there."""
    for name, table in venue.tables.items():
        found = table.terminals.get(device)
        if found is not None and not found.removed:
            return name, found.number
    return None


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A patron's account at a device, and until when."""

    patron: Person
    until: int


class Accounts:
    """The patrons' accounts that are signed in at devices, to move credit.

    They are kept in memory only: after a restart the patron signs in again.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._at: dict[str, SignedIn] = {}

    def sign_in(self, device: str, patron: Person) -> int:
        """A patron has given the password at a device; until when that counts."""
        until = self._clock() + SIGNED_IN_MS
        self._at[device] = SignedIn(patron, until)
        return until

    def sign_out(self, device: str) -> None:
        self._at.pop(device, None)

    def sign_out_everywhere(self, patron: str) -> None:
        """A patron's account is signed in at no device any more."""
        self._at = {device: one for device, one in self._at.items() if one.patron.id != patron}

    def patrons(self) -> list[Person]:
        """Everybody who is signed in at a device, as they were then."""
        return [one.patron for one in self._at.values()]

    def found(self, device: str) -> str | None:
        """The account that is signed in at a device."""
        there = self._there(device)
        return None if there is None else there.patron.id

    def _there(self, device: str) -> SignedIn | None:
        there = self._at.get(device)
        if there is not None and self._clock() >= there.until:
            self.sign_out(device)
            return None
        return there

    def at(self, device: str) -> str:
        """The account whose credit is to be moved at a device; it stays signed in."""
        there = self._there(device)
        if there is None:
            raise Refusal("terminal/no-account", {"minutes": SIGNED_IN_MS // MINUTE})
        self.sign_in(device, there.patron)
        return there.patron.id
