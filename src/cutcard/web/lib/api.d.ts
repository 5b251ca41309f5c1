// Made by `python -m cutcard.server.types` from the server's own messages. Do not edit.

/** Seen how long and at what price. */
export interface AcknowledgeRealityCheck {
  is: "acknowledge-reality-check";
}

/** Let somebody act in a role at a table until a set time. */
export interface ActAs {
  is: "act-as";
  table: string;
  person: string;
  role: "dealer" | "pit manager" | "pit supervisor" | "shift manager";
  until: number;
  reason: string;
}

/** A device stands at an electronic table from now on; without a number it gets the next one. */
export interface AddTerminal {
  is: "add-terminal";
  table: string;
  terminal: string;
  number?: number | null;
}

/** What the book orders about what went wrong. */
export interface AdviceShown {
  kind: string;
  title: string;
  clause: string;
  text: string;
  established: string[];
  reconstructed: ((string | null)[])[] | null;
  default: string;
  option_ms: number;
  paths: PathShown[];
  names: Record<string, string>;
}

/** Decide beforehand that every first-stage bet continues, or take that back. */
export interface AlwaysContinue {
  is: "always-continue";
  table: string;
  always: boolean;
}

/** Tell patrons that the table closes after so many rounds more. */
export interface AnnounceClosing {
  is: "announce-closing";
  table: string;
  rounds?: number;
  reason?: string;
}

/** An attendant has come to a terminal that called. */
export interface AnswerAttendant {
  is: "answer-attendant";
  table: string;
  terminal: string;
}

/** A supervisor comes. */
export interface AnswerCall {
  is: "answer-call";
  table: string;
}

/** Grant a squeeze, or do not. */
export interface AnswerSqueeze {
  is: "answer-squeeze";
  table: string;
  patron: string;
  granted: boolean;
}

/** Place a bet for a patron who asks; the patron's terminal reads it back. */
export interface BetFor {
  is: "bet-for";
  table: string;
  patron: string;
  spot: string;
  stake: number;
  box?: number | null;
}

export interface BetShown {
  box: number;
  spot: string;
  stake: number;
  reserve?: number;
  counts_for?: number | null;
  placed_by_staff?: boolean;
}

/** One card leaves the shoe unseen; the first of a shoe is exposed instead. */
export interface BurnCard {
  is: "burn-card";
  table: string;
  card?: string | null;
}

/** Money from the wallet to the stack at a table. */
export interface BuyIn {
  is: "buy-in";
  table: string;
  amount: number;
}

/** Announce the result. */
export interface CallResult {
  is: "call-result";
  table: string;
}

export interface CallShown {
  by: string;
  at: number;
  note: string;
  answered_by: string | null;
}

/** Ask a member of staff to come to the table, or an attendant to come to a terminal. */
export interface CallStaff {
  is: "call-staff";
  table: string;
}

/** Ask a supervisor to come to the table. */
export interface CallSupervisor {
  is: "call-supervisor";
  table: string;
  note?: string;
}

/** A terminal at which an attendant is wanted. */
export interface CallingShown {
  terminal: string;
  name: string;
  number: number;
  own: boolean;
}

/** Think better of a looser limit. */
export interface CancelLoosening {
  is: "cancel-loosening";
  kind: "deposit_day" | "deposit_month" | "deposit_week" | "loss_day" | "reality_check" | "time_day";
}

/** Money from the stack at a table to the wallet; all of it unless told otherwise. */
export interface CashOut {
  is: "cash-out";
  table: string;
  amount?: number | null;
}

/** What differs at a table since the message with the sequence number `was`. */
export interface Change {
  is: "change";
  now: number;
  table: string;
  was: number;
  seq: number;
  changes: Partial<TableShown>;
}

/** Make the stake on a spot exactly this much; 0 takes it back. */
export interface ChangeBet {
  is: "change-bet";
  table: string;
  spot: string;
  stake: number;
  box?: number | null;
  round?: string | null;
}

/** New limits from the next round on; whatever is not named stays as it is. */
export interface ChangeLimits {
  is: "change-limits";
  table: string;
  limits: LimitGiven[];
  reason: string;
}

/** Another of the rule sets approved for a table, announced now and played once it reopens. */
export interface ChooseBook {
  is: "choose-book";
  table: string;
  book: string;
  reason: string;
  rounds?: number;
}

