/** Packs of a table's log, or of one round of it. */

import { parseAnchor, written } from "./anchor.js";
import { contentHash, readBook } from "./book.js";
import { hex, same } from "./bytes.js";
import { audit, start } from "./chain.js";
import { TABLEAU } from "./coup.js";
import { difference } from "./finding.js";
import { Proof } from "./proof.js";
import { checkFields, hash, Unpacked } from "./reading.js";
import { Refusal } from "./refusal.js";
import { Replay } from "./replay.js";
import { roads } from "./roads.js";
import { seeded } from "./shoes.js";
import { holds } from "./signing.js";
import { readRecord } from "./wire.js";

/**
 * @typedef {import("./finding.js").Verdict} Verdict
 * @typedef {import("./pack.js").Held} Held
 * @typedef {import("./shoe.js").Shoe} Shoe
 */

/** @type {Record<string, string>} */
const FAULTS = {
  number: "chain/number",
  record: "chain/record",
  value: "chain/value",
  head: "head/other-log",
  anchor: "anchor/other-log",
  short: "chain/short",
  table: "chain/table",
  signature: "head/signature",
  key: "head/key",
};

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
export async function verifyTable(pack, verdict, known) {
  const found = links(pack);
  await verifyChain(pack, found, verdict, known);
  const { before } = found;
  if (before.count !== 0 || !same(before.hash, start(pack.table)))
    verdict.find("chain/start", null);
  const replay = replayed(pack, found, verdict, null);
  for (const one of known.commitments) {
    if (!replay.proof.committed.has(hex(one))) {
      verdict.find("shoe/commitment", null, { why: "absent" }, hex(one));
    }
  }
  ended(pack, found, replay, verdict);
}

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
export async function verifyRound(pack, verdict, known) {
  const found = links(pack);
  await verifyChain(pack, found, verdict, known);
  let shoe = null;
  if (pack.shoe !== null) {
    const { commitment, seeds } = checkFields(pack.shoe, { commitment: "object", seeds: "list" });
    shoe = seeded(commitment, seeds, verdict, known);
  }
  const replay = replayed(pack, found, verdict, shoe);
  const claimed = checkFields(pack.round, { shoe: "whole", number: "whole" });
  const name = `${claimed.shoe}/${claimed.number}`;
  const rounds = [...replay.rounds.keys()];
  if (rounds.length !== 1 || rounds[0] !== name) {
    verdict.find("pack/round", null, { round: name, held: rounds.join(", ") });
  }
  ended(pack, found, replay, verdict);
}

/** The chained records of a pack, and the head before them. @param {any} pack */
function links(pack) {
  const before = checkFields(pack.before, { number: "whole", hash: "string" });
  const entries = pack.records.map((/** @type {any} */ given) => {
    const one = checkFields(given, { number: "whole", hash: "string", record: "any" });
    return { number: one.number, record: one.record, hash: hash(one.hash) };
  });
  return { before: { count: before.number, hash: hash(before.hash) }, entries };
}

/**
 * Canonical bytes, chain, signatures, anchors.
 * @param {any} pack @param {any} found @param {Verdict} verdict @param {Held} known
 */
async function verifyChain(pack, { before, entries }, verdict, known) {
  const heads = pack.heads.map(head);
  const checked = await Promise.all(
    heads.map(async (/** @type {any} */ one) => ({ ...one, holds: await holds(one) })),
  );
  let anchors = [...readAnchors(pack.anchors, verdict), ...known.anchors];
  if (pack.kind === "round") {
    // What lies before or after the round is not in the pack, and nothing is wrong with that.
    const last = entries.at(-1)?.number ?? before.count;
    const within = (/** @type {any} */ one) =>
      one.table !== pack.table || (one.count >= before.count && one.count <= last);
    for (const one of anchors) if (!within(one)) verdict.remark("anchor", { text: written(one) });
    anchors = anchors.filter(within);
  }
  const keys = known.keys.length > 0 ? known.keys : heads.map((/** @type {any} */ one) => one.key);
  for (const { record, fault } of audit(pack.table, entries, {
    heads: checked,
    keys,
    anchors,
    before,
  })) {
    verdict.find(FAULTS[fault], record);
  }
  verdict.check("chain", { records: entries.length, heads: heads.length, anchors: anchors.length });
  const unchecked = checked.filter((one) => one.holds === null).length;
  if (unchecked > 0) verdict.remark("signature", { heads: unchecked });
  if (known.keys.length === 0 && heads.length > 0) {
    const named = [...new Set(heads.map((/** @type {any} */ one) => hex(one.key)))];
    verdict.remark("key", { keys: named });
  }
}

/** @param {any} given */
function head(given) {
  const one = checkFields(given, {
    table: "string",
    count: "whole",
    hash: "string",
    occasion: "string",
    name: "string",
    at: "whole",
    key: "string",
    signature: "string",
  });
  if (!["round", "day"].includes(one.occasion))
    throw new Unpacked("pack/shape", { name: "occasion" });
  return {
    head: { table: one.table, count: one.count, hash: hash(one.hash) },
    occasion: one.occasion,
    name: one.name,
    at: one.at,
    key: hash(one.key),
    signature: hash(one.signature, 64),
  };
}

