// @ts-check
/**
 * The lobby: every table at a glance, and up to four watched at once.
 *
 * The list is asked for every other second; whatever is on the screen is followed live besides. A
 * card is made once for its table, and off the screen it costs next to nothing.
 */

import { computed, each, effect, html, onDispose, signal, untracked } from "./lib/reactive.js";
import { Connection } from "./lib/connection.js";
import { bigRoad } from "./lib/roads.js";
import { cells } from "./lib/road.js";
import { comeTo, language, learn, money, t } from "./lib/language.js";
import { get, post, trusted } from "./lib/api.js";
import { hand } from "./lib/hand.js";
import { bar, foot } from "./lib/page.js";
import { lettersOf, moodOf } from "./lib/listing.js";
import { limitsOf, stateOf } from "./lib/telling.js";
import { notice, tried } from "./lib/dialog.js";
import { signInPanel } from "./signin.js";

/**
 * @typedef {{table: string, title: string, book: string, book_name: string, deals: string, dealing: boolean,
 *   face_down: boolean, open: boolean, phase: string, until: number | null, shoe: number, round: number,
 *   boxes: number, taken_boxes: number[], patrons: number, winners: string,
 *   limits: import("./lib/telling.js").Limit[]}} Listed a table as the list has it
 * @typedef {{key: string, listed: Listed, shown: any, limits: ReturnType<typeof limitsOf>, letters: string,
 *   state: any, taken: number}} Row
 */

await learn("menu");
await learn("pages");
const EVERY = 2000;
const AGAIN = 10_000;
const MOST_WATCHED = 4;
const MOST_LIVE = 12;
const COLUMNS = 29;
const TURNS = 10;
const VARIANTS = ["commission", "no-commission", "knockout", "cow-cow"];

// --- what is known ---

const asked = new URLSearchParams(location.search);
const lobby = signal(/** @type {any} */ (null));
const silent = signal(false);
const variants = signal(/** @type {Record<string, string>} */ ({}));
const variant = signal(asked.get("variant") ?? "");
const most = signal(Number(asked.get("limit") ?? 0));
const onlyOpen = signal(asked.has("open"));
const watching = signal((asked.get("watch") ?? "").split(",").filter(Boolean).slice(0, MOST_WATCHED));

const connection = new Connection();
/** Tables that are followed live because their card is on the screen. */
const live = signal(/** @type {Map<string, () => any>} */ (new Map()));
const clock = signal(Date.now());
setInterval(() => clock(connection.now()), 250);
/** Cards off the screen are brought up to date now and then, a few at a time. */
const turn = signal(0);
setInterval(() => turn(turn() + 1), 1000);

/** The list anew. @param {any} told */
export function show(told) {
  const before = untracked(lobby);
  if (before === null || before.currency !== told.currency) comeTo(told).catch(() => null);
  lobby(told);
}

/** @type {Map<string, {listed: Listed, shown: any, row: Row}>} */ const kept = new Map();

/** A table's row; the same one as long as nothing about it changes. @param {Listed} listed @param {any} shown */
function rowOf(listed, shown) {
  const had = kept.get(listed.table);
  if (had && had.shown === shown && same(had.listed, listed)) return had.row;
  const state = shown ?? listed;
  const limits = limitsOf(state.limits), was = had?.row.limits;
  /** @type {Row} */ const row = {
    key: listed.table, listed, shown, state,
    limits: was && was.least === limits.least && was.most === limits.most && was.gap === limits.gap ? was : limits,
    letters: shown ? lettersOf(shown.roads.bead) : listed.winners,
    taken: state.taken_boxes.length,
  };
  kept.set(listed.table, { listed, shown, row });
  return row;
}

/** @param {Listed} one @param {Listed} other */
function same(one, other) {
  return one === other || (one.phase === other.phase && one.until === other.until && one.winners === other.winners
    && one.round === other.round && one.shoe === other.shoe && one.open === other.open && one.dealing === other.dealing
    && one.patrons === other.patrons && one.title === other.title && one.taken_boxes.length === other.taken_boxes.length
    && JSON.stringify(one.limits) === JSON.stringify(other.limits));
}

