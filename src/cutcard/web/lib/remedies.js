/**
 * What went wrong, and what was done about it.
 *
 * Which steps a book allows in which case is a study of its own (`cutcard verify` makes it); it is
 * not repeated here. What is worked out again is everything that a step then does: the bets
 * returned, the new settlement, whose the cards are. So a remedy may be one that the book does not
 * allow, and this verifier says that it did not look; but it moves no money unseen.
 */

import { checkDealt, dealt, inOrder, nextSide, written } from "./coup.js";
import { whole } from "./json.js";
import { Refusal } from "./refusal.js";
import {
  alarms,
  apart,
  decisions,
  found,
  lastRound,
  outOfTurn,
  settle,
  undecided,
} from "./rounds.js";
import { actor, checkRole, checkStaff, checkTime, SYSTEM } from "./staff.js";
import { cardsLeft, copyOf, evolve, FINISHED, ownBets, withStruck } from "./table.js";
import { checkOpen } from "./tables.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./book.js").Book} Book
 */

const LATE = "noticed a round late";
const TOGETHER = "simultaneous cards";

/** Remedies with which no card leaves the shoe. */
const WITHOUT_CARDS = [
  "correct",
  "rescan",
  "rescan or enter",
  "stands",
  "refuse",
  "as placed",
  "pro rata",
];

/** Who takes bets back does so under this clause. */
const RETURNED = "CB4 5.12.3";
const FOREIGN = "foreign card";
const PLAY_ON = "play on with the cards as they lie";
const ORDER = "decide which card came first";
const DEALING = ["put the cards in order", ORDER];
const CORRECT = "correct the record";
const BURN = "rule that the kept cards are burned";
const VOID = "void the round";
const RECORD = "write it down; nothing changes";
const VOIDING = [
  VOID,
  "rule that the round is void",
  "void the round for want of a ruling",
];
const INTERRUPTION = "technical interruption";

/** Events that come of a step about an incident and of nothing else. */
export const TAKEN = [
  "CardsKept",
  "KeptCardsBurned",
  "ShoeRemoved",
  "IncidentResolved",
  "CardDealt",
  "CoupCorrected",
  "RoundVoided",
  "SettlementCorrected",
  "DecisionsOpened",
];

/** @param {Table} table @returns {boolean} whether there is a round that can still be put right */
const isCurrent = (table) => !["idle", "void"].includes(table.round.phase);

/** @param {Table} table @param {any} event @param {Book} book @returns {any[]} */
export function reported(table, event, book) {
  const { incident, at } = event;
  // Until another round opens the last one can be put right, also at a closed table.
  if (!isCurrent(table)) checkOpen(table);
  const drawn = incident.drawn[0];
  // The table finds by itself that a card should not have come.
  if (incident.by === SYSTEM && incident.kind !== INTERRUPTION) {
    if (drawn === undefined || table.incident !== null) throw new Refusal("staff/not-signed-on");
    const wrong = drawn === table.kept[0] ? null : outOfTurn(table, drawn, at, book);
    if (wrong === null) throw new Refusal("card/bets-open", { card: drawn });
    return withAlarm(table, wrong, book);
  }
  if (incident.by !== SYSTEM) checkStaff(table, incident.by, "dealer", at);
  if (!book.irregularities.has(incident.kind)) throw new Refusal("incident/unknown");
  const late = isLate(table, incident);
  if ((table.incident !== null || table.options !== null) && (late || !canWait(table, incident))) {
    throw new Refusal("incident/open");
  }
  if (!late) {
    checkDrawn(table, incident, book);
    checkBelievable(table, incident);
  }
  const kind = late ? LATE : incident.kind;
  const same = { ...incident, number: table.incidents + 1, kind };
  const clause = book.irregularities.get(kind)?.clause;
  const { also_exposed: _, ...bare } = same;
  const told = late ? { ...bare, drawn: [], lying: null, exposed: null } : same;
  return withAlarm(table, { ...event, incident: told, clause }, book);
}