/** Choose after an error, for a patron who asks. */
export interface ChooseFor {
  is: "choose-for";
  table: string;
  patron: string;
  continues: boolean;
}

/** After an error: go on with the round, or have every bet returned. */
export interface ChooseOption {
  is: "choose-option";
  table: string;
  continues: boolean;
  round?: string | null;
}

/** No more bets. */
export interface CloseBets {
  is: "close-bets";
  table: string;
}

/** Close a table whose announced last round is over. */
export interface CloseTable {
  is: "close-table";
  table: string;
}

/** The second pair of eyes: do what somebody else has proposed. */
export interface Confirm {
  is: "confirm";
  table: string;
  proposal: number;
}

/** The count of a shoe that people dealt from. */
export interface CountShown {
  shoe: string;
  expected: number;
  counted: number;
  missing: number;
}

/** Continue a first-stage bet with its second stage, or decline and lose it. */
export interface Decide {
  is: "decide";
  table: string;
  spot: string;
  continues: boolean;
  box?: number | null;
  round?: string | null;
}

/** Continue an Ante or decline it, for a patron who asks. */
export interface DecideFor {
  is: "decide-for";
  table: string;
  patron: string;
  spot: string;
  continues: boolean;
  box?: number | null;
}

/** Do not do what was proposed. */
export interface Decline {
  is: "decline";
  table: string;
  proposal: number;
}

/** Play money into the wallet, where the venue lets patrons help themselves. */
export interface Deposit {
  is: "deposit";
  amount: number;
}

/** A device of the house, and where it stands. */
export interface DeviceShown {
  terminal: string;
  name: string;
  barred: boolean;
  table: string | null;
  number: number | null;
}

/** A command, with its idempotency key. */
export interface Do {
  is: "do";
  key: string;
  command: Deposit | Withdraw | PayDebt | BuyIn | CashOut | LoadCredit | UnloadCredit | IssueVoucher | RedeemVoucher | TakeSeat | LeaveSeat | PlaceBet | PlaceBets | ChangeBet | WithdrawBet | Rebet | Decide | AlwaysContinue | ChooseOption | RequestSqueeze | OpenNow | CallStaff | SealSeed | GiveSeed | SetLimit | CancelLoosening | TakeTimeOut | SelfExclude | AcknowledgeRealityCheck | SignOn | SignOff | ActAs | StayAwake | CallSupervisor | AnswerCall | SwitchDealer | RegisterShoe | BurnCard | ShowCutCard | EndShoe | ReleaseShoe | OpenRound | RejectExcess | CloseBets | ScanCard | EnterCard | TurnCards | EndDecisions | EndOptions | CallResult | SettleRound | AnswerSqueeze | FreeSeat | AddTerminal | RemoveTerminal | LockTerminal | UnlockTerminal | AnswerAttendant | BetFor | WithdrawFor | DecideFor | ChooseFor | ReportRemoved | Report | Resolve | Confirm | Decline | ChangeLimits | AnnounceClosing | CloseTable | OpenTable | ChooseBook | LimitPatron | ExcludePatron | PayIn | PayOut | FetchStack | LoadTerminal | UnloadTerminal | PayVoucher | VoidVoucher | ReprintVoucher;
}

/** A command was carried out, and is on disk. */
export interface Done {
  is: "done";
  key: string;
  at: number;
  table?: string | null;
  seq?: number | null;
  round?: string | null;
  spot?: string | null;
  stake?: number | null;
  bets?: Record<string, number> | null;
  stack?: number | null;
  wallet?: number | null;
  voucher?: VoucherShown | null;
}

/** The time to decide on an Ante is over. */
export interface EndDecisions {
  is: "end-decisions";
  table: string;
}

/** The time to choose is over: whoever has not chosen has the bets returned. */
export interface EndOptions {
  is: "end-options";
  table: string;
}

/** The shoe is taken away, and so many cards were counted in it; the server's own without. */
export interface EndShoe {
  is: "end-shoe";
  table: string;
  left?: number | null;
}

/** A card that no reader can read: it counts once a supervisor has confirmed it. */
export interface EnterCard {
  is: "enter-card";
  table: string;
  card: string;
}

/** No play for a patron, for six months or longer; null is for ever. */
export interface ExcludePatron {
  is: "exclude-patron";
  patron: string;
  length: number | null;
  reason: string;
}

