// @ts-check
/** A figure on a page: a title, a sentence, and a chart that keeps to the width it has. */

import { effect, html, signal } from "./reactive.js";
import { language } from "./language.js";

const PRINT = 16;

/**
 * A chart that is drawn anew whenever its figures or its width change.
 * @param {string} name @param {() => string} title @param {() => string} note @param {(width: number) => string | null} draw @param {any} [more]
 */
export function chart(name, title, note, draw, more = null) {
  const width = signal(0);
  const made = html`<figure class="chart ${name}"><figcaption><h2>${title}</h2><p>${note}</p></figcaption><div class="drawn"></div>${more}</figure>`;
  const box = /** @type {HTMLElement} */ (made.querySelector(".drawn"));
  new ResizeObserver(([entry]) => width(Math.floor(entry.contentRect.width))).observe(box);
  effect(() => {
    language();
    // Charts are drawn for a page of usual print, and grow with the print on a greater one.
    const scale = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / PRINT);
    const drawn = width() > 0 ? draw(Math.floor(width() / scale)) : null;
    box.innerHTML = drawn ?? "";
    const sheet = box.querySelector("svg");
    for (const side of ["width", "height"]) sheet?.setAttribute(side, String(Number(sheet.getAttribute(side)) * scale));
    box.classList.toggle("empty", drawn === null);
  });
  return made;
}
