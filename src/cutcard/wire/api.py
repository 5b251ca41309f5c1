"""The API's messages: what patrons ask, and what they are told. Version 1.

REST and WebSocket share these types; OpenAPI and the browser's types are made from them.
Money is whole minor units, time is UTC milliseconds, a round is named `2/17` (shoe and
number). A command that moves anything comes with an idempotency key of the caller's own
making; the same key is answered the same for a day and never done twice.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from cutcard.wire.house import StaffCommand
from cutcard.wire.words import (
    Amount,
    Ask,
    Box,
    Hash,
    Key,
    LimitKind,
    Millis,
    RoundName,
    SpotName,
    TableName,
    VoucherName,
)

VERSION = 1

# --- money ----------------------------------------------------------------------------------------


class Deposit(Ask, tag="deposit", frozen=True):
    """Play money into the wallet, where the venue lets patrons help themselves."""

    amount: Amount


class Withdraw(Ask, tag="withdraw", frozen=True):
    """Money out of the wallet, where the venue lets patrons help themselves."""

    amount: Amount


class PayDebt(Ask, tag="pay-debt", frozen=True):
    """Money from the wallet against a debt."""

    amount: Amount


class BuyIn(Ask, tag="buy-in", frozen=True):
    """Money from the wallet to the stack at a table."""

    table: TableName
    amount: Amount


class CashOut(Ask, tag="cash-out", frozen=True):
    """Money from the stack at a table to the wallet; all of it unless told otherwise."""

    table: TableName
    amount: Amount | None = None


class IssueVoucher(Ask, tag="issue-voucher", frozen=True):
    """A voucher for money from the stack at a table, or from the wallet."""

    amount: Amount
    table: TableName | None = None


class LoadCredit(Ask, tag="load-credit", frozen=True):
    """At a terminal: credit from the wallet of the account that is signed in there."""

    table: TableName
    amount: Amount


class UnloadCredit(Ask, tag="unload-credit", frozen=True):
    """At a terminal: credit to the wallet of the account that is signed in there, or all of it."""

    table: TableName
    amount: Amount | None = None


class RedeemVoucher(Ask, tag="redeem-voucher", frozen=True):
    """A voucher's money to the stack at a table, or to the wallet."""

    number: VoucherName
    table: TableName | None = None


# --- at a table -----------------------------------------------------------------------------------


class TakeSeat(Ask, tag="take-seat", frozen=True):
    table: TableName
    box: Box


class LeaveSeat(Ask, tag="leave-seat", frozen=True):
    table: TableName


class PlaceBet(Ask, tag="place-bet", frozen=True):
    """Bet on a spot, or add to the bet. Without a box: at one's own seat, or at an open table."""

    table: TableName
    spot: SpotName
    stake: Amount
    box: Box | None = None
    round: RoundName | None = None
    """The round it is meant for: in any other it is refused."""


