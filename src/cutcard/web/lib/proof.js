/**
 * Cards against the shoe that was committed.
 *
 * A table's log says which card went where; the steps of a verifiable shoe, in the same log, say
 * which card came next. Both must tell the same cards in the same order, none skipped, and the cut
 * card where it was committed.
 */

import { hex } from "./bytes.js";
import { Refusal } from "./refusal.js";
import { Shoe } from "./shoe.js";
import { commitmentHash } from "./steps.js";

/** How a shuffle record begins that names a commitment; its hash follows. */
const COMMITTED = "commitment ";

export class Proof {
  /**
   * @param {string} table @param {import("./finding.js").Verdict} verdict
   * @param {Shoe | null} shoe whose seeds are given already
   */
  constructor(table, verdict, shoe) {
    this.name = table;
    this.verdict = verdict;
    this.shoe = shoe;
    /** Cards that were checked. */
    this.cards = 0;
    /** Until a step does not hold; after that there is nothing to compare with. */
    this.believed = true;
    /** @type {Set<string>} the hashes of every commitment met */
    this.committed = new Set();
    this.inUse = false;
    this.played = 0;
    /** @type {Map<number, {card: string, told: number}>} cards played and not shown yet */
    this.waiting = new Map();
  }

  /** @returns {boolean} */
  get compares() {
    return this.inUse && this.believed && this.shoe !== null;
  }

  /** What a standing says of the shoe in use. @param {any} shoe the table's own */
  standing(shoe) {
    if (this.shoe === null || shoe === null || shoe.id !== this.shoe.name) {
      return { commitment: null, left: 0 };
    }
    return { commitment: hex(commitmentHash(this.shoe.commitment)), left: this.shoe.left };
  }

  /**
   * Go on from a standing, without what came before it.
   * @param {any} stood @param {number} number
   */
  stand(stood, number) {
    this.inUse = false;
    this.waiting = new Map();
    if (stood.commitment === null || !this.believed) return;
    if (this.shoe === null || hex(commitmentHash(this.shoe.commitment)) !== stood.commitment) {
      this.verdict.find("shoe/commitment", number, { why: "standing" });
      this.believed = false;
      return;
    }
    this.inUse = true;
    this.played = stood.left;
    this.shoe.left = stood.left;
  }

  /** @param {any} step @param {number} number */
  step(step, number) {
    if (!this.believed) return;
    try {
      this.advance(step);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.verdict.find("shoe/step", number, { refusal: refusal.code, ...refusal.params });
      this.believed = false;
      return;
    }
    if (step.step !== "CardShown") return;
    this.cards += 1;
    const played = this.waiting.get(step.place);
    this.waiting.delete(step.place);
    if (played !== undefined) this.compare(step.place, played.card, played.told);
  }

  /** @param {any} step */
  advance(step) {
    if (step.step !== "Commitment") {
      if (this.shoe === null) throw new Refusal("fairness/not-now", { phase: "not committed" });
      this.shoe.advance(step);
      return;
    }
    const name = `${step.table}/${step.number}`;
    if (step.table !== this.name) throw new Refusal("fairness/other-table", { shoe: name });
    if (this.shoe !== null) this.shoe.checkSuccessor(step);
    this.shoe = new Shoe(step);
    this.committed.add(hex(commitmentHash(step)));
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
        this.inUse = false;
        return undefined;
      default:
        return undefined;
    }
  }

  /** @param {import("./table.js").Table} table @param {any} event @param {number} number */
  registered(table, event, number) {
    this.played = 0;
    this.waiting = new Map();
    this.inUse = false;
    const { shoe } = this;
    const named = event.shuffle_record.startsWith(COMMITTED);
    const over = shoe === null || ["opened", "aborted"].includes(shoe.phase);
    if (!this.believed || (!named && over)) return;
    if (shoe?.phase !== "dealing") {
      this.verdict.find("shoe/commitment", number, { why: "missing" });
      return;
    }
    const { commitment } = shoe;
    const pairs = [
      ["name", shoe.name, event.shoe],
      ["commitment", COMMITTED + hex(commitmentHash(commitment)), event.shuffle_record],
      ["decks", commitment.decks, table.setup?.decks ?? 0],
      ["book", commitment.book, table.setup?.book_hash ?? ""],
    ];
    for (const [what, should, found] of pairs) {
      if (should !== found)
        this.verdict.find("shoe/commitment", number, { why: what }, should, found);
    }
    this.inUse = true;
  }

  /** A card left the shoe and was seen. @param {string} card @param {number} number */
  left(card, number) {
    const place = this.played;
    this.played += 1;
    if (!this.compares) return;
    if (this.shoe?.shown.has(place)) this.compare(place, card, number);
    else this.waiting.set(place, { card, told: number });
  }

  /** @param {number} place @param {string} card @param {number} number */
  compare(place, card, number) {
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
    if (!this.compares || this.shoe?.left === this.played) return;
    const left = Number(this.shoe?.left);
    this.verdict.find("shoe/skipped", number, { left, played: this.played }, this.played, left);
    this.played = left;
  }

  /** @param {number} number @param {boolean} tooLate whether another round opens */
  cut(number, tooLate) {
    if (!this.compares || this.shoe === null) return;
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
