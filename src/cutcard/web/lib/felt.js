// @ts-check
/** The felt: a book's spots as sectors of a ring, as on a real layout. */

/** @typedef {{id: string, inner: number, outer: number, from: number, to: number, main: boolean}} Zone */

const OUTER = 1600;
const CENTRE = { x: 600, y: 420 - OUTER };
export const WIDTH = 1200;
const HALF = 0.345;
const GAP = 0.0062;

const SIDES = ["player_pair", "player_natural", "lucky_six", "banker_natural", "banker_pair"];
const TOTALS = ["winning_total_1_4", "winning_total_5_6", "winning_total_7", "winning_total_8", "winning_total_9"];
const ANTES = ["ante_player", "wager_player", "wager_banker", "ante_banker"];
const MAIN = ["player", "tie", "banker"];

/** The rows of a narrow screen: what belongs together, each big enough to tap. @param {string[]} spots */
export function flatRows(spots) {
  const known = [TOTALS, SIDES, MAIN, ANTES];
  const others = spots.filter((one) => !known.flat().includes(one));
  return [others, ...known.map((names) => names.filter((one) => spots.includes(one)))].filter((row) => row.length > 0);
}

/** The rows of a book's layout, from the dealer down. @param {string[]} spots */
export function rows(spots) {
  const has = (/** @type {string[]} */ names) => names.filter((one) => spots.includes(one));
  const sides = has(SIDES), main = has(MAIN);
  const found = [];
  if (has(TOTALS).length) found.push(has(TOTALS));
  if (sides.length > 2) {
    found.push(sides, main);
  } else {
    found.push([...has(["player_pair"]), ...main, ...has(["banker_pair"])]);
  }
  if (has(ANTES).length) found.push(has(ANTES));
  const known = new Set(found.flat());
  const others = spots.filter((one) => !known.has(one));
  if (others.length) found.unshift(others);
  return found;
}

const WEIGHT = (/** @type {string} */ id) => (id === "player" || id === "banker" ? 1.4 : id === "tie" ? 1.1 : 1);

/** Every zone of a book. @param {string[]} spots @returns {{zones: Zone[], height: number, rows: number}} */
export function zonesOf(spots) {
  const all = rows(spots);
  const high = [165, 165, 102, 71][Math.min(3, all.length)];
  const first = OUTER - all.length * high - (all.length - 1) * 8;
  /** @type {Zone[]} */ const zones = [];
  all.forEach((row, place) => {
    const inner = first + place * (high + 8), outer = inner + high;
    const total = row.reduce((sum, id) => sum + WEIGHT(id), 0);
    let at = -HALF;
    for (const id of row) {
      const width = (2 * HALF - GAP * (row.length - 1)) * WEIGHT(id) / total;
      zones.push({ id, inner, outer, from: at, to: at + width, main: MAIN.includes(id) });
      at += width + GAP;
    }
  });
  return { zones, height: 440, rows: all.length };
}

/** @param {number} radius @param {number} angle */
export function point(radius, angle) {
  return { x: CENTRE.x + radius * Math.sin(angle), y: CENTRE.y + radius * Math.cos(angle) };
}

const told = (/** @type {number} */ radius, /** @type {number} */ angle) => {
  const { x, y } = point(radius, angle);
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
};

/** A zone's outline, smaller by an inset. @param {Zone} zone */
export function outline({ inner, outer, from, to }, inset = 0) {
  const low = inner + inset, high = outer - inset, turn = inset / (inner + outer) * 2, left = from + turn, right = to - turn;
  return `M${told(low, left)}A${low} ${low} 0 0 0 ${told(low, right)}L${told(high, right)}`
    + `A${high} ${high} 0 0 1 ${told(high, left)}Z`;
}

/** An arc for a line or a motto. @param {number} radius */
export function arc(radius = OUTER + 14, half = HALF + 0.01) {
  return `M${told(radius, -half)}A${radius} ${radius} 0 0 0 ${told(radius, half)}`;
}

/** Whether chips fit beside a zone's words. @param {Zone} zone */
export const isWide = ({ inner, outer, from, to }) => (to - from) * inner > 2.4 * (outer - inner);

/** A point of a zone and how words there are turned. @param {Zone} zone @param {number} [share] how far to the right */
export function middle({ inner, outer, from, to }, share = 0.5) {
  const angle = from + (to - from) * share;
  return { ...point((inner + outer) / 2, angle), tilt: -angle * 180 / Math.PI };
}
