// @ts-check
/**
 * <road-map kind="big">: a road from the server's own data, one path for each colour, so that a
 * lobby of many tables is drawn in a blink. Six rows fill its height, and as many columns as its
 * width holds. Letters and shapes say what colours say.
 */

/** @typedef {{x: number, y: number, side: string, ties?: number, pair?: string}} Cell */

/** What a road is drawn of: six paths, then words, then the mark of what is new. */
const WORDS = 6, NEW = 7;
const WINNERS = { banker: "B", player: "P", tie: "T" };

/** @param {string[]} rows @returns {Cell[]} cells of a grid of letters, column by column */
function fromRows(rows) {
  /** @type {Cell[]} */ const cells = [];
  rows.forEach((row, y) => [...row].forEach((side, x) => {
    if (side !== ".") cells.push({ x, y, side });
  }));
  return cells.sort((one, other) => one.x - other.x || one.y - other.y);
}

/**
 * The cells of a road in the server's document.
 * @param {any} roads @param {string} kind @param {string} [pairs] of each round: B, P, 2 for both @returns {Cell[]}
 */
export function cells(roads, kind, pairs = "") {
  if (!roads) return [];
  if (kind === "bead") return fromRows(roads.bead).map((one, round) => ({ ...one, pair: pairs[round] }));
  if (kind === "big") {
    // A ring is a round that somebody won; a tie's pairs are on the bead plate alone.
    const won = pairs ? fromRows(roads.bead).map(({ side }, round) => (side === "T" ? "" : pairs[round])).filter(Boolean) : [];
    return roads.big.map((/** @type {any} */ one, /** @type {number} */ place) => ({
      x: one.col, y: one.row, ties: one.ties, pair: won[place],
      side: one.winner === null ? "T" : WINNERS[/** @type {keyof WINNERS} */ (one.winner)] ?? one.winner,
    }));
  }
  return fromRows(roads[kind].grid);
}

export const ring = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) =>
  `M${x + 0.5 - r} ${y + 0.5}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
export const slash = (/** @type {number} */ x, /** @type {number} */ y) => `M${x + 0.2} ${y + 0.8}L${x + 0.8} ${y + 0.2}`;

/**
 * What of a road never changes. @param {string} kind @param {number} columns @param {number} wide
 */
function blank(kind, columns, wide) {
  const grid = Array.from({ length: columns + 2 }, (_, one) => `M${one} 0V6`).join("")
    + Array.from({ length: 7 }, (_, one) => `M0 ${one}H${columns + 1}`).join("");
  return `<svg viewBox="-.06 -.06 ${(wide + 0.12).toFixed(2)} 6.12" class="${kind}" aria-hidden="true">
<path class="grid" d="${grid}"/><path class="B"/><path class="P"/><path class="dot"/><path class="T"/><path class="pair B"/><path class="pair P"/><g></g>
<rect class="new" width=".92" height=".92" rx=".16" visibility="hidden"/></svg>`;
}

const watcher = new ResizeObserver((seen) => seen.forEach((one) => /** @type {RoadMap} */ (one.target).draw()));

/** With `columns` it has so many; without, as many as its box has room for. */
export class RoadMap extends HTMLElement {
  static observedAttributes = ["letters"];

  /** @type {Cell[]} */ all = [];

  connectedCallback() {
    if (!this.hasAttribute("columns")) watcher.observe(this);
    this.draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.draw();
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
    const fixed = Number(this.getAttribute("columns") ?? 0);
    if (!fixed && this.clientHeight === 0) return;
    const wide = fixed || Math.max(6, this.clientWidth / this.clientHeight * 6), columns = Math.floor(wide);
    let most = -1;
    for (const one of all) if (one.x > most) most = one.x;
    const shift = Math.max(0, most + 2 - columns);
    /** @type {Record<string, string>} */ const paths = { B: "", P: "", T: "", R: "" };
    let text = "";
    // What is blue also has a mark in its middle, for those who do not see colours.
    const blue = kind === "bead" || kind === "big" ? "P" : "B";
    const letters = this.getAttribute("letters") || "BPT";
    let dots = "", banker = "", player = "";
    for (const one of all) {
      const x = one.x - shift, y = one.y;
      if (x < 0) continue;
      if (kind === "bead") {
        paths[one.side] += ring(x, y, 0.42);
        text += `<text x="${x + 0.5}" y="${y + 0.7}">${letters["BPT".indexOf(one.side)]}</text>`;
      } else if (kind === "cockroach") paths[one.side] += slash(x, y);
      else if (one.side !== "T") paths[one.side] += ring(x, y, kind === "small" ? 0.38 : 0.36);
      if (one.side === blue && kind !== "bead") dots += ring(x, y, kind === "cockroach" ? 0.16 : 0.11);
      if (one.pair === "B" || one.pair === "2") banker += ring(x - 0.33, y - 0.33, 0.13);
      if (one.pair === "P" || one.pair === "2") player += ring(x + 0.33, y + 0.33, 0.13);
      if (one.ties && kind === "big") {
        paths.T += slash(x, y);
        if (one.ties > 1) text += `<text class="n" x="${x + 0.5}" y="${y + 0.68}">${one.ties}</text>`;
      }
    }
    // In the lower roads red is regular and blue is not, whoever won.
    const derived = kind !== "bead" && kind !== "big";
    const last = all.at(-1);
    this.put(kind, columns, wide, [derived ? paths.R : paths.B, derived ? paths.B : paths.P, dots, paths.T, banker, player, text,
      last ? `${last.x - shift + 0.04} ${last.y + 0.04}` : ""]);
  }

  /**
   * Change only what differs.
   * @param {string} kind @param {number} columns @param {number} wide @param {string[]} now
   */
  put(kind, columns, wide, now) {
    const shape = `${kind} ${wide.toFixed(2)}`;
    if (this.shape !== shape) {
      this.shape = shape;
      this.innerHTML = blank(kind, columns, wide);
      this.was = now.map(() => "");
      this.parts = [...this.querySelectorAll("path:not(.grid), g, rect")];
    }
    const parts = /** @type {Element[]} */ (this.parts);
    now.forEach((value, place) => {
      if (value === this.was?.[place]) return;
      if (place < WORDS) parts[place].setAttribute("d", value);
      else if (place === WORDS) parts[WORDS].innerHTML = value;
      else {
        const [x, y] = value.split(" ");
        parts[NEW].setAttribute("visibility", value ? "visible" : "hidden");
        if (value) {
          parts[NEW].setAttribute("x", x);
          parts[NEW].setAttribute("y", y);
        }
      }
    });
    // The mark of what is new is made anew, so that it blinks again where it blinks at all.
    if (now[NEW] !== this.was?.[NEW]) parts[NEW].replaceWith(parts[NEW] = /** @type {Element} */ (parts[NEW].cloneNode()));
    this.was = now;
  }
}
customElements.define("road-map", RoadMap);
