// @ts-check
/** Terminals and devices at the consoles: what they are called, how they are found, and long lists of them. */

import { computed, each, html, signal } from "./lib/reactive.js";
import { t } from "./lib/language.js";

/** @typedef {{terminal: string, name: string, state: string, usable: number, shown: any}} AtTable a terminal as staff see it */

/** The states of a terminal; what needs somebody comes first. */
export const STATES = ["needs attendant", "locked", "in play", "idle", "removed"];
/** So many of a long list are drawn at once: thousands may stand at a table. */
const DRAWN = 60;

/** What a terminal is called: a device by its number, a patron's own by the name. @param {{number: number, own: boolean}} one @param {string} name */
export const calledBy = (one, name) => (one.own ? t("terminal.own.of", { who: name }) : t("terminal.of", { n: one.number }));

/** Whether something of a number and a name is what somebody typed the beginning of. @param {string} text @param {number | null} number @param {string} name */
export function matches(text, number, name) {
  const wanted = text.trim().toLowerCase();
  return String(number ?? "").startsWith(wanted) || name.toLowerCase().includes(wanted);
}

/** The state of a terminal, in a colour, and why it is locked. @param {() => AtTable} one */
export const stateOf = (one) => html`<span class="pill" data-state=${() => one().state}>${() => t(`terminal.state.${one().state}`)}</span> ${() => (one().state === "locked" ? html`<small>${one().shown.locked}</small>` : null)}`;

/**
 * The rows of a long list of which the first are drawn, and a way to more of them.
 * @template T @param {() => T[]} list @param {(item: T) => any} key @param {(item: () => T) => any} row @param {number} [drawn] at once
 */
export function longList(list, key, row, drawn = DRAWN) {
  const most = signal(drawn);
  const left = computed(() => Math.max(0, list().length - most()));
  return {
    rows: each(() => list().slice(0, most()), key, row),
    more: html`${() => (left() ? html`<p class="line soft">${() => t("list.more", { n: left() })} <button class="quiet" @click=${() => most(most() + drawn)}>${() => t("list.show")}</button></p>` : null)}`,
  };
}
