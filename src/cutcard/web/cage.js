// @ts-check
/** The cage's window: cash in and out of patrons' wallets, vouchers, and what is in the till. */

import { effect, html, signal, untracked } from "./lib/reactive.js";
import { notice, tried } from "./lib/dialog.js";
import { post } from "./lib/api.js";
import { date, language, money, number, store, stored, t } from "./lib/language.js";
import { voucherNumber } from "./money.js";
import { amountField, ask, connection, dutyBar, fact, form, gate, lobby, me, minor, note, purse, question, reason, role, save, titleOf } from "./duty.js";
import { terminalDesk, terminalIn } from "./cage_terminal.js";

const ROLES = ["cashier", "shift manager", "pit manager", "pit supervisor", "auditor", "operator"];
/** Who takes cash and hands it out; everybody else looks on. */
const PAYS = ["cashier", "shift manager"];
const REFRESHED = 15_000;

const told = signal(/** @type {any} */ (null));
const found = signal(/** @type {any[] | null} */ (null));
const chosen = signal(/** @type {any} */ (null));
const pays = () => PAYS.includes(me()?.role);

/** From when on the till is counted: since somebody said so here, or for a shift. */
const counted = signal(stored("till"));
/** Whatever is as it was is not drawn anew under somebody's hands. @param {any} one @param {any} other */
const same = (one, other) => JSON.stringify({ ...one, since: 0 }) === JSON.stringify({ ...other, since: 0 });
async function look() {
  const now = await question(counted() ? `/cage?since=${counted()}` : "/cage");
  // A shift that is counted back from now begins later each time, which is no news.
  if (now && (!same(now, told()) || (counted() && now.since !== told().since))) told(now);
}
const refresh = () => Promise.all([look(), terminals.look(), chosen() && choose(chosen().patron)]);
setInterval(() => { if (ROLES.includes(role()) && connection.online() && !document.querySelector("dialog[open]")) refresh(); }, REFRESHED);
effect(() => {
  if (ROLES.includes(role())) untracked(async () => { await look(); document.body.dataset.ready = "yes"; });
});

// --- a patron at the window ---

/** @param {SubmitEvent} event */
async function search(event) {
  event.preventDefault();
  const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name"));
  chosen(null);
  found(await question(`/patrons?name=${encodeURIComponent(name)}`));
  if (found()?.length === 1) choose(found()?.[0].patron);
}

/** @param {string} patron */
async function choose(patron) {
  const one = await question(`/patrons/${patron}`);
  if (one && !same(one, chosen())) chosen(one);
}

const secret = { name: "password", label: () => t("password"), type: "password", need: true };

async function admit() {
  const made = await form(() => t("cage.new"), [{ name: "name", label: () => t("name"), most: 64, need: true }, secret], {
    about: html`<p>${() => t("cage.new.text")}</p>`, act: (given) => tried(() => post("/patrons", { ...given, language: language() })),
  });
  if (!made) return;
  found([made]);
  await choose(made.patron);
}

async function renew() {
  const { patron, name } = chosen();
  const done = await form(() => t("cage.password", { who: name }), [secret, reason], {
    about: html`<p>${() => t("cage.password.text")}</p>`, act: (given) => tried(() => post(`/patrons/${patron}/password`, given)),
  });
  if (done) notice(t("cage.password.done", { who: name }), "", "good");
}

/** @param {"pay-in" | "pay-out"} way */
async function pay(way) {
  // The patron may have played meanwhile.
  await choose(chosen().patron);
  const { patron, name, wallet } = chosen();
  const paid = await form(() => t(`cage.${way}.of`, { who: name }), [amountField(), note], { about: html`<p>${() => t("cage.wallet", { amount: money(wallet) })}</p>`, does: () => t(`cage.${way}`), act: async (given) => {
    const amount = minor(given.amount);
    return await ask({ is: way, patron, amount, note: given.note }) && { amount };
  } });
  if (!paid) return;
  await refresh();
  notice(t(`cage.${way}.done`, { amount: money(paid.amount), who: name }), "", "good");
}