/** A table as its staff see it, to a member of staff alone. */
export interface Felt {
  is: "staff";
  now: number;
  seq: number;
  staff: StaffShown;
}

/** Whatever lies at a table for a patron who cannot come for it goes to their wallet. */
export interface FetchStack {
  is: "fetch-stack";
  table: string;
  patron: string;
  reason: string;
}

/** Free the seat of a patron who is not there; stack and history stay the patron's. */
export interface FreeSeat {
  is: "free-seat";
  table: string;
  box: number;
}

/** The seed that was sealed before. */
export interface GiveSeed {
  is: "give-seed";
  table: string;
  giver: string;
  seed: string;
}

/** How much of a bet the house gave back, why, and under which clause. */
export interface GivenBackShown {
  box: number;
  spot: string;
  amount: number;
  cause: string;
  clause: string | null;
}

/** Where a table's log stands: photograph the anchor, and nobody can rewrite what is before. */
export interface HeadShown {
  table: string;
  count: number;
  hash: string;
  anchor: string;
  key: string;
}

export interface Health {
  status: string;
  now: number;
}

/** A recall of rounds, the latest first; it is not live. */
export interface History {
  replay: boolean;
  rounds: PlayedRound[];
}

export interface IncidentShown {
  number: number;
  kind: string;
  round: number;
  by: string;
  drawn: string[];
  lying: string | null;
  exposed: number | null;
  note: string;
  clause: string;
  decides: string;
}

/** What the book ordered about a round that a restart interrupted. */
export interface InterruptedShown {
  step: string;
  clause: string;
}

/** A voucher for money from the stack at a table, or from the wallet. */
export interface IssueVoucher {
  is: "issue-voucher";
  amount: number;
  table?: string | null;
}

/** Something that can go wrong: what the dealer may report. */
export interface KindShown {
  kind: string;
  title: string;
  remedy: string;
  decides: string;
  clause: string;
  text: string;
}

/** A bet with its patron. */
export interface LaidShown {
  box: number;
  patron: string;
  name: string;
  spot: string;
  stake: number;
  reserve: number;
  counts_for: number | null;
  seated: boolean;
  placed_by: string | null;
}

/** Hear no more of a table. */
export interface Leave {
  is: "leave";
  table: string;
}

export interface LeaveSeat {
  is: "leave-seat";
  table: string;
}

/** A limit as the pit sets it; its clause is the book's. */
export interface LimitGiven {
  kind: "differential" | "maximum" | "minimum";
  scope: "bet" | "box" | "patron" | "table";
  spots: string[];
  amount: number;
}

/** A limit on a patron's play, as tight as or tighter than the patron's own. */
export interface LimitPatron {
  is: "limit-patron";
  patron: string;
  kind: "deposit_day" | "deposit_month" | "deposit_week" | "loss_day" | "reality_check" | "time_day";
  amount: number;
  reason: string;
}

export interface LimitShown {
  kind: string;
  scope: string;
  spots: string[];
  amount: number;
  clause: string;
}

/** At a terminal: credit from the wallet of the account that is signed in there. */
export interface LoadCredit {
  is: "load-credit";
  table: string;
  amount: number;
}

/** Credit onto a terminal: for cash at the cage, or from the wallet of a patron who is there. */
export interface LoadTerminal {
  is: "load-terminal";
  table: string;
  terminal: string;
  amount: number;
  patron?: string | null;
  note?: string;
}

export interface Lobby {
  venue: string;
  currency: string;
  digits: number;
  helpline: string;
  address: string;
  telephone: string;
  site: string;
  language: string;
  theme: string;
  self_service: boolean;
  now: number;
  tables: LobbyTable[];
}

/** One table in the lobby. */
export interface LobbyTable {
  table: string;
  title: string;
  book: string;
  book_name: string;
  deals: string;
  face_down: boolean;
  dealing: boolean;
  open: boolean;
  phase: string;
  until: number | null;
  shoe: number;
  round: number;
  layout: string;
  boxes: number;
  taken_boxes: number[];
  patrons: number;
  limits: LimitShown[];
  winners: string;
  decks: number;
  continuous: boolean;
}

/** No bet and no money at a terminal until it is unlocked; bets that lie there stand. */
export interface LockTerminal {
  is: "lock-terminal";
  table: string;
  terminal: string;
  reason: string;
}

