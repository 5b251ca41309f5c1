// @ts-check
/** The spots of a book: sectors of a ring where there is room, rows of buttons where there is not. */

import { effect, html } from "./lib/reactive.js";
import { stack as pile } from "./lib/chip.js";
import { arc, flatRows, isWide, middle, outline, zonesOf } from "./lib/felt.js";
import { money, number, stored, t } from "./lib/language.js";

/**
 * @typedef {{book: any, betting: import("./lib/betting.js").Betting, shown: () => any, results: () => any[],
 *   chips: import("./lib/chip.js").Chip[], unit: number, put: (spot: string) => void, take: (spot: string) => void,
 *   touched: (spot: string) => void}} Layout
 */

const SVG = "http://www.w3.org/2000/svg";
/** Milliseconds after which a finger that stays takes a chip back; a device may keep another time. */
const LONG = 550;

/** @param {string} text */
export function fraction(text) {
  const [over, under] = String(text).split("/");
  return Number(over) / Number(under ?? 1);
}

/** The odds printed on a spot, from its least to its best line. @param {any} book @param {string} spot */
export function oddsOf(book, spot) {
  const values = book.bets[spot].lines.map((/** @type {any} */ one) => fraction(one.net)).filter((/** @type {number} */ one) => one > 0);
  if (values.length === 0) return "";
  const told = (/** @type {number} */ one) => number(Math.round(one * 100) / 100);
  const least = Math.min(...values), most = Math.max(...values);
  return least === most ? `${told(most)} : 1` : `${told(least)}–${told(most)} : 1`;
}

/** @param {string} spot */
const sideOf = (spot) => (spot.includes("banker") ? "banker" : spot.includes("player") ? "player" : spot === "tie" ? "tie" : "side");

/** What a spot does and says, however it is drawn. @param {Element} node @param {string} spot @param {Layout} of */
function behave(node, spot, of) {
  const { betting, book, shown, results } = of;
  if (book.bets[spot].stage) return;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let held;
  let long = false;
  node.addEventListener("pointerdown", () => {
    long = false;
    clearTimeout(held);
    held = setTimeout(() => {
      long = true;
      of.take(spot);
    }, Number(stored("hold") ?? LONG));
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) node.addEventListener(end, () => clearTimeout(held));
  node.addEventListener("click", () => {
    if (!long) of.put(spot);
    long = false;
  });
  node.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    clearTimeout(held);
    if (!long) of.take(spot);
  });
  for (const looks of ["pointerenter", "focus"]) node.addEventListener(looks, () => of.touched(spot));
  node.addEventListener("keydown", (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (key === "Delete" || key === "Backspace") of.take(spot);
    else if (key !== "Enter" && key !== " ") return;
    else if (node instanceof SVGElement) of.put(spot);
    else return;
    event.preventDefault();
  });
  effect(() => {
    const mine = betting.on(spot);
    node.setAttribute("aria-label", `${t(spot)}, ${t("pays", { odds: oddsOf(book, spot) })}${mine ? `, ${t("bet")} ${money(mine)}` : ""}${
      mine && book.bets[spot].reserve > 1 ? `, ${t("could_lose", { amount: money(mine * book.bets[spot].reserve) })}` : ""}`);
  });
  effect(() => {
    const ended = ["settled", "result"].includes(shown()?.phase ?? "");
    node.classList.toggle("won", ended && (shown()?.winner === spot || results().some((one) => one.spot === spot && one.net > 0)));
    node.classList.toggle("off", !betting.open());
    node.classList.toggle("laid", betting.on(spot) > 0);
  });
}

/** The chips on a spot: grey on their way, see-through until confirmed, solid once they count. @param {string} spot @param {Layout} of */
function chipsOn(spot, { betting, book, chips, unit }) {
  return () => {
    const all = betting.on(spot);
    if (all === 0) return null;
    const kind = betting.coming()[spot] ? "coming" : betting.planned()[spot] ? "planned" : "";
    const reserve = book.bets[spot].reserve;
    const drawn = html`<div class="pile ${kind}" aria-hidden="true"><i></i><b>${money(all)}</b>${
      reserve > 1 ? html`<em>${t("could_lose", { amount: money(all * reserve) })}</em>` : null}</div>`;
    /** @type {Element} */ (drawn.querySelector("i")).innerHTML = pile(all, chips, unit);
    return drawn;
  };
}

