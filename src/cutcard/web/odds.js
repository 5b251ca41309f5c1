// @ts-check
/**
 * The odds lab: any rule set, any made-up shoe, every figure exact.
 *
 * It stands apart from the tables. No terminal shows odds that depend on what has left a shoe.
 */

import { computed, effect, html, signal, untracked } from "./lib/reactive.js";
import { RefusedError } from "./lib/connection.js";
import { cardName, comeTo, language, learn, t } from "./lib/language.js";
import { get } from "./lib/api.js";
import { bar, foot } from "./lib/page.js";
import { number, percentOf, root } from "./lib/exact.js";
import { bars, columns, heat, shares, walk } from "./lib/charts.js";
import { chart } from "./lib/figure.js";

/** @typedef {Record<string, any>} Figures */

await learn("pages");
const RANKS = [..."A23456789TJQK"], SUITS = [..."shdc"];
const MARKS = /** @type {Record<string, string>} */ ({ s: "♠", h: "♥", d: "♦", c: "♣" });
const PLAYERS = 120, ROUNDS = 600;
const PAUSE = 250;

// --- what is asked ---

const asked = new URLSearchParams(location.search);
const books = signal(/** @type {any[]} */ ([]));
const lobby = signal(/** @type {any} */ (null));
const id = signal(asked.get("book") ?? "rws-commission");
const decks = signal(Math.min(8, Math.max(1, Number(asked.get("decks")) || 8)));
const removed = signal(counted((asked.get("remove") ?? "").split(/[ ,+]+/).filter(Boolean)));
const bet = signal("banker");

const book = signal(/** @type {any} */ (null));
const found = signal(/** @type {Figures | null} */ (null));
const removal = signal(/** @type {Figures | null} */ (null));
const busy = signal(false), removing = signal(false);
const trouble = signal("");

/** @param {string[]} cards @returns {Record<string, number>} */
function counted(cards) {
  /** @type {Record<string, number>} */ const counts = {};
  for (const card of cards) counts[card] = (counts[card] ?? 0) + 1;
  return counts;
}

const cards = computed(() => Object.entries(removed()).flatMap(([card, times]) => Array(times).fill(card)).join(" "));
const query = computed(() => `decks=${decks()}${cards() ? `&remove=${encodeURIComponent(cards())}` : ""}`);
const path = computed(() => `/books/${id()}/{}?${query()}`);

/** Take a card out, or put one back. @param {string} card @param {number} by */
function remove(card, by) {
  const now = removed(), times = Math.min(decks(), Math.max(0, (now[card] ?? 0) + by));
  const next = { ...now, [card]: times };
  if (times === 0) delete next[card];
  removed(next);
}
effect(() => {
  const most = decks(), now = untracked(removed);
  removed(Object.fromEntries(Object.entries(now).map(([card, times]) => [card, Math.min(times, most)])));
});

// --- what is answered ---

let latest = 0;
let timer = 0;
effect(() => {
  const way = path();
  history.replaceState(null, "", `?book=${id()}&${query()}`);
  clearTimeout(timer);
  busy(true);
  latest += 1;
  const mine = latest;
  timer = setTimeout(() => untracked(() => count(way, mine)), untracked(found) === null ? 0 : PAUSE);
});

/** @param {string} way @param {number} mine */
async function count(way, mine) {
  const name = untracked(id);
  try {
    if (untracked(book)?.id !== name) {
      const told = await get(`/books/${name}`);
      if (mine !== latest) return;
      book(told);
    }
    const told = await get(way.replace("{}", "odds"));
    if (mine !== latest) return;
    found(told);
    removal(null);
    trouble("");
    if (!(untracked(bet) in told.bets)) bet(Object.keys(told.bets)[0]);
    busy(false);
    document.body.dataset.ready = way;
    // A fresh shoe's is soon counted for everybody; any other only when somebody wants it.
    if (untracked(cards) === "") countRemoval();
  } catch (error) {
    if (mine !== latest) return;
    busy(false);
    trouble(error instanceof RefusedError ? `${error.refused.sentence} ${error.refused.clause ?? ""}` : t("offline"));
  }
}

async function countRemoval() {
  const mine = latest;
  removing(true);
  try {
    const told = await get(untracked(path).replace("{}", "removal"));
    if (mine === latest) removal(told);
  } catch (error) {
    if (mine === latest && error instanceof RefusedError) trouble(error.refused.sentence);
  }
  if (mine === latest) removing(false);
}

/** A bet's name in one's own language, or as its book prints it. @param {string} spot */
function named(spot) {
  const word = t(spot);
  return word === spot ? book()?.bets[spot]?.label ?? spot : word;
}
const chosen = computed(() => (found()?.bets[bet()] ? bet() : Object.keys(found()?.bets ?? { banker: 0 })[0]));

// --- charts ---