/** What lies at a table for somebody who cannot come for it. @param {string} table @param {any} amount */
async function fetchStack(table, amount) {
  const { patron, name } = chosen();
  const about = html`<p>${() => t("cage.fetch-stack.text", { amount: money(amount), who: name, table: titleOf(table) })}</p>`;
  if (await form(() => t("cage.fetch-stack"), [reason], { about, act: (given) => ask({ is: "fetch-stack", table, patron, ...given }) })) await refresh();
}

/** @param {any} one */
const patron = (one) => html`<article class="patron" data-patron=${one.name}>${purse(one)}
  ${() => (pays() ? html`<div class="buttons"><button class="go" @click=${() => pay("pay-in")}>${() => t("cage.pay-in")}</button><button @click=${() => pay("pay-out")}>${() => t("cage.pay-out")}</button><button class="quiet" @click=${renew}>${() => t("cage.renew")}</button></div>` : null)}
  ${() => (pays() ? html`<div class="buttons">${Object.entries(one.stacks).filter(([, amount]) => Number(amount) > 0).map(([table, amount]) => html`<button class="quiet" @click=${() => fetchStack(table, amount)}>${() => t("cage.fetch-stack.of", { table: titleOf(table) })}</button>`)}</div>` : null)}</article>`;

const atWindow = () => html`<section class="sheet"><h2>${() => t("cage.window")}</h2>
  <form class="line" @submit=${search}><label>${() => t("name")} <input name="name" autocomplete="off"></label><button>${() => t("find")}</button>${() => (pays() ? html`<button type="button" class="quiet" @click=${admit}>${() => t("cage.new")}</button>` : null)}</form>
  ${() => (found() === null ? html`<p class="soft">${() => t("cage.find")}</p>` : found()?.length ? html`<ul class="people">${(found() ?? []).map((one) => html`<li><button class="quiet" aria-pressed=${() => String(chosen()?.patron === one.patron)} @click=${() => choose(one.patron)}>${one.name}</button></li>`)}</ul>` : html`<p class="soft">${() => t("cage.nobody")}</p>`)}
  ${() => (chosen() ? patron(chosen()) : null)}</section>`;

const terminals = terminalDesk({ patron: chosen, pays, moved: refresh });

// --- vouchers ---

/** @param {SubmitEvent} event */
async function paper(event) {
  event.preventDefault();
  const form_ = /** @type {HTMLFormElement} */ (event.target);
  const way = /** @type {HTMLButtonElement} */ (event.submitter).value;
  const number = voucherNumber(String(new FormData(form_).get("number")));
  const worth = number && await question(`/vouchers/${number}`);
  if (!worth) return;
  const done = await form(() => t(`cage.${way}`), way === "pay-voucher" ? [note] : [reason], {
    about: html`${slip(worth)}<p>${() => t(`cage.${way}.text`)}</p>`, does: () => t(`cage.${way}`), act: (given) => ask({ is: way, number, ...given }),
  });
  if (!done) return;
  form_.reset();
  await refresh();
  if (done.voucher) await form(() => t("cage.reprint-voucher"), [], { about: slip(done.voucher) });
  else notice(t(`cage.${way}.done`, { amount: money(worth.amount) }), "", "good");
}

/** A voucher as it is printed. @param {any} one */
const slip = (one) => html`<p class="voucher"><b>${one.number}</b><br><strong>${money(one.amount)}</strong> ${one.words}<br>${t("valid", { date: date(one.expires_at) })}${one.reprints ? html`<br>${t("cage.copy", { n: one.reprints })}` : null}</p>`;

