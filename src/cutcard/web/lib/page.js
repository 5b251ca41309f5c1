// @ts-check
/** What every page around the tables shares: its bar, its foot, the choice of language. */

import { html } from "./reactive.js";
import { refusal } from "./dialog.js";
import { language, LANGUAGES, speak, t } from "./language.js";

const SHORT = { en: "EN", "zh-Hans": "简", "zh-Hant": "繁" };

/** The languages, as three buttons. */
export function tongues() {
  return html`<div class="tongues" role="group" aria-label=${() => t("language")}>${Object.entries(LANGUAGES).map(([code, words]) =>
    html`<button lang=${code} aria-label=${words} title=${words} aria-pressed=${() => String(language() === code)}
      @click=${() => speak(/** @type {any} */ (code)).catch((error) => refusal(error.refused))}>${SHORT[/** @type {keyof typeof SHORT} */ (code)]}</button>`)}</div>`;
}

/** @param {string | (() => string)} venue @param {string} here @param {any} [more] what else stands in the bar */
export function bar(venue, here, more = null) {
  const link = (/** @type {string} */ href, /** @type {string} */ word) =>
    html`<a href=${href} aria-current=${href === here ? "page" : false}>${() => t(word)}</a>`;
  return html`<a class="skip" href="#main">${() => t("skip")}</a>
  <header class="bar"><a class="brand" href="/"><i aria-hidden="true">♦</i> <span>${venue}</span></a>
    <nav aria-label=${() => t("menu")}>${link("/", "tables")}${link("odds.html", "odds")}${link("verify.html", "nav.verify")}</nav>
    <div class="end">${tongues()}${more}</div></header>`;
}

/** @param {() => string} helpline @param {() => string} [house] who runs the tables, and where */
export function foot(helpline, house = () => "") {
  return html`<footer class="foot"><p class="help"><b>${() => t("helpline")}</b> ${helpline}</p>
    <p class="links"><a href="verify.html">${() => t("verify")}</a> <a href="odds.html">${() => t("odds.exact")}</a>
      <a href="/api/v1/openapi.json">API</a></p>
    <p class="past">${() => t("roads.past")}</p><p class="venue">${house}</p></footer>`;
}
