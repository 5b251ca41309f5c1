// @ts-check
/** The devices of the house in the pit's console: the accounts under which they sign in. */

import { computed, html, signal, untracked } from "./lib/reactive.js";
import { notice, tried } from "./lib/dialog.js";
import { post } from "./lib/api.js";
import { t } from "./lib/language.js";
import { fetched, form, reason, titleOf } from "./duty.js";
import { longList, matches } from "./terminals.js";

/** @typedef {{terminal: string, name: string, barred: boolean, table: string | null, number: number | null}} Device */

const secret = { name: "password", label: () => t("password"), type: "password", need: true };

const add = () => form(() => t("devices.add"), [{ name: "name", label: () => t("terminal.name"), most: 64, need: true }, secret, reason], {
  about: html`<p>${() => t("devices.add.text")}</p>`, act: (given) => tried(() => post("/terminals", given)) });

/** @param {Device} one */
async function renew(one) {
  const done = await form(() => t("cage.password", { who: one.name }), [secret, reason], {
    about: html`<p>${() => t("devices.password.text")}</p>`, act: (given) => tried(() => post(`/terminals/${one.terminal}`, given)) });
  if (done) notice(t("cage.password.done", { who: one.name }), "", "good");
}

/** @param {Device} one */
const bar = (one) => form(() => t(one.barred ? "people.unbar.who" : "people.bar.who", { who: one.name }), [reason], {
  about: html`<p>${() => t(one.barred ? "devices.unbar.text" : "people.bar.text")}</p>`, act: (given) => tried(() => post(`/terminals/${one.terminal}`, { barred: !one.barred, reason: given.reason })) });

/** @param {boolean} arranges whether whoever looks gives devices accounts, and bars them */
export const devices = (arranges) => {
  const wanted = signal("");
  return html`<section class="sheet devices">${fetched("/terminals", (/** @type {Device[]} */ found, again) => {
    const after = (/** @type {Promise<any>} */ work) => work.then((done) => { if (done) again(); });
    const listed = computed(() => found.filter((one) => matches(wanted(), one.number, one.name)));
    const { rows, more } = longList(listed, (one) => one.terminal, (one) => html`<tr class=${() => (one().barred ? "barred" : "")} data-device=${() => one().name}><th scope="row">${() => one().name} ${() => (one().barred ? html`<small>${() => t("people.barred")}</small>` : null)}</th>
      <td>${() => (one().table === null ? "–" : html`<span class="pill">${titleOf(one().table ?? "")} · ${one().number}</span>`)}</td>
      <td>${arranges ? html`<div class="buttons"><button class="quiet" @click=${() => renew(one())}>${() => t("cage.renew")}</button><button class="quiet" @click=${() => after(bar(one()))}>${() => t(one().barred ? "people.unbar" : "people.bar")}</button></div>` : null}</td></tr>`);
    return html`<header class="line"><h2>${() => t("devices")}</h2>${arranges ? html`<button class="go" @click=${() => after(add())}>${() => t("devices.add")}</button>` : null}
        <input type="search" aria-label=${() => t("terminals.find")} placeholder=${() => t("terminals.find")} autocomplete="off" .value=${untracked(wanted)} @input=${(/** @type {any} */ event) => wanted(event.target.value)}></header>
      <p class="soft">${() => t("devices.text")}</p>
      <table class="wide"><thead><tr><th scope="col">${() => t("terminal.name")}</th><th scope="col">${() => t("devices.place")}</th><td></td></tr></thead><tbody>${rows}</tbody></table>
      ${() => (listed().length ? null : html`<p class="soft">${() => t("devices.none")}</p>`)}${more}`;
  })}</section>`;
};
