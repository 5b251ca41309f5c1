// @ts-check
/** The player's terminal: one table, as the server tells it. */

import { computed, each, effect, html, signal, untracked } from "./lib/reactive.js";
import { Connection, RefusedError } from "./lib/connection.js";
import { Betting, room } from "./lib/betting.js";
import { chipsFor, fromAbove, stack as pile } from "./lib/chip.js";
import { arc, middle, outline, zonesOf } from "./lib/felt.js";
import { cells } from "./lib/road.js";
import { dialog, notice, refusal } from "./lib/dialog.js";
import { sounds, say } from "./lib/sound.js";
import { cardName, currency, language, money, t } from "./lib/language.js";
import { get, whoAmI } from "./lib/api.js";
import { menu, moneyPanel, protectionPanel, signInPanel } from "./panels.js";
import { Proof } from "./proof.js";
import "./lib/card.js";
import "./lib/road.js";

const name = new URLSearchParams(location.search).get("table") ?? "";
const SVG = "http://www.w3.org/2000/svg";
const WARN = 5;

const [lobby, book] = await Promise.all([get("/tables"), get(`/tables/${name}/book`)]);
await whoAmI();
currency({ code: lobby.currency, digits: lobby.digits });
const unit = 10 ** lobby.digits;
const listed = lobby.tables.find((/** @type {any} */ one) => one.table === name);

const connection = new Connection();
const watched = connection.watch(name);
const shown = computed(() => watched()?.shown ?? null);
const own = computed(() => watched()?.own ?? null);
const you = connection.you;
const betting = new Betting(connection, name, watched, (refused) => {
  sounds.refuse();
  refusal(refused);
});
const proof = new Proof(name);

effect(() => {
  const mine = own(), table = shown();
  if (mine && table) untracked(() => betting.told(mine, table.name));
});

// --- time --------------------------------------------------------------------------------------------

const seconds = signal(/** @type {number | null} */ (null));
let whole = 1;
setInterval(() => {
  const until = shown()?.until ?? null;
  const left = until === null ? null : Math.max(0, Math.ceil((until - connection.now()) / 1000));
  const before = seconds();
  if (left !== null && (before === null || left > before)) whole = Math.max(1, left);
  if (left !== null && left !== before && left <= WARN && left > 0 && shown()?.phase === "betting") sounds.tick();
  seconds(left);
}, 100);

// --- what the state line says -----------------------------------------------------------------------------

const state = computed(() => {
  const table = shown();
  if (!table) return t("stale");
  if (!table.open) return t("state.shut");
  if (table.wrong) return t("state.wrong");
  if (table.phase === "betting" && seconds() === null) return `${announced("open")} · ${t("state.first_bet")}`;
  if (table.phase === "betting") return announced("open");
  if (table.phase === "closed") return announced("close");
  if (table.phase === "dealing" && table.next_side && table.player.length + table.banker.length >= 4) {
    return t("draws", { side: t(table.next_side) });
  }
  if (table.winner && ["result", "settled"].includes(table.phase)) {
    return table.winner === "tie" ? t("is_tie") : t("wins", { side: t(table.winner) });
  }
  return t(`state.${table.phase}`);
});

/** The book's own words where they are spoken in its language. @param {"open" | "close"} which */
function announced(which) {
  const words = book.announcements[which]?.words;
  return language() === "en" && words ? words : t(which === "open" ? "state.betting" : "state.closed");
}

effect(() => {
  const line = state();
  if (line) say(line, untracked(language));
});

let phase = "";
effect(() => {
  const now = shown()?.phase ?? "";
  if (now === phase) return;
  const was = phase;
  phase = now;
  untracked(() => {
    if (now === "closed" && was === "betting") sounds.close();
    if (now === "settled" && was !== "") celebrate();
    if (now === "void" && was !== "") notice(t("state.void"), shown()?.void?.clause ?? "", "void");
  });
});

function celebrate() {
  const net = results().reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.net, 0);
  if (net > 0) sounds.win();
}
const results = () => own()?.results ?? [];
const net = computed(() => results().reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.net, 0));

// --- cards -----------------------------------------------------------------------------------------------

const points = (/** @type {(string | null)[]} */ hand) => hand.every(Boolean)
  ? hand.reduce((sum, card) => sum + (card?.[0] === "A" ? 1 : Number(card?.[0]) || 0), 0) % 10 : null;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {"player" | "banker"} side */
