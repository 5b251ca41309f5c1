// @ts-check
/** All terminals of an electronic table, with their states and meters, and what the pit does about each. */

import { computed, effect, html, signal, untracked } from "./lib/reactive.js";
import { dialog, notice } from "./lib/dialog.js";
import { money, number, t } from "./lib/language.js";
import { ask, connection, form, question, reason, titleOf } from "./duty.js";
import { calledBy, longList, matches, stateOf, STATES } from "./terminals.js";

/** @typedef {import("./terminals.js").AtTable} AtTable */

/** How often the table is asked again while the panel is open. */
const EVERY = 3000;
const METERS = ["credit", "paid_in", "paid_out", "staked", "won", "lost"];

/**
 * @param {string} table @param {{attends: () => boolean, supervises: () => boolean}} may
 * @param {() => string} news changes as soon as a terminal calls, or one is locked
 */
export function terminalPanel(table, may, news) {
  const found = signal(/** @type {AtTable[] | null} */ (null));
  const text = signal(""), state = signal("");
  let open = true, asked = 0;
  async function look() {
    const turn = asked += 1;
    const told = await question(`/tables/${table}/terminals`);
    // What was asked later is what holds, whichever answer comes last.
    if (told && turn === asked) found(told);
  }
  async function keepLooking() {
    if (!open) return;
    if (connection.online() && !document.hidden) await look();
    setTimeout(keepLooking, EVERY);
  }
  setTimeout(keepLooking, EVERY);
  /** @param {Promise<any>} work */
  const after = async (work) => { if (await work) await look(); };

  const named = computed(() => (found() ?? []).filter((one) => matches(text(), one.shown.number, one.name)));
  /** Those in a state, or without one all that stand there. @param {string} wanted */
  const having = (wanted) => named().filter((one) => (wanted ? one.state === wanted : one.state !== "removed"));
  const listed = computed(() => having(state()));
  const credit = computed(() => listed().reduce((sum, one) => sum + one.shown.credit, 0));

  /** What may be done about a terminal; a button that stays is not made anew under somebody's hand. @param {() => AtTable} one */
  const acts = (one) => {
    const stands = computed(() => one().state !== "removed"), locked = computed(() => one().state === "locked");
    const calls = computed(() => may.attends() && stands() && one().shown.calling), locks = computed(() => may.supervises() && stands());
    const goes = computed(() => may.supervises() && isEmpty(one()));
    const button = (/** @type {string} */ word, /** @type {() => Promise<any>} */ act) => html`<button class="quiet" @click=${() => after(act())}>${() => t(word)}</button>`;
    const plainly = (/** @type {string} */ is) => ask({ is, table, terminal: one().terminal });
    return html`<div class="acts">${() => (calls() ? button("terminal.attended", () => plainly("answer-attendant")) : null)}
      ${() => (!locks() ? null : locked() ? button("terminal.unlock", () => plainly("unlock-terminal")) : button("terminal.lock", () => lock(table, one())))}
      ${() => (goes() ? button("terminal.remove", () => remove(table, one())) : null)}</div>`;
  };
  /** @param {() => AtTable} one */
  const row = (one) => html`<tr data-terminal=${() => one().name}><th scope="row">${() => one().shown.number}</th><td class="named">${() => one().name} ${() => (one().shown.own ? html`<small class="pill">${() => t("terminal.own")}</small>` : null)}</td><td class="state">${stateOf(one)}</td>
    ${METERS.map((key) => html`<td class="sum" data-meter=${key} data-name=${() => t(`terminal.${key}`)}>${() => money(one().shown[key])}</td>`)}<td class="sum" data-name=${() => t("terminal.rounds")}>${() => number(one().shown.rounds)}</td><td>${acts(one)}</td></tr>`;

  return dialog(() => t("terminals"), () => {
    effect(() => { news(); untracked(look); });
    const { rows, more } = longList(listed, (one) => one.terminal, row);
    const choice = (/** @type {string} */ one) => html`<button class="quiet" data-state=${one || "every"} aria-pressed=${() => String(state() === one)} @click=${() => state(one)}>${() => t(one ? `terminal.state.${one}` : "terminals.every")} <b>${() => number(having(one).length)}</b></button>`;
    return html`<div class="terminal-panel">
      <div class="line"><input type="search" aria-label=${() => t("terminals.find")} placeholder=${() => t("terminals.find")} autocomplete="off" @input=${(/** @type {any} */ event) => text(event.target.value)}>
        <p class="soft" role="status"><span class="at">${() => titleOf(table)} · </span>${() => (found() === null ? t("stale") : t("terminals.found", { n: number(listed().length), amount: money(credit()) }))}</p>
        ${() => (may.supervises() ? html`<button class="go" @click=${() => after(place(table))}>${() => t("terminal.add")}</button>` : null)}</div>
      <div class="states" role="group" aria-label=${() => t("state")}>${["", ...STATES].map(choice)}</div>
      <table class="wide terminals"><thead><tr><th scope="col">${() => t("terminal.no")}</th><th scope="col">${() => t("terminal.name")}</th><th scope="col">${() => t("state")}</th>${[...METERS, "rounds"].map((key) => html`<th scope="col" class="sum">${() => t(`terminal.${key}`)}</th>`)}<td></td></tr></thead><tbody>${rows}</tbody></table>
      ${() => (found() !== null && !listed().length ? html`<p class="soft">${() => t("terminals.none")}</p>` : null)}${more}</div>`;
  }, { wide: true }).then(() => { open = false; });
}

/** @param {AtTable} one */
const which = (one) => calledBy(one.shown, one.name);

/** Whether a device stands there without credit, so that it may be taken away. @param {AtTable} one */
const isEmpty = (one) => !one.shown.own && one.state !== "removed" && !one.usable && !one.shown.credit;

/** @param {string} table @param {AtTable} one */
const lock = (table, one) => form(() => t("terminal.lock.of", { which: which(one) }), [reason], {
  about: html`<p>${() => t("terminal.lock.text")}</p>`, does: () => t("terminal.lock"),
  act: (given) => ask({ is: "lock-terminal", table, terminal: one.terminal, reason: given.reason }) });

/** @param {string} table @param {AtTable} one */
const remove = (table, one) => form(() => t("terminal.remove.of", { which: which(one) }), [], {
  about: html`<p>${() => t("terminal.remove.text")}</p>`, does: () => t("terminal.remove"),
  act: () => ask({ is: "remove-terminal", table, terminal: one.terminal }) });

/** Put a device that stands nowhere at the table. @param {string} table */
async function place(table) {
  const free = (await question("/terminals"))?.filter((/** @type {any} */ one) => one.table === null && !one.barred);
  if (!free) return null;
  if (!free.length) { notice(t("terminal.add.none")); return null; }
  return form(() => t("terminal.add"), [
    { name: "terminal", label: () => t("terminal.device"), options: free.map((/** @type {any} */ one) => [one.terminal, one.name]) },
    { name: "number", label: () => t("terminal.add.number"), type: "number" },
  ], { about: html`<p>${() => t("terminal.add.text")}</p>`, does: () => t("terminal.add"),
    act: (given) => ask({ is: "add-terminal", table, terminal: given.terminal, number: given.number ? Number(given.number) : null }) });
}
