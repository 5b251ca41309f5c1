// @ts-check
/** The shoe's proof, checked here card by card as they fall. */

import { computed, html, signal } from "./lib/reactive.js";
import { get } from "./lib/api.js";
import { dialog } from "./lib/dialog.js";
import { t } from "./lib/language.js";
import { verifyShoe } from "./lib/shoe.js";
import { parseStep } from "./lib/steps.js";

export class Proof {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.checked = signal(0);
    this.wrong = signal("");
    this.known = signal(false);
    this.number = 0;
    this.seen = "";
    this.words = computed(() => {
      if (this.wrong()) return `✗ ${t("proof.bad")}`;
      return this.known() ? `✓ ${t("proof.ok", { count: this.checked() })}` : t("proof");
    });
  }

  /** The table has changed: check what is new. @param {any} shown */
  async follow(shown) {
    const cards = `${shown.name}/${shown.player.join()}/${shown.banker.join()}`;
    if (cards === this.seen || shown.player.includes(null) || shown.banker.includes(null)) return;
    this.seen = cards;
    try {
      const shoe = await get(`/tables/${this.table}/shoe`);
      const pack = await get(`/tables/${this.table}/shoes/${shoe.number}`);
      const verdict = verifyShoe(parseStep(pack.commitment), pack.steps.map(parseStep));
      this.number = shoe.number;
      this.known(true);
      this.wrong(verdict.refusal ? String(verdict.refusal.message ?? verdict.refusal.code) : "");
      this.checked(pack.steps.filter((/** @type {any} */ one) => one.step === "CardShown").length);
    } catch {
      this.known(false);
    }
  }

  show() {
    return dialog(() => t("proof"), () => html`<p>${() => t("proof.more")}</p>
      <p class="verdict ${() => (this.wrong() ? "bad" : "good")}">${this.words}</p><p>${() => this.wrong()}</p>
      <p><a href=${() => `/api/v1/tables/${this.table}/shoes/${this.number || 1}`} download="shoe.json">shoe.json</a> ·
        <a href="/verify.html">${() => t("verify")}</a></p>`);
  }
}
