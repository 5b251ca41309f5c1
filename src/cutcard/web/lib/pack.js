/**
 * Verifying a dispute pack: everything worked out again, without the server that wrote it.
 *
 *     canonical bytes → chain → signed heads, anchors → rulebook → each event by the rules
 *     → cards by the committed shoe → entries, balances → roads
 *
 * Every layer is looked at even if another has failed, because a pack that was changed by hand
 * breaks in one place and a forged one in another. Findings have the codes of `cutcard verify`.
 */

import { Verdict } from "./finding.js";
import { verifyRound, verifyTable } from "./logs.js";
import { readPack, Unpacked } from "./reading.js";
import { verifyCardPack, verifyShoePack } from "./shoes.js";

/**
 * @typedef {{keys?: Uint8Array[], anchors?: import("./anchor.js").Anchor[],
 *   commitments?: Uint8Array[], seeds?: Uint8Array[], books?: Uint8Array[]}} Known
 *   what whoever verifies has from elsewhere than the pack; `seeds` are their own, or the seals
 * @typedef {Required<Known>} Held
 */

/** @type {Record<string, (pack: any, verdict: Verdict, known: Held) => void | Promise<void>>} */
const VERIFY = {
  card: verifyCardPack,
  shoe: verifyShoePack,
  round: verifyRound,
  table: verifyTable,
};

/**
 * What was checked in a pack, what is wrong, and what it cannot show by itself.
 * @param {Uint8Array} bytes @param {Known} [known] @returns {Promise<Verdict>}
 */
export async function verifyPack(bytes, known = {}) {
  const verdict = new Verdict();
  const held = { keys: [], anchors: [], commitments: [], seeds: [], books: [], ...known };
  try {
    const pack = readPack(bytes);
    verdict.pack = pack;
    await VERIFY[pack.kind](pack, verdict, held);
    const alone = pack.kind === "card" || pack.kind === "shoe";
    if (alone && held.keys.length + held.anchors.length > 0) verdict.remark("unused");
  } catch (problem) {
    // Any bytes in, one verdict out: whoever made the file must not choose a crash instead.
    if (problem instanceof Unpacked) verdict.find(problem.code, null, problem.details);
    else verdict.find("pack/failed", null, { why: problem instanceof Error ? problem.name : "?" });
  }
  return verdict;
}
