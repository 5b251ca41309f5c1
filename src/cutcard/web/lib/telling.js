// @ts-check
/** What a table's state is called, what may be bet there, and how its hands stand. */

import { t } from "./language.js";

/** @typedef {{kind: string, scope: string, spots: string[], amount: number, clause: string}} Limit */

export const ENDED = ["result", "settled"];

/** The points of a hand, or null while a card lies face down. @param {(string | null)[]} cards */
export function points(cards) {
  if (!cards.every(Boolean)) return null;
  return cards.reduce((sum, card) => sum + (card?.[0] === "A" ? 1 : Number(card?.[0]) || 0), 0) % 10;
}

/** The state of a table in words. @param {any} table as the lobby or the live connection shows it */
export function stateOf(table) {
  if (!table) return t("stale");
  if (!table.open) return t("state.shut");
  if (table.wrong) return t("state.wrong");
  if (table.winner && ENDED.includes(table.phase)) {
    return table.winner === "tie" ? t("is_tie") : t("wins", { side: t(table.winner) });
  }
  if (table.phase === "dealing" && table.next_side && table.player?.length + table.banker?.length >= 4) {
    return t("draws", { side: t(table.next_side) });
  }
  return t(`state.${table.phase}`);
}

/** When a table closes, once that was announced; nothing before. @param {any} table */
export function closingOf(table) {
  if (!table?.open || !table.closing_after) return "";
  const left = table.closing_after - table.rounds;
  return left > 0 ? t("state.closing", { n: left }) : t("state.closing.now");
}

/** Why a round is void: in the page's words where the house itself gave the reason. @param {string | null | undefined} reason */
export function why(reason) {
  const said = t(`reason.${reason}`);
  return said.startsWith("reason.") ? reason ?? "" : said;
}

/** The least and the most on Player and Banker, and the difference between them. @param {Limit[]} limits */
export function limitsOf(limits) {
  const of = (/** @type {string} */ kind) => limits.filter((one) => one.kind === kind && one.scope !== "table"
    && (one.spots.includes("banker") || one.spots.includes("player"))).map((one) => one.amount);
  const least = of("minimum"), most = of("maximum"), gap = of("differential");
  return {
    least: least.length ? Math.min(...least) : null,
    most: most.length ? Math.max(...most) : null,
    gap: gap.length ? Math.max(...gap) : null,
  };
}
