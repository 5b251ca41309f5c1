"""The messages of staff: what dealers, the pit and the operator ask for.

They come as patrons' commands do, over REST or the live connection, each with an
idempotency key. Who may give which is the server's business (`server.staff`).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from cutcard.wire.words import (
    Amount,
    Ask,
    Box,
    CardName,
    CoupText,
    LimitKind,
    Millis,
    Name,
    Reason,
    RoleName,
    ShoeName,
    SpotName,
    TableName,
    Title,
    VoucherName,
    Words,
)

# --- people ---------------------------------------------------------------------------------------


class SignOn(Ask, tag="sign-on", frozen=True):
    """Be at a table in one's role; a dealer takes over from the dealer before."""

    table: TableName


class SignOff(Ask, tag="sign-off", frozen=True):
    """Leave a table, or have somebody leave it."""

    table: TableName
    person: Name | None = None


class ActAs(Ask, tag="act-as", frozen=True):
    """Let somebody act in a role at a table until a set time."""

    table: TableName
    person: Name
    role: RoleName
    until: Millis
    reason: Reason


class StayAwake(Ask, tag="stay-awake", frozen=True):
    """Still at the console: a dealer's console locks after five minutes without this."""


class CallSupervisor(Ask, tag="call-supervisor", frozen=True):
    """Ask a supervisor to come to the table."""

    table: TableName
    note: Words = ""


class AnswerCall(Ask, tag="answer-call", frozen=True):
    """A supervisor comes."""

    table: TableName


class SwitchDealer(Ask, tag="switch-dealer", frozen=True):
    """Let a dealer-run table deal by itself, or not; off, it finishes the round under way."""

    table: TableName
    on: bool


# --- the shoe -------------------------------------------------------------------------------------


class RegisterShoe(Ask, tag="register-shoe", frozen=True):
    """A new shoe stands ready; without a manifest every card is in it once for each deck."""

    table: TableName
    shoe: ShoeName
    shuffle_record: Reason
    manifest: dict[CardName, Annotated[int, Meta(ge=0, le=100)]] | None = None


class BurnCard(Ask, tag="burn-card", frozen=True):
    """One card leaves the shoe unseen; the first of a shoe is exposed instead."""

    table: TableName
    card: CardName | None = None


class ShowCutCard(Ask, tag="show-cut-card", frozen=True):
    """The cut card came out: this round is the shoe's last."""

    table: TableName


class EndShoe(Ask, tag="end-shoe", frozen=True):
    """The shoe is taken away, and so many cards were counted in it; the server's own without."""

    table: TableName
    left: Annotated[int, Meta(ge=0, le=1000)] | None = None


class ReleaseShoe(Ask, tag="release-shoe", frozen=True):
    """A shoe in quarantine may be used again."""

    shoe: ShoeName
    reason: Reason


# --- the round ------------------------------------------------------------------------------------


class OpenRound(Ask, tag="open-round", frozen=True):
    """Bets may be placed."""

    table: TableName


class RejectExcess(Ask, tag="reject-excess", frozen=True):
    """Give back what lies beyond a limit, in one box or everywhere."""

    table: TableName
    box: Box | None = None


class CloseBets(Ask, tag="close-bets", frozen=True):
    """No more bets."""

    table: TableName


class ScanCard(Ask, tag="scan-card", frozen=True):
    """A reader saw a card leave the shoe; what the tableau does not allow is an irregularity."""

    table: TableName
    card: CardName


class EnterCard(Ask, tag="enter-card", frozen=True):
    """A card that no reader can read: it counts once a supervisor has confirmed it."""

    table: TableName
    card: CardName


class TurnCards(Ask, tag="turn-cards", frozen=True):
    """Turn over whatever lies face down."""

    table: TableName


class EndDecisions(Ask, tag="end-decisions", frozen=True):
    """The time to decide on an Ante is over."""

    table: TableName


class EndOptions(Ask, tag="end-options", frozen=True):
    """The time to choose is over: whoever has not chosen has the bets returned."""

    table: TableName


class CallResult(Ask, tag="call-result", frozen=True):
    """Announce the result."""

    table: TableName


class SettleRound(Ask, tag="settle-round", frozen=True):
    """Pay and take every bet."""

    table: TableName


class AnswerSqueeze(Ask, tag="answer-squeeze", frozen=True):
    """Grant a squeeze, or do not."""

    table: TableName
    patron: Name
    granted: bool


