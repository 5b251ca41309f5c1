// @ts-check
/** A card reader for a table without one: cards from a shuffled shoe of its own, or typed in. */

import { html, signal } from "./lib/reactive.js";
import { t } from "./lib/language.js";
import { stored, store } from "./lib/language.js";
import { notice } from "./lib/dialog.js";
import { cardsIn, isCard } from "./duty.js";

const RANKS = "A23456789TJQK", SUITS = "shdc";
/** A reader that types sends a card's letters faster than anybody can, and then Enter. */
const BURST = 80;

export class Reader {
  /** @param {() => number} decks @param {(card: string) => Promise<any>} scan */
  constructor(decks, scan) {
    this.decks = decks;
    this.scan = scan;
    this.on = signal(stored("reader") === "yes");
    /** @type {string[]} */ this.cards = [];
    this.typed = "";
    this.last = 0;
  }

  /** A fresh shoe in a random order. */
  shuffle() {
    const all = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
    this.cards = Array.from({ length: this.decks() }, () => all).flat();
    for (let place = this.cards.length - 1; place > 0; place -= 1) {
      const other = below(place + 1);
      [this.cards[place], this.cards[other]] = [this.cards[other], this.cards[place]];
    }
  }

  /** The next card, where the simulated reader is on; else the real one is waited for. */
  async next() {
    if (!this.on()) { notice(t("reader.waits")); return; }
    if (this.cards.length === 0) this.shuffle();
    const card = this.cards.pop();
    if (card && await this.scan(card) === null) this.cards.push(card);
  }

  /** What a keyboard-like reader sends. @param {KeyboardEvent} event */
  key(event) {
    const inside = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (inside || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.timeStamp;
    if (at - this.last > BURST) this.typed = "";
    this.last = at;
    if (event.key === "Enter" && /^(10|[2-9TJQKA])[shdc]$/i.test(this.typed)) {
      event.preventDefault();
      this.scan(cardsIn(this.typed)[0]);
      this.typed = "";
    } else if (event.key.length === 1) {
      this.typed += event.key;
    }
  }

  /** @param {() => any} next */
  panel(next) {
    const wanted = () => ["scan-card", "expose-card"].includes(next()?.act);
    return html`<section class="reader" aria-label=${() => t("reader")}>
      <label class="tick"><input type="checkbox" .checked=${() => this.on()} @change=${(/** @type {any} */ event) => { this.on(event.target.checked); store("reader", this.on() ? "yes" : ""); }}> ${() => t("reader.simulated")}</label>
      ${() => (this.on() ? html`<form @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("card"));
        const cards = cardsIn(input.value);
        if (!cards.every(isCard)) { notice(t("reader.none", { text: input.value }), "", "refused"); return; }
        for (const card of cards) this.scan(card);
        input.value = "";
      }}><label><span>${() => t("reader.card")}</span><input name="card" autocomplete="off" spellcheck="false" placeholder="9h" maxlength="40"></label>
        <button>${() => t("reader.scan")}</button>
        <button type="button" disabled=${() => !wanted()} @click=${() => this.next()}>${() => t("reader.draw")}</button></form>` : null)}</section>`;
  }
}

/** An even number below another. @param {number} most */
function below(most) {
  const limit = Math.floor(2 ** 32 / most) * most, drawn = new Uint32Array(1);
  do crypto.getRandomValues(drawn); while (drawn[0] >= limit);
  return drawn[0] % most;
}
