// @ts-check
/** Dialogs and short notices. The browser's own <dialog> keeps focus and keys in order. */

import { html, root } from "./reactive.js";
import { t } from "./language.js";
import { RefusedError } from "./refused.js";

/**
 * Show a dialog; whatever is returned by `content` goes into it.
 * @param {() => string} title @param {(close: (answer?: any) => void) => any} content
 * @param {{must?: boolean, wide?: boolean}} [kind] `must`: it does not close by itself
 * @returns {Promise<any>}
 */
export function dialog(title, content, kind = {}) {
  return new Promise((answered) => root((dispose) => {
    const box = document.createElement("dialog");
    box.className = kind.wide ? "wide" : "";
    const close = (/** @type {any} */ answer) => {
      box.close();
      // What is still being said outlasts the dialog it was said in.
      document.body.append(...box.querySelectorAll(".notices"));
      box.remove();
      dispose();
      answered(answer);
    };
    box.append(html`
      <header><h2 id="dialog-title">${title}</h2>${kind.must ? null
        : html`<button class="quiet" aria-label=${() => t("close")} @click=${() => close()}>×</button>`}</header>
      <div class="content">${content(close)}</div>`);
    box.setAttribute("aria-labelledby", "dialog-title");
    box.addEventListener("cancel", (event) => {
      event.preventDefault();
      if (!kind.must) close();
    });
    box.addEventListener("click", (event) => {
      if (event.target === box && !kind.must) close();
    });
    document.body.append(box);
    box.showModal();
  }));
}

/** Say something for a moment. @param {string} text @param {string} [clause] @param {string} [kind] */
export function notice(text, clause = "", kind = "") {
  let shelf = document.querySelector(".notices");
  if (shelf === null) {
    shelf = document.createElement("div");
    shelf.className = "notices";
    shelf.setAttribute("role", "alert");
  }
  // Whatever lies outside an open dialog is dimmed, and not read aloud.
  const host = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (shelf.parentElement !== host) host.append(shelf);
  const one = document.createElement("p");
  one.className = kind;
  one.textContent = text;
  if (clause) {
    const small = document.createElement("small");
    small.textContent = clause;
    one.append(small);
  }
  // The same thing said again takes the place of the first.
  for (const other of shelf.children) if (other.textContent === one.textContent) other.remove();
  shelf.append(one);
  setTimeout(() => one.remove(), 6000);
}

/** A refusal, with its clause. @param {{sentence: string, clause: string | null}} refused */
export function refusal(refused) {
  notice(refused.sentence, refused.clause ? t("clause", { clause: refused.clause }) : "", "refused");
}

/** Do something that may be refused. @param {() => Promise<any>} work */
export async function tried(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedError) refusal(error.refused);
    else throw error;
  }
  return null;
}
