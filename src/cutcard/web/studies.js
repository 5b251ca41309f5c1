// @ts-check
/**
 * The studies of the odds lab: what betting comes to, by formula or by simulation.
 *
 * The server works them out in a process of its own; every figure here is the lab's.
 */

import { effect, html, signal, untracked } from "./lib/reactive.js";
import { RefusedError } from "./lib/connection.js";
import { comeTo, language, learn, t } from "./lib/language.js";
import { get } from "./lib/api.js";
import { bar, foot } from "./lib/page.js";
import { decimal, exact, number, percentOf } from "./lib/exact.js";
import { bars } from "./lib/charts.js";
import { bands, shape, whiskers } from "./lib/curves.js";
import { chart } from "./lib/figure.js";

/** @typedef {Record<string, any>} Figures */

await learn("pages");
const STUDIES = ["per-hour", "distribution", "ruin", "counting", "cut-card"];
/** What each study may be told, and what it is told unless somebody says otherwise. */
const WISHES = /** @type {Record<string, Record<string, number>>} */ ({
  "per-hour": { stake: 100, rounds: 70 },
  distribution: { rounds: 500 },
  ruin: { stake: 100, bankroll: 10000, maximum: 10000, goal: 0, rounds: 500, seed: 1 },
  counting: { seed: 1 },
  "cut-card": { seed: 1 },
});
const BETS = ["distribution", "ruin", "counting"];

// --- what is asked ---

const asked = new URLSearchParams(location.search);
const books = signal(/** @type {any[]} */ ([]));
const lobby = signal(/** @type {any} */ (null));
const book = signal(/** @type {any} */ (null));
const id = signal(asked.get("book") ?? "rws-commission");
const study = signal(STUDIES.includes(asked.get("study") ?? "") ? String(asked.get("study")) : "per-hour");
const bet = signal(asked.get("bet") ?? "");
const wishes = signal(/** @type {Record<string, number>} */ ({ ...WISHES[untracked(study)],
  ...Object.fromEntries([...asked].filter(([name, value]) => name in WISHES[untracked(study)] && /^\d{1,9}$/.test(value)).map(([name, value]) => [name, Number(value)])) }));

const found = signal(/** @type {Figures | null} */ (null));
const busy = signal(false);
const trouble = signal("");

function query() {
  // Nought is no wish.
  const words = Object.entries(untracked(wishes)).filter(([, value]) => value > 0).map(([name, value]) => `${name}=${value}`);
  if (BETS.includes(untracked(study)) && untracked(bet)) words.unshift(`bet=${untracked(bet)}`);
  return words.join("&");
}

/** @param {string} name */
function choose(name) {
  study(name);
  wishes({ ...WISHES[name] });
  work();
}

let latest = 0;
async function work() {
  const name = untracked(study), which = untracked(id);
  latest += 1;
  const mine = latest;
  busy(true);
  try {
    if (untracked(book)?.id !== which) {
      const told = await get(`/books/${which}`);
      if (mine !== latest) return;
      book(told);
      if (!(untracked(bet) in told.bets) || told.bets[untracked(bet)].stage) bet("banker" in told.bets ? "banker" : Object.keys(told.bets)[0]);
    }
    const way = `/books/${which}/studies/${name}?${query()}`;
    history.replaceState(null, "", `?book=${which}&study=${name}&${query()}`);
    const told = await get(way);
    if (mine !== latest) return;
    trouble("");
    found(told);
    document.body.dataset.ready = name;
  } catch (error) {
    if (mine !== latest) return;
    found(null);
    trouble(error instanceof RefusedError ? `${error.refused.sentence} ${error.refused.clause ?? ""}` : t("offline"));
  }
  busy(false);
}

/** A bet's name in one's own language, or as its book prints it. @param {string} spot */
function named(spot) {
  const word = t(spot);
  return word === spot ? book()?.bets[spot]?.label ?? spot : word;
}

// --- figures ---

/** @param {string | number} share @param {number} [places] */
const percent = (share, places = 2) => `${(Number(share) * 100).toFixed(places).replace("-", "−")}`;
/** @param {string | number} value @param {number} [places] */
const plain = (value, places = 0) => Number(value).toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places }).replace("-", "−");
/** The figures of one study, or null while another one is shown. @param {string} name */
const of = (name) => (found()?.study === name ? found() : null);
const spots = (/** @type {Figures | null} */ figures) => /** @type {[string, any][]} */ (Object.entries(figures?.bets ?? {}));