class FreeSeat(Ask, tag="free-seat", frozen=True):
    """Free the seat of a patron who is not there; stack and history stay the patron's."""

    table: TableName
    box: Box


# --- terminals ------------------------------------------------------------------------------------


class AddTerminal(Ask, tag="add-terminal", frozen=True):
    """A device stands at an electronic table from now on; without a number it gets the next one."""

    table: TableName
    terminal: Name
    number: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None


class RemoveTerminal(Ask, tag="remove-terminal", frozen=True):
    """A device without credit is taken away from its table."""

    table: TableName
    terminal: Name


class LockTerminal(Ask, tag="lock-terminal", frozen=True):
    """No bet and no money at a terminal until it is unlocked; bets that lie there stand."""

    table: TableName
    terminal: Name
    reason: Reason


class UnlockTerminal(Ask, tag="unlock-terminal", frozen=True):
    """A locked terminal plays again."""

    table: TableName
    terminal: Name


class AnswerAttendant(Ask, tag="answer-attendant", frozen=True):
    """An attendant has come to a terminal that called."""

    table: TableName
    terminal: Name


# --- for a patron ---------------------------------------------------------------------------------


class BetFor(Ask, tag="bet-for", frozen=True):
    """Place a bet for a patron who asks; the patron's terminal reads it back."""

    table: TableName
    patron: Name
    spot: SpotName
    stake: Amount
    box: Box | None = None


class WithdrawFor(Ask, tag="withdraw-for", frozen=True):
    """Take a bet back for a patron who asks."""

    table: TableName
    patron: Name
    spot: SpotName
    stake: Amount | None = None
    box: Box | None = None


class DecideFor(Ask, tag="decide-for", frozen=True):
    """Continue an Ante or decline it, for a patron who asks."""

    table: TableName
    patron: Name
    spot: SpotName
    continues: bool
    box: Box | None = None


class ChooseFor(Ask, tag="choose-for", frozen=True):
    """Choose after an error, for a patron who asks."""

    table: TableName
    patron: Name
    continues: bool


class ReportRemoved(Ask, tag="report-removed", frozen=True):
    """Chips were taken off a spot after the close: they win or lose as if still there."""

    table: TableName
    patron: Name
    spot: SpotName
    box: Box | None = None


# --- what went wrong ------------------------------------------------------------------------------


class Report(Ask, tag="report", frozen=True):
    """Something is wrong: what kind of thing, with which cards, in which round and shoe."""

    table: TableName
    kind: Title
    drawn: Annotated[tuple[CardName, ...], Meta(max_length=6)] = ()
    lying: CoupText | None = None
    exposed: Annotated[int, Meta(ge=0, le=5)] | None = None
    round: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    note: Words = ""
    also_exposed: Annotated[tuple[Annotated[int, Meta(ge=0, le=5)], ...], Meta(max_length=5)] = ()
    shoe: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None


class Resolve(Ask, tag="resolve", frozen=True):
    """Take one of the lawful steps; where four eyes are needed it waits for the second pair."""

    table: TableName
    step: Title
    reason: Words = ""
    order: Annotated[tuple[CardName, ...], Meta(max_length=6)] = ()
    coup: CoupText | None = None
    replace_shoe: bool = False
    facts: Words = ""
    incident: Annotated[int, Meta(ge=1, le=10**9)] | None = None
    """Which irregularity it is about; refused where another has taken its place."""


class Confirm(Ask, tag="confirm", frozen=True):
    """The second pair of eyes: do what somebody else has proposed."""

    table: TableName
    proposal: Annotated[int, Meta(ge=1, le=10**9)]


class Decline(Ask, tag="decline", frozen=True):
    """Do not do what was proposed."""

    table: TableName
    proposal: Annotated[int, Meta(ge=1, le=10**9)]


# --- the pit --------------------------------------------------------------------------------------