const entries = () => Object.entries(found()?.bets ?? {});

const edges = () => chart("edges", () => t("lab.edges"), () => t("lab.edges.note"), (width) => (found() === null ? null
  : bars(t("lab.edges"), entries().map(([spot, one]) => ({ label: named(spot), value: number(one.edge), figure: `${percentOf(one.edge)}%`,
    kind: number(one.edge) < 0 ? "gain" : spot === chosen() ? "chosen" : "" })), width)));

const ends = () => chart("shares", () => t("lab.shares"), () => t("lab.shares.note"), (width) => (found() === null ? null
  : shares(t("lab.shares"), entries().map(([spot, one]) => ({ label: named(spot),
    parts: ["win", "push", "lose"].map((kind) => ({ kind, value: number(one[kind]), figure: percentOf(one[kind], 1) })) })), width)),
  html`<p class="legend">${["win", "push", "lose"].map((kind) => html`<span><i class=${kind}></i>${() => t(`lab.${kind}`).replace(" %", "")}</span>`)}</p>`);

const distribution = () => chart("distribution", () => t("lab.distribution", { bet: named(chosen()) }), () => t("lab.distribution.note"), (width) => {
  const one = found()?.bets[chosen()];
  return one ? columns(t("lab.distribution", { bet: named(chosen()) }), one.distribution.map((/** @type {any} */ way) => ({
    label: number(way.net) > 0 ? `+${way.net}` : way.net, value: number(way.share), figure: `${percentOf(way.share, 2)}%`,
    kind: number(way.net) > 0 ? "win" : number(way.net) < 0 ? "lose" : "push" })), width) : null;
});

const effects = () => chart("removal", () => t("lab.removal", { bet: named(chosen()) }), () => t("lab.removal.note"), (width) => {
  const one = removal()?.[chosen()];
  return one ? columns(t("lab.removal", { bet: named(chosen()) }), RANKS.filter((rank) => rank in one).map((rank) => ({
    label: rank === "T" ? "10" : rank, value: number(one[rank]), figure: percentOf(one[rank], 3),
    kind: number(one[rank]) >= 0 ? "win" : "lose" })), width) : null;
}, html`${() => (removal() ? null : removing() ? html`<p class="wait" role="status">${() => t("lab.counting")}</p>`
  : html`<button class="quiet" @click=${countRemoval}>${() => t("lab.removal.ask")}</button>`)}`);

const points = () => chart("points", () => t("lab.points"), () => t("lab.points.note"), (width) => {
  const results = found()?.results;
  if (!results) return null;
  return heat(t("lab.points"), results.points.map((/** @type {string[]} */ row, /** @type {number} */ player) => row.map((share, banker) => ({
    value: number(share), said: `${t("player")} ${player}, ${t("banker")} ${banker}: ${t("lab.share_of", { share: percentOf(share) })}` }))),
    { across: t("player"), down: t("banker") }, width);
}, html`<dl class="results">${() => (found() ? ["player", "banker", "tie"].map((who) => html`<div class=${who}><dt>${t(who)}</dt><dd>${percentOf(found()?.results.winner[who] ?? "0", 6)}%</dd></div>`) : null)}
  ${() => Object.entries(found()?.results.cards ?? {}).map(([n, share]) => html`<div><dt>${t("lab.cards_dealt", { n })}</dt><dd>${percentOf(/** @type {string} */ (share), 6)}%</dd></div>`)}</dl>`);

const bankrolls = () => chart("walk", () => t("lab.walk", { players: PLAYERS, rounds: ROUNDS, bet: named(chosen()) }),
  () => (found() ? t("lab.walk.note", { ev: percentOf(found()?.bets[chosen()].ev, 4) }) : ""), (width) => {
    const one = found()?.bets[chosen()];
    return one ? walk(t("lab.walk", { players: PLAYERS, rounds: ROUNDS, bet: named(chosen()) }),
      one.distribution.map((/** @type {any} */ way) => ({ net: number(way.net), share: number(way.share) })),
      { players: PLAYERS, rounds: ROUNDS, mean: number(one.ev), deviation: Math.sqrt(number(one.variance)) }, width,
      width > 760 ? 440 : width > 420 ? 600 : 330) : null;
  });

const strategy = () => html`<figure class="chart strategy"><figcaption><h2>${() => t("lab.strategy")}</h2></figcaption><div class="scroll" tabindex="0" role="region" aria-label=${() => t("lab.strategy")}><table>
  <thead><tr><td></td>${() => RANKS.map((rank) => html`<th scope="col">${rank === "T" ? "10" : rank}</th>`)}</tr></thead>
  <tbody>${() => Object.entries(found()?.strategy ?? {}).map(([spot, one]) => html`<tr><th scope="row">${named(spot)}</th>${RANKS.map((rank) => {
    const choice = /** @type {any} */ (one)[rank]?.decision;
    return html`<td class=${choice === "continue" ? "yes" : "no"}>${choice ? t(choice === "continue" ? "lab.continues" : "lab.declines") : "–"}</td>`;
  })}</tr>`)}</tbody></table></div></figure>`;

