/** Packs of a shoe that was committed, or of one card of it. */

import { hex, same } from "./bytes.js";
import { Unpacked } from "./reading.js";
import { Refusal } from "./refusal.js";
import { Shoe } from "./shoe.js";
import { commitmentHash, isCommitted, parseStep } from "./steps.js";

/**
 * @typedef {import("./finding.js").Verdict} Verdict
 * @typedef {import("./pack.js").Held} Held
 */

const SEEDING = ["SeedSealed", "SeedsClosed", "SeedGiven"];

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
export function verifyCardPack(pack, verdict, known) {
  const shoe = seeded(pack.commitment, pack.seeds, verdict, known);
  const shown = step(pack.card);
  if (shown.step !== "CardShown") throw new Unpacked("pack/shape", { name: "card" });
  if (shoe === null) return;
  if (shown.place < 0 || shown.place >= shoe.cards) {
    verdict.find("shoe/step", null, {
      refusal: "fairness/place",
      number: BigInt(shown.place) + 1n,
    });
    return;
  }
  const details = { number: shown.place + 1, card: shown.card, shoe: shoe.name };
  // What left the shoe before this card is not in the pack.
  const placed = shown.position === shoe.order[shown.place];
  if (placed && isCommitted(shoe.commitment, shown)) {
    verdict.check("card", { ...details, seeds: shoe.seeds.size });
  } else {
    const refusal = placed ? "fairness/not-committed" : "fairness/position";
    verdict.find("shoe/step", null, { refusal, ...details });
  }
}

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
export function verifyShoePack(pack, verdict, known) {
  const commitment = committed(pack.commitment);
  compareCommitment(commitment, verdict, known);
  const steps = pack.steps.map(step);
  let record = 0;
  try {
    const shoe = new Shoe(commitment);
    for (const one of steps) {
      record += 1;
      if (one.step === "Commitment") throw new Refusal("fairness/record");
      shoe.advance(one);
      verdict.followed.add(record);
    }
    const { name, phase, shown } = shoe;
    compareSeeds(givenTo(shoe), verdict, known);
    verdict.check("shoe", { shoe: name, steps: record, cards: shown.size });
    if (phase === "aborted") remarkAbort(shoe, verdict);
    else if (phase !== "opened") verdict.remark("unopened");
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    verdict.find("shoe/step", record, { refusal: refusal.code, ...refusal.params });
  }
}

/**
 * A shoe whose order of dealing is fixed, if what fixes it holds.
 * @param {any} given @param {any[]} seeds @param {Verdict} verdict @param {Held} known
 * @returns {Shoe | null}
 */
export function seeded(given, seeds, verdict, known) {
  const commitment = committed(given);
  compareCommitment(commitment, verdict, known);
  try {
    const shoe = new Shoe(commitment);
    for (const one of seeds) {
      const read = step(one);
      if (!SEEDING.includes(read.step)) throw new Unpacked("pack/shape", { name: "seeds" });
      shoe.advance(read);
    }
    if (shoe.phase === "dealing") {
      compareSeeds(givenTo(shoe), verdict, known);
      return shoe;
    }
    verdict.find("shoe/step", null, { refusal: "fairness/no-seeds" });
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    verdict.find("shoe/step", null, { refusal: refusal.code, ...refusal.params });
  }
  return null;
}

/** @param {Shoe} shoe @returns {Set<string>} */
function givenTo(shoe) {
  return new Set([...shoe.seals.values(), ...shoe.seeds.values()].map(hex));
}

/**
 * Whether the seeds of whoever verifies are in: only then did they have a say in the order.
 * @param {Set<string>} given @param {Verdict} verdict @param {Held} known
 */
export function compareSeeds(given, verdict, { seeds }) {
  for (const seed of seeds) {
    if (!given.has(hex(seed))) verdict.find("shoe/seed", null, {}, hex(seed));
  }
}

/**
 * Say that a shoe was thrown away, and what the house could know when it did so.
 * @param {Shoe} shoe @param {Verdict} verdict
 */
export function remarkAbort({ name, reason, order }, verdict) {
  verdict.remark(order.length > 0 ? "aborted" : "aborted.early", { shoe: name, reason });
}

/**
 * Whether a book is one that whoever verifies knows.
 * @param {string} hash @param {Verdict} verdict @param {Held} known
 */
export function compareBook(hash, verdict, { books }) {
  if (books.length > 0 && !books.some((one) => hex(one) === hash)) {
    verdict.find("book/other", null, {}, hex(books[0]), hash);
  }
}

/** @param {any} given */
function committed(given) {
  const read = step(given);
  if (read.step !== "Commitment") throw new Unpacked("pack/shape", { name: "commitment" });
  return read;
}

/** @param {any} given */
function step(given) {
  try {
    return parseStep(given);
  } catch (refusal) {
    if (refusal instanceof Refusal) throw new Unpacked("pack/shape", { name: "step" });
    throw refusal;
  }
}

/**
 * @param {import("./fairness").Commitment} commitment @param {Verdict} verdict
 * @param {Held} known
 */
function compareCommitment(commitment, verdict, known) {
  const { commitments } = known;
  const bound = commitmentHash(commitment);
  if (commitments.length === 0) verdict.remark("commitment", { hash: hex(bound) });
  else if (!commitments.some((one) => same(one, bound))) {
    verdict.find("shoe/commitment", null, { why: "known" }, hex(commitments[0]), hex(bound));
  }
  compareBook(commitment.book, verdict, known);
}
