// @ts-check
/**
 * <road-map kind="big">: a road from the server's own data, one path for each colour, so that a
 * lobby of many tables is drawn in a blink. Six rows fill its height, and as many columns as its
 * width holds. Letters and shapes say what colours say.
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

const watcher = new ResizeObserver((seen) => seen.forEach((one) => /** @type {RoadMap} */ (one.target).draw()));

export class RoadMap extends HTMLElement {
  /** @type {Cell[]} */ all = [];

  connectedCallback() {
    watcher.observe(this);
  }

  disconnectedCallback() {
    watcher.unobserve(this);
  }

  /** @param {Cell[]} all */
  set cells(all) {
    this.all = all;
    this.draw();
  }

  draw() {
    const all = this.all, kind = this.getAttribute("kind") ?? "big";
    if (this.clientHeight === 0) return;
    const wide = Math.max(6, this.clientWidth / this.clientHeight * 6), columns = Math.floor(wide);
    const key = `${columns}${JSON.stringify(all)}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const shift = Math.max(0, Math.max(-1, ...all.map((one) => one.x)) + 2 - columns);
    /** @type {Record<string, string>} */ const paths = { B: "", P: "", T: "", R: "" };
    let text = "";
    // What is blue also has a mark in its middle, for those who do not see colours.
    const blue = kind === "bead" || kind === "big" ? "P" : "B";
    let dots = "";
    for (const one of all) {
      const x = one.x - shift, y = one.y;
      if (x < 0) continue;
      if (kind === "bead") {
        paths[one.side] += ring(x, y, 0.42);
        text += `<text x="${x + 0.5}" y="${y + 0.7}">${one.side}</text>`;
      } else if (kind === "cockroach") paths[one.side] += slash(x, y);
      else if (one.side !== "T") paths[one.side] += ring(x, y, kind === "small" ? 0.38 : 0.36);
      if (one.side === blue && kind !== "bead") dots += ring(x, y, kind === "cockroach" ? 0.16 : 0.11);
      if (one.ties && kind === "big") {
        paths.T += slash(x, y);
        if (one.ties > 1) text += `<text class="n" x="${x + 0.5}" y="${y + 0.68}">${one.ties}</text>`;
      }
    }
    const last = all.at(-1);
    const grid = Array.from({ length: columns + 2 }, (_, one) => `M${one} 0V6`).join("")
      + Array.from({ length: 7 }, (_, one) => `M0 ${one}H${columns + 1}`).join("");
    // In the lower roads red is regular and blue is not, whoever won.
    const derived = kind !== "bead" && kind !== "big";
    this.innerHTML = `<svg viewBox="-.06 -.06 ${(wide * 1.02).toFixed(2)} 6.12" class="${kind}" aria-hidden="true">
<path class="grid" d="${grid}"/><path class="B" d="${derived ? paths.R : paths.B}"/>
<path class="P" d="${derived ? paths.B : paths.P}"/><path class="dot" d="${dots}"/><path class="T" d="${paths.T}"/>${text}${last
  ? `<rect class="new" x="${last.x - shift + 0.04}" y="${last.y + 0.04}" width=".92" height=".92" rx=".16"/>` : ""}</svg>`;
  }
}
customElements.define("road-map", RoadMap);
