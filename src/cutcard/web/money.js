// @ts-check
/** One's money: at a table, in the wallet, on vouchers. */

import { html, signal } from "./lib/reactive.js";
import { dialog, notice, tried } from "./lib/dialog.js";
import { get } from "./lib/api.js";
import { currency, date, money, t, typed } from "./lib/language.js";

const VOUCHER_DIGITS = 18;

/** An amount somebody typed, or null once it is said that it is none. @param {string} text */
export function amountIn(text, least = 0) {
  const amount = typed(text);
  if (amount === null || amount < least) notice(t("amount.bad", { text, like: money(Math.trunc(12.5 * 10 ** currency().digits)) }), "", "refused");
  return amount;
}

/** A voucher's number likewise. @param {string} text */
export function voucherNumber(text) {
  const number = text.replace(/\D/g, "");
  if (number.length === VOUCHER_DIGITS) return number;
  notice(t("voucher.bad", { digits: VOUCHER_DIGITS }), "", "refused");
  return null;
}

/** @param {import("./lib/connection.js").Connection} connection @param {string} table @param {number} [wished] */
export async function moneyPanel(connection, table, wished = 0) {
  const found = await tried(() => get("/me/wallet"));
  if (found === null) return null;
  const wallet = signal(found);
  const unit = 10 ** currency().digits;
  const suggested = () => String(Math.min(wallet().wallet, Math.max(wished * 20, 1000 * unit)) / unit);
  const amount = signal(suggested());
  const voucher = signal(/** @type {any} */ (null));
  const here = () => wallet().stacks.find((/** @type {any} */ one) => one.table === table)?.stack ?? 0;
  let busy = false;
  const act = async (/** @type {object} */ command) => {
    // Money moves once, however often a button is pressed while nothing answers.
    if (busy) return null;
    busy = true;
    try {
      const done = await tried(() => connection.do(command));
      if (done?.voucher) voucher(done.voucher);
      wallet(await tried(() => get("/me/wallet")) ?? wallet());
      return done;
    } finally {
      busy = false;
    }
  };
  const move = async (/** @type {(amount: number) => object} */ command) => {
    const moved = amountIn(amount(), 1);
    return moved && act(command(moved));
  };
  const redeem = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const number = voucherNumber(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("number")));
    if (number) act({ is: "redeem-voucher", number, table });
  };
  return dialog(() => t("money"), (close) => html`
    <dl class="facts"><div><dt>${() => t("wallet")}</dt><dd>${() => money(wallet().wallet)}</dd></div>
      <div><dt>${() => t("stack")}</dt><dd>${() => money(here())}</dd></div></dl>
    <label>${() => t("amount")}<input inputmode="decimal" autocomplete="off" .value=${amount} @input=${(/** @type {any} */ event) => amount(event.target.value)}></label>
    <div class="buttons"><button class="go" @click=${async () => { if (await move((moved) => ({ is: "buy-in", table, amount: moved }))) close(true); }}>${() => t("buy_in")}</button>
      <button @click=${() => act({ is: "cash-out", table })}>${() => t("cash_out")}</button>
      <button @click=${() => move((moved) => ({ is: "issue-voucher", table: here() ? table : null, amount: moved }))}>${() => t("voucher_out")}</button>
      ${found.play_money > 0 && html`<button @click=${async () => { await act({ is: "deposit", amount: found.play_money }); amount(suggested()); }}>${() => t("play_money", { amount: money(found.play_money) })}</button>`}</div>
    ${() => (voucher() ? html`<p class="voucher"><b>${voucher().number}</b><br>${() => money(voucher().amount)} · ${voucher().words}<br>${() => t("valid", { date: date(voucher().expires_at) })}</p>` : null)}
    <form @submit=${redeem}><label>${() => t("voucher_number")}<input name="number" inputmode="numeric" autocomplete="off"></label>
      <button>${() => t("voucher_in")}</button></form>`);
}
