// @ts-check
/**
 * <playing-card code="7h" up>: faces drawn here, from the outlines in cards.svg and a pip table.
 *
 * A card that lies face down has no code: what is not there cannot be read.
 */

/** @type {Record<string, string>} */
const INK = { s: '#14181f', c: '#14181f', h: '#c3122b', d: '#c3122b' };
const L = -54, R = 54;
/** @type {Record<string, number[][]>} */
const PIPS = { // x, y from the middle; a pip below the middle is upside down
  A: [[0, 0]], 2: [[0, -104], [0, 104]], 3: [[0, -104], [0, 0], [0, 104]],
  4: [[L, -104], [R, -104], [L, 104], [R, 104]], 5: [[L, -104], [R, -104], [0, 0], [L, 104], [R, 104]],
  6: [[L, -104], [R, -104], [L, 0], [R, 0], [L, 104], [R, 104]], 7: [[L, -104], [R, -104], [0, -52], [L, 0], [R, 0], [L, 104], [R, 104]],
  8: [[L, -104], [R, -104], [0, -52], [L, 0], [R, 0], [0, 52], [L, 104], [R, 104]],
  9: [[L, -104], [R, -104], [L, -35], [R, -35], [0, 0], [L, 35], [R, 35], [L, 104], [R, 104]],
  T: [[L, -104], [R, -104], [0, -70], [L, -35], [R, -35], [L, 35], [R, 35], [0, 70], [L, 104], [R, 104]],
};
const COURTS = "JQK";
/** An outline of cards.svg: a suit in its middle, or a crest that stands on y = 0. @param {string} id @param {string} [how] */
const outline = (id, how = "") => `<use href="/cards.svg#${id}" ${how}/>`;
const pip = (/** @type {string} */ s, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ k) => outline(s, `transform="translate(${x} ${y}) scale(${k}${y > 0 ? ' -' + k : ''})"`);
const twice = (/** @type {string} */ s) => `<g>${s}</g><g transform="rotate(180)">${s}</g>`;

/** The face of a card as SVG text. @param {string} code such as "As", "Td", "Kh" */
export function face(code) {
  const [rank, suit] = code, ink = INK[suit], label = rank === 'T' ? '10' : rank;
  const index = `<text x="-103" y="-128" class="ix" ${label === '10' ? 'textLength="38" lengthAdjust="spacingAndGlyphs"' : ''}>${label}</text>${outline(suit, 'transform="translate(-103 -102) scale(.56)"')}`;
  const body = COURTS.includes(rank) ? `<rect x="-74" y="-138" width="148" height="276" rx="8" fill="url(#court-${ink === INK.s ? 'k' : 'r'})" stroke="#b08d3c" stroke-width="2.5"/>
    <rect x="-67" y="-131" width="134" height="262" rx="5" fill="none" stroke="#b08d3c" stroke-width=".8"/>
    ${twice(`<g stroke="#b08d3c" stroke-width=".7" opacity=".75">${Array.from({ length: 15 }, (_, i) => { const a = Math.PI * (i + .5) / 15; return `<path d="M0-4L${(-Math.cos(a) * 67).toFixed(1)} ${Math.max(-131, -Math.sin(a) * 400).toFixed(1)}"/>`; }).join('')}</g>
      <circle cy="-64" r="47" fill="#fffdf6" stroke="#b08d3c" stroke-width="2"/><g transform="translate(0 -42) scale(.72)" fill="#d2a53b" stroke="#7d5c14" stroke-width="2" stroke-linejoin="round">${outline(rank)}</g>
      ${outline(suit, 'transform="translate(-50 -114) scale(.42)"')}`)}
    <rect x="-67" y="-13" width="134" height="26" fill="${ink}"/><path d="M-67-13H67M-67 13H67" stroke="#d9b659" stroke-width="2.5"/>
    ${[-44, -22, 0, 22, 44].map(x => outline(suit, `fill="#f0d68a" transform="translate(${x} 0) scale(.26)"`)).join('')}`
    : PIPS[rank].map(([x, y]) => pip(suit, x, y, rank === 'A' ? 1.9 : .92)).join('') + (rank === 'A' ? `<circle r="88" fill="none" stroke="#b08d3c" stroke-width="1.2"/><circle r="93" fill="none" stroke="#b08d3c" stroke-width=".5" stroke-dasharray="2 4"/>` : '');
  return `<svg viewBox="-125 -175 250 350" aria-hidden="true"><defs>
    <linearGradient id="court-k" x2="1" y2="1"><stop stop-color="#dfe6f2"/><stop offset="1" stop-color="#b9c7de"/></linearGradient>
    <linearGradient id="court-r" x2="1" y2="1"><stop stop-color="#f8e3d6"/><stop offset="1" stop-color="#ecc1b0"/></linearGradient></defs>
    <g fill="${ink}">${body}${twice(index)}</g></svg>`;
}

export class PlayingCard extends HTMLElement {
  static observedAttributes = ["code", "up", "label"];

  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("role", "img");
    this.innerHTML = `<div class="shade"></div><div class="inner"><div class="side back"></div><div class="side front"></div></div>`;
    this.draw();
  }

  attributeChangedCallback() {
    if (this.isConnected && this.firstChild) this.draw();
  }

  draw() {
    const code = this.getAttribute("code") ?? "";
    if (this.code !== code) {
      this.code = code;
      /** @type {Element} */ (this.querySelector(".front")).innerHTML = code === "" ? "" : face(code);
    }
    this.setAttribute("aria-label", this.getAttribute("label") ?? code);
  }
}
customElements.define("playing-card", PlayingCard);
