// @ts-check
/** What keeps somebody from playing. */

import { html } from "./reactive.js";
import { date, t } from "./language.js";

/** @typedef {{excluded_until: number | null, excluded_for_good: boolean, time_out_until: number | null}} Away */

/** In words, for how long. @param {Away} one @returns {string[]} */
export const awayFor = (one) => [
  one.excluded_for_good ? t("excluded.ever") : one.excluded_until ? t("excluded", { date: date(one.excluded_until) }) : "",
  one.time_out_until ? t("timed_out", { date: date(one.time_out_until) }) : "",
].filter(Boolean);

/** @param {Away} one */
export const staysAway = (one) => html`${() => awayFor(one).map((words) => html`<p class="warning">${words}</p>`)}`;