/** Somebody at the table. */
export interface MemberShown {
  person: string;
  name: string;
  role: string;
  acting: string | null;
  until: number | null;
  locked: boolean;
}

/** An account for a patron. */
export interface NewPatronBody {
  name: string;
  password: string;
  language?: "en" | "zh-Hans" | "zh-Hant";
}

/** Somebody who begins to work here. */
export interface NewPersonBody {
  name: string;
  password: string;
  role: string;
  reason: string;
}

/** An account under which a device of the house signs in. */
export interface NewTerminalBody {
  name: string;
  password: string;
  reason: string;
}

/** The one lawful thing to do next, and who does it. */
export interface NextShown {
  act: string;
  role: string;
  side?: string | null;
  number?: number;
  card?: string | null;
  until?: number | null;
}

/** Having squeezed, let the dealer open the cards without waiting any longer. */
export interface OpenNow {
  is: "open-now";
  table: string;
}

/** Bets may be placed. */
export interface OpenRound {
  is: "open-round";
  table: string;
}

/** Open a table that was closed, by the book that was approved for it. */
export interface OpenTable {
  is: "open-table";
  table: string;
}

/** A patron who may choose; null has not chosen. */
export interface OptionShown {
  patron: string;
  name: string;
  continues: boolean | null;
}

/** A patron's own at a table. */
export interface Own {
  is: "own";
  now: number;
  seq: number;
  own: OwnShown;
}

export interface OwnLimit {
  kind: string;
  amount: number | null;
  wished: number | null;
  wished_from: number | null;
}

/** What a patron sees beside that: the patron's own. */
export interface OwnShown {
  table: string;
  stack: number;
  box: number | null;
  bets: BetShown[];
  given_back: GivenBackShown[];
  undecided: BetShown[];
  declined: string[];
  always: boolean;
  cannot_continue: string[];
  option: boolean;
  squeeze: Record<string, (string | null)[]>;
  results: ResultShown[];
  squeezes: string[];
  void_reason?: string | null;
  void_clause?: string | null;
  seat_until?: number | null;
  terminal?: TerminalShown | null;
}

/** A line of the pay list: what a bet wins or loses, and the commission kept of it. */
export interface PaidShown {
  box: number;
  patron: string;
  name: string;
  spot: string;
  stake: number;
  net: number;
  commission: number;
  clause: string;
  collect: boolean;
}

/** Another password, and why. */
export interface PasswordBody {
  password: string;
  reason: string;
}

/** A lawful step: who takes it, under which clause, and what comes of it. */
export interface PathShown {
  step: string;
  title: string;
  role: string;
  clause: string;
  text: string;
  player: (string | null)[] | null;
  banker: (string | null)[] | null;
  kept: string[];
  order: string[];
  offered: string[];
  shoe_goes: boolean;
  may_replace_shoe: boolean;
  four_eyes: boolean;
  needs_reason: boolean;
  ruling: boolean;
  money: Record<string, string[]> | null;
  house: string[] | null;
  edges: Record<string, string>;
}

/** Money from the wallet against a debt. */
export interface PayDebt {
  is: "pay-debt";
  amount: number;
}

/** A patron's cash, taken at the cage and put into the patron's wallet. */
export interface PayIn {
  is: "pay-in";
  patron: string;
  amount: number;
  note?: string;
}

/** Cash out of a patron's wallet, handed over at the cage. */
export interface PayOut {
  is: "pay-out";
  patron: string;
  amount: number;
  note?: string;
}

/** Cash for a voucher, to whoever brings it to the cage. */
export interface PayVoucher {
  is: "pay-voucher";
  number: string;
  note?: string;
}

/** What changes about somebody who works here. */
export interface PersonBody {
  role?: string | null;
  barred?: boolean | null;
  reason: string;
}

/** Ask for the time. */
export interface Ping {
  is: "ping";
  sent?: number;
}

/** Bet on a spot, or add to the bet. Without a box: at one's own seat, or at an open table. */
export interface PlaceBet {
  is: "place-bet";
  table: string;
  spot: string;
  stake: number;
  box?: number | null;
  round?: string | null;
}

/** Several bets at once, all or none: a favourite, or everything doubled. */
export interface PlaceBets {
  is: "place-bets";
  table: string;
  bets: Stake[];
  round?: string | null;
}

