/**
 * The rules of terminals, in the manner of tables.js: the pit adds devices and takes them away,
 * locks and unlocks terminals; patrons call attendants, who come.
 */

import { hasTerminals } from "./meters.js";
import { Refusal } from "./refusal.js";
import { checkName, checkRole } from "./staff.js";
import { FINISHED, hasBets } from "./table.js";
import { AT_TABLE, checkOpen } from "./tables.js";
import { stripped } from "./text.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./book.js").Book} Book
 */

const MOST_NUMBER = 1_000_000;

/** A terminal that stands at the table. @param {Table} table @param {string} name */
function standing({ terminals }, name) {
  const one = terminals.byName.get(name);
  if (one === undefined || one.removed) throw new Refusal("terminal/unknown", { terminal: name });
  return one;
}

/** @param {Table} table @param {any} event what only the pit may do */
function checkPit({ staff }, { by, at }) {
  checkRole(staff.get(by), "pit supervisor", at);
}

/** @param {Table} table @param {string} name @returns {boolean} in the stack or on the layout */
function hasCredit(table, name) {
  const underWay = !FINISHED.includes(table.round.phase);
  return (table.stacks.get(name) ?? 0n) > 0n || (underWay && hasBets(table, name));
}

/** @type {Record<string, (table: Table, event: any, book: Book, ahead: any[]) => any[]>} */
export const AT_TERMINALS = {
  TerminalAdded(table, event, book, ahead) {
    const { terminal: name, number, by, at } = event;
    if (by === name) {
      // An account adds its own terminal only by bringing its first money.
      const [filled] = ahead;
      if (filled?.is !== "StackFilled") throw new Refusal("pack/no-cause", { kind: event.is });
      return AT_TABLE.StackFilled(table, { ...filled, patron: name, at }, book);
    }
    checkOpen(table);
    checkName(name);
    if (table.staff.has(name) || table.setup?.machine === name) throw new Refusal("staff/patron");
    if (!hasTerminals(table, book)) throw new Refusal("terminal/none-here", { book: book.name });
    checkPit(table, event);
    const { byName, byNumber } = table.terminals;
    const before = byName.get(name);
    if (before !== undefined && !before.removed) {
      throw new Refusal("terminal/exists", { number: before.number });
    }
    if (before === undefined && table.stacks.has(name)) {
      throw new Refusal("terminal/account", { terminal: name });
    }
    // A device that comes back has its old number; no other device ever gets it.
    const free = before === undefined ? name : "";
    const owner = byNumber.get(String(number)) ?? free;
    if (number < 1 || number > MOST_NUMBER || owner !== name) throw new Refusal("terminal/number", { number });
    return [event];
  },
  TerminalRemoved(table, event) {
    const { number, own } = standing(table, event.terminal);
    checkPit(table, event);
    if (own) throw new Refusal("terminal/account", { terminal: event.terminal });
    if (hasCredit(table, event.terminal)) throw new Refusal("terminal/credit", { number });
    return [event];
  },
  TerminalLocked(table, event) {
    const { number, locked } = standing(table, event.terminal);
    checkPit(table, event);
    if (stripped(event.reason) === "") throw new Refusal("terminal/no-reason", { number });
    if (locked !== null) throw new Refusal("terminal/locked", { number, reason: locked });
    return [event];
  },
  TerminalUnlocked(table, event) {
    // A lock holds also where the terminal was taken away, and so does its end.
    const one = table.terminals.byName.get(event.terminal);
    if (one === undefined) throw new Refusal("terminal/unknown", { terminal: event.terminal });
    const { number, locked } = one;
    checkPit(table, event);
    if (locked === null) throw new Refusal("terminal/not-locked", { number });
    return [event];
  },
  AttendantCalled(table, event) {
    const { number, calling } = standing(table, event.terminal);
    if (calling) throw new Refusal("terminal/called", { number });
    return [event];
  },
  AttendantCame(table, event) {
    const { number, calling } = standing(table, event.terminal);
    checkRole(table.staff.get(event.by), "dealer", event.at);
    if (!calling) throw new Refusal("terminal/not-called", { number });
    return [event];
  },
};
