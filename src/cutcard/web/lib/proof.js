/**
 * Cards against the shoe that was committed.
 *
 * A table's log says which card went where; the steps of a verifiable shoe, in the same log, say
 * which card came next. Both must tell the same cards in the same order, none skipped, and the cut
 * card where it was committed.
 */

import { hex } from "./bytes.js";
import { whole } from "./json.js";
import { Refusal } from "./refusal.js";
import { Shoe } from "./shoe.js";

/** How a shuffle record begins that names a commitment; its hash follows. */
const COMMITTED = "commitment ";

export class Proof {
  /**
   * @param {string} table @param {import("./finding.js").Verdict} verdict
   * @param {Shoe | null} shoe whose seeds are given already
   * @param {boolean} entire whether the log is there from its first record on
   */
  constructor(table, verdict, shoe, entire) {
    this.name = table;
    this.verdict = verdict;
    /** The shoe that was committed last. */
    this.shoe = shoe;
    this.entire = entire;
    /** Cards that the table dealt, each compared with the one that the shoe showed. */
    this.cards = 0;
    /** @type {string[]} shoes that came into use without a commitment */
    this.uncommitted = [];
    /** @type {Set<string>} every seal and every seed */
    this.given = new Set();
    /** Until a step does not hold; after that there is nothing to compare with. */
    this.believed = true;
    /** @type {Map<string, string>} the name of each shoe by its commitment's hash */
    this.committed = new Map();
    /** @type {Shoe[]} the shoes before the last */
    this.before = [];
    /** @type {string | null} the hash of the commitment of the shoe on the table */
    this.inUse = null;
    /** @type {number | null} the record by which the committed shoe ended at the table */
    this.over = null;
    this.played = 0;
    /** @type {Map<number, {card: string, told: number}>} cards played and not shown yet */
    this.waiting = new Map();
  }

  /** @returns {boolean} whether the shoe that was committed last is the one on the table */
  get dealing() {
    return this.believed && this.shoe !== null && this.inUse === this.shoe.hash;
  }

  /** @returns {Shoe[]} every shoe that was committed */
  get shoes() {
    return this.shoe === null ? this.before : [...this.before, this.shoe];
  }

  /** What is wrong at the end of a whole log: a shoe that ended, and was never opened. */
  finish() {
    if (this.believed && this.over !== null && this.shoe !== null) {
      this.verdict.find("shoe/unopened", this.over, { shoe: this.shoe.name });
    }
  }

  /** What a standing says of the shoe in use. @param {any} shoe the table's own */
  standing(shoe) {
    if (this.shoe === null || shoe === null || shoe.id !== this.shoe.name) {
      return { commitment: null, left: 0 };
    }
    return { commitment: this.shoe.hash, left: this.shoe.left };
  }

  /**
   * Go on from a standing, without what came before it.
   * @param {any} stood @param {number} number
   */
  stand(stood, number) {
    this.inUse = null;
    this.waiting = new Map();
    if (!this.believed) return;
    if (stood.commitment === null) {
      if (stood.shoe !== null) this.uncommitted.push(stood.shoe.id);
      if (this.shoe !== null && !this.entire) {
        this.verdict.find("shoe/commitment", number, { why: "unnamed" });
      }
      return;
    }
    if (this.shoe === null || this.shoe.hash !== stood.commitment) {
      this.verdict.find("shoe/commitment", number, { why: "standing" });
      this.believed = false;
      return;
    }
    const { commitment } = this.shoe;
    this.fits(number, [
      ["table", commitment.table, this.name],
      ["name", this.shoe.name, stood.shoe?.id ?? ""],
      ["decks", commitment.decks, stood.setup.decks],
      ["book", commitment.book, stood.setup.book_hash],
    ]);
    this.inUse = this.shoe.hash;
    this.played = stood.left;
    this.shoe.left = stood.left;
  }

  /** @param {any} step @param {number} number */
  step(step, number) {
    if (!this.believed) return;
    // The shoe is not the one in use, and how it began is not in the pack.
    if (this.shoe === null && !this.entire && step.step !== "Commitment") return;
    try {
      this.advance(step, number);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.verdict.find("shoe/step", number, { refusal: refusal.code, ...refusal.params });
      this.believed = false;
      return;
    }
    if (this.shoe?.finished) this.over = null;
    if (step.step === "SeedSealed") this.given.add(hex(step.seal));
    if (step.step === "SeedGiven") this.given.add(hex(step.seed));
    if (step.step !== "CardShown" || !this.dealing) return;
    const played = this.waiting.get(step.place);
    this.waiting.delete(step.place);
    if (played !== undefined) this.compare(step.place, played.card, played.told);
  }

  /** @param {any} step @param {number} number */
  advance(step, number) {
    if (step.step !== "Commitment") {
      if (this.shoe === null) throw new Refusal("fairness/not-now", { phase: "not committed" });
      this.shoe.advance(step);
      return;
    }
    this.begin(step, number);
  }

