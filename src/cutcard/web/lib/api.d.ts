// Made by `python -m cutcard.server.types` from the server's own messages. Do not edit.

/** Seen how long and at what price. */
export interface AcknowledgeRealityCheck {
  is: "acknowledge-reality-check";
}

/** Decide beforehand that every first-stage bet continues, or take that back. */
export interface AlwaysContinue {
  is: "always-continue";
  table: string;
  always: boolean;
}

export interface BetShown {
  box: number;
  spot: string;
  stake: number;
  reserve?: number;
  counts_for?: number | null;
  placed_by_staff?: boolean;
}

/** Money from the wallet to the stack at a table. */
export interface BuyIn {
  is: "buy-in";
  table: string;
  amount: number;
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

/** After an error: go on with the round, or have every bet returned. */
export interface ChooseOption {
  is: "choose-option";
  table: string;
  continues: boolean;
  round?: string | null;
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

/** Play money into the wallet, where the venue lets patrons help themselves. */
export interface Deposit {
  is: "deposit";
  amount: number;
}

/** A command, with its idempotency key. */
export interface Do {
  is: "do";
  key: string;
  command: Deposit | Withdraw | PayDebt | BuyIn | CashOut | IssueVoucher | RedeemVoucher | TakeSeat | LeaveSeat | PlaceBet | PlaceBets | ChangeBet | WithdrawBet | Rebet | Decide | AlwaysContinue | ChooseOption | RequestSqueeze | OpenNow | SealSeed | GiveSeed | SetLimit | CancelLoosening | TakeTimeOut | SelfExclude | AcknowledgeRealityCheck | SwitchDealer;
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
  stack?: number | null;
  wallet?: number | null;
  voucher?: VoucherShown | null;
}

/** The seed that was sealed before. */
export interface GiveSeed {
  is: "give-seed";
  table: string;
  giver: string;
  seed: string;
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

/** Hear no more of a table. */
export interface Leave {
  is: "leave";
  table: string;
}

export interface LeaveSeat {
  is: "leave-seat";
  table: string;
}

export interface LimitShown {
  kind: string;
  scope: string;
  spots: string[];
  amount: number;
  clause: string;
}

export interface Lobby {
  venue: string;
  currency: string;
  digits: number;
  helpline: string;
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
}

/** Having squeezed, let the dealer open the cards without waiting any longer. */
export interface OpenNow {
  is: "open-now";
  table: string;
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
  undecided: BetShown[];
  declined: string[];
  always: boolean;
  cannot_continue: string[];
  option: boolean;
  squeeze: Record<string, (string | null)[]>;
  results: ResultShown[];
  void_reason?: string | null;
  void_clause?: string | null;
}

/** Money from the wallet against a debt. */
export interface PayDebt {
  is: "pay-debt";
  amount: number;
}

/** Ask for the time. */
export interface Ping {
  is: "ping";
  sent?: number;
}

/** Put a stake on a spot, or add to what lies there. Without a box: at one's own seat. */
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

/** A patron's own limits, and how the session stands. */
export interface Protection {
  limits: OwnLimit[];
  time_out_until: number | null;
  excluded_until: number | null;
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

/** Ask to turn over a side's cards oneself. */
export interface RequestSqueeze {
  is: "request-squeeze";
  table: string;
  side: "banker" | "player";
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

/** Add to the next shoe's order: the seal of a seed, under a name made up for this shoe. */
export interface SealSeed {
  is: "seal-seed";
  table: string;
  giver: string;
  seal: string;
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

/** A name and its password. */
export interface SignInBody {
  name: string;
  password: string;
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

/** One bet among several. */
export interface Stake {
  spot: string;
  stake: number;
  box?: number | null;
}

/** Staff: let a dealer-run table deal by itself, or not. */
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

/** The answer to a ping. */
export interface Time {
  is: "time";
  now: number;
  sent: number;
}

/** A voucher as it is printed. */
export interface VoucherShown {
  number: string;
  amount: number;
  words: string;
  state: string;
  expires_at: number;
}

export interface Vouchers {
  vouchers: VoucherShown[];
}

/** A patron's money, wherever it is. */
export interface WalletShown {
  wallet: number;
  debt: number;
  stacks: StackShown[];
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

/** Money out of the wallet. */
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

/** Who is signed in. */
export interface You {
  id: string;
  name: string;
  kind: string;
  role: string;
  language: string;
  csrf: string;
}

export type Command =
  | Deposit
  | Withdraw
  | PayDebt
  | BuyIn
  | CashOut
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
  | SealSeed
  | GiveSeed
  | SetLimit
  | CancelLoosening
  | TakeTimeOut
  | SelfExclude
  | AcknowledgeRealityCheck
  | SwitchDealer;

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
  | Time;
