// @ts-check
/** The control chart: how far a table's results are from their exact expectation, against 3 sigma. */

import { html } from "./lib/reactive.js";
import { money, t } from "./lib/language.js";
import { fraction } from "./duty.js";

const WIDE = 640, HIGH = 200, LEFT = 8, SIGMAS = 3;

/** @param {any} chart */
export function drift(chart) {
  const points = chart.points;
  const most = Math.max(1, ...points.flatMap((/** @type {any} */ one) => [Math.abs(one.off), SIGMAS * one.sigma])) * 1.1;
  const x = (/** @type {number} */ place) => LEFT + (place / Math.max(1, points.length - 1)) * (WIDE - 2 * LEFT);
  const y = (/** @type {number} */ value) => HIGH / 2 - (value / most) * (HIGH / 2);
  const line = (/** @type {(one: any) => number} */ of) => points.map((/** @type {any} */ one, /** @type {number} */ place) => `${x(place).toFixed(1)},${y(of(one)).toFixed(1)}`).join(" ");
  const drawn = document.createElement("div");
  drawn.className = "drift";
  const band = points.length > 1 ? `<polygon class="band" points="${line((one) => SIGMAS * one.sigma)} ${[...points].reverse().map((/** @type {any} */ one, /** @type {number} */ at) => `${x(points.length - 1 - at).toFixed(1)},${y(-SIGMAS * one.sigma).toFixed(1)}`).join(" ")}"/>` : "";
  drawn.innerHTML = `<svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${t("chart")}">${band}<line class="zero" x1="${LEFT}" x2="${WIDE - LEFT}" y1="${HIGH / 2}" y2="${HIGH / 2}"/><polyline class="off" points="${line((one) => one.off)}"/></svg>`;
  return html`${drawn}<p class=${chart.drifts ? "warning" : "soft"}>${() => t(chart.drifts ? "chart.drifts" : "chart.fine", { actual: money(chart.actual, true), expected: fraction(chart.expected), sigma: money(chart.sigma) })}</p>
    ${chart.left_out ? html`<p class="soft">${() => t("chart.left_out", { amount: money(chart.left_out) })}</p>` : null}`;
}