const rows = computed(() => {
  const followed = live();
  return (lobby()?.tables ?? []).map((/** @type {Listed} */ one) => rowOf(one, followed.get(one.table)?.()?.shown ?? null));
});
const minimums = computed(() => {
  /** @type {number[]} */ const all = rows().map((/** @type {Row} */ one) => one.limits.least ?? 0);
  return [...new Set(all)].sort((one, other) => one - other).join();
});
const chosen = computed(() => rows().filter((/** @type {Row} */ one) => (!variant() || variants()[one.listed.book] === variant())
  && (!most() || (one.limits.least ?? 0) <= most()) && (!onlyOpen() || one.state.open)));
const open = computed(() => rows().filter((/** @type {Row} */ one) => one.state.open).length);
const seated = computed(() => rows().reduce((/** @type {number} */ sum, /** @type {Row} */ one) => sum + one.taken, 0));

/** Seconds left, as a cell that changes once a second. @param {() => any} state */
function left(state) {
  return computed(() => {
    const until = state()?.until ?? null;
    return until === null ? null : Math.max(0, Math.ceil((until - clock()) / 1000));
  });
}

// --- what is watched ---

/** The address of this page with another choice of tables. @param {string[]} tables */
function address(tables) {
  const next = new URLSearchParams();
  if (tables.length) next.set("watch", tables.join(","));
  if (variant()) next.set("variant", variant());
  if (most()) next.set("limit", String(most()));
  if (onlyOpen()) next.set("open", "");
  const text = next.toString().replaceAll("%2C", ",").replace("open=", "open");
  return text ? `?${text}` : location.pathname;
}
effect(() => {
  // A name in the address that is no table's is forgotten as soon as the tables are known.
  const names = lobby()?.tables.map((/** @type {Listed} */ one) => one.table) ?? watching();
  if (watching().some((one) => !names.includes(one))) watching(watching().filter((one) => names.includes(one)));
});
effect(() => {
  const next = address(watching());
  history.replaceState(null, "", next);
});

/** @param {string} table */
function toggle(table) {
  const now = watching();
  if (now.includes(table)) watching(now.filter((one) => one !== table));
  else if (now.length < MOST_WATCHED) watching([...now, table]);
  else notice(t("watch.most", { most: MOST_WATCHED }));
}

/** Follow a card that is on the screen; what is watched above is followed anyway. @param {string} table @param {boolean} seen */
function follow(table, seen) {
  const now = live();
  if (seen === now.has(table) || (seen && now.size >= MOST_LIVE)) return;
  const next = new Map(now);
  if (seen) next.set(table, connection.watch(table));
  else {
    next.delete(table);
    if (!watching().includes(table)) connection.leave(table);
  }
  live(next);
}

// --- a card ---

let made = 0;
/** @type {Map<Element, (seen: boolean) => void>} */ const looking = new Map();
const onScreen = new IntersectionObserver((entries) => {
  for (const one of entries) looking.get(one.target)?.(one.isIntersecting);
}, { rootMargin: "60px" });

