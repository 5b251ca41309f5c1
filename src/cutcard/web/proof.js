// @ts-check
/** The shoe's proof, checked here card by card as they fall. The checker comes when the page has time for it. */

import { computed, signal } from "./lib/reactive.js";
import { get } from "./lib/api.js";
import { number, t } from "./lib/language.js";

/** The cards on a table. @param {any} shown @returns {string[]} */
const onTable = (shown) => [...shown.player, ...shown.banker];

/** When the browser has nothing better to do. */
export const idle = () => new Promise((done) => ("requestIdleCallback" in window ? requestIdleCallback(done, { timeout: 3000 }) : setTimeout(done, 300)));

export class Proof {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.checked = signal(0);
    this.wrong = signal("");
    this.known = signal(false);
    /** Whether people deal: that proves nothing. */ this.cards = signal(false);
    this.number = 0;
    /** What the house committed to for this shoe, when it was first heard of. */
    this.bound = "";
    this.seen = "";
    this.busy = false;
    /** What the table showed meanwhile. @type {any} */ this.next = null;
    this.words = computed(() => {
      if (this.wrong()) return t("proof.bad");
      return this.known() ? t("proof.ok", { count: number(this.checked()) }) : t("proof");
    });
    this.short = computed(() => (this.wrong() ? "✗" : this.known() ? `✓ ${number(this.checked())}` : "✓"));
  }

  /** The table has changed: check what is new. @param {any} shown */
  async follow(shown) {
    const cards = `${shown.name}/${shown.player.join()}/${shown.banker.join()}`;
    if (this.busy) {
      this.next = shown;
      return;
    }
    if (cards === this.seen || shown.player.includes(null) || shown.banker.includes(null)) return;
    this.seen = cards;
    this.busy = true;
    try {
      await idle();
      const { verifyShoe } = await import("./lib/shoe.js");
      const used = await get(`/tables/${this.table}/shoe`);
      this.cards(!used);
      const { number } = used;
      const { commitment, steps } = await get(`/tables/${this.table}/shoes/${number}`);
      const bound = JSON.stringify(commitment);
      if (this.number !== number) this.bound = bound;
      this.number = number;
      const { shoe, findings } = verifyShoe(commitment, steps);
      const cards = [...shoe?.shown.values() ?? []];
      // What lies on the table came out of this shoe, unless the shoe has been changed since.
      const other = onTable(shown).find((card) => shown.shoe === number && (!cards.includes(card) || !cards.splice(cards.indexOf(card), 1)));
      this.wrong(findings[0]?.code ?? (bound !== this.bound ? "shoe/commitment" : other ?? ""));
      this.checked(shoe?.shown.size ?? 0);
      this.known(true);
    } catch {
      this.known(false);
    } finally {
      this.busy = false;
      const { next } = this;
      this.next = null;
      if (next) this.follow(next);
    }
  }
}
