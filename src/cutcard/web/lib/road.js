// @ts-check
/**
 * <road-map kind="big" columns="30">: a road from the server's own data, one path for each colour,
 * so that a lobby of many tables is drawn in a blink. Letters and shapes say what colours say.
 */

/** @typedef {{x: number, y: number, side: string, ties?: number, mark?: string}} Cell */

const WINNERS = { banker: "B", player: "P", tie: "T" };

/** @param {string[]} rows @returns {Cell[]} cells of a grid of letters, column by column */
function fromRows(rows) {
  /** @type {Cell[]} */ const cells = [];
  rows.forEach((row, y) => [...row].forEach((side, x) => {
    if (side !== ".") cells.push({ x, y, side });
  }));
  return cells.sort((one, other) => one.x - other.x || one.y - other.y);
}

/** The cells of a road in the server's document. @param {any} roads @param {string} kind @returns {Cell[]} */
export function cells(roads, kind) {
  if (!roads) return [];
  if (kind === "bead") return fromRows(roads.bead);
  if (kind === "big") {
    return roads.big.map((/** @type {any} */ one) => ({
      x: one.col, y: one.row, ties: one.ties,
      side: one.winner === null ? "T" : WINNERS[/** @type {keyof WINNERS} */ (one.winner)] ?? one.winner,
    }));
  }
  return fromRows(roads[kind].grid);
}

const ring = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) =>
  `M${x + 0.5 - r} ${y + 0.5}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const slash = (/** @type {number} */ x, /** @type {number} */ y) => `M${x + 0.2} ${y + 0.8}L${x + 0.8} ${y + 0.2}`;

/** @param {string} kind @param {number} columns what of a road never changes */
function blank(kind, columns) {
  const grid = Array.from({ length: columns + 1 }, (_, one) => `M${one} 0V6`).join("")
    + Array.from({ length: 7 }, (_, one) => `M0 ${one}H${columns}`).join("");
  return `<svg viewBox="-.06 -.06 ${columns + 0.12} 6.12" class="${kind}" aria-hidden="true">
<path class="grid" d="${grid}"/><path class="B"/><path class="P"/><path class="T"/><g></g>
<rect class="new" width=".92" height=".92" rx=".16" visibility="hidden"/></svg>`;
}

export class RoadMap extends HTMLElement {
  /** @param {Cell[]} all */
  set cells(all) {
    const kind = this.getAttribute("kind") ?? "big", columns = Number(this.getAttribute("columns") ?? 30);
    let most = -1;
    for (const one of all) if (one.x > most) most = one.x;
    const shift = Math.max(0, most + 2 - columns);
    /** @type {Record<string, string>} */ const paths = { B: "", P: "", T: "", R: "" };
    let text = "";
    for (const one of all) {
      const x = one.x - shift, y = one.y;
      if (x < 0) continue;
      if (kind === "bead") {
        paths[one.side] += ring(x, y, 0.42);
        text += `<text x="${x + 0.5}" y="${y + 0.7}">${one.side}</text>`;
      } else if (kind === "cockroach") paths[one.side] += slash(x, y);
      else if (one.side !== "T") paths[one.side] += ring(x, y, kind === "small" ? 0.38 : 0.36);
      if (one.ties && kind === "big") {
        paths.T += slash(x, y);
        if (one.ties > 1) text += `<text class="n" x="${x + 0.5}" y="${y + 0.68}">${one.ties}</text>`;
      }
    }
    // In the lower roads red is regular and blue is not, whoever won.
    const derived = kind !== "bead" && kind !== "big";
    const last = all.at(-1);
    this.put(kind, columns, [derived ? paths.R : paths.B, derived ? paths.B : paths.P, paths.T, text,
      last ? `${last.x - shift + 0.04} ${last.y + 0.04}` : ""]);
  }

  /** Change only what differs. @param {string} kind @param {number} columns @param {string[]} now */
  put(kind, columns, now) {
    if (this.shape !== `${kind} ${columns}`) {
      this.shape = `${kind} ${columns}`;
      this.innerHTML = blank(kind, columns);
      this.was = ["", "", "", "", ""];
      this.parts = [...this.querySelectorAll("path:not(.grid), g, rect")];
    }
    const parts = /** @type {Element[]} */ (this.parts);
    now.forEach((value, place) => {
      if (value === this.was?.[place]) return;
      if (place < 3) parts[place].setAttribute("d", value);
      else if (place === 3) parts[3].innerHTML = value;
      else {
        const [x, y] = value.split(" ");
        parts[4].setAttribute("visibility", value ? "visible" : "hidden");
        if (value) {
          parts[4].setAttribute("x", x);
          parts[4].setAttribute("y", y);
        }
      }
    });
    // The mark of what is new is made anew, so that it blinks again where it blinks at all.
    if (now[4] !== this.was?.[4]) parts[4].replaceWith(parts[4] = /** @type {Element} */ (parts[4].cloneNode()));
    this.was = now;
  }
}
customElements.define("road-map", RoadMap);