/** @param {() => Row} row */
function card(row) {
  const { key, listed } = untracked(row);
  const seen = signal(true);
  const place = made++ % TURNS, due = computed(() => Math.floor((turn() + place) / TURNS));
  const now = computed(() => {
    if (seen()) return row();
    due();
    return untracked(row);
  });
  const state = computed(() => now().state), limits = computed(() => now().limits), mood = computed(() => moodOf(state()));
  const letters = computed(() => now().letters), taken = computed(() => now().taken), full = computed(() => listed.boxes > 0 && taken() >= listed.boxes), playing = computed(() => now().state.patrons), seconds = left(state);
  const deals = computed(() => (listed.deals === "machine" ? "machine" : now().listed.dealing ? "automatic" : "staff"));
  const watched = computed(() => watching().includes(key));
  const tally = computed(() => ["B", "P", "T"].map((one) => letters().split(one).length - 1).join());
  const count = (/** @type {number} */ one) => () => tally().split(",")[one];
  const drawn = html`<li class="card" data-table=${key}>
    <header class=${mood}><h2 title=${listed.title}>${listed.title}</h2><p class="kind"><span class=${() => `variant ${variants()[listed.book] ?? ""}`}>${() => variantName(variants()[listed.book])}</span>${() => (full() ? html`<span class="full">${() => t("full")}</span>` : null)}${listed.face_down ? html`<span>${() => t("squeeze")}</span>` : null}</p>
      <p class="state"><b>${() => stateOf(state())}</b><span class=${() => `left${(seconds() ?? 99) <= 5 ? " soon" : ""}`}>${() => (seconds() === null ? "" : seconds())}</span></p></header>
    <div class="road" role="img" aria-label=${() => `${t("road.big")}: ${t("banker")} ${count(0)()}, ${t("player")} ${count(1)()}, ${t("tie")} ${count(2)()}`}>
      <road-map kind="big" columns=${COLUMNS} .cells=${() => cells({ big: bigRoad([...letters()]) }, "big")}></road-map></div>
    <p class="tally" aria-hidden="true"><span class="B">${() => `${t("banker")} ${count(0)()}`}</span><span class="P">${() => `${t("player")} ${count(1)()}`}</span><span class="T">${() => `${t("tie")} ${count(2)()}`}</span>
      <span class="shoe">${() => (state().round ? `${t("round")} ${state().shoe}/${state().round}` : "")}</span></p>
    <dl><div><dt>${() => t("limits")}</dt><dd>${() => rangeWords(limits())}<small>${() => gapWords(limits())}</small></dd></div>
      ${listed.boxes ? html`<div><dt>${() => t("seats.title")}</dt><dd class="seats"><span class="dots" aria-hidden="true" css=${() => `--boxes:${listed.boxes};--taken:${taken()}`}></span>${() => t("seats", { taken: taken(), boxes: listed.boxes })}<small>${() => t(deals())}</small></dd></div>`
    : html`<div><dt>${() => t("open_table")}</dt><dd class="seats">${() => t("playing", { n: playing() })}<small>${() => t(deals())}</small></dd></div>`}</dl>
    <div class="acts"><a class="go" href=${`table.html?table=${key}`}>${() => t("play")}<span class="unseen"> ${listed.title}</span></a>
      <a class="quiet" href=${() => address(watched() ? watching().filter((one) => one !== key) : [...watching(), key].slice(-MOST_WATCHED))}
        @click=${(/** @type {MouseEvent} */ event) => { event.preventDefault(); toggle(key); }}>${() => t(watched() ? "unwatch" : "watch")}<span class="unseen"> ${listed.title}</span></a>
      <a class="wall" href=${`display.html?table=${key}`} title=${() => t("display")} aria-label=${() => `${t("display")}: ${listed.title}`}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 4h18v12H3zM8 20h8M12 16v4"/></svg></a></div></li>`;
  const item = /** @type {Element} */ (drawn.firstElementChild);
  looking.set(item, (now) => {
    seen(now);
    follow(key, now);
  });
  onScreen.observe(item);
  onDispose(() => {
    onScreen.unobserve(item);
    looking.delete(item);
    untracked(() => follow(key, false));
  });
  return drawn;
}

/** @param {string | undefined} kind */
const variantName = (kind) => (kind ? t(`variant.${kind}`) : "…");

/** @param {Row["limits"]} limits */
const rangeWords = ({ least, most: upper }) => (upper === null ? t("from", { amount: money(least ?? 0) })
  : `${money(least ?? 0)} – ${money(upper)}`);

/** @param {Row["limits"]} limits */
const gapWords = ({ gap }) => (gap === null ? "" : `${t("differential")} ${money(gap)}`);

// --- a table that is watched ---

/** @param {() => string} name */
function pane(name) {
  const key = untracked(name), cell = connection.watch(key);
  onDispose(() => untracked(() => { if (!live().has(key)) connection.leave(key); }));
  const shown = computed(() => cell()?.shown ?? null), seconds = left(shown);
  const listed = computed(() => lobby()?.tables.find((/** @type {Listed} */ one) => one.table === key) ?? null);
  return html`<section class=${() => `window ${moodOf(shown())}`} aria-label=${() => listed()?.title ?? key} data-table=${key}>
    <header><h3>${() => listed()?.title ?? key}</h3><span class="round">${() => shown()?.name ?? ""}</span>
      <a class="go" href=${`table.html?table=${key}`}>${() => t("play")}</a><button class="quiet" aria-label=${() => `${t("unwatch")}: ${listed()?.title ?? key}`} @click=${() => toggle(key)}>×</button></header>
    <div class="felt">${hand("player", shown)}<div class="middle"><b class=${() => `left${(seconds() ?? 99) <= 5 ? " soon" : ""}`}>${() => seconds() ?? (shown()?.winner ? "★" : "–")}</b>
      <p class="state" role="status">${() => stateOf(shown())}</p></div>${hand("banker", shown)}</div>
    <div class="sheet"><figure><road-map kind="big" columns="34" .cells=${() => cells(shown()?.roads, "big")}></road-map></figure></div>
    <p class="tally">${["banker", "player", "tie"].map((one) => html`<span><i class=${one[0].toUpperCase()}></i>${() => t(one)} ${() => shown()?.counts?.[one] ?? 0}</span>`)}
      <span class="shoe">${() => (shown() ? [rangeWords, gapWords].map((one) => one(limitsOf(shown().limits))).filter(Boolean).join(" · ") : "")}</span></p></section>`;
}