/** Whether a later round has begun since, in this shoe or in another. */
function isLate(/** @type {Table} */ table, /** @type {any} */ { round, shoe }) {
  const last = lastRound(table);
  const latest = table.rounds > 0 ? table.shoes : Math.max(1, table.shoes - 1);
  const known =
    shoe === undefined
      ? round === last || (round >= 1 && round < last)
      : round >= 1 && shoe >= 1 && shoe < latest;
  if (!known) throw new Refusal("incident/round");
  return shoe !== undefined || round < last;
}

/** Only an interruption may be reported while something else is put right, and only once. */
function canWait(/** @type {Table} */ table, /** @type {any} */ incident) {
  const { kind, drawn, lying, exposed, also_exposed } = incident;
  const known = [table.incident, ...table.behind].some((one) => one?.kind === INTERRUPTION);
  const cards = drawn.length > 0 || lying !== null || exposed !== null || also_exposed !== undefined;
  const matters = !FINISHED.includes(table.round.phase) || table.options !== null;
  return kind === INTERRUPTION && matters && !known && !cards;
}

/** What is reported, and the alarm where its cards end a run in the order of a new deck. */
function withAlarm(
  /** @type {Table} */ table,
  /** @type {any} */ event,
  /** @type {Book} */ book,
) {
  const { kind, drawn } = event.incident;
  if (drawn.length === 0 || kind === FOREIGN) return [event];
  const after = copyOf(table);
  evolve(after, event);
  if (after.shoe === null || !alarms(after.setup, after.shoe.run)) return [event];
  return [event, found(after, "unshuffled cards", event.at, book)];
}

/** Refuse what the cards on the table and in the shoe belie. */
function checkBelievable(/** @type {Table} */ table, /** @type {any} */ { kind, drawn, lying }) {
  const { round, shoe, kept } = table;
  const coup = isCurrent(table) ? round.coup : { player: [], banker: [] };
  if (kind === "insufficient cards") {
    const left = kept.length + (shoe === null ? 0 : cardsLeft(shoe));
    const needed = Math.max(4 - dealt(coup).length, nextSide(coup) === null ? 0 : 1);
    if (left >= needed) throw new Refusal("incident/cards-enough", { cards: needed });
  }
  const hands = lying ?? coup;
  if (kind !== "wrong number of cards" || drawn.length > 0 || !isCurrent(table)) return;
  const whole = dealt(hands).length === 0 || nextSide(hands) === null;
  if (whole && inOrder(hands)) throw new Refusal("incident/right-number");
}

/**
 * Refuse a report whose cards cannot be what it says.
 * @param {Table} table @param {any} incident @param {Book} book
 */
function checkDrawn({ shoe }, { kind, drawn }, book) {
  if (kind === TOGETHER && (drawn.length < 2 || drawn.length > 3)) {
    throw new Refusal("incident/together", { most: 3 });
  }
  if (drawn.length === 0) return;
  const { remedy } = /** @type {any} */ (book.irregularities.get(kind));
  if (WITHOUT_CARDS.includes(remedy)) throw new Refusal("incident/no-cards", { kind });
  if (kind === FOREIGN) return;
  if (shoe === null) throw new Refusal("shoe/none");
  checkInShoe(shoe, [], drawn);
}

/**
 * Refuse cards that cannot have come out of this shoe, once others are put back.
 * @param {any} shoe @param {string[]} back @param {string[]} cards
 */
function checkInShoe(shoe, back, cards) {
  const seen = new Map(Object.entries(shoe.seen).map(([card, count]) => [card, Number(count)]));
  for (const card of back) seen.set(card, (seen.get(card) ?? 0) - 1);
  for (const card of cards) {
    seen.set(card, (seen.get(card) ?? 0) + 1);
    if (Number(seen.get(card)) > (shoe.manifest[card] ?? 0)) {
      throw new Refusal("card/foreign", { card });
    }
  }
}