class Stake(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One bet among several."""

    spot: SpotName
    stake: Amount
    box: Box | None = None


class PlaceBets(Ask, tag="place-bets", frozen=True):
    """Several bets at once, all or none: a favourite, or everything doubled."""

    table: TableName
    bets: Annotated[list[Stake], Meta(min_length=1, max_length=32)]
    round: RoundName | None = None


class ChangeBet(Ask, tag="change-bet", frozen=True):
    """Make the stake on a spot exactly this much; 0 takes it back."""

    table: TableName
    spot: SpotName
    stake: Annotated[int, Meta(ge=0, le=10**15)]
    box: Box | None = None
    round: RoundName | None = None


class WithdrawBet(Ask, tag="withdraw-bet", frozen=True):
    """Take a stake back, all of it unless told otherwise."""

    table: TableName
    spot: SpotName
    stake: Amount | None = None
    box: Box | None = None
    round: RoundName | None = None


class Rebet(Ask, tag="rebet", frozen=True):
    """The bets of one's last round at the table once more, all or none."""

    table: TableName
    times: Annotated[int, Meta(ge=1, le=2)] = 1
    round: RoundName | None = None


class Decide(Ask, tag="decide", frozen=True):
    """Continue a first-stage bet with its second stage, or decline and lose it."""

    table: TableName
    spot: SpotName
    continues: bool
    box: Box | None = None
    round: RoundName | None = None


class AlwaysContinue(Ask, tag="always-continue", frozen=True):
    """Decide beforehand that every first-stage bet continues, or take that back."""

    table: TableName
    always: bool


class ChooseOption(Ask, tag="choose-option", frozen=True):
    """After an error: go on with the round, or have every bet returned."""

    table: TableName
    continues: bool
    round: RoundName | None = None


class RequestSqueeze(Ask, tag="request-squeeze", frozen=True):
    """Ask to turn over a side's cards oneself."""

    table: TableName
    side: Literal["player", "banker"]


class OpenNow(Ask, tag="open-now", frozen=True):
    """Having squeezed, let the dealer open the cards without waiting any longer."""

    table: TableName


class CallStaff(Ask, tag="call-staff", frozen=True):
    """Ask a member of staff to come to the table, or an attendant to come to a terminal."""

    table: TableName


class SealSeed(Ask, tag="seal-seed", frozen=True):
    """Add to the next shoe's order: the seal of a seed, under a name made up for this shoe."""

    table: TableName
    giver: Annotated[str, Meta(min_length=8, max_length=32, pattern=r"^[a-z0-9]+$")]
    seal: Hash


class GiveSeed(Ask, tag="give-seed", frozen=True):
    """The seed that was sealed before."""

    table: TableName
    giver: Annotated[str, Meta(min_length=8, max_length=32, pattern=r"^[a-z0-9]+$")]
    seed: Hash


# --- one's own protection -------------------------------------------------------------------------


class SetLimit(Ask, tag="set-limit", frozen=True):
    """A limit of one's own: tighter at once, looser after a day; null takes it away."""

    kind: LimitKind
    amount: Millis | None


class CancelLoosening(Ask, tag="cancel-loosening", frozen=True):
    """Think better of a looser limit."""

    kind: LimitKind


class TakeTimeOut(Ask, tag="take-time-out", frozen=True):
    """No play for a day to six weeks."""

    length: Millis


class SelfExclude(Ask, tag="self-exclude", frozen=True):
    """No play for six months or longer; null is for ever."""

    length: Millis | None


class AcknowledgeRealityCheck(Ask, tag="acknowledge-reality-check", frozen=True):
    """Seen how long and at what price."""


Command = (
    Deposit
    | Withdraw
    | PayDebt
    | BuyIn
    | CashOut
    | LoadCredit
    | UnloadCredit
    | IssueVoucher
    | RedeemVoucher
    | TakeSeat
    | LeaveSeat
    | PlaceBet
    | PlaceBets
    | ChangeBet
    | WithdrawBet
    | Rebet
    | Decide
    | AlwaysContinue
    | ChooseOption
    | RequestSqueeze
    | OpenNow
    | CallStaff
    | SealSeed
    | GiveSeed
    | SetLimit
    | CancelLoosening
    | TakeTimeOut
    | SelfExclude
    | AcknowledgeRealityCheck
    | StaffCommand
)


# --- answers --------------------------------------------------------------------------------------


class VoucherShown(Struct, frozen=True, kw_only=True):
    """A voucher as it is printed."""

    number: str
    amount: int
    words: str
    state: str
    expires_at: int
    reprints: int = 0
    """How many times it was printed again."""

    issued_at: int = 0
    terminal: str = ""
    """Where it was printed."""


class Done(Struct, frozen=True, kw_only=True, tag_field="is", tag="done", omit_defaults=True):
    """A command was carried out, and is on disk."""

    key: str
    at: int
    table: str | None = None
    seq: int | None = None
    """How many events the table has had with this one."""

    round: str | None = None
    spot: str | None = None
    stake: int | None = None
    """What lies on the spot now."""

    bets: dict[str, int] | None = None
    """What lies on every spot now, after whatever changes bets."""

    stack: int | None = None
    """What can still be used at the table."""

    wallet: int | None = None
    voucher: VoucherShown | None = None


class Refused(Struct, frozen=True, kw_only=True, tag_field="is", tag="refused"):
    """Something was not done, and nothing has changed."""

    code: str
    """Stable, for programs."""

    sentence: str
    """For people, in the caller's language."""

    clause: str | None = None
    """The rule behind it, where a rulebook has one."""

    key: str | None = None
    params: dict[str, str | int | bool | None] = {}


# --- the live connection --------------------------------------------------------------------------


class Watch(Ask, tag="watch", frozen=True):
    """Hear of everything at a table, from a sequence number on where one is known."""

    table: TableName
    since: int | None = None


class Leave(Ask, tag="leave", frozen=True):
    """Hear no more of a table."""

    table: TableName


class Do(Ask, tag="do", frozen=True):
    """A command, with its idempotency key."""

    key: Key
    command: Command


class Ping(Ask, tag="ping", frozen=True):
    """Ask for the time."""

    sent: int = 0


class Speak(Ask, tag="speak", frozen=True):
    """Be refused in another language from now on."""

    language: Literal["en", "zh-Hans", "zh-Hant"]


Said = Watch | Leave | Do | Ping | Speak


class _Keyed(Struct):
    """As much of a message as is needed to refuse it under its key."""

    key: Key | None = None


decode_said = msgspec.json.Decoder(Said).decode
_decode_keyed = msgspec.json.Decoder(_Keyed).decode
decode_command = msgspec.json.Decoder(Command).decode
encode = msgspec.json.Encoder().encode


def key_of(said: str | bytes) -> str | None:
    """The key of a message that cannot be read, if as much as that can be."""
    try:
        return _decode_keyed(said).key
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
