// @ts-check
/** Charts of studies: bands over time, the shape of a distribution, figures with their errors. */

import { at, sheet, step, text } from "./charts.js";

/** @typedef {{title: string, note: string, bands: number[][], every: number, rounds: number, zero: number}} Panel */

/** @param {number} value */
const short = (value) => (Math.abs(value) >= 1000 ? `${Math.round(value).toLocaleString("en")}` : String(Math.round(value * 1000) / 1000));

/**
 * Percentiles over time, a panel each, all to one scale: bands from outside in, the middle a line.
 * @param {string} title @param {Panel[]} panels @param {number} width @param {(value: number) => string} [told]
 */
export function bands(title, panels, width, told = short) {
  const across = panels.length === 1 ? 1 : Math.max(1, Math.min(3, Math.floor(width / 300)));
  const wide = width / across, high = panels.length === 1 ? Math.min(420, Math.max(260, width * 0.45)) : 210;
  const most = Math.max(...panels.flatMap((one) => [one.zero, ...one.bands.flat()]));
  const least = Math.min(...panels.flatMap((one) => [one.zero, ...one.bands.flat()]));
  const drawn = panels.map((one, place) => `<g transform="translate(${at((place % across) * wide)} ${at(Math.floor(place / across) * high)})">${panel(one, wide, high, least, most, told)}</g>`);
  return sheet(title, width, Math.ceil(panels.length / across) * high, drawn.join(""));
}

/** @param {Panel} one @param {number} wide @param {number} high @param {number} least @param {number} most @param {(value: number) => string} told */
function panel(one, wide, high, least, most, told) {
  const left = 62, right = 16, top = 44, bottom = high - 26, last = one.rounds;
  const x = (/** @type {number} */ round) => left + (round / last) * (wide - left - right);
  const y = (/** @type {number} */ value) => bottom - ((value - least) / (most - least || 1)) * (bottom - top);
  const point = (/** @type {number} */ value, /** @type {number} */ place) => `${at(x(Math.min(place * one.every, last)))} ${at(y(value))}`;
  let body = text(one.title, left, 16, "head") + text(one.note, left, 33, "soft");
  const by = step(most - least, 5);
  for (let value = Math.ceil(least / by) * by; value <= most; value += by) {
    body += `<line class="grid" x1="${left}" x2="${at(wide - right)}" y1="${at(y(value))}" y2="${at(y(value))}"/>${text(told(value), left - 8, y(value) + 4, "label")}`;
  }
  const half = Math.floor(one.bands.length / 2);
  for (let pair = 0; pair < half; pair += 1) {
    const low = one.bands[pair].map(point), top = one.bands[one.bands.length - 1 - pair].map(point).toReversed();
    body += `<path class="spread" d="M${low.join("L")}L${top.join("L")}Z"/>`;
  }
  body += `<path class="middle" d="M${one.bands[half].map(point).join("L")}"/>`;
  body += `<line class="start" x1="${left}" x2="${at(wide - right)}" y1="${at(y(one.zero))}" y2="${at(y(one.zero))}"/>`;
  return body + text("0", x(0), high - 8, "rank") + text(String(last), x(last), high - 8, "rank");
}

/** A distribution as columns between edges. @param {string} title @param {number[]} edges @param {number[]} shares @param {number} width */
export function shape(title, edges, shares, width, height = 300) {
  const left = 8, bottom = height - 30, top = 12, low = edges[0], high = edges[edges.length - 1], most = Math.max(...shares);
  const x = (/** @type {number} */ value) => left + ((value - low) / (high - low)) * (width - 2 * left);
  let body = "";
  shares.forEach((share, place) => {
    const from = edges[place], to = edges[place + 1], kind = to <= 0 ? "lose" : from >= 0 ? "win" : "push";
    const tall = (share / most) * (bottom - top);
    body += `<rect class="bar ${kind}" x="${at(x(from))}" y="${at(bottom - tall)}" width="${at(Math.max(0.6, x(to) - x(from) - 0.8))}" height="${at(tall)}"/>`;
  });
  body += `<line class="axis" x1="${left}" x2="${at(width - left)}" y1="${bottom}" y2="${bottom}"/>`;
  const by = step(high - low, width < 480 ? 4 : 8);
  for (let value = Math.ceil(low / by) * by; value <= high; value += by) body += text(`${value > 0 ? "+" : ""}${short(value)}`, x(value), height - 8, "rank");
  return sheet(title, width, height, body);
}

/** Bars around nought, each with two standard errors either way. @param {string} title @param {number} width
 * @param {{label: string, value: number, error: number, figure: string}[]} rows */
export function whiskers(title, rows, width) {
  const label = Math.min(170, width * 0.36), figures = width < 560 ? 0 : 150, high = figures ? 30 : 46;
  const reach = Math.max(...rows.map((one) => Math.abs(one.value) + 2 * one.error)) || 1;
  const half = (width - label - figures - 12) / 2, middle = label + half;
  const x = (/** @type {number} */ value) => middle + (value / reach) * half;
  const drawn = rows.map((one, place) => {
    const y = place * high, from = Math.min(x(0), x(one.value)), wide = Math.abs(x(one.value) - x(0));
    return `${text(one.label, label - 10, y + 20, "label")}<rect class="bar ${one.value > 0 ? "win" : "lose"}" x="${at(from)}" y="${y + 7}" width="${at(Math.max(1, wide))}" height="16" rx="3"/>`
      + `<line class="whisker" x1="${at(x(one.value - 2 * one.error))}" x2="${at(x(one.value + 2 * one.error))}" y1="${y + 15}" y2="${y + 15}"/>`
      + (figures ? text(one.figure, width - figures + 4, y + 20, "figure") : text(one.figure, middle, y + 38, "figure mid"));
  });
  return sheet(title, width, rows.length * high + 4, `<line class="axis" x1="${at(middle)}" x2="${at(middle)}" y1="0" y2="${rows.length * high}"/>${drawn.join("")}`);
}