/**
 * All events of a step about an incident, whoever decided on it. The step's own record comes after
 * what it did, and says who, when, why and under which clause.
 * @param {Table} table @param {any} event @param {Book} book @param {any[]} ahead @returns {any[]}
 */
export function taken(table, event, book, ahead) {
  const told = [event, ...ahead];
  const end = told.findIndex((one) => !TAKEN.includes(one?.is) || one.is === "IncidentResolved");
  const resolved = told[end];
  if (resolved?.is !== "IncidentResolved") throw new Refusal("pack/no-cause", { kind: event.is });
  const after = copyOf(table);
  /** @type {any[]} */
  const events = [];
  const happen = (/** @type {any[]} */ ...more) => {
    for (const one of more) evolve(after, one);
    events.push(...more);
  };
  const struck = struckIn(told.slice(0, end));
  for (const one of stepped(table, resolved, told.slice(0, end), book)) {
    happen(one.is === "SettlementCorrected" ? withStruck(table, one, struck) : one);
  }
  checkTime(resolved.at);
  if (resolved.role !== null) checkStaff(table, resolved.by, resolved.role, resolved.at);
  checkSecond(table, resolved);
  happen({ ...resolved, number: table.incident.number });
  const { at, clause } = resolved;
  const offer = told[end + 1];
  if (after.options !== null) happen(choosingAgain(after, resolved));
  else if (offer?.is === "OptionsOffered") {
    const until = whole(BigInt(at) + BigInt(table.setup.option_ms));
    happen({ is: offer.is, patrons: offer.patrons, until, clause, at });
  } else if (after.round.phase === "deciding") happen(...decisions(after.round, at, book));
  return events;
}

/**
 * A second pair of eyes is somebody else's, of the same standing.
 * @param {Table} table @param {any} resolved
 */
function checkSecond(table, { by, role, confirmed_by: second, at }) {
  if (second === undefined) return;
  if (second === by || role === null) throw new Refusal("staff/same-eyes");
  checkStaff(table, second, role, at);
}

/**
 * Whoever was choosing when something else went wrong has nothing to choose, or the time again.
 * @param {Table} table @param {any} resolved
 */
function choosingAgain({ round, options, optionsClause: clause, setup }, { at, by }) {
  if (round.phase === "void") return { is: "OptionsClosed", at, by };
  const waiting = [...(options ?? [])].filter(([, chosen]) => chosen === null);
  const until = whole(BigInt(at) + BigInt(setup.option_ms));
  return { is: "OptionsOffered", patrons: waiting.map(([patron]) => patron), until, clause, at };
}

/**
 * What a step does.
 * @param {Table} table @param {any} resolved @param {any[]} told @param {Book} book
 */
function stepped(table, resolved, told, book) {
  const { incident, shoe } = table;
  const { step, by, at, clause } = resolved;
  const events = [];
  let { drawn } = incident;
  if (step === ORDER) drawn = asSaid(drawn, told.find((one) => one.is === "CardsKept")?.cards);
  if (VOIDING.includes(step)) events.push(voided(table, resolved));
  else if (DEALING.includes(step)) {
    if (drawn.length > 0) events.push(...dealtAtOnce(table, drawn, resolved, book));
    drawn = [];
  } else if (step === PLAY_ON && incident.lying !== null) {
    events.push(...corrected(table, incident.lying, resolved, book));
  } else if (step === CORRECT) {
    const coup = checkedHands(table, told);
    events.push(...corrected(table, coup, resolved, book));
    drawn = leftOver(table, coup);
  }
  if (drawn.length > 0 && incident.kind !== FOREIGN)
    events.push({ is: "CardsKept", cards: drawn, at });
  if (step === BURN) {
    events.push({ is: "KeptCardsBurned", cards: [...table.kept, ...drawn], by, at });
  }
  const removed = told.some((one) => one.is === "ShoeRemoved");
  if (shoe !== null && shoeGoes(incident, step, removed, book)) {
    events.push({ is: "ShoeRemoved", shoe: shoe.id, clause, by, at });
  }
  return events;
}