function hand(side) {
  const cards = computed(() => own()?.squeeze?.[side] ?? shown()?.[side] ?? []);
  const open = computed(() => shown()?.[side] ?? []);
  const numbered = computed(() => cards().map((/** @type {string | null} */ code, /** @type {number} */ place) =>
    ({ code, place, up: open()[place] !== null })));
  return html`<section class="hand ${side}" aria-label=${() => t(side)}>
    <header><h2>${() => t(side)}</h2><output class=${() => (open().length ? "on" : "")}
      aria-live="polite">${() => (open().length ? points(open()) ?? "·" : "")}</output></header>
    <div class="cards">${each(numbered, (one) => `${shown()?.name}/${one.place}`, (one) => {
      const card = document.createElement("playing-card");
      if (one().place === 2) card.classList.add("third");
      effect(() => {
        const { code, up } = one();
        if (code) card.setAttribute("code", code);
        card.toggleAttribute("squeeze", Boolean(code) && !up);
        card.setAttribute("label", up ? cardName(code) : `${t("face_down")}${code ? `. ${t("squeeze.drag")}` : ""}`);
        if (up && code) setTimeout(() => card.toggleAttribute("up", true), calm.matches ? 0 : 380);
      });
      untracked(() => requestAnimationFrame(() => fly(card)));
      return card;
    })}</div></section>`;
}

/** A card comes out of the shoe. @param {HTMLElement} card */
function fly(card) {
  const shoe = document.querySelector(".shoe");
  if (shoe === null || calm.matches || !card.isConnected) return;
  const from = shoe.getBoundingClientRect(), to = card.getBoundingClientRect();
  sounds.card();
  card.animate([
    { transform: `translate(${from.left - to.left}px,${from.top - to.top}px) rotate(-58deg) scale(.7)` },
    { transform: card.classList.contains("third") ? "rotate(90deg)" : "none" },
  ], { duration: 420, easing: "cubic-bezier(.2,.8,.2,1)" });
}

// --- the felt -----------------------------------------------------------------------------------------------

const spots = Object.keys(book.bets);
const { zones, height } = zonesOf(spots);
const minimum = Math.min(...listed.limits.filter((/** @type {any} */ one) => one.kind === "minimum")
  .map((/** @type {any} */ one) => one.amount), unit);
const maximum = Math.max(...listed.limits.filter((/** @type {any} */ one) => one.kind === "maximum")
  .map((/** @type {any} */ one) => one.amount), 1000 * unit);
const least = Math.min(...listed.limits.filter((/** @type {any} */ one) => one.kind === "minimum")
  .map((/** @type {any} */ one) => one.amount)) || minimum;
const chips = chipsFor(least, maximum, unit);
const chosen = signal(chips[Math.min(1, chips.length - 1)].value);
const touched = signal(/** @type {string | null} */ (null));

/** The odds printed on a spot: its best line. @param {string} spot */
function odds(spot) {
  const lines = book.bets[spot].lines.filter((/** @type {any} */ one) => !String(one.net).startsWith("-") && one.net !== "0");
  if (lines.length === 0) return "";
  const values = lines.map((/** @type {any} */ one) => fraction(one.net)).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  const told = (/** @type {number} */ one) => String(Math.round(one * 100) / 100);
  return values[0] === values.at(-1) ? `${told(values[0])} : 1` : `${told(values[0])} – ${told(values.at(-1))} : 1`;
}

/** @param {string} text */
function fraction(text) {
  const [over, under] = String(text).split("/");
  return Number(over) / Number(under ?? 1);
}

/** @param {string} spot */
async function put(spot) {
  touched(spot);
  if (book.bets[spot].stage) return;
  if (!you()) return void signInPanel(connection, lobby);
  if (!(await seated())) return;
  sounds.chip();
  await betting.place(spot, chosen());
}

/** Money on the table and a seat, asked for once. */
async function seated() {
  if (betting.stack() === 0 && betting.total() === 0) {
    await moneyPanel(connection, name, chosen());
    if (betting.stack() === 0) return false;
  }
  if (own()?.box || sitting) return true;
  sitting = true;
  const taken = new Set(shown()?.taken_boxes ?? []);
  const free = Array.from({ length: listed.boxes }, (_, place) => place + 1).find((box) => !taken.has(box));
  if (free === undefined) return true;
  try {
    await connection.do({ is: "take-seat", table: name, box: free });
    return true;
  } catch (error) {
    sitting = false;
    if (error instanceof RefusedError) refusal(error.refused);
    return false;
  }
}
let sitting = false;