/** A round in which one had bets. */
export interface PlayedRound {
  table: string;
  round: string;
  at: number;
  ended: string;
  staked: number;
  net: number;
  commission: number;
  player: string[];
  banker: string[];
  winner: string | null;
  bets: ResultShown[];
  decided_by_system: string[];
  reason?: string | null;
  clause?: string | null;
  interrupted?: InterruptedShown | null;
}

/** What waits for a second pair of eyes. */
export interface ProposalShown {
  number: number;
  by: string;
  name: string;
  at: number;
  what: string;
  reason: string;
  coup: string | null;
  card: string | null;
}

/** A patron's own limits, and how the session stands. */
export interface Protection {
  limits: OwnLimit[];
  time_out_until: number | null;
  excluded_until: number | null;
  excluded_for_good: boolean;
  elapsed: number | null;
  net: number | null;
  check_due: boolean;
  next_check: number | null;
  time_left: number | null;
  helpline: string;
}

/** The bets of one's last round at the table once more, all or none. */
export interface Rebet {
  is: "rebet";
  table: string;
  times?: number;
  round?: string | null;
}

/** A voucher's money to the stack at a table, or to the wallet. */
export interface RedeemVoucher {
  is: "redeem-voucher";
  number: string;
  table?: string | null;
}

/** Something was not done, and nothing has changed. */
export interface Refused {
  is: "refused";
  code: string;
  sentence: string;
  clause?: string | null;
  key?: string | null;
  params?: Record<string, string | number | boolean | null>;
}

/** A new shoe stands ready; without a manifest every card is in it once for each deck. */
export interface RegisterShoe {
  is: "register-shoe";
  table: string;
  shoe: string;
  shuffle_record: string;
  manifest?: Record<string, number> | null;
}

/** Give back what lies beyond a limit, in one box or everywhere. */
export interface RejectExcess {
  is: "reject-excess";
  table: string;
  box?: number | null;
}

/** A shoe in quarantine may be used again. */
export interface ReleaseShoe {
  is: "release-shoe";
  shoe: string;
  reason: string;
}

/** A device without credit is taken away from its table. */
export interface RemoveTerminal {
  is: "remove-terminal";
  table: string;
  terminal: string;
}

/** The password so far, and the one to come. */
export interface RenewBody {
  old: string;
  new: string;
}

/** Something is wrong: what kind of thing, with which cards, in which round and shoe. */
export interface Report {
  is: "report";
  table: string;
  kind: string;
  drawn?: string[];
  lying?: string | null;
  exposed?: number | null;
  round?: number | null;
  note?: string;
  also_exposed?: number[];
  shoe?: number | null;
}

/** Chips were taken off a spot after the close: they win or lose as if still there. */
export interface ReportRemoved {
  is: "report-removed";
  table: string;
  patron: string;
  spot: string;
  box?: number | null;
}

/** Print a voucher once more, marked as a reprint. */
export interface ReprintVoucher {
  is: "reprint-voucher";
  number: string;
  reason: string;
}

/** Ask to turn over a side's cards oneself. */
export interface RequestSqueeze {
  is: "request-squeeze";
  table: string;
  side: "banker" | "player";
}

/** Take one of the lawful steps; where four eyes are needed it waits for the second pair. */
export interface Resolve {
  is: "resolve";
  table: string;
  step: string;
  reason?: string;
  order?: string[];
  coup?: string | null;
  replace_shoe?: boolean;
  facts?: string;
  incident?: number | null;
}

/** What became of one bet, with the clause that says so. */
export interface ResultShown {
  box: number;
  spot: string;
  stake: number;
  net: number;
  commission: number;
  clause: string;
}

/** A round as everybody saw it. */
export interface RoundShown {
  table: string;
  round: string;
  at: number;
  ended: string | null;
  player: string[];
  banker: string[];
  winner: string | null;
  reason: string | null;
  clause: string | null;
  interrupted?: InterruptedShown | null;
}

export interface Rounds {
  rounds: RoundShown[];
}

/** A reader saw a card leave the shoe; what the tableau does not allow is an irregularity. */
export interface ScanCard {
  is: "scan-card";
  table: string;
  card: string;
}

/** Add to the next shoe's order: the seal of a seed, under a name made up for this shoe. */
export interface SealSeed {
  is: "seal-seed";
  table: string;
  giver: string;
  seal: string;
}

export interface SeatShown {
  box: number;
  patron: string;
  name: string;
  stack: number;
}

