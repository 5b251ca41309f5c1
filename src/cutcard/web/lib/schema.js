/**
 * What a log's records are made of, name by name.
 *
 * `?` may be null, `*` is a list, `→` an object from keys to values; after a name `?` says that
 * older records do not have it. A name with a capital is another entry of this list. A test holds every line to the Python types.
 */

/** Words of which a field must be one. @type {Record<string, string[]>} */
export const WORDS = {
  Role: ["dealer", "pit supervisor", "pit manager", "shift manager"],
  Side: ["player", "banker"],
  Step: [
    "void the round",
    "conclude the round",
    "put the cards in order",
    "play on with the cards as they lie",
    "go on",
    "decide which card came first",
    "scan the card again",
    "correct the record",
    "write it down; nothing changes",
    "set the alarm aside",
    "take the report back",
    "rule that the round is void",
    "rule that the round goes on",
    "rule that the kept cards are burned",
    "void the round for want of a ruling",
  ],
  Winner: ["player", "banker", "tie"],
  Entry: ["refuse", "warn"],
  Apportioning: ["all", "seated first"],
  Kind: ["minimum", "maximum", "differential"],
  Scope: ["bet", "box", "patron", "table"],
};

/** What a ledger may hold. */
export const ENTRIES = ["Transfer", "Post", "Void"];

/** The first half of a finding's code, by the kind of event; other events no table writes. */
export const CATEGORIES = Object.fromEntries(
  Object.entries({
    table: "TableOpened ClosingAnnounced TableClosed LimitsScheduled",
    staff: "SignedOn SignedOff Acting",
    seat: "SeatTaken SeatLeft StackFilled StackEmptied",
    terminal:
      "TerminalAdded TerminalRemoved TerminalLocked TerminalUnlocked AttendantCalled AttendantCame",
    burn: "ShoeRegistered CardExposed CardBurned CutCardShown ShoeEnded ShoeRemoved",
    cards: "SqueezeRequested SqueezeAnswered CardsOpened CardDealt",
    terms: "RoundOpened",
    bet: "BetPlaced BetWithdrawn ChipsRemoved",
    apportionment: "BetsClosed",
    decision: "DecisionsOpened DecisionsClosed AlwaysChosen SecondStagePlaced SecondStageDeclined",
    result: "ResultCalled",
    settlement: "RoundSettled SettlementCorrected",
    return: "RoundVoided BetsReturned",
    remedy:
      "IncidentReported IncidentResolved CoupCorrected CardsKept KeptCardsBurned " +
      "OptionsOffered OptionChosen OptionsClosed",
  }).flatMap(([category, kinds]) => kinds.split(" ").map((kind) => [kind, category])),
);

