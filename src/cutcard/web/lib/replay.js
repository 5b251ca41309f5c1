/**
 * A table's log once more, every event worked out again.
 *
 * Where the log differs from what should stand there, the replay goes on with what should have
 * been; where it cannot, it begins again at the next standing.
 */

import { expected } from "./expected.js";
import { Ledger } from "./ledger.js";
import { whole } from "./json.js";
import { Refusal } from "./refusal.js";
import { CATEGORIES, KINDS } from "./schema.js";
import { evolve, newTable, stacksOf, standingOf, tableAt } from "./table.js";
import { checkSetup } from "./tables.js";
import { transfers } from "./transfers.js";

const MOST = 10n ** 18n;
const ENDS = ["RoundSettled", "RoundVoided", "SettlementCorrected"];

/** Patrons with a stack, and staff, at one table; and bets in one round. */
const MOST_PEOPLE = 1_000_000;
const MOST_BETS = 200_000;

/** Bets in one round where each is held against all others: chips, or bets with a second stage. */
const MOST_COMPARED = 2048;

/** So many events may come of one command: every bet of a full table, and more. */
const AHEAD = 400;
const REMEDIES = ["IncidentReported", "IncidentResolved"];

/**
 * @typedef {import("./book.js").Book} Book
 * @typedef {{number: number, record: any}} Numbered
 * @typedef {{begin: number, first: number, end: number}} Span the records that open and end a
 *   round; it ends a second time where its settlement is corrected
 */

/** The money of one table; what the cage brought or took stands against the cage's account. */
export class Money {
  /** @param {string} table @param {Record<string, number | bigint>} stacks */
  constructor(table, stacks = {}) {
    this.table = table;
    this.ledger = new Ledger();
    this.brought = 0;
    for (const [patron, amount] of Object.entries(stacks)) {
      if (amount !== 0) this.bring("cage", `stack:${table}:${patron}`, amount);
    }
  }

  /** @param {string} debit @param {string} credit @param {number | bigint} amount */
  bring(debit, credit, amount) {
    this.brought += 1;
    const id = `cage:${this.brought}.0`;
    const moved = { is: "Transfer", id, debit, credit, amount, reason: "brought", pending: false };
    this.ledger.post([/** @type {import("./ledger.js").Transfer} */ (moved)]);
  }

  /** @param {any} event @param {any[]} entries */
  happen(event, entries) {
    const stack = `stack:${this.table}:${event.patron}`;
    if (event.is === "StackFilled") this.bring("cage", stack, event.amount);
    else if (event.is === "StackEmptied") this.bring(stack, "cage", event.amount);
    else this.ledger.post(entries);
  }

  /** @returns {Record<string, (number | bigint)[]>} what stands on every account, and is held */
  accounts() {
    return Object.fromEntries(
      [...this.ledger.accounts].map(([name, { posted, held }]) => [
        name,
        [whole(posted), whole(held)],
      ]),
    );
  }
}

/** A log that was played by a book which the pack does not hold. */
class NoBook extends Error {}

export class Replay {
  /**
   * @param {string} name @param {Map<string, Book>} books by hash
   * @param {import("./proof.js").Proof} proof @param {import("./finding.js").Verdict} verdict
   */
  constructor(name, books, proof, verdict) {
    this.name = name;
    this.books = books;
    this.proof = proof;
    this.verdict = verdict;
    /** @type {import("./table.js").Table | null} null where the log cannot be followed */
    this.table = newTable();
    this.money = new Money(name);
    /** @type {Record<string, number | bigint>} */
    this.opening = {};
    /** Whether it was followed from the first record to the last. */
    this.whole = true;
    /** @type {Map<string, Span>} the rounds by name */
    this.rounds = new Map();
    /** @type {Map<number, number | bigint>} by number of a record: the latest time up to it */
    this.times = new Map();
    /** Remedies that were followed, and whose lawfulness was not judged. */
    this.remedies = 0;
    this.began = false;
    /** @type {number | null} */
    this.stood = null;
    this.round = "";
  }

  /** @param {Numbered[]} records */
  run(records) {
    this.clock(records);
    for (let place = 0; place < records.length;) {
      const { number, record } = records[place];
      if (record.event !== undefined) place = this.happened(records, place);
      else {
        if (record.step !== undefined) this.step(record.step, number);
        else this.stand(record.standing, number);
        place += 1;
      }
      this.began = true;
    }
  }

  /**
   * Times in one log never go backwards; else every deadline could be met by writing it.
   * @param {Numbered[]} records
   */
  clock(records) {
    /** @type {number | bigint | null} */
    let last = null;
    for (const { number, record } of records) {
      const at = timeOf(record);
      if (at !== null) {
        if (last !== null && at < last) {
          const ms = BigInt(last) - BigInt(at);
          this.verdict.find("time/backwards", number, { ms }, last, at);
        }
        last = at;
      }
      if (last !== null) this.times.set(number, last);
    }
  }