/** No play for six months or longer; null is for ever. */
export interface SelfExclude {
  is: "self-exclude";
  length: number | null;
}

/** A limit of one's own: tighter at once, looser after a day; null takes it away. */
export interface SetLimit {
  is: "set-limit";
  kind: "deposit_day" | "deposit_month" | "deposit_week" | "loss_day" | "reality_check" | "time_day";
  amount: number | null;
}

/** Pay and take every bet. */
export interface SettleRound {
  is: "settle-round";
  table: string;
}

/** The committed shoe in use: how far it is, and what everybody may check. */
export interface ShoeShown {
  shoe: string;
  number: number;
  phase: string;
  commitment: Record<string, unknown>;
  seeds_until: number;
  seals: number;
  left: number;
}

/** The cut card came out: this round is the shoe's last. */
export interface ShowCutCard {
  is: "show-cut-card";
  table: string;
}

/** A name and its password. */
export interface SignInBody {
  name: string;
  password: string;
}

/** Leave a table, or have somebody leave it. */
export interface SignOff {
  is: "sign-off";
  table: string;
  person?: string | null;
}

/** Be at a table in one's role; a dealer takes over from the dealer before. */
export interface SignOn {
  is: "sign-on";
  table: string;
}

/** A sign-in; the token is for programs, browsers keep theirs in a cookie. */
export interface SignedIn {
  you: You;
  csrf: string;
  token: string;
}

export interface SignificantShown {
  at: number;
  kind: string;
  who: string;
  where: string;
  why: string;
  before: string;
  after: string;
  name: string;
}

/** A table whole. */
export interface Snapshot {
  is: "snapshot";
  now: number;
  table: string;
  seq: number;
  shown: TableShown;
}

/** Be refused in another language from now on. */
export interface Speak {
  is: "speak";
  language: "en" | "zh-Hans" | "zh-Hant";
}

export interface StackShown {
  table: string;
  stack: number;
  in_play: number;
}

/** A table as its staff see it. */
export interface StaffShown {
  table: string;
  seq: number;
  you: string;
  here: boolean;
  locked: boolean;
  automatic: boolean;
  leaving: boolean;
  virtual: boolean;
  next: NextShown;
  bets: LaidShown[];
  seats: SeatShown[];
  standing: SeatShown[];
  unlisted: number;
  warnings: WarningShown[];
  pay: PaidShown[];
  squeeze_asked: Record<string, string>;
  names: Record<string, string>;
  staff: MemberShown[];
  incident: IncidentShown | null;
  options: OptionShown[];
  options_until: number | null;
  proposal: ProposalShown | null;
  lapsed: ProposalShown | null;
  next_book: string | null;
  call: CallShown | null;
  shoe: string | null;
  cards_left: number | null;
  to_burn: number | null;
  decks: number;
  face_up: number[];
  next_limits: LimitShown[];
  by_hand: boolean;
  continuous: boolean;
  scanner: boolean;
  counted: CountShown | null;
  terminals?: TerminalsShown | null;
}

/** One bet among several. */
export interface Stake {
  spot: string;
  stake: number;
  box?: number | null;
}

/** Still at the console: a dealer's console locks after five minutes without this. */
export interface StayAwake {
  is: "stay-awake";
}

/** Let a dealer-run table deal by itself, or not; off, it finishes the round under way. */
export interface SwitchDealer {
  is: "switch-dealer";
  table: string;
  on: boolean;
}

/** A table as anybody may see it. */
export interface TableShown {
  table: string;
  open: boolean;
  shoe: number;
  left: number | null;
  round: number;
  name: string;
  phase: string;
  player: (string | null)[];
  banker: (string | null)[];
  winner: string | null;
  next_side: string | null;
  until: number | null;
  limits: LimitShown[];
  next_limits: LimitShown[];
  last_round: boolean;
  closing_after: number | null;
  rounds: number;
  stakes: Record<string, number>;
  patrons: number;
  taken_boxes: number[];
  helpline: string;
  wrong: string | null;
  choosing: number;
  kept: string[];
  roads: Record<string, unknown>;
  pairs: string;
  counts: Record<string, number>;
  interrupted?: InterruptedShown | null;
  by_hand?: boolean;
  book?: string;
}

/** A table now; `own` for a patron who is signed in. */
export interface TableState {
  seq: number;
  now: number;
  shown: TableShown;
  own: OwnShown | null;
}