/**
 * Whether the shoe goes: where the book takes it away, or where the pit may replace it and did.
 * @param {any} incident @param {string} step @param {boolean} removed @param {Book} book
 */
function shoeGoes({ kind }, step, removed, book) {
  if (step === ORDER) return removed;
  const ends = [VOID, RECORD].includes(step);
  return ends && book.irregularities.get(kind)?.shoeLeaves === true;
}

/** In which order cards came may be a ruling; which cards they are is not. */
function asSaid(/** @type {string[]} */ drawn, /** @type {string[] | undefined} */ said) {
  if (said === undefined || [...drawn].sort().join() !== [...said].sort().join()) {
    throw new Refusal("incident/not-lawful");
  }
  return said;
}

/** @param {Table} table @param {any} resolved */
function reasonOf({ incident }, resolved) {
  return resolved.reason || incident.note || incident.kind;
}

/** @param {Table} table @param {any} resolved */
function voided(table, resolved) {
  const { by, at, clause } = resolved;
  const reason = reasonOf(table, resolved);
  if (!isCurrent(table)) throw new Refusal("round/nothing-to-void");
  if (table.round.phase === "settled") {
    return { is: "SettlementCorrected", coup: null, bets: [], reason, clause, by, at };
  }
  return { is: "RoundVoided", ...apart(table.round), reason, clause, by, at };
}

/** Before the result dealing goes on with these hands; after it, money moves. */
function corrected(
  /** @type {Table} */ table,
  /** @type {any} */ coup,
  /** @type {any} */ resolved,
  /** @type {Book} */ book,
) {
  const { round } = table;
  const { by, at, clause } = resolved;
  if (["idle", "void", "betting"].includes(round.phase)) throw new Refusal("round/no-cards");
  if (round.phase !== "settled") {
    return [{ is: "CoupCorrected", coup, clause, by, at }, ...decisions(round, at, book, coup)];
  }
  if (nextSide(coup) !== null) throw new Refusal("round/cards-missing");
  const bets = settle(round, book, coup);
  const reason = reasonOf(table, resolved);
  return [{ is: "SettlementCorrected", coup, bets, reason, clause, by, at }];
}

/** The hands as they truly are: cards that the shoe can hold, where the tableau puts them. */
function checkedHands(/** @type {Table} */ table, /** @type {any[]} */ told) {
  const { round, shoe } = table;
  const coup = told.find((one) => one.coup)?.coup;
  if (coup === undefined || dealt(coup).length === 0 || written(coup) === written(round.coup)) {
    throw new Refusal("incident/nothing-to-correct");
  }
  checkDealt(coup, round.phase === "settled");
  if (shoe !== null) {
    const before = dealt(round.coup).slice(shoe.earlier);
    checkInShoe(shoe, before, [...dealt(coup).slice(shoe.earlier), ...leftOver(table, coup)]);
  }
  return coup;
}

/** Cards of the shoe that were dealt to hands which had enough; they are kept. */
function leftOver(/** @type {Table} */ { round, shoe }, /** @type {any} */ coup) {
  if (shoe === null || nextSide(coup) !== null) return [];
  return dealt(round.coup).slice(Math.max(dealt(coup).length, shoe.earlier));
}

/**
 * Drawn cards go to the hands at once, as far as the tableau takes them.
 * @param {Table} table @param {string[]} drawn @param {any} resolved @param {Book} book
 * @returns {any[]}
 */
function dealtAtOnce(table, drawn, { by, at }, book) {
  const after = copyOf(table);
  const kept = { is: "CardsKept", cards: drawn, at };
  const events = [/** @type {any} */ (kept)];
  evolve(after, kept);
  for (;;) {
    const { round } = after;
    const side = ["closed", "dealing"].includes(round.phase) ? nextSide(round.coup) : null;
    if (after.kept.length === 0 || side === null) return events;
    const card = { is: "CardDealt", side, card: after.kept[0], at, by, seen_by: null };
    evolve(after, card);
    const opened = decisions(after.round, at, book);
    for (const one of opened) evolve(after, one);
    events.push(card, ...opened);
  }
}

