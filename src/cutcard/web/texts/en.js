/**
 * Every word of the page in English. Another language is another file with the same names.
 *
 * Figures stand in braces. Where a sentence depends on a case, the case follows a dot;
 * `{cards:card|cards}` is the first word for one of them, and the second for any other number.
 */

import { catalogue } from "./catalogue.en.js";

export const texts = {
  language: "en",
  catalogue,
  comma: ", ",
  stop: ". ",
  /** Words of the log that no catalogue has. */
  words: {
    winner: { player: "Player", banker: "Banker", tie: "Tie" },
    cause: {
      withdrawn: "taken back",
      "excess rejected": "beyond the limits of the box, rejected",
      "excess of the table rejected": "beyond the limits of the table, rejected",
      "seated patrons first": "gives way to the seated patron",
      "needs another bet": "the bet that it needs is gone",
    },
  },

  page: {
    title: "Check a dispute pack",
    lead:
      "A dispute pack is one file with a card, a shoe, a round or a table’s whole log, and all it " +
      "takes to work everything out again. That is what happens here: in your browser, on this " +
      "device, from the cards to the last unit of money.",
    choose: "Choose a pack",
    drop: "or drop it here",
    again: "Check another pack",
    stays: "Nothing leaves this device",
    known: "What you know from elsewhere",
    knownLead:
      "A pack proves that it agrees with itself. That it is the true one, you can tell by what you " +
      "took home: a photographed anchor, the house’s public key, a commitment shown before the " +
      "seeds, the seed that you gave, the hash of the rulebook.",
    anchors: "Anchors, one a line",
    keys: "Public keys of the house, one a line",
    commitments: "Commitments of shoes, one a line",
    seeds: "Your seeds or their seals, one a line",
    books: "Rulebooks by hash, one a line",
    unread: "{what} cannot be read: {text}",
    checking: "Checking {name} …",
    failed:
      "The checker itself has failed on this file ({why}). That says nothing about the pack: keep " +
      "the file, check it with cutcard verify, and tell us.",
    foot:
      "This is the second of two verifiers, written apart from the first and tested against the " +
      "same packs, tampered ones included. The other one: cutcard verify FILE. Amounts are in the " +
      "smallest unit of the venue’s money, as the pack has them.",
  },

  /** The way that is gone, from the bytes of the file to what a display shows. */
  path: [
    ["Chain", "Each record is bound to all before it; signed heads and anchors bind the chain."],
    ["Rulebook", "Its words have the hash that the table was opened under."],
    ["Shoe", "Committed, ordered by the patrons’ seeds, shown card by card."],
    ["Cards", "Each goes to the side that the tableau names."],
    ["Result", "The points of both hands, and who wins."],
    ["Apportionment", "Bets beyond a limit count for their share, by steps."],
    ["Payouts", "The first pay line that fits, commission, and its clause."],
    ["Balances", "Every entry in the ledger, every stack, nothing lost or made."],
    ["Roads", "What the display shows of the results."],
  ],

  verdict: {
    good: "Everything holds",
    goodLead: "Every record follows from those before it, by the rulebook and to the last unit.",
    bad: "One thing is wrong",
    badMany: "{count} things are wrong",
    badLead: "Each is told below with its record: what should stand there, and what does.",
    unread: "This is no pack that can be read",
    file: "{name}, {size}, checked in {ms} ms",
  },

  kinds: {
    card: "One card",
    shoe: "A shoe",
    round: "One round",
    table: "A table’s log",
  },

  headings: {
    checked: "What was checked",
    remarks: "What this cannot show",
    findings: "What is wrong",
    lines: "Line by line",
    raw: "The record itself",
    only: "Only lines that are wrong",
    number: "No.",
    what: "What happened",
    holds: "Verdict",
    should: "Should be",
    found: "Is",
    steps: "The shoe’s steps",
    before: "Before the first round",
    round: "Round {round}",
    count: "{count} {count:record|records}",
    player: "Player",
    banker: "Banker",
    outcome: { player: "Player wins", banker: "Banker wins", tie: "Tie", void: "Void" },
    wrong: "{count} wrong",
  },

  marks: {
    good: "holds",
    bad: "wrong",
    skipped: "could not be followed",
  },

  checked: {
    card:
      "Card {number} of shoe {shoe} is {card}. It was committed before the {seeds} " +
      "{seeds:seed was|seeds were} taken, and {seeds:it|they} gave it this place.",
    shoe:
      "Shoe {shoe}: {steps} {steps:step|steps} gone through, and {cards} {cards:card was|cards were} " +
      "shown.",
    shoes:
      "{shoes} committed {shoes:shoe|shoes}: {opened} opened, {aborted} aborted, {unfinished} " +
      "unfinished, {missing} missing.",
    chain:
      "The chain of {records} {records:record|records}, {heads} signed {heads:head|heads} and " +
      "{anchors} {anchors:anchor|anchors}.",
    book: "The rulebook {name}, version {version}, of hash {hash}: compare it with the house’s.",
    "rounds.one":
      "One round: bets, cards by the tableau, result, apportionment, every settlement with its " +
      "clause, entries, stacks, balances and roads.",
    rounds:
      "{rounds} rounds: bets, cards by the tableau, result, apportionment, every settlement with its " +
      "clause, entries, stacks, balances and roads.",
    cards: "{cards} {cards:card|cards} against the shoe that was committed.",
  },

  remarks: {
    commitment:
      "The commitment is {hash}. Compare it with the one shown before the seeds were taken: another " +
      "shoe would hold as well.",
    commitments:
      "Compare the commitments with those shown before the seeds were taken. There " +
      "{count:is|are} {count}: {named}.",
    aborted:
      "Shoe {shoe} was aborted, and opened: {reason}. The house knew its order by then: ask how " +
      "often shoes are aborted.",
    "aborted.early":
      "Shoe {shoe} was aborted, and opened: {reason}. The house could not know its order yet: ask " +
      "how often shoes are aborted.",
    unused: "Keys and anchors belong to a log: this pack holds nothing to compare them with.",
    unopened:
      "The shoe is not opened yet: nobody can know what was not shown, nor whether all cards are " +
      "there.",
    anchor: "The anchor {text} speaks of no record in this pack.",
    signature:
      "Signature not checked here ({heads} {heads:head|heads}): this browser cannot check Ed25519 on this page.",
    key:
      "The heads are signed with the key {keys}. Compare it with the house’s own: anybody can sign " +
      "with a key of theirs.",
    uncommitted:
      "Shoe {shoe} was not committed: the pack cannot show that its order was fair.",
    remedies:
      "Something went wrong at the table and was put right. All that this moved was worked out " +
      "again; whether the book allows the step that was chosen, cutcard verify can tell.",
    "uncovered.one":
      "Record {first} comes after the last signed head: nothing but an anchor protects it yet.",
    uncovered:
      "Records {first} to {last} come after the last signed head: nothing but an anchor protects them " +
      "yet.",
  },

  findings: {
    "pack/size": "The file, a rulebook in it or their number is larger than {most}.",
    "pack/json": "This is no pack: it is no JSON that can be read ({why}).",
    "pack/failed":
      "The checker itself has failed on this file ({why}). That says nothing about the pack.",
    "pack/format": "This is no pack: its “format” is not “{name}”.",
    "pack/version": "Only packs of version {version} are known here.",
    "pack/kind": "A pack holds a card, a shoe, a round or a table; this one says something else.",
    "pack/shape": "Something is missing in the pack, or is of another kind: “{name}”.",
    "pack/round": "The pack should hold round {round}, and holds: {held}.",
    "chain/number": "A record is missing, was put in, or has moved.",
    "chain/record": "The record does not follow from those before it: it was changed.",
    "chain/value": "The record is no plain value.",
    "chain/start": "The log does not begin with the start of its table.",
    "chain/short": "The log ends here, and a signed head or an anchor speaks of more records.",
    "chain/table": "A signed head or an anchor belongs to another table.",
    "head/other-log":
      "A signed head speaks of another log: this record or one before it was changed.",
    "anchor/other-log":
      "An anchor speaks of another log: this record or one before it was changed.",
    "anchor/unread": "An anchor of the pack cannot be read: {text}",
    "head/signature": "A head’s signature does not hold.",
    "head/key": "A head is signed by a key that is not the house’s.",
    "head/name": "A head is signed for round {round}, and speaks of something else.",
    "head/name.day": "A head is signed for the day {day}: no such day, or not its time.",
    "head/twice": "The head for {round} stands here twice.",
    "time/backwards": "The time here is {ms} ms before that of an earlier record.",
    "time/backwards.head": "A head was signed {ms} ms before what it speaks of.",
    "head/none": "No signed head speaks of round {round}.",
    "book/hash": "The rulebook given as {hash} has another hash: its words were changed.",
    "book/tableau": "The tableau in the pack is not baccarat’s.",
    "book/unread": "The rulebook cannot be read: {text}.",
    "book/other": "The rulebook is not one that you know.",
    "book/missing": "The pack does not hold the rulebook that this was played by.",
    "record/unread": "No table would have written this record.",
    "shoe/step": "This step of the shoe does not hold. {refused}",
    "shoe/commitment": "The shoe is not the one that was committed.",
    "shoe/commitment.standing": "The standing names another commitment.",
    "shoe/commitment.missing": "The shoe names a commitment that is not there.",
    "shoe/commitment.known": "The shoe’s commitment is not one that you were shown.",
    "shoe/commitment.absent": "A commitment that you were shown is not in this log.",
    "shoe/commitment.none":
      "You were shown a commitment, and the shoe of this round has none.",
    "shoe/commitment.unnamed": "The pack gives a shoe that the standing does not name.",
    "shoe/commitment.table": "The shoe was committed for another table.",
    "shoe/commitment.decks": "The shoe was committed with another number of decks.",
    "shoe/commitment.book": "The shoe was committed under another rulebook.",
    "shoe/missing": "Shoe {shoe} is committed, and shoe {must} of this table was never seen.",
    "shoe/unopened": "Shoe {shoe} ended, and was not opened to all.",
    "shoe/seed":
      "A seed that you gave, or its seal, is not among those that gave the order of dealing.",
    "shoe/card": "Card {number} of the shoe is another one than was played.",
    "shoe/not-shown":
      "Card {number} of the shoe, {card}, was played and not shown by record {until}.",
    "shoe/skipped": "{left} {left:card has|cards have} left the shoe, and {played} {played:was|were} played.",
    "shoe/cut.late": "The cut card stood before card {number}, and another round was opened.",
    "shoe/cut.early": "The cut card stands before card {number}, and came after {played}.",
    "standing/differs": "The standing differs from what the records before it lead to.",
    "standing/missing": "A round opens, and no standing comes before it.",
    "standing/misplaced": "No round opens after this standing.",
    "standing/impossible": "No table can stand like this. {refused}",
    "opening/differs": "The opening is not what the records say.",
    "closing/differs": "The closing is not what the records lead to.",
    "entries/differs": "The entries in the ledger do not follow from the event.",
    "ledger/refused": "This cannot be booked. {refused}",
    "table/differs": "What the table announced should be otherwise.",
    "staff/differs": "What is said of the staff should be otherwise.",
    "seat/differs": "What is said of a seat or a stack should be otherwise.",
    "terminal/differs": "What is said of a terminal should be otherwise.",
    "burn/differs": "The shoe and its burned cards should be otherwise.",
    "cards/differs": "The tableau gives this card otherwise.",
    "terms/differs": "The round was opened under other terms than the table’s.",
    "bet/differs": "The bet is not what its patron can have placed.",
    "apportionment/differs": "The bets beyond the limit are not apportioned as the rules order.",
    "decision/differs": "What is said of an Ante should be otherwise.",
    "result/differs": "The result is not that of the cards.",
    "settlement/differs": "The settlement is not what the cards and the rulebook give.",
    "return/differs": "The bets given back are not those on the layout.",
    "remedy/differs": "What was done about a mistake should be otherwise.",
    differs: "This should be otherwise.",
    missing: "After record {cause} something must follow that does not stand here.",
    refused: "This was not lawful. {refused}",
  },

  /** Where in a record something differs. */
  place: "At: {place}",

  refusals: {
    "pack/no-cause": "It follows from nothing that anybody may do here.",
    "pack/nonsense": "It makes no sense here.",
    "pack/impossible": "",
    "bet/not-offered": "The book offers no bet “{spot}”.",
  },

  /** One line for each kind of record. */
  records: {
    TableOpened: "The table opens",
    ClosingAnnounced: "Closing is announced, after round {last_round}",
    TableClosed: "The table closes",
    SignedOn: "{person} signs on as {role}",
    SignedOff: "{person} signs off",
    Acting: "{person} acts as {role}",
    LimitsScheduled: "New limits from the next round on",
    SeatTaken: "{patron} takes seat {box}",
    SeatLeft: "{patron} leaves seat {box}",
    TerminalAdded: "Terminal {terminal} comes to the table as number {number}",
    TerminalRemoved: "Terminal {terminal} is taken away",
    TerminalLocked: "Terminal {terminal} is locked: {reason}",
    TerminalUnlocked: "Terminal {terminal} is unlocked",
    AttendantCalled: "An attendant is called to terminal {terminal}",
    AttendantCame: "{by} comes to terminal {terminal}",
    StackFilled: "{patron} brings {amount} to the table",
    StackEmptied: "{patron} takes {amount} away",
    ShoeRegistered: "Shoe {shoe} comes to the table",
    CardExposed: "{card} is exposed: {to_burn} {to_burn:card|cards} to burn",
    CardBurned: "A card is burned, {left_to_burn} to go",
    CutCardShown: "The cut card comes out",
    ShoeEnded: "The shoe ends with {left} {left:card|cards} left",
    SqueezeRequested: "{patron} asks to squeeze the {side}’s cards",
    SqueezeAnswered: "{patron} is answered about the squeeze",
    CardsOpened: "The cards are opened",
    IncidentReported: "Something is wrong: {incident.kind}",
    IncidentResolved: "{by} decides: {step}",
    CardsKept: "Kept for later: {cards}",
    KeptCardsBurned: "Kept cards are burned: {cards}",
    ShoeRemoved: "Shoe {shoe} is taken away",
    OptionsOffered: "{patrons} may go on or take their bets back",
    OptionChosen: "{patron} has chosen",
    OptionsClosed: "The time to choose is over",
    RoundOpened: "Round {number}: place your bets",
    BetPlaced: "{bet.patron} has {bet.stake} on {bet.spot}, box {bet.box}",
    BetWithdrawn: "{bet.patron}’s {bet.stake} on {bet.spot}: {cause}",
    BetsClosed: "No more bets",
    CardDealt: "{card} to the {side}",
    DecisionsOpened: "Time to decide on Antes",
    DecisionsClosed: "All Antes are decided",
    AlwaysChosen: "{patron} changes what happens to Antes by default",
    SecondStagePlaced: "{bet.patron} goes on with {bet.stake} on {bet.spot}",
    SecondStageDeclined: "{patron} declines on {spot}",
    ChipsRemoved: "{bet.patron}’s chips are gone from {bet.spot}",
    ResultCalled: "Result: {winner}. Player {player_points}, Banker {banker_points}",
    RoundSettled: "The round is settled: {bets.length} {bets.length:bet|bets}",
    RoundVoided: "The round is void: {reason}",
    CoupCorrected: "The hands are put right",
    BetsReturned: "{patron} takes all bets of the round back",
    SettlementCorrected: "The round is settled anew: {reason}",
    standing: "Where the table stands",
    Commitment: "Shoe {number}: the house commits itself to {decks} {decks:deck|decks}",
    SeedSealed: "{giver} seals a seed",
    SeedsClosed: "Seeds are closed",
    SeedGiven: "{giver} gives the seed",
    CardShown: "The shoe shows card {place+1}: {card}",
    CardTaken: "Card {place+1} leaves the shoe unseen",
    ShoeOpened: "The shoe is opened: every card and nonce",
    ShoeAborted: "The shoe is aborted and opened: {reason}",
    unknown: "A record that cannot be read",
  },
};