/** @param {import("./lib/felt.js").Zone} zone */
function spotOf(zone) {
  const node = document.createElementNS(SVG, "g");
  const at = middle(zone), stage = Boolean(book.bets[zone.id].stage);
  const side = zone.id.includes("banker") ? "banker" : zone.id.includes("player") ? "player" : zone.id === "tie" ? "tie" : "side";
  node.setAttribute("class", `zone ${side}${zone.main ? " main" : ""}${stage ? " stage" : ""}`);
  node.dataset.spot = zone.id;
  node.innerHTML = `<path d="${outline(zone)}"/><path class="hair" d="${outline(zone, 5)}"/>
<g transform="translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) rotate(${at.tilt.toFixed(2)})"><text class="name"></text><text class="odds"></text></g>`;
  if (!stage) {
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
  }
  const words = /** @type {Element} */ (node.querySelector(".name")), small = /** @type {Element} */ (node.querySelector(".odds"));
  const high = zone.outer - zone.inner;
  words.setAttribute("y", String(-high * 0.24));
  small.setAttribute("y", String(-high * 0.24 + 20));
  effect(() => {
    const told = t(zone.id), mine = betting.sure()[zone.id] ?? 0;
    words.textContent = told;
    const span = (zone.to - zone.from) * zone.inner - 16;
    const size = Math.min(zone.main ? 30 : 20, span / Math.max(3, told.length) * 1.55);
    words.setAttribute("font-size", size.toFixed(1));
    small.textContent = odds(zone.id);
    node.setAttribute("aria-label", `${told}, ${t("pays", { odds: odds(zone.id) })}${mine ? `, ${t("bet")} ${money(mine)}` : ""}`);
  });
  effect(() => {
    const ended = ["settled", "result"].includes(shown()?.phase ?? "");
    node.classList.toggle("won", ended && (shown()?.winner === zone.id
      || results().some((/** @type {any} */ one) => one.spot === zone.id && one.net > 0)));
    node.classList.toggle("off", !betting.open);
  });
  node.addEventListener("click", () => put(zone.id));
  node.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    const mine = betting.sure()[zone.id] ?? 0;
    if (mine > 0) betting.withdraw(zone.id, Math.min(mine, chosen()));
  });
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      put(zone.id);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      const mine = betting.sure()[zone.id] ?? 0;
      if (mine > 0) betting.withdraw(zone.id, Math.min(mine, chosen()));
    }
  });
  return node;
}

/** Chips on a spot: grey on their way, solid once they count. @param {import("./lib/felt.js").Zone} zone */
function chipsOn(zone) {
  const at = middle(zone);
  return html`<div class="spot" css=${`left:${(at.x / 12).toFixed(2)}%;top:${((at.y + (zone.outer - zone.inner) * 0.2) / height * 100).toFixed(2)}%`}>${() => {
    const sure = betting.sure()[zone.id] ?? 0, coming = betting.coming()[zone.id] ?? 0;
    if (sure + coming === 0) return null;
    const box = document.createElement("div");
    box.className = `pile${coming ? " coming" : ""}`;
    box.innerHTML = pile(sure + coming, chips, unit);
    const label = document.createElement("b");
    label.textContent = money(sure + coming);
    box.append(label);
    const reserve = book.bets[zone.id].reserve;
    if (reserve > 1) {
      const warn = document.createElement("em");
      warn.textContent = t("could_lose", { amount: money((sure + coming) * reserve) });
      box.append(warn);
    }
    return box;
  }}</div>`;
}

const felt = document.createElementNS(SVG, "svg");
felt.setAttribute("viewBox", `0 0 1200 ${height}`);
felt.setAttribute("class", "print");
felt.innerHTML = `<g class="lines"><path d="${arc(zones[0].inner - 14)}"/><path d="${arc(1134)}"/>
<path id="motto" d="${arc(zones[0].inner - 44)}"/></g><text class="motto"><textPath href="#motto" startOffset="50%"></textPath></text>`;
const motto = /** @type {Element} */ (felt.querySelector("textPath"));
motto.textContent = book.name.replace(/ *\(.*\)/, "").toUpperCase();
felt.append(...zones.map(spotOf));

// --- limits, decisions, options ------------------------------------------------------------------------------

const explained = computed(() => {
  const spot = touched(), table = shown();
  if (!spot || !table) return "";
  const found = room(table.limits, betting.sure(), spot);
  if (found === null) return "";
  if (found.other) {
    return t("because", { spot: t(spot), amount: money(found.most), other: money(found.theirs), side: t(found.other) });
  }
  return `${t(spot)}: ${t("max")} ${money(found.most)} · ${t("remaining", { amount: money(Math.max(0, found.room)) })}`;
});

