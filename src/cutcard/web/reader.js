// @ts-check
/** A card reader for a table without one: cards from a shuffled shoe of its own, or typed in. */

import { html, signal } from "./lib/reactive.js";
import { cardName, store, stored, t } from "./lib/language.js";
import { notice } from "./lib/dialog.js";
import { cardsIn, isCard } from "./duty.js";

const RANKS = "A23456789TJQK", SUITS = "shdc";
/** A reader that types sends a card's letters faster than anybody can, and then Enter. */
const BURST = 80;
/** Where letters are written. */
const FIELDS = "input:not([type=checkbox]), textarea, select";

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
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const at = event.timeStamp;
    if (at - this.last > BURST) this.typed = "";
    this.last = at;
    if (event.key.length === 1) this.typed += event.key;
    if (event.key !== "Enter") return;
    const read = this.typed;
    this.typed = "";
    if (read.length > 1) this.heard(event, read);
  }

  /** Something was typed too fast for a hand: it is taken, or told why not, and presses nothing. @param {KeyboardEvent} event @param {string} read */
  heard(event, read) {
    const field = event.target instanceof Element ? event.target.closest(FIELDS) : null;
    const card = isCard(read);
    // A field for a card is filled by a reader too, and quick fingers write words.
    if (field && (field.getAttribute("name") === "card" || !card)) return;
    event.preventDefault();
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      // What was meant for the table is none of somebody's words.
      if (field.value.endsWith(read)) field.value = field.value.slice(0, -read.length);
    }
    if (!card) notice(t("reader.none", { text: read }), "", "refused");
    else if (field || document.querySelector("dialog[open]")) notice(t("reader.busy", { card: cardName(cardsIn(read)[0]) }), "", "refused");
    else this.scan(cardsIn(read)[0]);
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
        if (cards.length === 0 || !cards.every(isCard)) { notice(t("reader.none", { text: input.value }), "", "refused"); return; }
        for (const card of cards) this.scan(card);
        input.value = "";
      }}><label><span>${() => t("reader.card")}</span><input name="card" autocomplete="off" spellcheck="false" placeholder="9h" maxlength="40" required></label>
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
