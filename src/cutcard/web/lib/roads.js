/**
 * The roads: what a display shows of a shoe's results.
 *
 * A result is written as in the log, `B 4 7 bp`: Banker wins by 7 to 4, with a Banker pair.
 */

import { facts } from "./facts.js";

const ROWS = 6;

/** @param {import("./coup.js").Coup} coup @returns {string} */
export function resultOf(coup) {
  const truth = facts(coup);
  const letter = { player: "P", banker: "B", tie: "T" }[String(truth.winner)];
  const marks = [
    ["pp", truth.player_pair],
    ["bp", truth.banker_pair],
    ["pn", truth.player_natural],
    ["bn", truth.banker_natural],
  ].filter(([, there]) => there);
  return [letter, truth.player_points, truth.banker_points, ...marks.map(([mark]) => mark)].join(
    " ",
  );
}

/** @typedef {{col: number, row: number}} Cell */

/** @param {string[]} symbols @returns {string[][]} neighbours that are equal, together */
function runs(symbols) {
  /** @type {string[][]} */
  const found = [];
  for (const symbol of symbols) {
    const last = found.at(-1);
    if (last !== undefined && last[0] === symbol) last.push(symbol);
    else found.push([symbol]);
  }
  return found;
}

/**
 * The cell of each symbol: a streak runs down, then right as a dragon tail.
 * @param {string[]} symbols @returns {Cell[]}
 */
export function place(symbols) {
  const taken = new Set();
  /** @param {number} col @param {number} row */
  const isTaken = (col, row) => taken.has(`${col} ${row}`);
  /** @type {Cell[]} */
  const cells = [];
  let top = 0;
  for (const streak of runs(symbols)) {
    while (isTaken(top, 0)) top += 1;
    let [col, row, turned] = [top, 0, false];
    for (const _ of streak) {
      taken.add(`${col} ${row}`);
      cells.push({ col, row });
      // Once turned, a streak keeps to its row, even past the end of the tail below it.
      turned ||= row + 1 === ROWS || isTaken(col, row + 1);
      if (turned) col += 1;
      else row += 1;
    }
  }
  return cells;
}

/** @param {Cell[]} cells @param {string[]} letters @returns {string[]} six rows, "." where empty */
function draw(cells, letters) {
  const width = cells.reduce((most, { col }) => Math.max(most, col + 1), 0);
  const grid = Array.from({ length: ROWS }, () => Array(width).fill("."));
  cells.forEach(({ col, row }, at) => {
    grid[row][col] = letters[at];
  });
  return grid.map((row) => row.join(""));
}

/**
 * The mark for a win that brings its column to a depth, if there is one: R regular, B not.
 * @param {number[]} left depths of the columns to the left @param {number} depth
 * @param {number} back how many columns the road looks back @returns {"R" | "B" | null}
 */
function mark(left, depth, back) {
  if (depth === 1) {
    if (left.length < back + 1) return null;
    return left.at(-1) === left.at(-1 - back) ? "R" : "B";
  }
  if (left.length < back) return null;
  // Going one deeper than the compared column breaks the pattern; going on does not.
  return depth === Number(left.at(-back)) + 1 ? "B" : "R";
}

/** @param {number[]} depths @param {number} back */
function derived(depths, back) {
  const marks = depths.flatMap((deepest, column) =>
    Array.from({ length: deepest }, (_, at) => mark(depths.slice(0, column), at + 1, back)),
  );
  const kept = marks.filter((one) => one !== null);
  return { marks: kept.join(""), grid: draw(place(kept), kept) };
}

/** @param {string[]} winners letters of wins only @param {string} next */
function answer(winners, next) {
  const depths = runs([...winners, next]).map((run) => run.length);
  const [left, depth] = [depths.slice(0, -1), depths[depths.length - 1]];
  return {
    big_eye: mark(left, depth, 1),
    small: mark(left, depth, 2),
    cockroach: mark(left, depth, 3),
  };
}

/** @param {string[]} letters every result's winner, ties too */
export function bigRoad(letters) {
  const wins = letters.filter((letter) => letter !== "T");
  /** @type {number[]} */
  const ties = [0];
  let rings = 0;
  for (const letter of letters) {
    if (letter !== "T") rings += 1;
    else {
      // Ties before the first win wait in its cell and stay with it.
      const at = Math.max(0, rings - 1);
      ties[at] = (ties[at] ?? 0) + 1;
    }
  }
  if (ties[0] > 0 && wins.length === 0) return [{ col: 0, row: 0, winner: null, ties: ties[0] }];
  return place(wins).map((cell, at) => ({ ...cell, winner: wins[at], ties: ties[at] ?? 0 }));
}

/** @param {string[]} results as in the log; only their first letters count */
export function roads(results) {
  const letters = results.map((result) => result[0]);
  const wins = letters.filter((letter) => letter !== "T");
  const depths = runs(wins).map((run) => run.length);
  const beads = letters.map((_, at) => ({ col: Math.floor(at / ROWS), row: at % ROWS }));
  return {
    bead: draw(beads, letters),
    big: bigRoad(letters),
    big_eye: derived(depths, 1),
    small: derived(depths, 2),
    cockroach: derived(depths, 3),
    ask: { banker: answer(wins, "B"), player: answer(wins, "P") },
  };
}