// --- the page ---

const you = connection.you;
const account = () => html`${() => (you()
  ? html`<button class="quiet" @click=${async () => { await tried(() => post("/sign-out")); connection.again(); }}>${() => `${you().name} · ${t("sign_out")}`}</button>`
  : html`<button class="go" @click=${() => signInPanel(connection, lobby() ?? {})}>${() => t(lobby()?.self_service ? "sign_in.guest" : "sign_in")}</button>`)}`;

const segment = (/** @type {string} */ value, /** @type {() => string} */ words) =>
  html`<button aria-pressed=${() => String(variant() === value)} @click=${() => variant(value)}>${words}</button>`;

document.body.append(html`${bar(() => lobby()?.venue ?? "cutcard", "/", account())}
${() => (silent() || (!connection.online() && connection.stale()) ? html`<p class="banner" role="status">${() => t("offline")}</p>` : null)}
<main id="main">
  ${() => (watching().length ? html`<section class="watching" aria-label=${() => t("watching")}><header><h2>${() => t("watching")}</h2><p>${() => t("watch.note", { most: MOST_WATCHED })}</p></header>
    <div class=${() => `windows n${watching().length}`}>${each(watching, (one) => one, pane)}</div></section>` : null)}
  <header class="head"><div><h1>${() => t("tables")}</h1>
    <p class="now" role="status">${() => (lobby() ? t("lobby.now", { open: open(), tables: rows().length, seated: seated() }) : t("stale"))}</p></div>
    <div class="filters"><div class="segments" role="group" aria-label=${() => t("filter.variant")}>${segment("", () => t("filter.all"))}${VARIANTS.map((one) => segment(one, () => t(`variant.${one}`)))}</div>
      <label class="pick"><span>${() => t("filter.limit")}</span><select @change=${(/** @type {any} */ event) => most(Number(event.target.value))}>
        <option value="0">${() => t("filter.any")}</option>${() => minimums().split(",").filter(Number).map((amount) => html`<option value=${amount} .selected=${Number(amount) === untracked(most)}>${t("filter.upto", { amount: money(Number(amount)) })}</option>`)}</select></label>
      <label class="tick"><input type="checkbox" .checked=${() => onlyOpen()} @change=${(/** @type {any} */ event) => onlyOpen(event.target.checked)}> <span>${() => t("filter.open")}</span></label></div></header>
  <ul class="tables" aria-label=${() => t("tables")}>${each(chosen, (one) => one.key, card)}</ul>
  ${() => (lobby() && chosen().length === 0 ? html`<p class="none">${() => t("filter.none")}</p>` : null)}
</main>
${foot(() => lobby()?.helpline ?? "", () => [lobby()?.venue, lobby()?.address, lobby()?.telephone, lobby()?.site].filter(Boolean).join(" · "))}`);

effect(() => { document.title = `${lobby()?.venue ?? t("tables")} · cutcard`; });
effect(() => { document.documentElement.lang = language(); });

async function refresh() {
  try {
    show(await get("/tables"));
    silent(false);
    if (Object.keys(untracked(variants)).length === 0) {
      variants(Object.fromEntries((await get("/books")).map((/** @type {any} */ one) => [one.id, one.variant])));
    }
    document.body.dataset.ready = "yes";
  } catch {
    silent(true);
  }
  setTimeout(refresh, EVERY);
}

// Whoever is signed in needs the page's own token before anything can be changed.
effect(() => { if (you()) untracked(async () => arrived(await get("/me"))); });
/** A device of the house goes to its table; while it stands at none it looks again. @param {any} me */
function arrived(me) {
  trusted(me.csrf);
  if (me.kind !== "terminal") return;
  if (me.table) location.replace(`/table.html?table=${me.table}`);
  else setTimeout(() => location.reload(), AGAIN);
}
refresh();
