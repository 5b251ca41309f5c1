// @ts-check
/** How a table among others is shown: the colour of its state, and the letters of its shoe. */

import { ENDED } from "./telling.js";

/** How a state is to be coloured: open for bets, under way, over, or away. @param {any} table */
export function moodOf(table) {
  if (!table || !table.open) return "shut";
  if (table.wrong || table.phase === "void") return "odd";
  if (table.phase === "betting") return "bets";
  return ENDED.includes(table.phase) ? "over" : table.phase === "idle" ? "idle" : "play";
}

/** The letters of a shoe from the columns of its bead plate. @param {string[]} rows */
export function lettersOf(rows) {
  let letters = "";
  for (let x = 0; x < (rows[0]?.length ?? 0); x += 1) {
    for (const row of rows) if (row[x] && row[x] !== ".") letters += row[x];
  }
  return letters;
}
