/** What should stand in a log from one event on, if it came of a single lawful act. */

import { Refusal } from "./refusal.js";
import { optionChosen, reported, TAKEN, taken } from "./remedies.js";
import { IN_ROUND } from "./rounds.js";
import { checkTime } from "./staff.js";
import { AT_TABLE, checkOpen } from "./tables.js";
import { AT_TERMINALS } from "./terminals.js";

/** What may be done although something is wrong that nobody has resolved. */
const THROUGH = [
  "ClosingAnnounced",
  "SignedOn",
  "SignedOff",
  "Acting",
  "LimitsScheduled",
  "SeatTaken",
  "SeatLeft",
  "StackFilled",
  "StackEmptied",
  ...Object.keys(AT_TERMINALS),
];

/** The last moment that has four digits for its year. */
const LAST = 253_402_300_799_999;

/** Refuse to go on while the table waits. @param {import("./table.js").Table} table */
function checkGoing({ incident, options, optionsUntil }) {
  if (incident !== null) throw new Refusal("incident/waiting");
  if (options === null) return;
  const until =
    optionsUntil > LAST ? String(optionsUntil) : new Date(Number(optionsUntil)).toISOString();
  throw new Refusal("option/choosing", { until });
}

/**
 * @param {import("./table.js").Table} table just before the event @param {any} event
 * @param {import("./book.js").Book} book @param {any[]} ahead what follows in the log
 * @returns {any[]} at least one event
 */
export function expected(table, event, book, ahead) {
  if (table.incident !== null && TAKEN.includes(event.is)) return taken(table, event, book, ahead);
  if (!(event.is in IN_ROUND)) checkTime(event.at);
  if (event.is === "IncidentReported") return reported(table, event, book);
  if (event.is === "OptionChosen") return optionChosen(table, event, book, ahead);
  if (!THROUGH.includes(event.is)) checkGoing(table);
  if (event.is in IN_ROUND) {
    checkOpen(table);
    return IN_ROUND[event.is](table, event, book);
  }
  if (event.is in AT_TERMINALS) return AT_TERMINALS[event.is](table, event, book, ahead);
  if (event.is in AT_TABLE) return AT_TABLE[event.is](table, event, book);
  // What is left follows from something else, and never comes first.
  throw new Refusal("pack/no-cause", { kind: event.is });
}
