// @ts-check
/**
 * The display on a wall: one table, nothing to press, and it looks after itself.
 *
 * It only informs (CB4 5.14). When there has been no news for three seconds it says so, large; when
 * the server is back, so is the picture.
 */

import { computed, effect, html, signal, untracked } from "./lib/reactive.js";
import { Connection } from "./lib/connection.js";
import { AWAY, RefusedError } from "./lib/refused.js";
import { asks } from "./lib/asks.js";
import { cells } from "./lib/road.js";
import { comeTo, language, LANGUAGES, learn, money, percent, t, turnTo } from "./lib/language.js";
import { get } from "./lib/api.js";
import { hand } from "./lib/hand.js";
import { moodOf } from "./lib/listing.js";
import { limitsOf, stateOf } from "./lib/telling.js";

await learn("pages");
const asked = new URLSearchParams(location.search);
const name = asked.get("table") ?? "";
const STALE_AFTER = 3000;
const ROTATE_EVERY = 15_000;
const AGAIN = 1000;
const CARDS_A_ROUND = 4.94;
/** Cards that leave a new shoe before its first round, on average: one exposed, and as many as it says. */
const CARDS_BURNED = 98 / 13;
const WARN = 5;
/** The chances of an eight-deck shoe, beside what has come, so that noise is seen for what it is. */
const EXPECTED = { banker: 0.458597, player: 0.446247, tie: 0.095156 };
const SHORT = { en: "EN", "zh-Hans": "简", "zh-Hant": "繁" };

// --- languages take turns ---

const wanted = (asked.get("languages") ?? "").split(",").filter((one) => one in LANGUAGES);
const tongues = /** @type {import("./lib/language.js").Language[]} */ (wanted.length ? wanted : Object.keys(LANGUAGES));
/** A language whose words cannot be had just now is passed over. @param {number} place */
const turn = (place) => turnTo(tongues[place % tongues.length]).catch(() => null);
await turn(0);
if (tongues.length > 1) {
  setInterval(() => turn(tongues.indexOf(untracked(language)) + 1), ROTATE_EVERY);
}
effect(() => { document.documentElement.lang = language(); });

// --- what is known ---

const lobby = signal(/** @type {any} */ (null));
const book = signal(/** @type {any} */ (null));
const head = signal(/** @type {any} */ (null));
const shoe = signal(/** @type {any} */ (null));
const connection = new Connection();
const watched = name ? connection.watch(name) : () => null;
const shown = computed(() => watched()?.shown ?? null);
const listed = computed(() => lobby()?.tables.find((/** @type {any} */ one) => one.table === name) ?? null);

/** Ask until there is an answer. @param {string} path */
async function patiently(path) {
  for (;;) {
    try {
      return await get(path);
    } catch (error) {
      if (error instanceof RefusedError && error.refused.code !== AWAY) return null;
      await new Promise((done) => { setTimeout(done, AGAIN); });
    }
  }
}

async function begin() {
  const told = await patiently("/tables");
  comeTo(told, untracked(language));
  lobby(told);
  if (told.tables.some((/** @type {any} */ one) => one.table === name)) book(await patiently(`/tables/${name}/book`));
  document.body.dataset.ready = "yes";
}
begin();

// Whoever photographs the anchor after a round holds everything before it.
const moment = computed(() => (shown() ? `${shown().shoe}/${shown().rounds}/${connection.online()}` : ""));
effect(() => {
  if (!moment()) return;
  untracked(async () => {
    head(await patiently(`/tables/${name}/head`) ?? untracked(head));
    shoe(await patiently(`/tables/${name}/shoe`));
  });
});

// --- time ---

const began = Date.now();
const quiet = signal(0);
const seconds = signal(/** @type {number | null} */ (null));
const whole = signal(1);
const time = signal(Date.now());
setInterval(() => {
  const until = shown()?.until ?? null;
  const left = until === null ? null : Math.max(0, Math.ceil((until - connection.now()) / 1000));
  const before = seconds();
  if (left !== null && (before === null || left > before)) whole(Math.max(1, left));
  seconds(left);
  const silence = Date.now() - (connection.heard || began);
  quiet(silence > STALE_AFTER ? Math.floor(silence / 1000) : 0);
  time(Math.floor(connection.now() / 60_000) * 60_000);
}, 100);

/** Cards in a shoe that people deal from, by its rounds alone: nobody is told their number. */
const byRounds = () => 52 * listed().decks - CARDS_BURNED - CARDS_A_ROUND * shown().rounds;
/** How many rounds more the shoe is good for, about; null where no shoe ends or none is there. */
const more = computed(() => {
  const cut = book()?.shoe.cut;
  if (!shown()?.shoe || !cut || !listed() || listed().continuous) return null;
  // A committed shoe tells where its cut card is; where people cut, the book tells between where.
  const committed = shoe()?.number === shown().shoe;
  if (committed && shown().left === null) return null;
  if (shown().last_round) return 0;
  const left = shown().left ?? byRounds();
  const behind = committed ? shoe().commitment.behind_cut : (cut.least + cut.most) / 2;
  return Math.max(0, Math.round((left - behind) / CARDS_A_ROUND));
});
const done = computed(() => {
  const round = shown()?.round ?? 0;
  return more() === null ? 0 : Math.round(1000 * round / Math.max(1, round + (more() ?? 0))) / 10;
});
const limits = computed(() => limitsOf(shown()?.limits ?? listed()?.limits ?? []));
const clause = computed(() => book()?.irregularities.find((/** @type {any} */ one) => one.id === "wrong display")?.clause ?? "");

// --- the page ---

