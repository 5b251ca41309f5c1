// @ts-check
/**
 * <playing-card code="7h" up>: faces drawn here, from four suit outlines and a pip table.
 *
 * A card that lies face down has no code: what is not there cannot be read.
 */

/** @type {Record<string, string>} */
const SUIT = {
  s: 'M0-30C9-16 29-6 29 11C29 25 10 27 3 15C4 23 7 28 12 31H-12C-7 28-4 23-3 15C-10 27-29 25-29 11C-29-6-9-16 0-30Z',
  h: 'M0 30C-7 18-29 4-29-13C-29-31-6-32 0-14C6-32 29-31 29-13C29 4 7 18 0 30Z',
  d: 'M0-32C6-19 14-9 24 0C14 9 6 19 0 32C-6 19-14 9-24 0C-14-9-6-19 0-32Z',
  c: 'M0-31C11-31 17-19 10-8C22-13 30-4 28 6C26 18 10 20 3 9C4 20 7 27 12 31H-12C-7 27-4 20-3 9C-10 20-26 18-28 6C-30-4-22-13-10-8C-17-19-11-31 0-31Z',
};
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
/** @type {Record<string, string>} */
const CREST = { // heads of the court cards, drawn to stand on y = 0
  K: '<path d="M-42 0L-50-46L-26-24L-14-58L0-28L14-58L26-24L50-46L42 0Z"/><circle cx="-50" cy="-50" r="6"/><circle cx="-14" cy="-63" r="6"/><circle cx="14" cy="-63" r="6"/><circle cx="50" cy="-50" r="6"/><path d="M-5-74h10M0-82v18" stroke-width="4" fill="none"/><rect x="-43" y="3" width="86" height="9" rx="3"/>',
  Q: '<path d="M-40 0C-48-22-44-36-36-48C-30-34-22-28-16-24C-12-40-6-54 0-64C6-54 12-40 16-24C22-28 30-34 36-48C44-36 48-22 40 0Z"/><circle cx="-36" cy="-54" r="6"/><circle cx="0" cy="-71" r="7"/><circle cx="36" cy="-54" r="6"/><rect x="-41" y="3" width="82" height="9" rx="4"/>',
  J: '<path d="M-38 0C-38-30-24-42 0-46C24-42 38-30 38 0Z"/><path d="M22-36C40-52 52-76 40-86C30-78 22-60 14-40Z"/><circle cx="0" cy="-50" r="6"/><rect x="-41" y="3" width="82" height="9" rx="3"/>',
};
const pip = (/** @type {string} */ s, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ k) => `<path d="${SUIT[s]}" transform="translate(${x} ${y}) scale(${k}${y > 0 ? ' -' + k : ''})"/>`;
const twice = (/** @type {string} */ s) => `<g>${s}</g><g transform="rotate(180)">${s}</g>`;

/** The face of a card as SVG text. @param {string} code such as "As", "Td", "Kh" */
export function face(code) {
  const [rank, suit] = code, ink = INK[suit], label = rank === 'T' ? '10' : rank;
  const index = `<text x="-103" y="-128" class="ix" ${label === '10' ? 'textLength="38" lengthAdjust="spacingAndGlyphs"' : ''}>${label}</text><path d="${SUIT[suit]}" transform="translate(-103 -102) scale(.56)"/>`;
  const body = CREST[rank] ? `<rect x="-74" y="-138" width="148" height="276" rx="8" fill="url(#court-${ink === INK.s ? 'k' : 'r'})" stroke="#b08d3c" stroke-width="2.5"/>
    <rect x="-67" y="-131" width="134" height="262" rx="5" fill="none" stroke="#b08d3c" stroke-width=".8"/>
    ${twice(`<g stroke="#b08d3c" stroke-width=".7" opacity=".75">${Array.from({ length: 15 }, (_, i) => { const a = Math.PI * (i + .5) / 15; return `<path d="M0-4L${(-Math.cos(a) * 67).toFixed(1)} ${Math.max(-131, -Math.sin(a) * 400).toFixed(1)}"/>`; }).join('')}</g>
      <circle cy="-64" r="47" fill="#fffdf6" stroke="#b08d3c" stroke-width="2"/><g transform="translate(0 -42) scale(.72)" fill="#d2a53b" stroke="#7d5c14" stroke-width="2" stroke-linejoin="round">${CREST[rank]}</g>
      <path d="${SUIT[suit]}" transform="translate(-50 -114) scale(.42)"/>`)}
    <rect x="-67" y="-13" width="134" height="26" fill="${ink}"/><path d="M-67-13H67M-67 13H67" stroke="#d9b659" stroke-width="2.5"/>
    ${[-44, -22, 0, 22, 44].map(x => `<path d="${SUIT[suit]}" fill="#f0d68a" transform="translate(${x} 0) scale(.26)"/>`).join('')}`
    : PIPS[rank].map(([x, y]) => pip(suit, x, y, rank === 'A' ? 1.9 : .92)).join('') + (rank === 'A' ? `<circle r="88" fill="none" stroke="#b08d3c" stroke-width="1.2"/><circle r="93" fill="none" stroke="#b08d3c" stroke-width=".5" stroke-dasharray="2 4"/>` : '');
  return `<svg viewBox="-125 -175 250 350" aria-hidden="true"><defs>
    <linearGradient id="court-k" x2="1" y2="1"><stop stop-color="#dfe6f2"/><stop offset="1" stop-color="#b9c7de"/></linearGradient>
    <linearGradient id="court-r" x2="1" y2="1"><stop stop-color="#f8e3d6"/><stop offset="1" stop-color="#ecc1b0"/></linearGradient></defs>
    <g fill="${ink}">${body}${twice(index)}</g></svg>`;
}
const BACK = `<svg viewBox="-125 -175 250 350" aria-hidden="true"><defs><pattern id="lat" width="22" height="22" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M11 0a11 11 0 0 1 0 22a11 11 0 0 1 0-22M0 11h22M11 0v22" fill="none" stroke="#e8c872" stroke-width=".9" opacity=".75"/></pattern><radialGradient id="bk"><stop stop-color="#8d1230"/><stop offset="1" stop-color="#560a1e"/></radialGradient></defs>
  <rect x="-113" y="-163" width="226" height="326" rx="12" fill="url(#bk)"/><rect x="-113" y="-163" width="226" height="326" rx="12" fill="url(#lat)"/><rect x="-105" y="-155" width="210" height="310" rx="8" fill="none" stroke="#e8c872" stroke-width="2"/>
  <ellipse rx="52" ry="66" fill="#560a1e" stroke="#e8c872" stroke-width="2"/><ellipse rx="46" ry="60" fill="none" stroke="#e8c872" stroke-width=".8"/><path d="${SUIT.d}" fill="#e8c872" transform="scale(.9 1.15)"/></svg>`;

export class PlayingCard extends HTMLElement {
  static observedAttributes = ["code", "up", "label"];

  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("role", "img");
    this.innerHTML = `<div class="shade"></div><div class="inner"><div class="side back">${BACK}</div><div class="side front"></div></div>`;
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