/** @param {string[]} headers @param {() => any[][]} rows */
const table = (headers, rows) => html`<section class="bets"><div class="scroll" tabindex="0"><table>
  <thead><tr>${headers.map((one) => html`<th scope="col">${() => t(one)}</th>`)}</tr></thead>
  <tbody>${() => rows().map(([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((one) => html`<td>${one}</td>`)}</tr>`)}</tbody></table></div></section>`;

const VIEWS = /** @type {Record<string, () => any>} */ ({
  "per-hour": () => html`${chart("hour", () => t("study.per-hour"), () => t("study.per-hour.note"), (width) => (of("per-hour") === null ? null
    : bars(t("study.per-hour"), spots(of("per-hour")).map(([spot, one]) => ({ label: named(spot), value: number(one.cost), figure: decimal(exact(one.cost), 2, ",") })), width)))}
  ${table(["bet", "lab.edge", "study.paid", "study.give", "study.ahead"], () => spots(of("per-hour")).map(([spot, one]) =>
    [named(spot), percentOf(one.edge), decimal(exact(one.cost), 2, ","), plain(one.deviation), percent(one.ahead)]))}`,

  distribution: () => html`${chart("outcome", () => t("study.distribution.of", { bet: named(bet()), rounds: found()?.rounds ?? "" }), () => t("study.distribution.note"), (width) => {
    const one = of("distribution");
    return one ? shape(t("study.distribution"), one.edges.map(Number), one.shares.map(Number), width) : null;
  })}<section class="bets"><dl class="facts">${() => {
    const one = of("distribution");
    return one ? [["study.mean", decimal(exact(one.mean), 2)], ["lab.sigma", plain(one.deviation, 2)], ["study.ahead", percent(one.ahead)], ["study.even", percent(one.even)],
      ["study.behind", percent(one.behind)], ...Object.entries(one.quantiles).map(([share, value]) => [`study.quantile|${Number(share) * 100}`, value])].map(([word, value]) => {
      const [key, share] = word.split("|");
      return html`<div><dt>${() => t(key, { share })}</dt><dd>${String(value).replace("-", "−")}</dd></div>`;
    }) : null;
  }}</dl></section>`,

  ruin: () => html`${chart("ruin", () => t("study.ruin.of", { bet: named(bet()) }), () => t("study.ruin.note"), (width) => {
    const one = of("ruin");
    return one ? bands(t("study.ruin"), Object.entries(one.systems).map(([name, told]) => ({
      title: t(`system.${name}`), note: t("study.ruined.of", { ruined: percent(told.ruined / one.sessions, 1), ahead: percent(told.ahead, 1) }),
      bands: Object.values(told.bands), every: told.every, rounds: one.rounds, zero: one.bankroll })), width) : null;
  })}
  ${table(["study.system", "study.ruined", "study.goal", "study.ahead", "study.mean", "study.error", "study.staked", "study.lost"], () => Object.entries(of("ruin")?.systems ?? {}).map(([name, told]) => {
    const one = /** @type {Figures} */ (found());
    return [html`${t(`system.${name}`)}<span class="sub">${t(`system.${name}.note`)}</span>`, percent(told.ruined / one.sessions), one.goal ? percent(told.reached / one.sessions) : "–", percent(told.ahead), plain(told.mean), plain(told.error),
      plain(told.staked / one.sessions), percent(-told.won / (told.staked || 1), 3)];
  }))}
  <p class="explained">${() => (of("ruin") ? t("study.ruin.edge", { edge: percentOf(/** @type {Figures} */ (found()).edge), sessions: plain(/** @type {Figures} */ (found()).sessions) }) : "")}
    ${() => (of("ruin")?.exact_flat_ruin ? t("study.ruin.exact", { share: percent(/** @type {Figures} */ (found()).exact_flat_ruin, 3) }) : "")}</p>`,

  counting: () => html`${chart("counting", () => t("study.counting.of", { bet: named(found()?.bet ?? bet()) }), () => t("study.counting.note"), (width) => {
    const one = of("counting");
    if (!one) return null;
    const rows = /** @type {number[][]} */ (Object.values(one.bands).map((/** @type {any} */ row) => row.map((/** @type {string} */ value) => Number(value) * 100)));
    return bands(t("study.counting"), [{ title: "", note: "", bands: rows, every: 1, rounds: rows[0].length - 1, zero: 0 }], width, (value) => `${Math.round(value * 100) / 100}%`);
  })}
  ${table(["bet", "study.worth", "study.then", "study.best", "study.gain", "study.error"], () => spots(of("counting")).map(([spot, one]) =>
    [named(spot), percent(one.share, 4), one.positive ? percent(one.mean, 3) : "–", percent(one.best), plain(one.a_hundred_rounds, 5), plain(one.error, 5)]))}
  <p class="explained">${() => (of("counting") ? t("study.counting.how", { shoes: plain(/** @type {Figures} */ (found()).shoes), rounds: plain(/** @type {Figures} */ (found()).rounds) }) : "")}</p>`,

  "cut-card": () => html`${chart("cut", () => t("study.cut-card"), () => t("study.cut-card.note"), (width) => {
    const one = of("cut-card");
    return one ? whiskers(t("study.cut-card"), spots(one).map(([spot, told]) => ({ label: named(spot), value: Number(told.change) * 100, error: Number(told.error) * 100,
      figure: `${(Number(told.change) * 100).toFixed(4)} ± ${(Number(told.error) * 100).toFixed(4)}` })), width) : null;
  })}
  ${table(["bet", "study.change", "study.error", "study.errors"], () => spots(of("cut-card")).map(([spot, one]) =>
    [named(spot), percent(one.change, 6), percent(one.error, 6), plain(Number(one.change) / (Number(one.error) || 1), 1)]))}
  <p class="explained">${() => (of("cut-card") ? t("study.cut-card.how", { shoes: plain(/** @type {Figures} */ (found()).shoes), certain: /** @type {Figures} */ (found()).certain }) : "")}</p>`,
});

// --- the page ---

const wish = (/** @type {string} */ name) => html`<label>${() => t(`study.wish.${name}`)}<input type="number" inputmode="numeric" min=${name === "goal" ? "0" : "1"} max="999999999" name=${name} .value=${String(untracked(wishes)[name])}
  @change=${(/** @type {any} */ event) => wishes({ ...untracked(wishes), [name]: Math.max(0, Math.floor(Number(event.target.value) || 0)) })}></label>`;

document.body.append(html`${bar(() => lobby()?.venue ?? "cutcard", "studies.html")}
<main id="main"><header class="head"><div><h1>${() => t("study.title")}</h1><p>${() => t("study.note")}</p></div>
  <a href=${() => `odds.html?book=${id()}`}>${() => t("odds.exact")}</a></header>