/** @param {string} kind @param {number} columns */
const road = (kind, columns) => html`<figure class=${kind}><figcaption>${() => t(`road.${kind}`)}${kind === "big" ? html`<span class="asks">${["banker", "player"].map((side) => asks(side, shown))}</span>` : null}</figcaption>
  <road-map kind=${kind} columns=${columns} letters=${() => t("road.letters")} .cells=${() => cells(shown()?.roads, kind, shown()?.pairs)}></road-map></figure>`;

/** How often a side has come, and how often it comes. @param {"banker" | "player" | "tie"} one */
const count = (one) => html`<div class=${one}><dt>${() => t(one)}</dt><dd>${() => shown()?.counts[one] ?? 0}</dd>
  <dd class="share">${() => (shown()?.counts.rounds ? percent(shown().counts[one] / shown().counts.rounds, 1) : "–")} <small>${() => percent(EXPECTED[one], 1)}</small></dd></div>`;

const limit = (/** @type {string} */ word, /** @type {() => number | null} */ amount) =>
  html`${() => (amount() === null ? null : html`<div><dt>${() => t(word)}</dt><dd>${() => money(amount() ?? 0)}</dd></div>`)}`;

const wall = () => html`
<header class="top"><div class="name"><h1>${() => listed()?.title ?? name}</h1><p>${() => book()?.name ?? ""} · ${() => lobby()?.venue ?? ""}</p></div>
  <dl class="limits">${limit("min", () => limits().least)}${limit("max", () => limits().most)}${limit("differential", () => limits().gap)}</dl>
  <div class="now"><b>${() => new Intl.DateTimeFormat(language() === "en" ? "en-GB" : "zh-CN", { hour: "2-digit", minute: "2-digit" }).format(time())}</b>
    <span class=${() => (quiet() ? "pulse off" : "pulse")}>${() => (quiet() ? `${quiet()} s` : t("display.live"))}</span></div></header>
<main class=${() => `stage ${moodOf(shown())}`}>
  ${hand("player", shown)}
  <div class=${() => `clock${(seconds() ?? 99) <= WARN ? " soon" : ""}`}><svg viewBox="-50 -50 100 100" aria-hidden="true"><circle r="44"/><circle r="44" class="sweep" pathLength="100"
      css=${() => `stroke-dashoffset:${100 - Math.min(1, (seconds() ?? 0) / whole()) * 100}`} /></svg>
    <b>${() => seconds() ?? (shown()?.winner ? "★" : "–")}</b>
    <p class=${() => `state ${["result", "settled"].includes(shown()?.phase) ? shown()?.winner ?? "" : ""}`} role="status">${() => stateOf(shown())}</p>
    ${() => (shown()?.by_hand ? html`<p class="last">${() => t("by_hand")}</p>` : null)}
    ${() => (shown()?.last_round ? html`<p class="last">${() => t("state.last")}</p>` : null)}</div>
  ${hand("banker", shown)}
  <div class="progress"><span>${() => t("shoe")} ${() => shown()?.shoe ?? "–"}</span><div class="track" aria-hidden="true"><i css=${() => `width:${done()}%`}></i></div>
    <span>${() => (more() === null ? t("display.progress.alone", { round: shown()?.round ?? "–" }) : t("display.progress", { round: shown()?.round ?? "–", more: more() }))}</span></div></main>
<section class="roads" aria-label=${() => t("roads")}>${road("bead", 13)}
  <dl class="counts" aria-label=${() => t("counts")}>${count("banker")}${count("player")}${count("tie")}
    <div class="pair"><dt>${() => t("banker_pair")}</dt><dd>${() => shown()?.counts.banker_pairs ?? 0}</dd></div>
    <div class="pair"><dt>${() => t("player_pair")}</dt><dd>${() => shown()?.counts.player_pairs ?? 0}</dd></div>
    <div class="pair"><dt>${() => t("naturals")}</dt><dd>${() => shown()?.counts.naturals ?? 0}</dd></div></dl>
  ${road("big", 30)}${road("big_eye", 26)}${road("small", 26)}${road("cockroach", 26)}</section>
<footer class="bottom"><p class="only"><b>${() => t("display.information")}</b> ${() => t("roads.past")} <small>${clause}</small></p>
  <p class="help"><b>${() => t("helpline")}</b> ${() => shown()?.helpline ?? lobby()?.helpline ?? ""}</p>
  <p class="anchor"><span>${() => t("display.anchor")}</span> <code>${() => head()?.anchor ?? "…"}</code> <small>${() => t("display.anchor.note")}</small></p>
  <p class="turns" aria-hidden="true">${tongues.map((one) => html`<span class=${() => (language() === one ? "on" : "")}>${SHORT[one]}</span>`)}</p></footer>
${() => (quiet() ? html`<p class="stale" role="alert">${() => t(connection.online() ? "display.stale" : "display.away", { seconds: quiet() })}</p>` : null)}`;

const choice = () => html`<main class="choice"><h1>${() => t("display.pick")}</h1>${name ? html`<p>${() => t("display.unknown", { table: name })}</p>` : null}
  <ul>${() => (lobby()?.tables ?? []).map((/** @type {any} */ one) => html`<li><a href=${`display.html?table=${one.table}`}>${one.title}</a></li>`)}</ul></main>`;

const known = computed(() => name !== "" && (lobby() === null || listed() !== null));
document.body.append(html`${() => (known() ? wall() : choice())}`);
effect(() => { document.body.classList.toggle("old", quiet() > 0); });
effect(() => { document.title = `${listed()?.title ?? t("display")} · ${stateOf(shown())}`; });
