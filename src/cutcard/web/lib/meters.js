/**
 * Terminals as a table knows them: numbers, locks, and meters that follow from the events that
 * move credit. No event sets a meter.
 *
 * The credit of a terminal is the stack of its name. A device of the house is added by the pit; an
 * account gets a terminal of its own with its first money.
 */

import { byCodePoint } from "./canonical.js";
import { whole } from "./json.js";
import { Refusal } from "./refusal.js";

/**
 * @typedef {{number: number | bigint, own: boolean, removed: boolean, locked: string | null,
 *   calling: boolean, paid_in: bigint, paid_out: bigint, staked: bigint, won: bigint,
 *   lost: bigint, rounds: bigint}} Terminal `own` where it belongs to an account
 * @typedef {ReturnType<typeof newTerminals>} Terminals
 */

const METERS = /** @type {const} */ (["paid_in", "paid_out", "staked", "won", "lost", "rounds"]);

export function newTerminals() {
  return {
    /** @type {Map<string, Terminal>} every terminal that ever stood at the table */
    byName: new Map(),
    /** @type {Map<string, string>} the names of devices by their numbers as text */
    byNumber: new Map(),
    /** How many belong to accounts; these have numbers apart from those of the devices. */
    own: 0,
  };
}

/** @param {Terminals} terminals @param {string} name @param {Terminal} terminal */
function place(terminals, name, terminal) {
  terminals.byName.set(name, terminal);
  if (terminal.own) terminals.own += 1;
  else terminals.byNumber.set(String(terminal.number), name);
}

// --- rules ---

/** @param {import("./table.js").Table} table @param {import("./book.js").Book} book */
export function hasTerminals({ setup }, book) {
  return setup !== null && book.layouts.get(setup.layout)?.terminals === true;
}

/**
 * Refuse bets at a terminal that was taken away or is locked, and where there are none.
 * @param {import("./table.js").Table} table @param {string} name
 * @param {import("./book.js").Book} book
 */
export function checkInPlace(table, name, book) {
  checkNotDevice(table, name, book);
  if (table.terminals.byName.get(name)?.removed) {
    throw new Refusal("terminal/unknown", { terminal: name });
  }
  checkUnlocked(table, name);
}

/**
 * Refuse a device of the house where the table is played by a book without terminals.
 * @param {import("./table.js").Table} table @param {string} name
 * @param {import("./book.js").Book} book
 */
export function checkNotDevice(table, name, book) {
  const isDevice = table.terminals.byName.get(name)?.own === false;
  if (isDevice && Number(table.setup?.edition ?? 0) >= 1 && !hasTerminals(table, book))
    throw new Refusal("terminal/none-here");
}

/**
 * The terminals that accounts get whose credit lies at a table that becomes electronic.
 * @param {import("./table.js").Table} table @param {any} setup @param {number | bigint} at
 * @param {import("./book.js").Book} book @returns {any[]}
 */
export function atOpening({ terminals, stacks }, setup, at, book) {
  const terms = book.layouts.get(setup.layout)?.terminals === true;
  if (!terms || Number(setup.edition ?? 0) < 1) return [];
  const without = [...stacks].filter(([name, credit]) => credit && !terminals.byName.has(name));
  const names = without.map(([name]) => name).sort(byCodePoint);
  return names.map((name, place) => ({
    is: "TerminalAdded",
    terminal: name,
    number: terminals.own + 1 + place,
    by: name,
    at,
  }));
}

/**
 * Refuse money off a locked terminal.
 * @param {import("./table.js").Table} table @param {string} name
 */
export function checkUnlocked({ terminals }, name) {
  const one = terminals.byName.get(name);
  if (one !== undefined && one.locked !== null) {
    throw new Refusal("terminal/locked", { number: one.number, reason: one.locked });
  }
}

/**
 * The terminal that an account gets with its first money.
 * @param {import("./table.js").Table} table @param {string} name @param {number | bigint} at
 * @param {import("./book.js").Book} book @returns {any[]}
 */
export function withMoney(table, name, at, book) {
  const { byName, own } = table.terminals;
  // A table that is closed may come by another book; it is still the table of its last one.
  const byItsBook = table.setup?.book_hash === book.hash;
  if (byName.has(name) || !byItsBook || !hasTerminals(table, book)) return [];
  return [{ is: "TerminalAdded", terminal: name, number: own + 1, by: name, at }];
}

// --- what events change ---

/**
 * A terminal that comes back has its number and its meters again. Credit that an account had
 * before its table had terminals counts as paid in.
 * @param {Terminals} terminals @param {any} event @param {bigint} credit
 */
export function added(terminals, { terminal: name, number, by }, credit) {
  const before = terminals.byName.get(name);
  if (before !== undefined) before.removed = false;
  else {
    place(terminals, name, {
      number,
      own: by === name,
      removed: false,
      locked: null,
      calling: false,
      paid_in: credit,
      paid_out: 0n,
      staked: 0n,
      won: 0n,
      lost: 0n,
      rounds: 0n,
    });
  }
}

/** @param {Terminals} terminals @param {string} name @param {bigint} amount below zero, taken off */
export function moved({ byName }, name, amount) {
  const one = byName.get(name);
  if (one === undefined) return;
  if (amount > 0n) one.paid_in += amount;
  else one.paid_out -= amount;
}

/** @param {Terminals} terminals @param {any[]} bets what became of them */
export function settled({ byName }, bets) {
  const played = new Set();
  for (const { bet, effective, net, removed } of bets) {
    const one = byName.get(bet.patron);
    if (one === undefined) continue;
    const gained = BigInt(net);
    one.staked += BigInt(effective);
    if (gained > 0n) one.won += gained;
    // The loss of chips that were taken away is owed, and takes no credit.
    else if (!removed) one.lost -= gained;
    if (!played.has(one)) one.rounds += 1n;
    played.add(one);
  }
}

/**
 * A new settlement gives a terminal more, or takes from it.
 * @param {Terminals} terminals @param {string} name @param {bigint} change
 */
export function corrected({ byName }, name, change) {
  const one = byName.get(name);
  if (one === undefined) return;
  if (change > 0n) one.won += change;
  else one.lost -= change;
}

// --- standings ---

/** @param {Terminals} terminals as the log writes them; a table that has none writes nothing */
export function written({ byName }) {
  if (byName.size === 0) return {};
  const terminals = [...byName].map(([name, one]) => {
    const meters = METERS.map((meter) => [meter, whole(one[meter])]);
    return [name, { ...one, ...Object.fromEntries(meters) }];
  });
  return { terminals: Object.fromEntries(terminals) };
}

/** @param {any} stood @returns {Terminals} */
export function terminalsAt({ terminals = {} }) {
  const found = newTerminals();
  for (const [name, one] of Object.entries(terminals)) {
    const meters = METERS.map((meter) => [meter, BigInt(one[meter])]);
    place(found, name, { ...one, ...Object.fromEntries(meters) });
  }
  return found;
}
