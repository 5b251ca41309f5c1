// @ts-check
/** Who one is: asked of whoever wants to play, or to work. */

import { html } from "./lib/reactive.js";
import { dialog, tried } from "./lib/dialog.js";
import { post } from "./lib/api.js";
import { t } from "./lib/language.js";

/** @param {import("./lib/connection.js").Connection} connection @param {any} lobby */
export function signInPanel(connection, lobby) {
  return dialog(() => t("sign_in"), (close) => {
    const enter = async (/** @type {string} */ path, /** @type {object} */ body) => {
      const told = await tried(() => post(path, body));
      if (told === null) return;
      connection.again();
      close(told);
    };
    return html`<form @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      enter("/sign-in", { name: form.get("name"), password: form.get("password") });
    }}><label>${() => t("name")}<input name="name" autocomplete="username" required></label>
      <label>${() => t("password")}<input name="password" type="password" autocomplete="current-password" required></label>
      <button class="go">${() => t("sign_in")}</button></form>
      ${lobby.self_service ? html`<hr><button class="go wide" @click=${() => enter("/guests", {})}>${() => t("demo_seat")}</button>` : null}`;
  });
}