/** @param {any[]} given @param {Verdict} verdict */
function readAnchors(given, verdict) {
  return given.flatMap((text) => {
    try {
      return [parseAnchor(String(text))];
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      verdict.find("anchor/unread", null, { refusal: refusal.code, text: String(text) });
      return [];
    }
  });
}

/**
 * Every event once more, by the books in the pack.
 * @param {any} pack @param {any} found @param {Verdict} verdict @param {Shoe | null} shoe
 */
function replayed(pack, { entries }, verdict, shoe) {
  const replay = new Replay(
    pack.table,
    readBooks(pack, verdict),
    new Proof(pack.table, verdict, shoe),
    verdict,
  );
  const records = entries.flatMap((/** @type {any} */ { number, record }) => {
    try {
      return [{ number, record: readRecord(record) }];
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      verdict.find("record/unread", number, { refusal: refusal.code, ...refusal.params });
      return [];
    }
  });
  if (pack.kind === "round" && records[0]?.record.standing === undefined) {
    verdict.find("standing/missing", null);
  } else if (records.length === entries.length) replay.run(records);
  else replay.whole = false;
  return replay;
}

/** @param {any} pack @param {Verdict} verdict */
function readBooks(pack, verdict) {
  const good = new Map();
  for (const [name, given] of Object.entries(pack.books)) {
    try {
      const book = bookOf(name, given);
      good.set(name, book);
      verdict.check("book", { name: book.name, version: book.version });
    } catch (problem) {
      if (!(problem instanceof Unpacked)) throw problem;
      verdict.find(problem.code, null, problem.details);
    }
  }
  return good;
}

/** @param {string} name @param {any} given */
function bookOf(name, given) {
  const one = checkFields(given, { document: "object", tableau: "list", documents: "list" });
  if (difference(TABLEAU, one.tableau, "") !== null) throw new Unpacked("book/tableau");
  const texts = one.documents.every((/** @type {any} */ text) => typeof text === "string");
  if (!texts) throw new Unpacked("book/unread", { text: "documents" });
  if (contentHash(one.document) !== name)
    throw new Unpacked("book/hash", { hash: name.slice(0, 64) });
  try {
    return readBook(one.document, one.documents);
  } catch (problem) {
    if (!(problem instanceof Refusal || problem instanceof TypeError)) throw problem;
    throw new Unpacked("book/unread", { text: problem.message });
  }
}

/**
 * What the pack says of beginning and end.
 * @param {any} pack @param {any} found @param {Replay} replay @param {Verdict} verdict
 */
function ended(pack, found, replay, verdict) {
  if (replay.whole && replay.table !== null) {
    const opening = { stacks: replay.opening };
    verdict.compare("opening/differs", null, "opening", opening, pack.opening);
    const closing = {
      stacks: replay.stacks(),
      accounts: replay.money.accounts(),
      roads: roads(replay.table.results),
    };
    verdict.compare("closing/differs", null, "closing", closing, pack.closing);
    const rounds = [...replay.rounds.values()].filter(({ end }) => end > 0).length;
    verdict.check("rounds", { rounds });
    if (replay.proof.cards > 0) verdict.check("cards", { cards: replay.proof.cards });
    else if (replay.rounds.size > 0) verdict.remark("uncommitted");
    if (replay.remedies > 0) verdict.remark("remedies");
  }
  signed(pack, found, replay, verdict);
}

/**
 * Whether every round that is over is under a signed head, and each head where it says.
 * @param {any} pack @param {any} found @param {Replay} replay @param {Verdict} verdict
 */
function signed(pack, { before, entries }, replay, verdict) {
  const counts = pack.heads.map((/** @type {any} */ one) => one.count);
  const covered =
    counts.length === 0
      ? before.count
      : counts.reduce((/** @type {any} */ most, /** @type {any} */ one) =>
          one > most ? one : most,
        );
  const opened = [...replay.rounds.values()]
    .map(({ begin }) => begin)
    .sort((one, other) => one - other);
  for (const [name, { end }] of replay.rounds) {
    if (end > covered) {
      verdict.find("head/none", end, { round: name });
      break;
    }
  }
  for (const { occasion, name, count } of pack.heads) {
    if (occasion !== "round" || !replay.whole) continue;
    const { begin, end } = replay.rounds.get(name) ?? { begin: 0, end: 0 };
    const following = opened.find((other) => other > begin);
    const within = count > begin && (following === undefined || count < following);
    if (end === 0 || !within) verdict.find("head/name", count, { round: name });
  }
  const last = entries.at(-1)?.number ?? before.count;
  if (covered < last) verdict.remark("uncovered", { first: BigInt(covered) + 1n, last });
}