/** @param {any[]} told @returns {Map<string, any>} by patron, what a log strikes off debts */
function struckIn(told) {
  return new Map(told.flatMap((one) => Object.entries(one?.struck ?? {})));
}

/** What comes of the end of the time to choose, and names who ended it. */
const ENDED = ["BetsReturned", "SettlementCorrected", "OptionsClosed"];

/**
 * A patron goes on, or has every bet of the round returned.
 * @param {Table} table @param {any} event @param {Book} book @param {any[]} ahead
 */
export function optionChosen(table, event, book, ahead) {
  const { options } = table;
  // Nobody chooses while something else is wrong; the time for it begins again afterwards.
  if (table.incident !== null && options !== null) throw new Refusal("incident/waiting");
  if (event.by_system) {
    // Who ended the time to choose stands nowhere but in the events that came of it.
    const named = ahead.find((one) => ENDED.includes(one?.is) && one.by !== undefined);
    const { by } = actor(table, { by: named?.by, at: event.at });
    if (options === null) throw new Refusal("option/none");
    if (event.at < table.optionsUntil) throw new Refusal("option/time-left");
    const after = copyOf(table);
    const closing = ahead.findIndex((one) => one?.is === "OptionsClosed");
    const struck = struckIn(ahead.slice(0, Math.max(closing, 0)));
    const events = [...options].flatMap(([patron, chosen]) => {
      if (chosen !== null) return [];
      const choice = { ...event, patron, continues: false, by_system: true, placed_by: null };
      const all = [choice, ...returned(after, patron, { at: event.at, by }, book, struck)];
      for (const one of all) evolve(after, one);
      return all;
    });
    return [...events, ...closed(after, { at: event.at, by }, book)];
  }
  if (options === null || !options.has(event.patron)) throw new Refusal("option/none");
  const inPerson = event.placed_by === null || event.placed_by === event.patron;
  if (!inPerson) checkRole(table.staff.get(event.placed_by), "dealer", event.at);
  if (options.get(event.patron) !== null) throw new Refusal("option/chosen");
  if (event.at >= table.optionsUntil) throw new Refusal("option/too-late");
  const choice = { ...event, placed_by: inPerson ? null : event.placed_by };
  const by = inPerson ? event.patron : event.placed_by;
  const struck = struckIn(ahead.slice(0, 1));
  const events = [
    choice,
    ...(event.continues ? [] : returned(table, event.patron, { at: event.at, by }, book, struck)),
  ];
  const after = copyOf(table);
  for (const one of events) evolve(after, one);
  if ([...(after.options ?? new Map()).values()].includes(null)) return events;
  return [...events, ...closed(after, { at: event.at, by }, book)];
}

/**
 * @param {Table} table @param {string} patron @param {{at: any, by: any}} when
 * @param {Book} book @param {Map<string, any>} struck @returns {any[]}
 */
function returned(table, patron, { at, by }, book, struck) {
  const { round } = table;
  const own = ownBets(round, patron);
  if (own.length === 0 || !isCurrent(table)) throw new Refusal("option/no-bets");
  const clause = RETURNED;
  const back = { is: "BetsReturned", patron, ...apart(round, own), clause, at, by };
  const after = copyOf(table);
  evolve(after, back);
  if (round.phase === "settled") {
    const [bets, reason] = [settle(after.round, book), "bets returned"];
    const anew = { is: "SettlementCorrected", coup: round.coup, bets, reason, clause, by, at };
    return [withStruck(table, anew, struck)];
  }
  const open = round.phase === "deciding" && undecided(after.round, book).length === 0;
  return open ? [back, { is: "DecisionsClosed", at }] : [back];
}

/** @param {Table} table @param {any} when @param {Book} book @returns {any[]} */
function closed(table, { at, by }, book) {
  const again = table.round.phase === "deciding" ? decisions(table.round, at, book) : [];
  return [{ is: "OptionsClosed", at, by }, ...again];
}
