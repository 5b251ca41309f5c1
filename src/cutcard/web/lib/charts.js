// @ts-check
/** Charts as SVG, drawn by hand. Each takes the width it has and says in text what it shows. */

/** @typedef {{label: string, value: number, figure: string, kind?: string}} Bar */

const ESCAPES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });
const plain = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (one) => ESCAPES[one]);
const minus = (/** @type {string} */ words) => words.replace(/^-/, "−");
export const at = (/** @type {number} */ value) => value.toFixed(1);

/** @param {string} title @param {number} width @param {number} height @param {string} body */
export const sheet = (title, width, height, body) =>
  `<svg viewBox="0 0 ${at(width)} ${at(height)}" width="${at(width)}" height="${at(height)}" role="img" aria-label="${plain(title)}">${body}</svg>`;

export const text = (/** @type {string} */ words, /** @type {number} */ x, /** @type {number} */ y, name = "") =>
  `<text class="${name}" x="${at(x)}" y="${at(y)}">${plain(minus(words))}</text>`;

/** A round step for an axis of about so many marks. @param {number} span @param {number} marks */
export function step(span, marks) {
  const rough = span / marks || 1, power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10);
}

/** Horizontal bars from a common zero. @param {string} title @param {Bar[]} rows @param {number} width */
export function bars(title, rows, width) {
  const label = Math.min(150, width * 0.36), room = width - label - 92, high = 30;
  const most = Math.max(0, ...rows.map((one) => one.value)), least = Math.min(0, ...rows.map((one) => one.value));
  const across = (/** @type {number} */ value) => label + ((value - least) / (most - least || 1)) * room;
  const marks = [];
  for (let value = 0, by = step(most - least, 4); value <= most; value += by) {
    marks.push(`<line class="grid" x1="${at(across(value))}" x2="${at(across(value))}" y1="0" y2="${rows.length * high}"/>`);
  }
  const drawn = rows.map((one, place) => {
    const y = place * high, from = Math.min(across(0), across(one.value)), wide = Math.abs(across(one.value) - across(0));
    return `${text(one.label, label - 10, y + 20, "label")}<rect class="bar ${one.kind ?? ""}" x="${at(from)}" y="${y + 6}" width="${at(Math.max(1, wide))}" height="18" rx="3"/>`
      + text(one.figure, Math.max(across(0), across(one.value)) + 8, y + 20, "figure");
  });
  return sheet(title, width, rows.length * high + 4, marks.join("") + drawn.join(""));
}

/** One bar a row, divided into shares. @param {string} title @param {number} width
 * @param {{label: string, parts: {kind: string, value: number, figure: string}[]}[]} rows */
export function shares(title, rows, width) {
  const label = Math.min(150, width * 0.36), room = width - label - 2, high = 30;
  const drawn = rows.map((row, place) => {
    let x = label;
    return text(row.label, label - 10, place * high + 20, "label") + row.parts.map((one) => {
      const wide = one.value * room, from = x;
      x += wide;
      return `<rect class="part ${one.kind}" x="${at(from)}" y="${place * high + 5}" width="${at(wide)}" height="20"/>`
        + (wide > 52 ? text(`${one.figure}%`, from + wide / 2, place * high + 20, `in ${one.kind}`) : "");
    }).join("");
  });
  return sheet(title, width, rows.length * high + 4, drawn.join(""));
}

/** Upright bars around a zero line. @param {string} title @param {Bar[]} rows @param {number} width */
export function columns(title, rows, width, height = 250) {
  const most = Math.max(0, ...rows.map((one) => one.value)), least = Math.min(0, ...rows.map((one) => one.value));
  const pitch = width / Math.max(1, rows.length), wide = Math.min(64, pitch * 0.66), small = pitch < 46;
  const room = small ? 44 : 20, top = most > 0 ? room : 6, bottom = height - (least < 0 ? 26 + room : 28), span = most - least || 1;
  const down = (/** @type {number} */ value) => top + ((most - value) / span) * (bottom - top);
  const drawn = rows.map((one, place) => {
    const middle = (place + 0.5) * pitch, y = Math.min(down(one.value), down(0)), tall = Math.abs(down(one.value) - down(0));
    const above = one.value >= 0;
    const figure = small
      ? `<text class="figure upright" transform="translate(${at(middle + 4)} ${at(above ? y - 5 : y + tall + 5)}) rotate(-90)" text-anchor="${above ? "start" : "end"}">${plain(minus(one.figure))}</text>`
      : text(one.figure, middle, above ? y - 6 : y + tall + 15, "figure mid");
    return `<rect class="bar ${one.kind ?? ""}" x="${at(middle - wide / 2)}" y="${at(y)}" width="${at(wide)}" height="${at(Math.max(1, tall))}" rx="3"/>${figure}${text(one.label, middle, height - 6, "rank")}`;
  });
  return sheet(title, width, height, `<line class="axis" x1="0" x2="${at(width)}" y1="${at(down(0))}" y2="${at(down(0))}"/>${drawn.join("")}`);
}

