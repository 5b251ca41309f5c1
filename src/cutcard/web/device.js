// @ts-check
/** Terminals of an electronic table: what one says of itself, and the credit panel of a device of the house. */

import { html, signal } from "./lib/reactive.js";
import { dialog, tried } from "./lib/dialog.js";
import { post } from "./lib/api.js";
import { date, learn, money, t } from "./lib/language.js";
import { amountIn, voucherNumber } from "./money.js";

await learn("menu");
await learn("terminal");

/** A voucher's number is money: it leaves the screen by itself. */
const VOUCHER_SHOWN = 60_000;

// --- what a terminal says of itself ---

/** Once: a banner while it is locked or waits for an attendant; of a device also its number and a way to its credit. @param {any} of */
export function terminal(of) {
  const { own, device, buyIn } = of;
  if (document.body.dataset.terminal) return;
  document.body.dataset.terminal = "yes";
  const one = () => own()?.terminal;
  const words = () => {
    if (own() && !one() && device()) return t("terminal.nowhere");
    if (one()?.locked) return t("terminal.locked", { number: one().number, reason: one().locked });
    return one()?.calling ? t("terminal.calling") : "";
  };
  put(".felt", html`${() => (words() ? html`<p class=${() => `banner terminal${one()?.locked ? " locked" : ""}`} role="status">${words}</p>` : null)}`);
  put(".about", html`${() => (device() ? html`<div><dt>${() => t("terminal")}</dt><dd>${() => one()?.number ?? "–"}</dd></div>` : null)}`);
  put(".rack", html`${() => (device() ? html`<button class="cash" @click=${buyIn}>${() => t("stack")}</button>` : null)}`);
}

/** @param {string} place @param {Node} what */
const put = (place, what) => document.querySelector(place)?.append(what);

// --- credit on a device ---

/** Credit in and out of a device of the house: by voucher, or with a patron's account. @param {any} of */
export function creditPanel(of) {
  const { name, own, ask } = of;
  const voucher = signal(/** @type {any} */ (null));
  const account = signal(/** @type {any} */ (null));
  let busy = false;
  /** Money moves once, however often a button is pressed while nothing answers. @param {object} command */
  const once = async (command) => {
    if (busy) return null;
    busy = true;
    const done = await ask(command);
    busy = false;
    if (done && account() && done.wallet !== undefined) account({ ...account(), wallet: done.wallet });
    return done;
  };
  const credit = () => own()?.stack ?? 0;
  const cashOut = async () => {
    const done = await once({ is: "issue-voucher", table: name, amount: credit() });
    if (!done) return;
    voucher(done.voucher);
    setTimeout(() => voucher(null), VOUCHER_SHOWN);
  };
  const redeem = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const number = voucherNumber(String(new FormData(form).get("number")));
    if (number && await once({ is: "redeem-voucher", number, table: name })) form.reset();
  };
  const signIn = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target), given = new FormData(form);
    const body = { name: given.get("name"), password: given.get("password") };
    const found = await tried(() => post("/terminal/account", body));
    form.reset();
    if (found) account(found);
  };
  const signOut = async () => {
    account(null);
    await tried(() => post("/terminal/account/leave", {}));
  };
  const move = async (/** @type {string} */ is, /** @type {string} */ text) => {
    const amount = text === "" && is === "unload-credit" ? null : amountIn(text, 1);
    if (amount === null && text !== "") return;
    await once(amount === null ? { is, table: name } : { is, table: name, amount });
  };

  const slip = () => html`<section class="slip"><p class="voucher"><b>${voucher().number}</b><br><strong>${() => money(voucher().amount)}</strong> ${voucher().words}<br>
    ${() => t("valid", { date: date(voucher().expires_at) })}<br><small>${() => `${date(voucher().issued_at)} · ${voucher().terminal}`}</small></p>
    <div class="buttons"><button class="go" @click=${() => print()}>${() => t("terminal.print")}</button><button @click=${() => voucher(null)}>${() => t("terminal.taken")}</button></div></section>`;
  const vouchers = () => html`<section><h3>${() => t("terminal.voucher")}</h3>
    <button class="go wide" disabled=${() => credit() === 0} @click=${cashOut}>${() => t("terminal.cash_out", { amount: money(credit()) })}</button>
    <form class="line" @submit=${redeem}><label>${() => t("voucher_number")}<input name="number" inputmode="numeric" autocomplete="off"></label><button>${() => t("voucher_in")}</button></form></section>`;
  const stranger = () => html`<form @submit=${signIn}><p class="soft">${() => t("terminal.account.text")}</p>
    <label>${() => t("name")}<input name="name" autocomplete="off" required></label><label>${() => t("password")}<input name="password" type="password" autocomplete="off" required></label>
    <button>${() => t("sign_in")}</button></form>`;
  const amount = signal("");
  const holder = () => html`<dl class="facts"><div><dt>${() => account().name}</dt><dd>${() => money(account().wallet)}</dd></div></dl>
    <label>${() => t("amount")}<input inputmode="decimal" autocomplete="off" .value=${amount} @input=${(/** @type {any} */ event) => amount(event.target.value)}></label>
    <div class="buttons"><button class="go" @click=${() => move("load-credit", amount())}>${() => t("terminal.load")}</button>
      <button @click=${() => move("unload-credit", amount())}>${() => t(amount() === "" ? "terminal.unload.all" : "terminal.unload")}</button><button class="quiet" @click=${signOut}>${() => t("sign_out")}</button></div>`;
  return dialog(() => t("stack"), () => html`<p class="credit"><small>${() => t("terminal.number", { number: own()?.terminal?.number ?? "–" })}</small><b>${() => money(credit())}</b></p>
    ${() => (voucher() ? slip() : vouchers())}
    <section><h3>${() => t("terminal.account")}</h3>${() => (account() ? holder() : stranger())}</section>
    <button class="wide" disabled=${() => own()?.terminal?.calling ?? false} @click=${() => ask({ is: "call-staff", table: name })}>${() => t(own()?.terminal?.calling ? "terminal.calling" : "terminal.call")}</button>`)
    .then((told) => { if (account()) signOut(); return told; });
}