const decisions = () => html`<section class="panel decide" aria-label=${() => t("state.deciding")}>
  ${each(() => own()?.undecided ?? [], (bet) => `${bet.box}/${bet.spot}`, (bet) => {
    const second = Object.entries(book.bets).find(([, one]) => /** @type {any} */ (one).stage?.follows === bet().spot);
    const multiple = /** @type {any} */ (second?.[1])?.stage.multiple ?? 2;
    const decide = (/** @type {boolean} */ continues) =>
      ask({ is: "decide", table: name, spot: bet().spot, box: bet().box, continues, round: betting.round });
    return html`<div><h3>${() => t(bet().spot)} ${() => money(bet().stake)}</h3>
      <button class="go" @click=${() => decide(true)}>${() => t("continue", { amount: money(bet().stake * multiple) })}</button>
      <button @click=${() => decide(false)}>${() => t("decline", { amount: money(bet().stake) })}</button></div>`;
  })}
  <p>${() => t("decide.default")} ${() => (seconds() === null ? "" : `${seconds()} s`)}</p></section>`;

/** @param {object} command */
async function ask(command) {
  try {
    return await connection.do(command);
  } catch (error) {
    if (error instanceof RefusedError) refusal(error.refused);
    else throw error;
  }
  return null;
}

const choice = () => html`<section class="panel option" aria-label=${() => t("option.title")}>
  <h3>${() => t("option.title")}</h3><p>${() => t("option.text")} ${() => (seconds() === null ? "" : `${seconds()} s`)}</p>
  <button class="go" @click=${() => ask({ is: "choose-option", table: name, continues: true })}>${() => t("option.go")}</button>
  <button @click=${() => ask({ is: "choose-option", table: name, continues: false })}>${() => t("option.return")}</button></section>`;

const paid = () => html`<section class="panel paid ${() => (net() > 0 ? "win" : "")}" aria-live="polite">
  <h3>${() => (net() > 0 ? t("won", { amount: money(net()) }) : net() < 0 ? t("lost", { amount: money(-net()) }) : t("even"))}</h3>
  <ul>${each(results, (one) => `${one.box}/${one.spot}`, (one) => html`<li><span>${() => t(one().spot)}</span>
    <span>${() => money(one().stake)}</span><b class=${() => (one().net > 0 ? "up" : one().net < 0 ? "down" : "")}>${() => money(one().net, true)}</b>
    <small>${() => (one().commission ? `${t("commission")} ${money(one().commission)} · ` : "")}${() => one().clause}</small></li>`)}</ul></section>`;

const squeezing = () => html`<button class="quiet" @click=${() => ask({ is: "request-squeeze", table: name,
  side: (betting.sure().banker ?? 0) >= (betting.sure().player ?? 0) ? "banker" : "player" })}>${() => t("squeeze.ask")}</button>`;

// --- the page -----------------------------------------------------------------------------------------------

const lineOf = (/** @type {string} */ kind) => listed.limits.filter((/** @type {any} */ one) => one.kind === kind)
  .map((/** @type {any} */ one) => one.amount);

