// @ts-check
/** Chips: one drawing, seen from above in the rack, or at a slant in stacks on the felt. Their shades are in table.html. */

/** @typedef {{value: number, colour: string, ink: string}} Chip */

const COLOURS = [
  ["#b3202c", "#f6d7d2"], ["#1d7a4c", "#d8f0de"], ["#20242c", "#e9dfc0"],
  ["#5b2c83", "#e7d8f5"], ["#c98a12", "#fff3cf"], ["#8a3b1e", "#fbe0cc"],
];
export const LADDER = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000];
const TALLEST = 12;

/**
 * Six chips for a table: from its least bet upwards, in minor units, each a multiple of the step.
 * @param {number} least @param {number} most @param {number} unit minor units of one @returns {Chip[]}
 */
export function chipsFor(least, most, unit) {
  const all = LADDER.map((one) => one * unit).filter((one) => one <= most);
  const start = Math.max(0, all.findIndex((one) => one >= least / 2));
  const rest = all.slice(start);
  const skip = Math.max(1, Math.floor((rest.length - 1) / 5));
  const chosen = rest.filter((_, place) => place % skip === 0).slice(0, 6);
  return chosen.map((value, place) => ({ value, colour: COLOURS[place][0], ink: COLOURS[place][1] }));
}

/** A chip's own label. @param {number} value @param {number} unit */
export function short(value, unit) {
  const whole = value / unit;
  if (whole >= 1_000_000) return `${whole / 1_000_000}M`;
  return whole >= 1000 ? `${whole / 1000}K` : String(whole);
}

/** @param {Chip} chip @param {string} label */
function disc({ colour, ink }, label) {
  const size = label.length > 3 ? 15 : label.length > 2 ? 18 : 21;
  return `<circle r="40" fill="${colour}"/>
<circle r="35.5" fill="none" stroke="${ink}" stroke-width="9" stroke-dasharray="13.94 13.94" stroke-dashoffset="7"/>
<circle r="40" fill="none" stroke="#0006" stroke-width="1.2"/><circle r="30" fill="${colour}" stroke="${ink}" stroke-width="1"/>
<circle r="26" fill="none" stroke="${ink}" stroke-width="1.4" stroke-dasharray="1.5 3.9"/><circle r="22" fill="url(#chip-mid)"/>
<text text-anchor="middle" y="${size / 3}" fill="#1b1b1b" font-size="${size}" font-weight="800">${label}</text>
<circle r="40" fill="url(#chip-lit)"/>`;
}

/** One chip from above. @param {Chip} chip @param {number} unit */
export function fromAbove(chip, unit) {
  return `<svg viewBox="-42 -42 84 84" aria-hidden="true">${disc(chip, short(chip.value, unit))}</svg>`;
}

/** Few chips that make an amount, the largest at the bottom. @param {number} amount @param {Chip[]} chips */
export function change(amount, chips) {
  /** @type {Chip[]} */ const stack = [];
  for (const chip of chips.toReversed()) {
    while (amount >= chip.value && stack.length < TALLEST) {
      stack.push(chip);
      amount -= chip.value;
    }
  }
  return stack.length ? stack : chips.slice(0, 1);
}

/** A stack at a slant. @param {number} amount @param {Chip[]} chips @param {number} unit */
export function stack(amount, chips, unit) {
  const thick = 9, slant = 0.74, radius = 40, low = radius * slant;
  const list = change(amount, chips), top = -(list.length - 1) * thick;
  const at = (/** @type {number} */ degrees) =>
    [radius * Math.cos(degrees * Math.PI / 180), low * Math.sin(degrees * Math.PI / 180)].map((one) => one.toFixed(1));
  const rim = `M-${radius} 0A${radius} ${low} 0 0 0 ${radius} 0V${thick}A${radius} ${low} 0 0 1-${radius} ${thick}Z`;
  const edge = (/** @type {Chip} */ chip) => `<path d="${rim}" fill="${chip.colour}"/>`
    + [18, 72, 126].map((one) => {
      const [x1, y1] = at(one), [x2, y2] = at(one + 36);
      return `<path d="M${x1} ${y1}A${radius} ${low} 0 0 1 ${x2} ${y2}v${thick}A${radius} ${low} 0 0 0 ${x1} ${Number(y1) + thick}Z" fill="${chip.ink}"/>`;
    }).join("") + `<path d="${rim}" fill="url(#edge-lit)" stroke="#0005" stroke-width=".8"/>`;
  const body = list.map((chip, place) => {
    const last = place === list.length - 1;
    const face = last ? `<g transform="scale(1 ${slant})">${disc(chip, short(chip.value, unit))}</g>`
      : `<ellipse rx="${radius}" ry="${low}" fill="${chip.colour}"/>`;
    return `<g transform="translate(${[0, 1.2, -0.8, 0.6][place % 4]} ${-place * thick})">${edge(chip)}${face}</g>`;
  }).join("");
  return `<svg viewBox="-50 ${top - 36} 100 ${-top + 92}" aria-hidden="true">
<ellipse cx="6" cy="${thick + 5}" rx="${radius + 3}" ry="${low + 2}" fill="#000" opacity=".3"/>${body}</svg>`;
}