// --- the ring ---

/** @param {import("./lib/felt.js").Zone} zone @param {Layout} of */
function sector(zone, of) {
  const node = document.createElementNS(SVG, "g");
  const at = middle(zone), stage = Boolean(of.book.bets[zone.id].stage), high = zone.outer - zone.inner;
  node.setAttribute("class", `zone ${sideOf(zone.id)}${zone.main ? " main" : ""}${isWide(zone) ? " broad" : ""}${stage ? " stage" : ""}`);
  node.dataset.spot = zone.id;
  node.innerHTML = `<path d="${outline(zone)}"/><path class="hair" d="${outline(zone, 5)}"/>
<g transform="translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) rotate(${at.tilt.toFixed(2)})"><text class="name"></text><text class="odds"></text></g>`;
  if (!stage) {
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
  }
  const name = /** @type {Element} */ (node.querySelector(".name")), odds = /** @type {Element} */ (node.querySelector(".odds"));
  effect(() => {
    const told = t(zone.id), span = (zone.to - zone.from) * zone.inner - 24;
    // Chinese characters are square, letters about six tenths of that.
    const long = [...told].reduce((sum, one) => sum + (one > "\u2e80" ? 1.06 : 0.76), 0);
    const size = Math.min(zone.main ? 31 : 21, high * 0.24, span / long);
    name.textContent = told;
    name.setAttribute("font-size", size.toFixed(1));
    name.setAttribute("y", (-high * 0.5 + (high > 80 ? 12 : 7) + size).toFixed(1));
    odds.textContent = oddsOf(of.book, zone.id);
    odds.setAttribute("font-size", String(high > 120 ? 17 : 14));
    odds.setAttribute("y", (-high * 0.5 + (high > 80 ? 12 : 7) + size + (high > 120 ? 22 : 16)).toFixed(1));
  });
  behave(node, zone.id, of);
  return node;
}

/** The layout as on a real table. @param {Layout} of */
export function ring(of) {
  const { zones, height, rows } = zonesOf(Object.keys(of.book.bets));
  const print = document.createElementNS(SVG, "svg");
  print.setAttribute("viewBox", `0 0 1200 ${height}`);
  print.setAttribute("class", "print");
  print.innerHTML = `<g class="lines"><path d="${arc(zones[0].inner - 14)}"/><path d="${arc()}"/>
<path id="motto" d="${arc(zones[0].inner - 36)}"/></g><text class="motto" aria-hidden="true"><textPath href="#motto" startOffset="50%"></textPath></text>`;
  /** @type {Element} */ (print.querySelector("textPath")).textContent = of.book.name.replace(/ *\(.*\)/, "").toUpperCase();
  print.append(...zones.map((zone) => sector(zone, of)));
  return html`<div class="ring" data-rows=${rows}>${print}${zones.map((zone) => {
    // Chips lie below the words, or beside them where rows are low and wide.
    const at = middle(zone, rows > 1 && isWide(zone) ? 0.82 : 0.5);
    return html`<div class="spot" css=${`left:${(at.x / 12).toFixed(2)}%;top:${((at.y + (zone.outer - zone.inner) * 0.22) / height * 100).toFixed(2)}%`}>${chipsOn(zone.id, of)}</div>`;
  })}</div>`;
}

// --- rows ---

/** The same as rows of buttons. @param {Layout} of */
export function rows(of) {
  const all = flatRows(Object.keys(of.book.bets));
  return html`<div class="rows" data-rows=${all.length}>${all.map((row) => html`<div class="row">${row.map((spot) => {
    const stage = of.book.bets[spot].stage;
    const made = html`<button type="button" class="flat ${sideOf(spot)} ${spot in MAIN ? "main" : ""} ${stage ? "stage" : ""}" disabled=${Boolean(stage)} data-spot=${spot}>
      <span class="name">${() => t(spot)}</span><span class="odds">${() => oddsOf(of.book, spot)}</span>${chipsOn(spot, of)}</button>`;
    behave(/** @type {Element} */ (made.firstElementChild), spot, of);
    return made;
  })}</div>`)}</div>`;
}
const MAIN = { player: 1, tie: 1, banker: 1 };