/** @type {Record<string, string>} */
export const KINDS = {
  TableOpened: "setup:Setup by:text at:whole",
  ClosingAnnounced: "last_round:whole by:text at:whole",
  TableClosed: "by:text at:whole",
  SignedOn: "person:text role:Role at:whole by?:text",
  SignedOff: "person:text at:whole by?:text",
  Acting: "person:text role:Role until:whole by:text at:whole",
  LimitsScheduled: "limits:Limit* by:text at:whole",
  SeatTaken: "patron:text box:whole at:whole",
  SeatLeft: "patron:text box:whole at:whole by?:text",
  TerminalAdded: "terminal:text number:whole by:text at:whole",
  TerminalRemoved: "terminal:text by:text at:whole",
  TerminalLocked: "terminal:text reason:text by:text at:whole",
  TerminalUnlocked: "terminal:text by:text at:whole",
  AttendantCalled: "terminal:text at:whole",
  AttendantCame: "terminal:text by:text at:whole",
  StackFilled: "patron:text amount:whole at:whole",
  StackEmptied: "patron:text amount:whole at:whole",
  ShoeRegistered: "shoe:text manifest:card→whole shuffle_record:text by:text at:whole",
  CardExposed: "card:card to_burn:whole by:text at:whole",
  CardBurned: "left_to_burn:whole by:text at:whole",
  CutCardShown: "by:text at:whole",
  ShoeEnded: "shoe:text left:whole missing:whole by:text at:whole",
  SqueezeRequested: "patron:text side:Side at:whole",
  SqueezeAnswered: "patron:text side:Side granted:flag by:text at:whole",
  CardsOpened: "by:text at:whole",
  IncidentReported: "incident:Incident clause:text at:whole",
  IncidentResolved:
    "number:whole step:Step reason:text facts:text clause:text by:text role:Role? at:whole " +
    "confirmed_by?:text",
  CardsKept: "cards:card* at:whole",
  KeptCardsBurned: "cards:card* by:text at:whole",
  ShoeRemoved: "shoe:text clause:text by:text at:whole",
  OptionsOffered: "patrons:text* until:whole clause:text at:whole",
  OptionChosen: "patron:text continues:flag by_system:flag at:whole placed_by:text?",
  OptionsClosed: "at:whole by?:text",
  RoundOpened: "number:whole terms:Terms at:whole by?:text",
  BetPlaced: "bet:Laid before:Laid? at:whole",
  BetWithdrawn: "bet:Laid left:Laid? cause:text clause:text? at:whole placed_by:text?",
  BetsClosed: "cut:Effective* at:whole by?:text",
  CardDealt: "side:Side card:card at:whole by:text seen_by:text?",
  DecisionsOpened: "until:whole at:whole",
  DecisionsClosed: "at:whole",
  AlwaysChosen: "patron:text always:flag at:whole placed_by:text?",
  SecondStagePlaced: "bet:Laid first:text by_system:flag at:whole",
  SecondStageDeclined:
    "patron:text box:whole spot:text by_system:flag clause:text at:whole placed_by:text?",
  ChipsRemoved: "bet:Laid by:text clause:text? at:whole",
  ResultCalled: "winner:Winner player_points:whole banker_points:whole at:whole by?:text",
  RoundSettled: "bets:Settled* at:whole by?:text",
  RoundVoided: "reason:text clause:text by:text returned:Laid* removed:Laid* at:whole",
  CoupCorrected: "coup:Coup clause:text by:text at:whole",
  BetsReturned: "patron:text returned:Laid* removed:Laid* clause:text at:whole by?:text",
  SettlementCorrected: 
    "coup:Coup? bets:Settled* reason:text clause:text by:text at:whole struck?:text→whole",
  Transfer: "id:text debit:text credit:text amount:whole reason:text pending:flag",
  Post: "id:text pending:text amount:whole?",
  Void: "id:text pending:text",
  Standing:
    "seq:whole setup:Setup open:flag last_round:whole? limits:Limit* staff:text→Member " +
    "seats:whole→text stacks:text→whole always:text* shoe:Shoe? shoes:whole rounds:whole " +
    "results:result* incidents:whole kept:card* commitment:text? left:whole " +
    "idle?:whole→whole terminals?:text→Terminal",
  Setup:
    "table:text book:text book_hash:text layout:text boxes:whole decks:whole limits:Limit* " +
    "helpline:text entry:Entry face_down:flag open_boxes:flag machine:text? continuous:flag " +
    "scanner:flag reserve_second:flag approval:Approval? sentinel:whole only_placed:flag " +
    "bound:flag option_ms:whole apportioning:Apportioning decision_ms:whole demonstration?:flag " +
    "seat_ms?:whole edition?:whole",
  Limit: "kind:Kind scope:Scope spots:text* amount:whole clause:text",
  Incident:
    "number:whole kind:text round:whole by:text drawn:card* lying:Coup? exposed:whole? " +
    "note:text also_exposed?:whole* shoe?:whole",
  Terms:
    "book:text book_hash:text limits:Limit* boxes:whole entry:Entry apportioning:Apportioning " +
    "decision_ms:whole open_cards:whole",
  Laid:
    "patron:text box:whole spot:text stake:whole seated:flag order:whole revision:whole " +
    "reserve:whole placed_by:text?",
  Effective: "box:whole patron:text spot:text stake:whole",
  Settled: "bet:Laid effective:whole net:whole commission:whole clause:text removed:flag",
  Coup: "player:card* banker:card*",
  Member: "person:text role:Role acting:Role? acting_until:whole",
  Shoe:
    "id:text manifest:card→whole seen:card→whole burned:whole to_burn:whole? cut_card:flag " +
    "earlier:whole run:card*",
  Terminal:
    "number:whole own:flag removed:flag locked:text? calling:flag paid_in:whole paid_out:whole " +
    "staked:whole won:whole lost:whole rounds:whole",
  Approval: "reference:text first:text second:text",
};