  /** @param {any} step @param {number} number */
  step(step, number) {
    if (this.proof.believed) this.verdict.followed.add(number);
    this.proof.step(step, number);
  }

  // --- standings --------------------------------------------------------------------------------

  /** @param {any} stood @param {number} number */
  stand(stood, number) {
    if (this.stood !== null) this.verdict.find("standing/misplaced", this.stood);
    this.stood = number;
    this.verdict.followed.add(number);
    if (this.table !== null && this.began && this.stands(this.table, stood, number)) return;
    if (this.began) this.whole = false;
    else this.opening = stood.stacks;
    this.table = null;
    if (!this.possible(stood, number)) return;
    this.table = tableAt(stood);
    this.proof.stand(stood, number);
  }

  /** @param {import("./table.js").Table} table @param {any} stood @param {number} number */
  stands(table, stood, number) {
    if (table.setup === null) {
      this.verdict.find("standing/differs", number, { what: "standing", place: "setup" });
      return false;
    }
    const { commitment, left } = stood;
    const proof = this.proof.believed ? this.proof.standing(table.shoe) : { commitment, left };
    return this.verdict.compare(
      "standing/differs",
      number,
      "standing",
      standingOf(table, proof),
      stood,
    );
  }

  /** Whether a table could stand like this at all. @param {any} stood @param {number} number */
  possible(stood, number) {
    try {
      checkSetup(stood.setup, this.book(stood.setup.book_hash), newTable());
      if (isImpossible(stood, this.name)) throw new Refusal("pack/impossible");
      this.money = new Money(this.name, stood.stacks);
    } catch (problem) {
      if (problem instanceof NoBook) this.verdict.find("book/missing", number);
      else this.verdict.find("standing/impossible", number, told(problem));
      return false;
    }
    return true;
  }

  // --- events -----------------------------------------------------------------------------------

  /**
   * Check the event at a place and all that come with it.
   * @param {Numbered[]} records @param {number} place
   */
  happened(records, place) {
    const { number: cause, record } = records[place];
    this.checkStood(record.event, cause);
    this.note(record.event, cause);
    if (this.table === null) return place + 1;
    this.verdict.followed.add(cause);
    const should = this.expected(record.event, cause, records.slice(place + 1, place + AHEAD));
    if (should === null) return this.lose(place + 1);
    for (const [done, event] of should.entries()) {
      const stands = eventAt(records, place + done, place);
      if (stands === null || stands.record.event.is !== event.is) {
        this.missing(event, cause, stands, done === 0);
        return this.lose(place + Math.max(done, 1));
      }
      if (done > 0) this.note(stands.record.event, stands.number);
      if (!this.compare(event, stands.record, stands.number)) return this.lose(place + done + 1);
    }
    return place + should.length;
  }

  /**
   * What should have happened; null where nothing of the kind could.
   * @param {any} event @param {number} number @param {Numbered[]} ahead @returns {any[] | null}
   */
  expected(event, number, ahead) {
    const table = /** @type {import("./table.js").Table} */ (this.table);
    try {
      const hash = event.is === "TableOpened" ? event.setup.book_hash : table.setup?.book_hash;
      return expected(
        table,
        event,
        this.book(hash ?? null),
        ahead.map(({ record }) => record.event),
      );
    } catch (problem) {
      if (problem instanceof NoBook) this.verdict.find("book/missing", number);
      else {
        const details = { kind: event.is, ...told(problem) };
        this.verdict.find(`${CATEGORIES[event.is]}/refused`, number, details);
      }
      return null;
    }
  }

  /**
   * @param {any} event @param {number} cause @param {Numbered | null} stands
   * @param {boolean} first
   */
  missing(event, cause, stands, first) {
    const kind = stands === null ? "nothing" : stands.record.event.is;
    const differs = first && stands !== null;
    const code = differs ? `${CATEGORIES[kind]}/differs` : `${CATEGORIES[event.is]}/missing`;
    const details = differs ? { what: kind, place: "is" } : { kind: event.is, cause };
    this.verdict.find(code, stands?.number ?? cause, details, event.is, kind);
  }

  /**
   * One event that should have happened with the one that did, and the money it moves.
   * @param {any} event @param {{event: any, entries: any[]}} stands @param {number} number
   * @returns {boolean} whether the log can be followed beyond it
   */
  compare(event, stands, number) {
    const table = /** @type {import("./table.js").Table} */ (this.table);
    const { verdict } = this;
    if (REMEDIES.includes(event.is)) this.remedies += 1;
    verdict.followed.add(number);
    try {
      const entries = transfers(table, event);
      const should = asOld(event, stands.event);
      verdict.compare(`${CATEGORIES[event.is]}/differs`, number, event.is, should, stands.event);
      verdict.compare("entries/differs", number, "entries", entries, stands.entries);
      this.proof.happen(table, stands.event, number);
      this.money.happen(event, entries);
      evolve(table, event);
    } catch (problem) {
      verdict.find("ledger/refused", number, { kind: event.is, ...told(problem) });
      return false;
    }
    if (isCrowded(table)) {
      verdict.find("pack/size", number, { most: MOST_PEOPLE });
      return false;
    }
    return true;
  }

