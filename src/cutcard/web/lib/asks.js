// @ts-check
/** The ask roads: what the three lower roads would get if a side won next. They ask; they foretell nothing. */

import { effect, html } from "./reactive.js";
import { t } from "./language.js";
import { ring, slash } from "./road.js";

const INKS = { R: "#c81e36", B: "#1f5fc9" };
const LOWER = ["big_eye", "small", "cockroach"];

/** Three small signs, as each road draws its own; blue has a dot. @param {Record<string, "R" | "B" | null>} marks */
function signs(marks) {
  return LOWER.map((kind, x) => {
    const mark = marks[kind];
    if (!mark) return `<path d="M${x + 0.3} .5h.4" stroke="#8a7f66" stroke-width=".1"/>`;
    const shape = kind === "cockroach" ? slash(x, 0) : ring(x, 0, 0.34);
    const dot = mark === "B" ? `<path d="${ring(x, 0, 0.13)}" fill="${kind === "big_eye" ? INKS.B : "#fbf8ef"}"/>` : "";
    return `<path d="${shape}" fill="${kind === "small" ? INKS[mark] : "none"}" stroke="${INKS[mark]}" stroke-width=".17" stroke-linecap="round"/>${dot}`;
  }).join("");
}

/** @param {string} side @param {() => any} shown */
export function asks(side, shown) {
  const marks = () => shown()?.roads?.ask?.[side] ?? {};
  const told = () => LOWER.filter((kind) => marks()[kind]).map((kind) => `${t(`road.${kind}`)} ${t(`ask.${marks()[kind]}`)}`).join(", ");
  const drawn = html`<span class="whatif" role="img" aria-label=${() => `${t("ask", { side: t(side) })}: ${told() || "–"}`}><span>${() => t("ask", { side: t(side) })}</span>
    <svg viewBox="0 0 3 1" aria-hidden="true"></svg></span>`;
  const picture = /** @type {Element} */ (drawn.querySelector("svg"));
  effect(() => { picture.innerHTML = signs(marks()); });
  return drawn;
}