class LimitGiven(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A limit as the pit sets it; its clause is the book's."""

    kind: Literal["minimum", "maximum", "differential"]
    scope: Literal["bet", "box", "patron", "table"]
    spots: Annotated[list[SpotName], Meta(min_length=1, max_length=32)]
    amount: Amount


class ChangeLimits(Ask, tag="change-limits", frozen=True):
    """New limits from the next round on; whatever is not named stays as it is."""

    table: TableName
    limits: Annotated[list[LimitGiven], Meta(min_length=1, max_length=64)]
    reason: Reason


class AnnounceClosing(Ask, tag="announce-closing", frozen=True):
    """Tell patrons that the table closes after so many rounds more."""

    table: TableName
    rounds: Annotated[int, Meta(ge=1, le=100)] = 1
    reason: Words = ""


class CloseTable(Ask, tag="close-table", frozen=True):
    """Close a table whose announced last round is over."""

    table: TableName


class OpenTable(Ask, tag="open-table", frozen=True):
    """Open a table that was closed, by the book that was approved for it."""

    table: TableName


class ChooseBook(Ask, tag="choose-book", frozen=True):
    """Another of the rule sets approved for a table, announced now and played once it reopens."""

    table: TableName
    book: Title
    reason: Reason
    rounds: Annotated[int, Meta(ge=1, le=100)] = 1
    """Until the table closes; where its closing was announced before, that stands."""


class LimitPatron(Ask, tag="limit-patron", frozen=True):
    """A limit on a patron's play, as tight as or tighter than the patron's own."""

    patron: Name
    kind: LimitKind
    amount: Millis
    reason: Reason


class ExcludePatron(Ask, tag="exclude-patron", frozen=True):
    """No play for a patron, for six months or longer; null is for ever."""

    patron: Name
    length: Millis | None
    reason: Reason


# --- the cage -------------------------------------------------------------------------------------


class PayIn(Ask, tag="pay-in", frozen=True):
    """A patron's cash, taken at the cage and put into the patron's wallet."""

    patron: Name
    amount: Amount
    note: Words = ""


class PayOut(Ask, tag="pay-out", frozen=True):
    """Cash out of a patron's wallet, handed over at the cage."""

    patron: Name
    amount: Amount
    note: Words = ""


class FetchStack(Ask, tag="fetch-stack", frozen=True):
    """Whatever lies at a table for a patron who cannot come for it goes to their wallet."""

    table: TableName
    patron: Name
    reason: Reason


class LoadTerminal(Ask, tag="load-terminal", frozen=True):
    """Credit onto a terminal: for cash at the cage, or from the wallet of a patron who is there."""

    table: TableName
    terminal: Name
    amount: Amount
    patron: Name | None = None
    note: Words = ""


class UnloadTerminal(Ask, tag="unload-terminal", frozen=True):
    """Credit off a terminal, all of it unless told otherwise: as cash, or to a patron's wallet."""

    table: TableName
    terminal: Name
    amount: Amount | None = None
    patron: Name | None = None
    note: Words = ""


class PayVoucher(Ask, tag="pay-voucher", frozen=True):
    """Cash for a voucher, to whoever brings it to the cage."""

    number: VoucherName
    note: Words = ""


class VoidVoucher(Ask, tag="void-voucher", frozen=True):
    """A voucher was not printed, or is spoilt: its money goes back where it came from."""

    number: VoucherName
    reason: Reason


class ReprintVoucher(Ask, tag="reprint-voucher", frozen=True):
    """Print a voucher once more, marked as a reprint."""

    number: VoucherName
    reason: Reason


StaffCommand = (
    SignOn
    | SignOff
    | ActAs
    | StayAwake
    | CallSupervisor
    | AnswerCall
    | SwitchDealer
    | RegisterShoe
    | BurnCard
    | ShowCutCard
    | EndShoe
    | ReleaseShoe
    | OpenRound
    | RejectExcess
    | CloseBets
    | ScanCard
    | EnterCard
    | TurnCards
    | EndDecisions
    | EndOptions
    | CallResult
    | SettleRound
    | AnswerSqueeze
    | FreeSeat
    | AddTerminal
    | RemoveTerminal
    | LockTerminal
    | UnlockTerminal
    | AnswerAttendant
    | BetFor
    | WithdrawFor
    | DecideFor
    | ChooseFor
    | ReportRemoved
    | Report
    | Resolve
    | Confirm
    | Decline
    | ChangeLimits
    | AnnounceClosing
    | CloseTable
    | OpenTable
    | ChooseBook
    | LimitPatron
    | ExcludePatron
    | PayIn
    | PayOut
    | FetchStack
    | LoadTerminal
    | UnloadTerminal
    | PayVoucher
    | VoidVoucher
    | ReprintVoucher
)