  // --- odds and ends ----------------------------------------------------------------------------

  /** @param {string | null} hash @returns {Book} */
  book(hash) {
    // Before a table opens nothing depends on its book.
    const found = hash === null ? [...this.books.values()][0] : this.books.get(hash);
    if (found === undefined) throw new NoBook();
    return found;
  }

  /** @param {any} event @param {number} number */
  checkStood(event, number) {
    const opens = event.is === "RoundOpened";
    if (opens && this.stood === null) this.verdict.find("standing/missing", number);
    if (!opens && this.stood !== null) this.verdict.find("standing/misplaced", this.stood);
    this.stood = null;
  }

  /** Remember which records open and end a round. @param {any} event @param {number} number */
  note(event, number) {
    const round = this.rounds.get(this.round);
    if (event.is === "RoundOpened") {
      this.round = `${this.table?.shoes ?? 0}/${event.number}`;
      this.rounds.set(this.round, { begin: number, first: 0, end: 0 });
    } else if (ENDS.includes(event.is) && round !== undefined) {
      round.first ||= number;
      round.end = number;
    }
  }

  /** @param {number} place where to go on @returns {number} */
  lose(place) {
    this.table = null;
    this.whole = false;
    return place;
  }

  /** @returns {Record<string, number | bigint>} */
  stacks() {
    return this.table === null ? {} : stacksOf(this.table);
  }
}

/** What should stand there, without the name that an older record does not hold. */
function asOld(/** @type {any} */ event, /** @type {any} */ stands) {
  const { by, ...rest } = event;
  const unnamed = !Object.hasOwn(stands, "by") && KINDS[event.is].includes("by?:");
  return unnamed ? rest : event;
}

/** The event at a place, if no step or standing lies between. @param {Numbered[]} records */
function eventAt(records, /** @type {number} */ place, /** @type {number} */ from) {
  const between = records.slice(from, place + 1);
  const unbroken =
    between.length === place + 1 - from && between.every(({ record }) => record.event);
  return unbroken ? records[place] : null;
}

/** @param {import("./table.js").Table} table */
function isCrowded({ stacks, staff, round }) {
  if (Math.max(stacks.size, staff.size) > MOST_PEOPLE) return true;
  const { entry, open_cards } = round.terms ?? {};
  const most = entry === "warn" || open_cards > 0 ? MOST_COMPARED : MOST_BETS;
  let bets = 0;
  for (const box of round.boxes.values()) bets += box.size;
  return bets > most;
}

/** When a record says that it happened. @param {any} record @returns {number | bigint | null} */
function timeOf({ event, step }) {
  if (event !== undefined) return event.at;
  return step?.step === "SeedSealed" || step?.step === "SeedsClosed" ? step.at : null;
}

/** @param {any} stood @param {string} name @returns {boolean} */
function isImpossible(stood, name) {
  const { setup, shoe } = stood;
  const amounts = Object.values(stood.stacks);
  const boxes = Object.keys(stood.seats).map(Number);
  const counts = [stood.seq, stood.shoes, stood.rounds, stood.incidents, stood.left];
  const copies = shoe === null ? [] : Object.values(shoe.manifest);
  const terminals = Object.values(stood.terminals ?? {});
  const devices = terminals.flatMap(({ own, number }) => (own ? [] : [String(number)]));
  return (
    setup.table !== name ||
    amounts.length > MOST_PEOPLE ||
    Object.keys(stood.staff).length > MOST_PEOPLE ||
    amounts.some((one) => one < 0 || one > MOST) ||
    boxes.some((box) => box < 1 || box > setup.boxes) ||
    Object.entries(stood.staff).some(([person, member]) => member.person !== person) ||
    counts.some((count) => count < 0) ||
    new Set(devices).size < devices.length ||
    (shoe !== null &&
      (copies.length !== 52 ||
        copies.some((one) => one !== setup.decks) ||
        Object.values(shoe.seen).some((seen) => seen <= 0 || seen > setup.decks) ||
        shoe.burned < 0))
  );
}

/** A refusal in figures. What else is thrown comes of a state that no table comes to by itself. */
function told(/** @type {unknown} */ problem) {
  if (problem instanceof Refusal) return { refusal: problem.code, ...problem.params };
  if (problem instanceof TypeError || problem instanceof RangeError)
    return { refusal: "pack/nonsense" };
  throw problem;
}