document.body.append(html`
<header class="bar"><a class="brand" href="/" aria-label=${() => t("lobby")}><i aria-hidden="true">♦</i> ${lobby.venue}</a>
  <h1 class="table">${listed.title}</h1>
  <dl class="about"><div><dt>${() => t("shoe")}</dt><dd>${() => shown()?.shoe ?? "–"}</dd></div>
    <div><dt>${() => t("round")}</dt><dd>${() => shown()?.round ?? "–"}</dd></div>
    <div><dt>${() => t("limits")}</dt><dd>${() => `${money(Math.min(...lineOf("minimum")))} – ${money(Math.max(...lineOf("maximum"), ...lineOf("differential")))}`}</dd></div></dl>
  <button class="badge" @click=${() => proof.show()}>${() => proof.words()}</button>
  <dl class="purse"><div><dt>${() => t("total_bet")}</dt><dd>${() => money(betting.total())}</dd></div>
    <div><dt>${() => t("stack")}</dt><dd class="gold">${() => money(betting.stack())}</dd></div></dl>
  <button class="quiet" aria-label=${() => t("menu")} @click=${() => menu({ connection, name, book, lobby, listed, shown, betting })}>☰</button></header>
${() => (connection.online() ? (connection.stale() ? html`<p class="banner" role="status">${() => t("stale")}</p>` : null)
    : html`<p class="banner" role="status">${() => t("offline")}</p>`)}
<main class="felt"><div class="shoe" aria-hidden="true"><div></div></div>
  <div class="hands">${hand("player")}
    <div class=${() => `clock ${shown()?.phase ?? ""}${(seconds() ?? 99) <= WARN ? " soon" : ""}`} role="timer">
      <svg viewBox="-50 -50 100 100" aria-hidden="true"><circle r="44"/><circle r="44" class="sweep" pathLength="100"
        css=${() => `stroke-dashoffset:${100 - Math.min(1, (seconds() ?? 0) / whole) * 100}`}/></svg>
      <b>${() => seconds() ?? (shown()?.winner ? "★" : "–")}</b>
      <p class="state" role="status" aria-live="polite">${state}${() => (shown()?.last_round ? html`<small>${t("state.last")}</small>` : null)}</p></div>
    ${hand("banker")}</div>
  <div class="layout">${felt}${zones.map(chipsOn)}</div>
  ${() => (own()?.undecided?.length ? decisions() : null)}
  ${() => (own()?.option ? choice() : null)}
  ${() => (results().length ? paid() : null)}
  <p class="limit" aria-live="polite">${explained}</p>
  <nav class="rack" aria-label=${() => t("chips")}>
    <button @click=${() => betting.clear()} disabled=${() => betting.total() === 0}>${() => t("clear")}</button>
    <button @click=${() => betting.undo()} disabled=${() => !betting.canUndo()}>${() => t("undo")}</button>
    <div class="chips" role="radiogroup" aria-label=${() => t("chips")}>${chips.map((chip) => {
      const made = html`<button role="radio" class="chip" aria-checked=${() => String(chosen() === chip.value)}
        aria-label=${() => t("chip", { amount: money(chip.value) })} @click=${() => chosen(chip.value)}></button>`;
      /** @type {Element} */ (made.firstElementChild).innerHTML = fromAbove(chip, unit);
      return made;
    })}</div>
    <button @click=${async () => { if (you() && await seated()) betting.rebet(); }}>${() => t("rebet")}</button>
    <button @click=${() => betting.double()} disabled=${() => betting.total() === 0}>${() => t("double")}</button>
    ${() => (shown()?.phase === "closed" && listed.face_down ? squeezing() : null)}
    ${() => (you() ? null : html`<button class="go" @click=${() => signInPanel(connection, lobby)}>${() => t("sign_in")}</button>`)}
  </nav></main>
<aside class="roads" aria-label=${() => t("roads")}>
  ${road("bead", 14)}${road("big", 44)}${road("big_eye", 30)}${road("small", 30)}${road("cockroach", 30)}
  <p class="past">${() => t("roads.past")} ${lobby.helpline}</p></aside>`);

/** @param {string} kind @param {number} columns */
function road(kind, columns) {
  return html`<figure class=${kind}><figcaption>${() => t(`road.${kind}`)}${kind === "big" ? html`<span class="tally">
    ${["banker", "player", "tie"].map((one) => html`<i class=${one[0].toUpperCase()}></i><span>${() => t(one)} ${() => shown()?.counts?.[one] ?? 0}</span>`)}</span>` : null}</figcaption>
    <road-map kind=${kind} columns=${columns} .cells=${() => cells(shown()?.roads, kind)}></road-map></figure>`;
}

effect(() => {
  const table = shown();
  if (table) untracked(() => proof.follow(table));
});
effect(() => { document.title = `${listed.title} · ${state()}`; });

// A reality check is due between rounds, and must be seen.
setInterval(async () => {
  if (!you() || you().kind !== "patron" || document.querySelector("dialog[open]")) return;
  if (["betting", "settled", "void", "idle"].includes(shown()?.phase ?? "")) await protectionPanel.check(connection);
}, 30_000);

// Keys: 1 to 6 choose a chip, u takes back, c clears, d doubles, r repeats.
document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey) return;
  const place = Number(event.key) - 1;
  if (event.target instanceof Element && event.target.closest("playing-card[squeeze]")) return;
  if (chips[place]) chosen(chips[place].value);
  else if (event.key === "u") betting.undo();
  else if (event.key === "c") betting.clear();
  else if (event.key === "d") betting.double();
  else if (event.key === "r") betting.rebet();
});
document.body.dataset.ready = "yes";