<div class="tabs" role="group" aria-label=${() => t("study.title")}>${STUDIES.map((name) =>
  html`<button data-study=${name} aria-pressed=${() => String(study() === name)} @click=${() => choose(name)}>${() => t(`study.${name}`)}</button>`)}</div>
<div class="lab"><form class="asked" aria-label=${() => t("study.asked")} @submit=${(/** @type {Event} */ event) => { event.preventDefault(); work(); }}>
    <label>${() => t("lab.book")}<select id="book" @change=${(/** @type {any} */ event) => { id(event.target.value); work(); }}>${() => books().map((one) =>
      html`<option value=${one.id} .selected=${one.id === untracked(id)}>${one.name}</option>`)}</select></label>
    ${() => (BETS.includes(study()) && book() ? html`<label>${() => t("bet")}<select id="bet" @change=${(/** @type {any} */ event) => { bet(event.target.value); work(); }}>${
      Object.entries(book().bets).filter(([, one]) => !one.stage).map(([spot]) => html`<option value=${spot} .selected=${spot === untracked(bet)}>${() => named(spot)}</option>`)}</select></label>` : null)}
    <div class="two">${() => Object.keys(WISHES[study()]).map(wish)}</div>
    <button class="go" disabled=${() => busy()}>${() => t("study.go")}</button>
    <p class="wait" role="status">${() => (busy() ? t("study.working") : "")}</p></form>
  <div class="answered" aria-busy=${() => String(busy())}>${() => (trouble() ? html`<p class="trouble" role="alert">${trouble}</p>` : null)}
    ${() => VIEWS[study()]()}</div></div></main>
${foot(() => lobby()?.helpline ?? "")}`);

effect(() => { document.title = `${t("study.title")} · ${book()?.name ?? "cutcard"}`; });
effect(() => { document.documentElement.lang = language(); });
books(await get("/books"));
const venue = await get("/tables");
lobby(venue);
await comeTo(venue);
await work();
