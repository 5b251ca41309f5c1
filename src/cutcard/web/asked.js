// @ts-check
/** What a patron is asked in the middle of a round: to decide on an Ante. */

import { each, html } from "./lib/reactive.js";
import { money, t } from "./lib/language.js";

/** @param {any} of */
export const decisions = ({ name, book, betting, own, left, ask }) => html`<section class="panel decide" aria-label=${() => t("state.deciding")}>
  <h2>${() => t("state.deciding")} <span class="left">${left}</span></h2>
  ${each(() => own()?.undecided ?? [], (bet) => `${bet.box}/${bet.spot}`, (bet) => {
    const [second, stage] = Object.entries(book.bets).map(([spot, one]) => [spot, /** @type {any} */ (one).stage])
      .find(([, one]) => one?.follows === bet().spot) ?? ["", { multiple: 2 }];
    const decide = (/** @type {boolean} */ continues) =>
      ask({ is: "decide", table: name, spot: bet().spot, box: bet().box, continues, round: betting.round });
    return html`<div class="bet"><p>${() => `${t(bet().spot)} ${money(bet().stake)}`}</p>
      <button class="go" disabled=${() => (own()?.cannot_continue ?? []).includes(bet().spot)} @click=${() => decide(true)}>
        <b>${() => t("continue", { amount: money(bet().stake * stage.multiple) })}</b>
        <small>${() => t("continue.cost", { spot: t(second), amount: money(bet().stake * (stage.multiple + 1)) })}</small></button>
      <button @click=${() => decide(false)}><b>${() => t("decline")}</b><small>${() => t("decline.cost", { amount: money(bet().stake) })}</small></button></div>`;
  })}
  <label class="tick"><input type="checkbox" .checked=${() => own()?.always ?? false} @change=${async (/** @type {any} */ { target }) => {
    if (await ask({ is: "always-continue", table: name, always: target.checked }) === null) target.checked = own()?.always ?? false;
  }}>${() => t("always")}</label>
  <p class="soft">${() => t("decide.default")}</p></section>`;