// --- the page ---

const COLUMNS = /** @type {const} */ (["lab.win", "lab.push", "lab.lose", "lab.edge", "lab.rtp", "lab.sigma"]);

const table = () => html`<section class="bets" aria-busy=${() => String(busy())}><h2>${() => t("lab.bets")}</h2><div class="scroll" tabindex="0" role="region" aria-label=${() => t("lab.bets")}><table>
  <thead><tr><th scope="col">${() => t("bet")}</th>${COLUMNS.map((one) => html`<th scope="col">${() => t(one)}</th>`)}</tr></thead>
  <tbody>${() => entries().map(([spot, one]) => html`<tr data-spot=${spot} class=${() => (chosen() === spot ? "chosen" : "")}>
    <th scope="row"><button aria-pressed=${() => String(chosen() === spot)} @click=${() => bet(spot)}>${() => named(spot)}</button></th>
    <td>${percentOf(one.win)}</td><td>${percentOf(one.push)}</td><td>${percentOf(one.lose)}</td><td class="edge" title=${() => t("lab.exactly", { fraction: one.edge })}>${one.edge_percent}</td><td>${percentOf(one.rtp)}</td><td>${root(one.variance)}</td></tr>`)}</tbody></table></div></section>`;

/** @param {string} rank @param {string} suit */
const oneCard = (rank, suit) => {
  const card = rank + suit, gone = () => removed()[card] ?? 0;
  return html`<button class=${() => `${"hd".includes(suit) ? "red" : "black"}${gone() ? " gone" : ""}`} data-card=${card}
    aria-label=${() => t("lab.card", { card: cardName(card), left: decks() - gone(), decks: decks() })}
    @click=${(/** @type {MouseEvent} */ event) => remove(card, event.shiftKey ? -1 : 1)}
    @contextmenu=${(/** @type {Event} */ event) => { event.preventDefault(); remove(card, -1); }}
    @keydown=${(/** @type {KeyboardEvent} */ event) => { if (event.key === "Delete" || event.key === "Backspace") remove(card, -1); }}>
    <b>${rank === "T" ? "10" : rank}</b>${MARKS[suit]}<i>${() => (gone() ? `−${gone()}` : "")}</i></button>`;
};

document.body.append(html`${bar(() => lobby()?.venue ?? "cutcard", "odds.html")}
<main id="main"><header class="head"><div><h1>${() => t("lab.title")}</h1><p>${() => t("lab.note")}</p></div>
  <a href=${() => `studies.html?book=${id()}`}>${() => t("study.title")}</a>
  <a class="go" download href=${() => `/api/v1${path().replace("{}", "certificate")}`}>${() => t("lab.certificate")}</a></header>
<div class="lab"><aside class="asked" aria-label=${() => t("lab.shoe")}>
    <label>${() => t("lab.book")}<select id="book" @change=${(/** @type {any} */ event) => id(event.target.value)}>${() => books().map((one) =>
      html`<option value=${one.id} .selected=${one.id === untracked(id)}>${one.name}</option>`)}</select></label>
    <fieldset class="decks"><legend>${() => t("lab.decks")}</legend>${Array.from({ length: 8 }, (_, one) => one + 1).map((one) =>
      html`<button aria-pressed=${() => String(decks() === one)} @click=${() => decks(one)}>${one}</button>`)}</fieldset>
    <details class="deck" .open=${matchMedia("(min-width: 64rem)").matches || untracked(cards) !== ""}><summary>${() => t("lab.shoe")}</summary><p>${() => t("lab.shoe.note")}</p>
      <div class="grid">${RANKS.map((rank) => SUITS.map((suit) => oneCard(rank, suit)))}</div></details>
    <p class="total" role="status">${() => (busy() ? t("lab.counting") : found() ? t("lab.cards", { cards: found()?.cards }) : "")}</p>
    <button class="quiet" disabled=${() => cards() === ""} @click=${() => removed({})}>${() => t("lab.reset")}</button></aside>
  <div class="answered">${() => (trouble() ? html`<p class="trouble" role="alert">${trouble}</p>` : null)}
    ${table()}${edges()}${ends()}${distribution()}${effects()}${points()}${bankrolls()}
    ${() => (found()?.strategy ? strategy() : null)}</div></div></main>
${foot(() => lobby()?.helpline ?? "")}`);

effect(() => { document.title = `${t("lab.title")} · ${book()?.name ?? "cutcard"}`; });
effect(() => { document.documentElement.lang = language(); });
books(await get("/books"));
const venue = await get("/tables");
lobby(venue);
await comeTo(venue);