  /**
   * The next shoe. One that is missing or was not opened is found, and checking goes on.
   * @param {import("./fairness").Commitment} step @param {number} number
   */
  begin(step, number) {
    const name = `${step.table}/${step.number}`;
    if (step.table !== this.name) throw new Refusal("fairness/other-table", { shoe: name });
    const before = this.shoe;
    const first = this.entire ? 1n : BigInt(step.number);
    const must = before === null ? first : BigInt(before.commitment.number) + 1n;
    if (step.number < must) {
      throw new Refusal("fairness/number", { shoe: name, must: whole(must) });
    }
    const begun = new Shoe(step);
    if (step.number > must) {
      this.verdict.find("shoe/missing", number, { shoe: name, must }, whole(must), step.number);
    }
    if (before !== null) {
      if (!before.finished) this.verdict.find("shoe/unopened", number, { shoe: before.name });
      this.before.push(before);
    }
    this.over = null;
    this.shoe = begun;
    this.committed.set(begun.hash, name);
  }

  /**
   * Follow an event, given the table just before it.
   * @param {import("./table.js").Table} table @param {any} event @param {number} number
   */
  happen(table, event, number) {
    switch (event.is) {
      case "ShoeRegistered":
        return this.registered(table, event, number);
      case "CardExposed":
        return this.left(event.card, number);
      case "CardBurned":
        this.played += 1;
        return undefined;
      case "CardDealt":
        return table.kept.length > 0 ? undefined : this.left(event.card, number);
      case "IncidentReported":
        for (const card of event.incident.drawn) this.left(card, number);
        return undefined;
      case "CutCardShown":
        return this.cut(number, false);
      case "ResultCalled":
        return this.allShown(number);
      case "RoundOpened":
        this.allShown(number);
        this.noneSkipped(number);
        return this.cut(number, true);
      case "ShoeEnded":
      case "ShoeRemoved":
        if (this.dealing && !this.shoe?.finished) this.over = number;
        this.inUse = null;
        return undefined;
      default:
        return undefined;
    }
  }

  /** @param {import("./table.js").Table} table @param {any} event @param {number} number */
  registered(table, event, number) {
    this.played = 0;
    this.waiting = new Map();
    this.inUse = null;
    const { shoe } = this;
    const named = event.shuffle_record.startsWith(COMMITTED);
    if (!this.believed) return;
    if (!named && (shoe === null || shoe.finished)) {
      this.uncommitted.push(event.shoe);
      return;
    }
    if (shoe?.phase !== "dealing") {
      this.verdict.find("shoe/commitment", number, { why: "missing" });
      return;
    }
    const { commitment } = shoe;
    this.fits(number, [
      ["name", shoe.name, event.shoe],
      ["commitment", COMMITTED + shoe.hash, event.shuffle_record],
      ["decks", commitment.decks, table.setup?.decks ?? 0],
      ["book", commitment.book, table.setup?.book_hash ?? ""],
    ]);
    this.inUse = shoe.hash;
  }

  /** @param {number} number @param {[string, unknown, unknown][]} pairs */
  fits(number, pairs) {
    for (const [what, should, found] of pairs) {
      if (should !== found)
        this.verdict.find("shoe/commitment", number, { why: what }, should, found);
    }
  }

  /** A card left the shoe and was seen. @param {string} card @param {number} number */
  left(card, number) {
    const place = this.played;
    this.played += 1;
    if (this.inUse === null || !this.believed) return;
    if (this.dealing && this.shoe?.shown.has(place)) this.compare(place, card, number);
    else this.waiting.set(place, { card, told: number });
  }

  /** @param {number} place @param {string} card @param {number} number */
  compare(place, card, number) {
    this.cards += 1;
    const should = this.shoe?.shown.get(place);
    if (should !== card)
      this.verdict.find("shoe/card", number, { number: place + 1 }, should, card);
  }

  /** @param {number} number */
  allShown(number) {
    for (const [place, { card, told }] of this.waiting) {
      this.verdict.find("shoe/not-shown", told, { number: place + 1, card, until: number });
    }
    this.waiting = new Map();
  }

  /** @param {number} number */
  noneSkipped(number) {
    if (!this.dealing || this.shoe?.left === this.played) return;
    const left = Number(this.shoe?.left);
    this.verdict.find("shoe/skipped", number, { left, played: this.played }, this.played, left);
    this.played = left;
  }

  /** @param {number} number @param {boolean} tooLate whether another round opens */
  cut(number, tooLate) {
    if (!this.dealing || this.shoe === null) return;
    const cut = this.shoe.cards - Number(this.shoe.commitment.behind_cut);
    if (tooLate ? this.played > cut : this.played < cut) {
      const why = tooLate ? "late" : "early";
      this.verdict.find(
        "shoe/cut",
        number,
        { why, number: cut + 1, played: this.played },
        cut,
        this.played,
      );
    }
  }
}