/** A square of shares, Banker down and Player across. @param {string} title @param {{value: number, said: string}[][]} grid
 * @param {{across: string, down: string}} names @param {number} width */
export function heat(title, grid, names, width) {
  const left = 44, top = 46, size = Math.min(46, (width - left) / 10), most = Math.max(...grid.flat().map((one) => one.value));
  let body = text(names.across, left + size * 5, 14, "axis-name") + `<text class="axis-name" transform="translate(12 ${at(top + size * 5)}) rotate(-90)">${plain(names.down)}</text>`;
  for (let one = 0; one < 10; one += 1) body += text(String(one), left + (one + 0.5) * size, top - 8, "rank") + text(String(one), left - 12, top + (one + 0.5) * size + 5, "rank");
  grid.forEach((row, across) => row.forEach((one, down) => {
    const who = across === down ? "tie" : across > down ? "player" : "banker";
    const level = Math.sqrt(one.value / most);
    body += `<g class="cell"><title>${plain(one.said)}</title><rect class="heat ${who}" x="${at(left + across * size + 1)}" y="${at(top + down * size + 1)}" width="${at(size - 2)}" height="${at(size - 2)}" rx="4" fill-opacity="${(0.1 + 0.9 * level).toFixed(3)}"/>`
      + (size > 34 ? text((one.value * 100).toFixed(1), left + (across + 0.5) * size, top + (down + 0.5) * size + 4, "tiny") : "") + "</g>";
  }));
  return sheet(title, left + size * 10 + 2, top + size * 10 + 2, body);
}

/** Dice that fall the same way every time. @param {number} seed */
function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Bankrolls over many rounds, around their expectation. @param {string} title @param {{net: number, share: number}[]} ways
 * @param {{players: number, rounds: number, mean: number, deviation: number}} of @param {number} width */
export function walk(title, ways, { players, rounds, mean, deviation }, width, height = 380) {
  const roll = dice(20 * rounds + players), every = Math.max(1, Math.ceil(rounds / Math.min(300, width / 2)));
  /** @type {number[]} */ const limits = [];
  let sum = 0;
  for (const one of ways) limits.push(sum += one.share);
  const band = 2 * deviation * Math.sqrt(rounds);
  /** @type {number[][]} */ const lines = [];
  let most = mean * rounds + band, least = mean * rounds - band;
  for (let player = 0; player < players; player += 1) {
    const line = [0];
    let now = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const fell = roll();
      let way = limits.findIndex((one) => fell < one);
      if (way < 0) way = ways.length - 1;
      now += ways[way].net;
      if (round % every === 0) line.push(now);
    }
    lines.push(line);
    most = Math.max(most, ...line);
    least = Math.min(least, ...line);
  }
  const left = 46, bottom = height - 28, top = 10;
  const x = (/** @type {number} */ round) => left + (round / rounds) * (width - left - 22);
  const y = (/** @type {number} */ value) => top + ((most - value) / (most - least || 1)) * (bottom - top);
  let axis = "";
  const by = step(most - least, 6);
  for (let value = Math.ceil(least / by) * by; value <= most; value += by) {
    axis += `<line class="grid${Math.abs(value) < by / 2 ? " zero" : ""}" x1="${left}" x2="${at(width - 22)}" y1="${at(y(value))}" y2="${at(y(value))}"/>${text(String(Math.round(value * 10) / 10), left - 8, y(value) + 4, "label")}`;
  }
  for (let part = 0; part <= rounds; part += rounds / (width < 480 ? 3 : 6)) axis += `<line class="grid" x1="${at(x(part))}" x2="${at(x(part))}" y1="${top}" y2="${bottom}"/>${text(String(Math.round(part)), x(part), height - 8, "rank")}`;
  const edge = (/** @type {number} */ sign) => Array.from({ length: 61 }, (_, one) => one / 60 * rounds)
    .map((round) => `${at(x(round))} ${at(y(mean * round + sign * 2 * deviation * Math.sqrt(round)))}`);
  const cone = `M${edge(1).join("L")}L${edge(-1).toReversed().join("L")}Z`;
  const paths = lines.map((line) => `<path class="one" d="M${line.map((value, place) => `${at(x(place * every))} ${at(y(value))}`).join("L")}"/>`).join("");
  return sheet(title, width, height, `${axis}<path class="band" d="${cone}"/>${paths}<line class="mean" x1="${at(x(0))}" y1="${at(y(0))}" x2="${at(x(rounds))}" y2="${at(y(mean * rounds))}"/>`);
}
