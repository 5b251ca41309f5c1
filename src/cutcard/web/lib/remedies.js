/**
 * What went wrong, and what was done about it.
 *
 * Which steps a book allows in which case is a study of its own (`cutcard verify` makes it); it is
 * not repeated here. What is worked out again is everything that a step then does: the bets
 * returned, the new settlement, whose the cards are. So a remedy may be one that the book does not
 * allow, and this verifier says that it did not look; but it moves no money unseen.
 */

import { nextSide } from "./coup.js";
import { Refusal } from "./refusal.js";
import { apart, decisions, found, settle, undecided } from "./rounds.js";
import { checkRole, checkStaff, SYSTEM } from "./staff.js";
import { betsOf, copyOf, evolve } from "./table.js";
import { checkOpen } from "./tables.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./book.js").Book} Book
 */

const LATE = "noticed a round late";
const INTERRUPTION = "technical interruption";

/** Events that come of a step about an incident and of nothing else. */
export const TAKEN = [
  "CardsKept", "KeptCardsBurned", "ShoeRemoved", "IncidentResolved", "CardDealt", "CoupCorrected",
  "RoundVoided", "SettlementCorrected", "DecisionsOpened",
];

/** @param {Table} table @returns {boolean} whether there is a round that can still be put right */
const isCurrent = (table) => !["idle", "void"].includes(table.round.phase);

/** @param {Table} table @param {any} event @param {Book} book @returns {any[]} */
export function reported(table, event, book) {
  const { incident, at } = event;
  checkOpen(table);
  const drawn = incident.drawn[0];
  // The table finds by itself that a card should not have come.
  if (incident.by === SYSTEM && incident.kind !== INTERRUPTION) {
    if (drawn === undefined || table.incident !== null) throw new Refusal("staff/not-signed-on");
    const { phase } = table.round;
    if (!["closed", "dealing", "result"].includes(phase) || table.kept.length > 0) {
      throw new Refusal("card/bets-open", { card: drawn });
    }
    const foreign = (table.shoe.seen[drawn] ?? 0) >= (table.shoe.manifest[drawn] ?? 0);
    if (foreign) return [found(table, "foreign card", at, book, [drawn])];
    if (phase === "result" || nextSide(table.round.coup) === null) {
      return [found(table, "excess or exposed card", at, book, [drawn])];
    }
    throw new Refusal("card/bets-open", { card: drawn });
  }
  if (incident.by !== SYSTEM) checkStaff(table, incident.by, "dealer", at);
  if (!book.irregularities.has(incident.kind)) throw new Refusal("incident/unknown");
  if (table.incident !== null || table.options !== null) throw new Refusal("incident/open");
  if (incident.round > table.rounds) throw new Refusal("incident/round");
  const late = incident.round < table.rounds;
  if (late && incident.round < 1) throw new Refusal("incident/round");
  const kind = late ? LATE : incident.kind;
  const same = { ...incident, number: table.incidents + 1, kind };
  const clause = book.irregularities.get(kind)?.clause;
  return [{ ...event, incident: late ? { ...same, drawn: [], lying: null } : same, clause }];
}

/**
 * One event of a step about an incident: what it should be, whoever decided on it.
 * @param {Table} table @param {any} event @param {Book} book @returns {any[]}
 */
export function taken(table, event, book) {
  const { round } = table;
  switch (event.is) {
    case "RoundVoided":
      if (!isCurrent(table) || round.phase === "settled") throw new Refusal("round/nothing-to-void");
      return [{ ...event, ...apart(round) }];
    case "SettlementCorrected": {
      if (round.phase !== "settled") throw new Refusal("round/no-cards");
      if (event.coup === null) return [{ ...event, bets: [] }];
      if (nextSide(event.coup) !== null) throw new Refusal("round/cards-missing");
      return [{ ...event, bets: settle(round, book, event.coup) }];
    }
    case "CoupCorrected":
      if (["idle", "void", "betting", "settled"].includes(round.phase)) throw new Refusal("round/no-cards");
      return [event];
    case "CardDealt": {
      const side = nextSide(round.coup);
      if (side === null || table.kept.length === 0) throw new Refusal("card/not-allowed");
      return [{ ...event, side, card: table.kept[0], seen_by: null }];
    }
    case "DecisionsOpened": {
      const expected = decisions(round, event.at, book);
      if (expected.length === 0) throw new Refusal("decision/not-now");
      return expected;
    }
    case "IncidentResolved":
      return [{ ...event, number: table.incident.number }];
    case "ShoeRemoved":
      if (table.shoe === null) throw new Refusal("shoe/none");
      return [{ ...event, shoe: table.shoe.id }];
    default:
      return [event];
  }
}

/**
 * A patron goes on, or has every bet of the round returned.
 * @param {Table} table @param {any} event @param {Book} book @param {any[]} ahead
 */
export function optionChosen(table, event, book, ahead) {
  const { options } = table;
  // Who ended the time to choose stands nowhere but in the events that came of it.
  const by = ahead.find((one) => one?.is === "SettlementCorrected")?.by ?? "";
  if (event.by_system) {
    if (options === null) throw new Refusal("option/none");
    if (event.at < table.optionsUntil) throw new Refusal("option/time-left");
    const after = copyOf(table);
    const events = [...options].flatMap(([patron, chosen]) => {
      if (chosen !== null) return [];
      const choice = { ...event, patron, continues: false, by_system: true, placed_by: null };
      const all = [choice, ...returned(after, patron, { at: event.at, by }, book)];
      for (const one of all) evolve(after, one);
      return all;
    });
    return [...events, ...closed(after, event.at, book)];
  }
  if (options === null || !options.has(event.patron)) throw new Refusal("option/none");
  const inPerson = event.placed_by === null || event.placed_by === event.patron;
  if (!inPerson) checkRole(table.staff.get(event.placed_by), "dealer", event.at);
  if (options.get(event.patron) !== null) throw new Refusal("option/chosen");
  if (event.at >= table.optionsUntil) throw new Refusal("option/too-late");
  const choice = { ...event, placed_by: inPerson ? null : event.placed_by };
  const events = [choice, ...(event.continues ? [] : returned(table, event.patron, { at: event.at, by }, book))];
  const after = copyOf(table);
  for (const one of events) evolve(after, one);
  if ([...(after.options ?? new Map()).values()].includes(null)) return events;
  return [...events, ...closed(after, event.at, book)];
}

/**
 * @param {Table} table @param {string} patron @param {{at: any, by: string}} when
 * @param {Book} book @returns {any[]}
 */
function returned(table, patron, { at, by }, book) {
  const { round } = table;
  const own = betsOf(round).filter((bet) => bet.patron === patron);
  if (own.length === 0 || !isCurrent(table)) throw new Refusal("option/no-bets");
  const clause = table.optionsClause;
  const back = { is: "BetsReturned", patron, ...apart(round, own), clause, at };
  const after = copyOf(table);
  evolve(after, back);
  if (round.phase === "settled") {
    const bets = settle(after.round, book);
    return [{ is: "SettlementCorrected", coup: round.coup, bets, reason: "bets returned", clause, by, at }];
  }
  const open = round.phase === "deciding" && undecided(after.round, book).length === 0;
  return open ? [back, { is: "DecisionsClosed", at }] : [back];
}

/** @param {Table} table @param {any} at @param {Book} book @returns {any[]} */
function closed(table, at, book) {
  const again = table.round.phase === "deciding" ? decisions(table.round, at, book) : [];
  return [{ is: "OptionsClosed", at }, ...again];
}
