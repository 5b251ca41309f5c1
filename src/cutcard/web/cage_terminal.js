// @ts-check
/** Terminals at the cage: cash onto them and off them, and credit from and to a patron's wallet. */

import { computed, each, html, signal } from "./lib/reactive.js";
import { notice } from "./lib/dialog.js";
import { money, t } from "./lib/language.js";
import { amountField, ask, fact, form, lobby, minor, note, question, titleOf } from "./duty.js";
import { calledBy, longList, matches, stateOf } from "./terminals.js";

/** @typedef {import("./terminals.js").AtTable} AtTable */

/** The tables whose credit lies on terminals. */
const TABLES = lobby.tables.filter((/** @type {any} */ one) => one.layout === "terminal");

/** A terminal as the till's movements name one; other words stay as they are. @param {string} text such as "t9 terminal 12" */
export const terminalIn = (text) => text.replace(/^([a-z0-9-]+) terminal (\d+)$/, (_, table, n) => `${titleOf(table)} · ${t("terminal.of", { n })}`);

/** Whether a terminal takes credit; one that was taken away may still have some. @param {AtTable} one */
const stands = (one) => one.state !== "removed";
/** So many terminals are offered at once. */
const OFFERED = 20;

/**
 * The section, and how it looks again.
 * @param {{patron: () => any, pays: () => boolean, moved: () => Promise<any>}} window_ the patron who stands at the
 *   window, whether whoever looks takes cash, and what is done once money has moved
 */
export function terminalDesk({ patron, pays, moved }) {
  const table = signal(TABLES[0]?.table ?? "");
  const all = signal(/** @type {AtTable[]} */ ([])), text = signal(/** @type {string | null} */ (null)), chosen = signal("");
  /** Whoever types a name looks for a patron's own terminal, rather than for a device. */
  const inOrder = (/** @type {AtTable} */ one, /** @type {AtTable} */ other) => (/^\d*$/.test(text() ?? "") ? 0 : Number(other.shown.own) - Number(one.shown.own));
  const found = computed(() => (text() === null ? [] : all().filter((one) => (stands(one) || one.usable) && matches(text() ?? "", one.shown.number, one.name)).sort(inOrder)));
  const picked = computed(() => all().find((one) => one.terminal === chosen()) ?? null);
  /** To be chosen from, until one is. */
  const offered = computed(() => (picked() ? [] : found()));

  async function look() {
    const at = table(), told = text() === null ? null : await question(`/tables/${at}/terminals`);
    if (told && at === table()) all(told);
  }
  /** @param {SubmitEvent} event */
  async function search(event) {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const at = String(given.get("table") ?? table());
    if (at !== table()) all([]);
    table(at);
    text(String(given.get("terminal")).trim());
    chosen("");
    await look();
    const exactly = found().filter((one) => !one.shown.own && String(one.shown.number) === text());
    const [only, another] = exactly.length ? exactly : found();
    if (only && !another) chosen(only.terminal);
  }

  /** @param {"load-terminal" | "unload-terminal"} way @param {any} who the patron whose wallet it is, or null for cash */
  async function move(way, who) {
    // Somebody may have played there meanwhile.
    await look();
    const one = picked(), off = way === "unload-terminal";
    if (!one) return;
    const word = who === null ? `cage.${way}` : off ? "cage.to-wallet" : "cage.from-wallet";
    const words = { which: calledBy(one.shown, one.name), who: who?.name };
    const done = await form(() => `${words.which}: ${t(word, words)}`, [amountField(off ? one.usable : 0), note], {
      about: html`<p>${() => (off ? `${t("cage.terminal.usable")}: ${money(one.usable)}. ${t("cage.unload-terminal.text")}` : who ? t("cage.wallet", { amount: money(who.wallet) }) : `${t("terminal.credit")}: ${money(one.shown.credit)}`)}</p>`,
      does: () => t(word, words),
      act: async (given) => {
        const amount = minor(given.amount);
        return await ask({ is: way, table: table(), terminal: one.terminal, amount, patron: who?.patron ?? null, note: given.note }) && { amount };
      } });
    if (!done) return;
    await moved();
    notice(t(`${word}.done`, { ...words, amount: money(done.amount) }), "", "good");
  }

  /** @param {() => AtTable} one */
  const moves = (one) => html`<div class="buttons"><button class="go" disabled=${() => !stands(one())} @click=${() => move("load-terminal", null)}>${() => t("cage.load-terminal")}</button><button disabled=${() => !one().usable} @click=${() => move("unload-terminal", null)}>${() => t("cage.unload-terminal")}</button></div>
    ${() => (patron() ? html`<div class="buttons"><button class="quiet" disabled=${() => !stands(one())} @click=${() => move("load-terminal", patron())}>${() => t("cage.from-wallet", { who: patron().name })}</button><button class="quiet" disabled=${() => !one().usable} @click=${() => move("unload-terminal", patron())}>${() => t("cage.to-wallet", { who: patron().name })}</button></div>`
    : html`<p class="soft">${() => t("cage.terminal.wallet")}</p>`)}`;

  /** @param {() => AtTable} one */
  const desk = (one) => {
    const own = computed(() => one().shown.own);
    return html`<article class="terminal" data-terminal=${() => one().name}><header class="line"><h3>${() => calledBy(one().shown, one().name)}</h3>${stateOf(one)}</header>
    <dl class="meters">${fact(() => t("terminal.credit"), () => money(one().shown.credit))}${fact(() => t("cage.terminal.playing"), () => money(one().shown.credit - one().usable))}${fact(() => t("cage.terminal.usable"), () => money(one().usable))}</dl>
    ${() => (own() ? html`<p class="soft">${() => t("cage.terminal.own", { who: one().name })}</p>` : pays() ? moves(one) : null)}</article>`;
  };

  /** @param {() => AtTable} one */
  const choice = (one) => html`<li><button class="quiet" @click=${() => chosen(one().terminal)}>${() => calledBy(one().shown, one().name)}</button></li>`;
  const section = () => {
    if (!TABLES.length) return null;
    const { rows, more } = longList(offered, (one) => one.terminal, choice, OFFERED);
    return html`<section class="sheet at-terminal"><header class="line"><h2>${() => t("cage.terminal")}</h2>${TABLES.length > 1 ? null : html`<p class="soft">${TABLES[0].title}</p>`}</header>
    <form class="line" @submit=${search}>${TABLES.length > 1 ? html`<label>${() => t("table")} <select name="table">${TABLES.map((/** @type {any} */ one) => html`<option value=${one.table}>${one.title}</option>`)}</select></label>` : null}
      <label>${() => t("terminals.find")} <input name="terminal" autocomplete="off" maxlength="64" required></label><button>${() => t("find")}</button></form>
    ${() => (text() === null ? html`<p class="soft">${() => t("cage.terminal.find")}</p>` : found().length ? null : html`<p class="soft">${() => t("terminals.none")}</p>`)}
    <ul class="people" hidden=${() => !offered().length}>${rows}</ul>${more}
    ${each(() => [picked()].flatMap((one) => one ?? []), (one) => one.terminal, desk)}</section>`;
  };
  return { section, look };
}