const papers = () => html`<section class="sheet"><h2>${() => t("cage.vouchers")}</h2>
  ${() => (pays() ? html`<form class="line" @submit=${paper}><label>${() => t("voucher_number")} <input name="number" inputmode="numeric" autocomplete="off" maxlength="30"></label>
    <button class="go" value="pay-voucher">${() => t("cage.pay-voucher")}</button><button class="quiet" value="reprint-voucher">${() => t("cage.reprint-voucher")}</button><button class="quiet" value="void-voucher">${() => t("cage.void-voucher")}</button></form>` : null)}
  <dl class="meters">${fact(() => t("cage.liability"), () => money(told()?.liability ?? 0))}${fact(() => t("cage.outstanding"), () => number(told()?.vouchers.length ?? 0))}</dl>
  ${() => (told()?.vouchers.length ? html`<div class="scroll" tabindex="0" role="region" aria-label=${() => t("cage.vouchers")}><table class="wide vouchers"><thead><tr>${["voucher_number", "amount", "cage.issued", "cage.expires"].map((key) => html`<th scope="col">${() => t(key)}</th>`)}</tr></thead><tbody>${told().vouchers.map((/** @type {any} */ one) => html`<tr><th scope="row">${one.number}${one.reprints ? html` <small class="pill">${() => t("cage.copy", { n: one.reprints })}</small>` : null}</th><td>${money(one.amount)}</td><td data-name=${() => t("cage.issued")}>${date(one.issued_at)}</td><td data-name=${() => t("cage.expires")}>${date(one.expires_at)}</td></tr>`)}</tbody></table></div>` : null)}</section>`;

// --- the till ---

/** @param {string} id of a patron or a member of staff, a voucher's last digits, or a terminal */
const named = (id) => (Object.hasOwn(told().names, id) && told().names[id] !== id ? told().names[id] : terminalIn(id));

/** Another shift begins: the till is counted from now on, in this window. */
async function anew() {
  if (!await form(() => t("cage.anew"), [], { about: html`<p>${() => t("cage.anew.text")}</p>` })) return;
  store("till", String(counted(String(Math.round(connection.now())))));
  await look();
}

const till = () => html`<section class="sheet wide"><header class="line"><h2>${() => t("cage.till")}</h2><p class="soft">${() => t("cage.since", { date: date(told()?.since ?? 0) })}</p>
    <button class="quiet" @click=${anew}>${() => t("cage.anew")}</button><button class="quiet" @click=${() => save("cage.json", told())}>${() => t("export")}</button></header>
  ${() => (told()?.tills.length ? told().tills.map((/** @type {any} */ one) => html`<div class="till" data-cashier=${named(one.cashier)}><h3>${named(one.cashier)}</h3><dl class="meters">${fact(() => t("cage.in"), money(one.in))}${fact(() => t("cage.out"), money(one.out))}${fact(() => t("cage.net"), money(one.in - one.out, true))}</dl></div>`) : html`<p class="soft">${() => t("cage.nothing")}</p>`)}
  ${() => (told()?.moves.length ? html`<div class="scroll" tabindex="0" role="region" aria-label=${() => t("cage.till")}><table class="wide moves"><thead><tr>${["when", "what", "amount", "cage.whom", "who", "cage.note"].map((key) => html`<th scope="col">${() => t(key)}</th>`)}</tr></thead><tbody>${told().moves.map((/** @type {any} */ one) => html`<tr><td>${date(one.at)}</td><td>${() => t(`cage.${one.what}`)}</td><td>${money(one.amount, true)}</td><td data-name=${() => t("cage.whom")}>${named(one.about)}</td><td data-name=${() => t("who")}>${named(one.cashier)}</td><td>${one.note}</td></tr>`)}</tbody></table></div>` : null)}</section>`;

const page = () => html`<main id="main" class="floor sheets"><h1 class="wide">${() => t("page.cage")}</h1>${atWindow()}${terminals.section()}${papers()}${till()}</main>`;

document.body.append(html`${dutyBar("cage.html")}${gate(ROLES, page)}`);
effect(() => { document.title = `${t("page.cage")} · ${lobby.venue}`; });