export interface TakeSeat {
  is: "take-seat";
  table: string;
  box: number;
}

/** No play for a day to six weeks. */
export interface TakeTimeOut {
  is: "take-time-out";
  length: number;
}

/** The patron's account that is signed in at a terminal. */
export interface TerminalAccount {
  patron: string;
  name: string;
  wallet: number;
  until: number;
}

/** A terminal as staff see it. */
export interface TerminalAtTable {
  terminal: string;
  name: string;
  state: string;
  usable: number;
  shown: TerminalShown;
}

/** What changes about a device's account: a new password, or whether it may sign in. */
export interface TerminalBody {
  password?: string | null;
  barred?: boolean | null;
  reason: string;
}

/** A terminal: its number, what holds it up, and its meters. */
export interface TerminalShown {
  number: number;
  own: boolean;
  locked: string | null;
  calling: boolean;
  credit: number;
  paid_in: number;
  paid_out: number;
  staked: number;
  won: number;
  lost: number;
  rounds: number;
}

/** The terminals of an electronic table, in sum. */
export interface TerminalsShown {
  devices: number;
  own: number;
  locked: number;
  calling: CallingShown[];
}

/** The answer to a ping. */
export interface Time {
  is: "time";
  now: number;
  sent: number;
}

/** Turn over whatever lies face down. */
export interface TurnCards {
  is: "turn-cards";
  table: string;
}

/** At a terminal: credit to the wallet of the account that is signed in there, or all of it. */
export interface UnloadCredit {
  is: "unload-credit";
  table: string;
  amount?: number | null;
}

/** Credit off a terminal, all of it unless told otherwise: as cash, or to a patron's wallet. */
export interface UnloadTerminal {
  is: "unload-terminal";
  table: string;
  terminal: string;
  amount?: number | null;
  patron?: string | null;
  note?: string;
}

/** The password once more. */
export interface UnlockBody {
  password: string;
}

/** A locked terminal plays again. */
export interface UnlockTerminal {
  is: "unlock-terminal";
  table: string;
  terminal: string;
}

/** A voucher was not printed, or is spoilt: its money goes back where it came from. */
export interface VoidVoucher {
  is: "void-voucher";
  number: string;
  reason: string;
}

/** A voucher as it is printed. */
export interface VoucherShown {
  number: string;
  amount: number;
  words: string;
  state: string;
  expires_at: number;
  reprints?: number;
  issued_at?: number;
  terminal?: string;
}

export interface Vouchers {
  vouchers: VoucherShown[];
}

/** A patron's money, wherever it is. */
export interface WalletShown {
  wallet: number;
  debt: number;
  stacks: StackShown[];
  play_money: number;
}

export interface WarningShown {
  code: string;
  box: number;
  spot: string;
  amount: number;
  clause: string | null;
}

/** Hear of everything at a table, from a sequence number on where one is known. */
export interface Watch {
  is: "watch";
  table: string;
  since?: number | null;
}

/** The first message, with whoever is signed in. */
export interface Welcome {
  is: "welcome";
  now: number;
  version: number;
  started: number;
  you: Who | null;
}

export interface Who {
  id: string;
  name: string;
  kind: string;
}

/** Money out of the wallet, where the venue lets patrons help themselves. */
export interface Withdraw {
  is: "withdraw";
  amount: number;
}

/** Take a stake back, all of it unless told otherwise. */
export interface WithdrawBet {
  is: "withdraw-bet";
  table: string;
  spot: string;
  stake?: number | null;
  box?: number | null;
  round?: string | null;
}

/** Take a bet back for a patron who asks. */
export interface WithdrawFor {
  is: "withdraw-for";
  table: string;
  patron: string;
  spot: string;
  stake?: number | null;
  box?: number | null;
}

/** Who is signed in. */
export interface You {
  id: string;
  name: string;
  kind: string;
  role: string;
  language: string;
  csrf: string;
  acting?: string | null;
  acting_until?: number | null;
  table?: string | null;
  number?: number | null;
}

export type Command =
  | Deposit
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
  | SignOn
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
  | ReprintVoucher;

export type Said =
  | Watch
  | Leave
  | Do
  | Ping
  | Speak;

export type Told =
  | Welcome
  | Snapshot
  | Change
  | Own
  | Felt
  | Time;
