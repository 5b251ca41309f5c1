// @ts-check
/** A squeeze: who wants one is asked, and who has one holds the cards alone. */

import { each, effect, html, signal } from "./lib/reactive.js";
import { cardName, t } from "./lib/language.js";
import { squeezable } from "./lib/squeezed.js";

/** How long the last card is looked at before everybody sees it. */
const SEEN = 900;

/** @param {any} of */
export const squeezeAsk = ({ name, connection, asked, nextCard, sides, left, ask }) => html`<section class="panel" aria-label=${() => t("squeeze")}>
  <h2>${() => t("squeeze.ask")} <span class="left">${left}</span></h2>
  <div class="buttons">${sides().map((/** @type {string} */ side) => html`<button class="go ${side}" @click=${async () => {
    asked(nextCard());
    if (await ask({ is: "request-squeeze", table: name, side }) === null && connection.lost) asked("");
  }}>${() => t(side)}</button>`)}</div><p class="soft">${() => t("squeeze.who")}</p></section>`;

/** @param {any} of */
export function squeezePanel({ name, holding, left, ask }) {
  const opened = signal(0), turned = signal(false);
  const all = () => opened() > 0 && opened() === holding().length;
  // Whoever waits need wait no longer.
  effect(() => { if (all()) setTimeout(() => { if (all()) ask({ is: "open-now", table: name }); }, SEEN); });
  /** @type {Map<Element, () => void>} */ const open = new Map();
  const made = html`<section class="panel squeeze" aria-label=${() => t("squeeze")} @reveal=${() => opened(opened() + 1)}>
    <h2>${() => t("squeeze")} · ${() => t(holding()[0]?.side ?? "player")} <span class="left">${left}</span></h2>
    <div class="cards">${each(holding, (one) => one.key, (one) => {
      const card = document.createElement("playing-card");
      open.set(card, squeezable(card));
      effect(() => { card.toggleAttribute("turned", turned()); });
      effect(() => {
        card.setAttribute("code", one().code);
        opened();
        card.setAttribute("label", card.hasAttribute("up") ? cardName(one().code) : `${t("face_down")}. ${t("squeeze.drag")}`);
      });
      return card;
    })}</div>
    <p>${() => (opened() < holding().length ? t("squeeze.drag") : t("squeeze.done"))}</p>
    ${() => (opened() < holding().length ? html`<p class="buttons"><button aria-pressed=${() => String(turned())} @click=${() => turned(!turned())}>⟳ ${() => t("squeeze.turn")}</button>
      <button class="go" @click=${() => { for (const one of open.values()) one(); }}>${() => t("open_now")}</button></p>` : null)}</section>`;
  const panel = /** @type {HTMLElement} */ (made.firstElementChild);
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (panel.querySelector("playing-card"))?.focus({ preventScroll: true }));
  return made;
}
