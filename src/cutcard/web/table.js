// @ts-check
/** The player's terminal: one table, as the server tells it. */

import { computed, each, effect, html, signal, untracked, when } from "./lib/reactive.js";
import { Connection } from "./lib/connection.js";
import { Betting, room } from "./lib/betting.js";
import { chipsFor, fromAbove } from "./lib/chip.js";
import { cells } from "./lib/road.js";
import { asks } from "./lib/asks.js";
import { hand } from "./lib/hand.js";
import { closingOf, limitsOf, stateOf, why } from "./lib/telling.js";
import { notice, refusal, tried } from "./lib/dialog.js";
import { sounds, say } from "./lib/sound.js";
import { comeTo, language, learn, money, percent, rws, store, stored, t } from "./lib/language.js";
import { get, trusted } from "./lib/api.js";
import { part, RefusedError } from "./lib/refused.js";
import { fraction, ring, rows } from "./spots.js";
import { called, dealt, held } from "./hands.js";
import { betNotices } from "./bet_notices.js";
import { idle, Proof } from "./proof.js";

const name = new URLSearchParams(location.search).get("table") ?? "";
const WARN = 5;
const MINUTE = 60_000;
const QUIET = ["betting", "settled", "void", "idle"];
const ROADS = ["bead", "big", "big_eye", "small", "cockroach"];

const [lobby, book] = await Promise.all([get("/tables"), get(`/tables/${name}/book`)])
  .catch(async (error) => (await import("./pauses.js")).nowhere(error));
await comeTo(lobby);
const unit = 10 ** lobby.digits;
const listed = lobby.tables.find((/** @type {any} */ one) => one.table === name);

// A layout that prints both scripts is shown as it is printed, unless somebody chose otherwise.
const printed = book.layouts.find((/** @type {any} */ one) => one.id === listed.layout)?.labels ?? {};
if ("banker" in printed && stored("labels") === null) rws(true);

const connection = new Connection();
connection.waits = false;
const watched = connection.watch(name);
const shown = computed(() => watched()?.shown ?? null);
const own = computed(() => watched()?.own ?? null);
const phase = computed(() => shown()?.phase ?? "");
const you = connection.you;
effect(() => { if (you()) untracked(() => get("/me").then(({ csrf }) => trusted(csrf), () => null)); });
const patron = computed(() => you()?.kind === "patron");
/** A device of the house has credit, and no account. */
const device = computed(() => you()?.kind === "terminal");
const plays = computed(() => patron() || device());
const results = () => own()?.results ?? [];
const net = computed(() => results().reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.net, 0));
const proof = new Proof(name);

const betting = new Betting(connection, name, watched, refused);
betting.confirms(stored("confirm") === "yes");
effect(() => store("confirm", betting.confirms() ? "yes" : ""));
const round = computed(() => shown()?.name ?? "");
effect(() => betting.begin(round()));
effect(() => {
  const mine = own() ?? { bets: [], stack: 0 };
  untracked(() => betting.told(mine));
});

betNotices(own, phase);

/** Whatever was refused is told in words, with its clause. @param {any} told */
function refused(told) {
  sounds.refuse();
  refusal(told);
  if (told.code === "patron/reality-check") check();
  // Signed out elsewhere, or for too long: the page learns who one is, and asks.
  if (told.code === "signin/needed") {
    connection.again();
    signIn();
  }
}

/** @param {object} command */
async function ask(command) {
  try {
    return await connection.do(command);
  } catch (error) {
    if (error instanceof RefusedError) refused(error.refused);
    else throw error;
  }
  return null;
}

// --- time ---

const seconds = signal(/** @type {number | null} */ (null));
const session = signal(/** @type {any} */ (null));
const minutes = signal(0);
let whole = 1;
setInterval(() => {
  const until = shown()?.until ?? null;
  const left = until === null ? null : Math.max(0, Math.ceil((until - connection.now()) / 1000));
  const before = seconds();
  if (left !== null && (before === null || left > before)) whole = Math.max(1, left);
  if (left !== null && left !== before && left <= WARN && left > 0 && phase() === "betting") sounds.tick();
  seconds(left);
  const since = session();
  if (since?.elapsed !== undefined) minutes(Math.floor((since.elapsed + Date.now() - since.at) / MINUTE));
}, 100);
const left = () => (seconds() === null ? "" : t("seconds", { n: seconds() }));

/** What interrupts play is fetched when it does. */
const pauses = () => part(() => import("./pauses.js"));
const check = () => tried(async () => (await pauses()).realityCheck(connection));

/** How long and at what price; a reality check is due between rounds. */
async function look() {
  if (!patron()) {
    session(null);
    return;
  }
  const found = await get("/me/protection").catch(() => null);
  if (found) session({ ...found, at: Date.now() });
  if (found?.check_due && QUIET.includes(phase())) await check();
}
setInterval(look, MINUTE / 2);
effect(() => {
  if (patron() !== undefined) untracked(look);
});

// --- what the state line says ---

const CALLS = { betting: "open", closed: "close" };
/** The book's own words where they are spoken in its language. */
const state = computed(() => {
  const table = shown();
  const words = table?.open && !table.wrong && book.announcements[CALLS[table.phase]]?.words;
  return (language() === "en" && words) || stateOf(table);
});
const seatWarning = signal("");
const remark = computed(() => {
  const table = shown();
  const closing = closingOf(table);
  if (table?.phase === "betting" && seconds() === null && listed.dealing && !table.wrong && table.open) return seatWarning() || closing || t("state.first_bet");
  if (table?.phase === "void") return [why(own()?.void_reason), own()?.void_clause].filter(Boolean).join(" · ");
  return [seatWarning(), closing, table?.by_hand ? t("by_hand") : "", table?.last_round ? t("state.last") : ""].filter(Boolean).join(" · ");
});

const spoken = signal("");
effect(() => {
  const line = state();
  if (line) untracked(() => say(line, language()));
});
/** @type {any} */ let heard = null;
effect(() => {
  const table = shown();
  if (!table) return;
  const words = untracked(() => called(heard, table));
  heard = table;
  if (!words) return;
  spoken(words);
  say(words, untracked(language));
});

let was = "";
effect(() => {
  const now = phase(), before = was;
  was = now;
  if (now === before || before === "") return;
  untracked(() => {
    if (before === "betting") {
      sounds.close();
      const lost = betting.end();
      if (lost > 0) notice(t("unconfirmed", { amount: money(lost) }));
    }
    if (now === "settled") {
      if (net() > 0) sounds.win();
      look();
    }
    if (now === "void") notice(t("state.void"), own()?.void_clause ?? "", "void");
  });
});

// --- away and back ---

/** @type {{name: string, phase: string, at: number} | null} */ let away = null;
effect(() => {
  const here = connection.online();
  untracked(() => {
    const table = shown();
    if (!here && table) away ??= { name: table.name, phase: table.phase, at: connection.now() };
    // If it cannot be learnt now, it will be the next time.
    else if (here && away) pauses().then(({ missed }) => missed(of, away)).then(() => { away = null; }, () => null);
  });
});

// --- chips and bets ---

const amounts = (/** @type {string} */ kind) => listed.limits.filter((/** @type {any} */ one) => one.kind === kind).map((/** @type {any} */ one) => one.amount);
const least = Math.min(...amounts("minimum"), Infinity), most = Math.max(...amounts("maximum"), ...amounts("differential"), 0);
/** The most that one patron may lay on a side; what the whole table may is another matter. */
const highest = (({ most: one, gap }) => one ?? gap ?? most)(limitsOf(listed.limits));
const chips = chipsFor(Number.isFinite(least) ? least : unit, most || 1000 * unit, unit);
const chosen = signal(chips[Math.min(1, chips.length - 1)].value);
/** A chip of any amount, if somebody wants one. */
const wild = signal(Number(stored(`chip.${name}`) ?? 0));
const rack = computed(() => [...chips, ...(wild() > 0 ? [{ value: wild(), colour: "#f2ead6", ink: "#8a6a1c" }] : [])]);
const touched = signal(/** @type {string | null} */ (null));

/** @param {string} spot */
async function put(spot) {
  touched(spot);
  if (!(await ready())) return;
  sounds.chip();
  await betting.place(spot, chosen());
  // A dialog that closed may have left the pointer somewhere else.
  touched(spot);
}

/** Whether a bet can be made now: in time, by somebody with money and a seat. */
async function ready() {
  if (!(await known())) return false;
  // Whoever has no money yet can see to it at any time.
  if (!betting.open() && betting.stack() > 0) return inTime();
  return await seated() && inTime();
}

/** What stands before play is fetched for whoever has yet to do it. */
const signIn = () => tried(async () => (await part(() => import("./signin.js"))).signInPanel(connection, lobby));
const buyIn = () => tried(async () => (device() ? (await ofTerminals()).creditPanel(of) : (await part(() => import("./money.js"))).moneyPanel(connection, name, chosen())));
const ofTerminals = () => part(() => import("./device.js"));

/** Whether it is a patron who asks; a stranger is asked who it is. */
async function known() {
  if (plays()) return true;
  if (!(await signIn())) return false;
  await when(() => plays() && own());
  return true;
}

/** Whether bets are taken now; if not, it is said why. */
function inTime() {
  if (betting.open()) return true;
  sounds.refuse();
  const late = ["closed", "dealing", "deciding", "result"].includes(phase());
  notice(t(late ? "late" : "early"), late ? book.announcements.close?.clause ?? "" : "");
  return false;
}

/** @type {Promise<boolean> | null} */ let entering = null;

/** Money on the table and a seat, asked for once however fast one taps. */
function seated() {
  entering ??= enter().finally(() => { entering = null; });
  return entering;
}

/** The seat comes first, so that a full table says so before any money moves. */
async function enter() {
  const had = Boolean(own()?.box) || !listed.boxes;
  if (!had && !(await sit())) return false;
  if (betting.stack() > 0 || betting.total() > 0) return true;
  if (await buyIn()) {
    await when(() => betting.stack() > 0);
    return true;
  }
  if (!had) await leaveSeat();
  return false;
}

/** Take the first seat that is free. */
async function sit() {
  let box = 1;
  while (shown()?.taken_boxes.includes(box)) box += 1;
  if (box > listed.boxes) {
    await ofSeats(({ tellFull }) => tellFull(listed.boxes));
    return false;
  }
  if (await ask({ is: "take-seat", table: name, box }) === null) return false;
  await when(() => own()?.box);
  return true;
}

/** A patron who leaves a seat is not told of it. */
let sat = 0;
function leaveSeat() {
  sat = 0;
  return ask({ is: "leave-seat", table: name });
}
effect(() => {
  const mine = own(), had = sat;
  sat = mine?.box ?? 0;
  if (mine && had && !sat) untracked(() => ofSeats(({ tellLost }) => tellLost(had)));
});
const timed = computed(() => Boolean(own()?.seat_until));
effect(() => { if (timed()) untracked(() => ofSeats(({ watchSeat }) => watchSeat(own, connection, seatWarning))); });

/** @param {string} spot */
function take(spot) {
  touched(spot);
  if (betting.on(spot) === 0 || !inTime()) return;
  navigator.vibrate?.(15);
  betting.withdraw(spot, chosen());
}

/** @param {number} times */
async function rebet(times) {
  if (betting.total() === 0 && await ready()) await betting.rebet(times);
}

const limits = computed(() => {
  const table = shown(), spot = touched();
  if (!table) return "";
  const gap = table.limits.find((/** @type {any} */ one) => one.kind === "differential");
  const usual = [`${t("min")} ${money(least)}`, `${t("max")} ${money(highest)}`, ...(gap ? [`${t("differential")} ${money(gap.amount)}`] : [])].join(" · ");
  const found = spot && !book.bets[spot].stage ? room(table.limits, betting.sure(), spot, table.stakes) : null;
  if (!spot || found === null) return usual;
  const whose = found.theirs === betting.sure()[found.other ?? ""] ? "because" : "because.all";
  if (found.other) return t(whose, { spot: t(spot), amount: money(found.most), other: money(found.theirs), side: t(found.other) });
  return `${t(spot)}: ${t("max")} ${money(found.most)} ${t(`scope.${found.scope}`)} · ${t("remaining", { amount: money(Math.max(0, found.room)) })}`;
});

/** What bets cost, from an undealt shoe; it is asked for when the page has time. */
const odds = signal(/** @type {any} */ (null));
const price = computed(() => {
  const spot = touched() ?? "", found = odds()?.bets[spot];
  if (!found) return "";
  const edge = fraction(found.edge), stake = betting.on(spot) || chosen();
  return t("price", { edge: percent(edge), cost: money(Math.round(edge * stake)), stake: money(stake) });
});
const reserve = computed(() => (["settled", "void", "idle"].includes(phase()) ? 0 : Object.entries(betting.sure()).reduce((sum, [spot, stake]) => sum + stake * (book.bets[spot].reserve - 1), 0)));

// --- what one is asked, and what one is told ---

const asked = signal("");
const holding = computed(() => held(own(), shown()));
/** Hands whose next card may be squeezed: both before the first card, then whichever draws a third. */
const sides = computed(() => {
  const table = shown(), cards = table ? table.player.length + table.banker.length : 0;
  const next = phase() === "closed" && cards === 0 ? ["player", "banker"] : phase() === "dealing" && cards >= 4 && table.next_side ? [table.next_side] : [];
  return own()?.squeezes?.some((/** @type {string} */ side) => cards === 0 || next.includes(side)) ? [] : next;
});
/** The card that is asked for: a refusal or a grant is an answer for this one only. */
const nextCard = computed(() => `${shown()?.name}/${(shown()?.player.length ?? 0) + (shown()?.banker.length ?? 0)}`);
const mayAsk = computed(() => listed.face_down && betting.total() > 0 && sides().length > 0 && asked() !== nextCard());
const undecided = computed(() => (own()?.undecided?.length ?? 0) > 0);
const option = computed(() => Boolean(own()?.option));
const squeezes = computed(() => holding().length > 0);
/** What is asked seldom is fetched when it is, or as soon as there is time where it will be. */
const questions = signal(/** @type {typeof import("./asked.js") | null} */ (null));
const squeezing = signal(/** @type {typeof import("./squeezing.js") | null} */ (null));
const interruption = signal(/** @type {typeof import("./pauses.js") | null} */ (null));
const fetchQuestions = () => tried(async () => questions(await part(() => import("./asked.js"))));
const fetchSqueezing = () => tried(async () => squeezing(await part(() => import("./squeezing.js"))));
effect(() => { if (undecided()) untracked(fetchQuestions); });
effect(() => { if (option()) untracked(() => tried(async () => interruption(await pauses()))); });
effect(() => { if (mayAsk() || squeezes()) untracked(fetchSqueezing); });
const atTerminal = computed(() => Boolean(own() && (device() || own().terminal)));
effect(() => { if (atTerminal()) untracked(() => tried(async () => (await ofTerminals()).terminal(of))); });

const paid = () => html`<section class=${() => `paid${net() > 0 ? " win" : ""}`} aria-label=${() => t("paid")}>
  <p class="who">${state}</p>
  <h2>${() => (net() > 0 ? t("won", { amount: money(net()) }) : net() < 0 ? t("lost", { amount: money(-net()) }) : t("even"))}</h2>
  <ul>${each(results, (one) => `${one.box}/${one.spot}`, (one) => html`<li><span>${() => t(one().spot)} <small>${() => one().clause}</small></span>
    <span>${() => money(one().stake)}</span><b class=${() => (one().net > 0 ? "up" : one().net < 0 ? "down" : "")}>${() => money(one().net, true)}</b>
    ${() => (one().commission ? html`<small class="cut">${t("commission")} ${money(one().commission)}</small>` : null)}</li>`)}</ul>
  <p class="new"><span>${() => t("stack")}</span><b>${() => money(own()?.stack ?? 0)}</b></p></section>`;
const hasResults = computed(() => results().length > 0);

/** How many characters stand in the purse, and between its figures. */
const long = computed(() => [...(session() ? [money(session().net ?? 0, true)] : []), money(betting.total()), ...(reserve() ? [money(reserve())] : []), money(betting.stack())]
  .reduce((sum, one) => sum + Math.max(3, one.length) + 2, 0));

/** What the book has every patron read. */
const statement = book.texts.filter((/** @type {any} */ one) => /RG1$/.test(one.clause)).map((/** @type {any} */ one) => one.words).join(" ");

async function callStaff() {
  if (await known() && await ask({ is: "call-staff", table: name })) notice(t("call_staff.sent"), "", "good");
}

// --- the page ---

const layout = { book, betting, shown, results, chips, unit, put, take, touched };
/** What is wanted seldom is fetched when it is, with its words. @param {() => Promise<any>} load @param {(part: any) => any} open */
function seldom(load, open) {
  return tried(async () => {
    await learn("menu");
    open(await part(load));
  });
}
const ofSeats = (/** @type {(part: any) => any} */ open) => seldom(() => import("./seats.js"), open);
const seats = () => ofSeats(({ seatsPanel }) => seatsPanel(of, shown, own));
const of = { connection, patron, device, buyIn, known, name, book, lobby, listed, betting, ready, odds, ask, leaveSeat, seats, wild, unit, shown, own, asked, nextCard, sides, holding, left };
const picked = signal(stored("road") ?? "big");
const busy = () => !betting.open();
const full = () => busy() || betting.total() > 0;
const empty = () => busy() || betting.total() + betting.waiting() === 0;

document.body.append(html`
<header class="bar"><a class="brand" href="/" aria-label=${() => `${lobby.venue}, ${t("lobby")}`}><i aria-hidden="true">♦</i> <span>${lobby.venue}</span></a>
  <h1 class="table">${listed.title}</h1>
  <dl class="about"><div><dt>${() => t("shoe")}</dt><dd>${() => shown()?.shoe ?? "–"}</dd></div>
    <div><dt>${() => t("round")}</dt><dd>${() => shown()?.round ?? "–"}</dd></div>
    ${listed.boxes ? html`<div><dt>${() => t("seat")}</dt><dd>${() => own()?.box ?? "–"}</dd></div>` : html`<div><dt>${() => t("at_table")}</dt><dd>${() => shown()?.patrons ?? "–"}</dd></div>`}
    <div><dt>${() => t("limits")}</dt><dd>${() => `${money(least)} – ${money(highest)}`}</dd></div></dl>
  <button class="badge" hidden=${proof.cards} aria-label=${() => `${t("proof")}: ${proof.words()}`} @click=${() => seldom(() => import("./recall.js"), ({ proofPanel }) => proofPanel(proof))}><span class="short">${() => proof.short()}</span><span class="long">${() => `${proof.wrong() ? "✗" : "✓"} ${proof.words()}`}</span></button>
  <dl class="purse" css=${() => `--long:${long()}`}>${() => (session() ? html`<div class="session"><dt>${() => t("minutes", { n: minutes() })}</dt><dd>${() => money(session().net ?? 0, true)}</dd></div>` : null)}
    <div><dt>${() => t("bet")}</dt><dd class="staked">${() => money(betting.total())}</dd></div>
    ${() => (reserve() > 0 ? html`<div class="reserve"><dt>${() => t("reserve")}</dt><dd>${() => money(reserve())}</dd></div>` : null)}
    <div><dt>${() => t("stack")}</dt><dd class="gold">${() => money(betting.stack())}</dd></div></dl>
  <button class="quiet know" aria-label=${() => t("rules")} @click=${() => seldom(() => import("./recall.js"), ({ rulesPanel }) => rulesPanel(of))}><span class="short" aria-hidden="true">%</span><span class="long">${() => t("odds")}</span></button>
  <button class="quiet menu" aria-label=${() => t("menu")} @click=${() => seldom(() => import("./menu.js"), ({ menu }) => menu(of))}>☰</button></header>
<main class="felt">${() => (connection.online() ? (connection.stale() ? html`<p class="banner" role="status">${() => t("stale")}</p>` : null)
    : html`<p class="banner" role="status">${() => t("offline")}</p>`)}
  <div class="shoe" aria-hidden="true"><div></div></div>
  <div class="hands">${hand("player", shown, dealt)}
    <div class="middle">
      <div class=${() => `clock ${phase()}${phase() === "betting" && (seconds() ?? 99) <= WARN ? " soon" : ""}${hasResults() ? " hides" : ""}`}>
        <div class="dial" role="timer"><svg viewBox="-50 -50 100 100" aria-hidden="true"><circle r="44"/><circle r="44" class="sweep" pathLength="100"
          css=${() => `stroke-dashoffset:${100 - Math.min(1, (seconds() ?? 0) / whole) * 100}`} /></svg>
        <b>${() => seconds() ?? (shown()?.winner ? "★" : "–")}</b></div>
        <p class="state" role="status">${state}<small>${remark}</small></p></div>
      ${() => (hasResults() ? paid() : null)}</div>
    ${hand("banker", shown, dealt)}</div>
  <div class="layout">${ring(layout)}${rows(layout)}
    ${() => (undecided() ? questions()?.decisions(of) : null)}
    ${() => (option() ? interruption()?.choice(of) : null)}
    ${() => (mayAsk() ? squeezing()?.squeezeAsk(of) : null)}
    ${() => (squeezes() ? squeezing()?.squeezePanel(of) : null)}</div>
  <p class="limit" role="status"><span>${limits}</span> <span>${price}</span></p>
  <nav class="rack" aria-label=${() => t("your_bets")}>
    <button disabled=${empty} @click=${() => betting.clear()}>${() => t("clear")}</button>
    <button disabled=${() => busy() || betting.actions().length === 0} @click=${() => betting.undo()}>${() => t("undo")}</button>
    <div class="chips" role="radiogroup" aria-label=${() => t("chips")} @keydown=${arrows}>${each(rack, (chip) => chip.value, (chip) => {
      const { value } = chip();
      const made = html`<button role="radio" class="chip" aria-checked=${() => String(chosen() === value)} tabindex=${() => (chosen() === value ? "0" : "-1")}
        aria-label=${() => t("chip", { amount: money(value) })} @click=${() => chosen(value)}></button>`;
      /** @type {Element} */ (made.firstElementChild).innerHTML = fromAbove(chip(), unit);
      return made;
    })}</div>
    <button disabled=${full} @click=${() => rebet(1)}>${() => t("rebet")}</button>
    <button disabled=${full} @click=${() => rebet(2)}>${() => t("rebet")} ×2</button>
    <button disabled=${empty} @click=${() => betting.double()}>${() => t("double")}</button>
    ${() => (betting.waiting() > 0 ? html`<button class="go wide" @click=${() => betting.confirm()}>${() => t("confirm", { amount: money(betting.waiting()) })}</button>` : null)}
    ${() => (plays() ? null : html`<button class="go wide" @click=${signIn}>${() => t(lobby.self_service ? "demo_seat" : "sign_in")}</button>`)}
  </nav></main>
<aside class="roads" aria-label=${() => t("roads")}>
  <div class="tabs">${ROADS.map((kind) => html`<button aria-pressed=${() => String(picked() === kind)} @click=${() => { picked(kind); store("road", kind); }}>${() => t(`road.${kind}`)}</button>`)}</div>
  ${ROADS.map(road)}
  <p class="past">${() => t("roads.past")} ${() => shown()?.helpline || lobby.helpline}
    ${statement ? html`<span class="statement">${statement}</span>` : null}
    <button class="quiet" @click=${callStaff}>${() => t("call_staff")}</button></p></aside>
<p class="unseen" aria-live="polite">${spoken}</p>`);

/** Arrow keys go from chip to chip. @param {KeyboardEvent} event */
function arrows(event) {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = rack(), place = (all.findIndex((one) => one.value === chosen()) + step + all.length) % all.length;
  chosen(all[place].value);
  /** @type {HTMLElement} */ (document.querySelectorAll(".chip")[place]).focus();
}

/** @param {string} kind */
function road(kind) {
  return html`<figure class=${() => `${kind}${picked() === kind ? " picked" : ""}`}><figcaption><span>${() => t(`road.${kind}`)}</span>${kind === "big" ? html`<span class="asks">${["banker", "player"].map((side) => asks(side, shown))}</span>
    <span class="tally">${["banker", "player", "tie"].map((one) => html`<i class=${one[0].toUpperCase()}></i><span>${() => t(one)} ${() => shown()?.counts?.[one] ?? 0}</span>`)}</span>` : null}</figcaption>
    <road-map kind=${kind} letters=${() => t("road.letters")} .cells=${() => cells(shown()?.roads, kind, shown()?.pairs)}></road-map></figure>`;
}

effect(() => {
  const table = shown();
  if (table) untracked(() => proof.follow(table));
});
effect(() => { document.title = `${listed.title} · ${state()}`; });

// Keys: 1 to 7 choose a chip, u takes back, c clears, d doubles, r repeats; they can be switched off.
document.addEventListener("keydown", (event) => {
  const at = event.target instanceof Element ? event.target : document.body;
  if (at.closest("input, playing-card, dialog") || document.querySelector("dialog[open]")) return;
  if (event.ctrlKey || event.metaKey || event.altKey || stored("keys") === "no") return;
  const place = Number(event.key) - 1;
  if (rack()[place]) chosen(rack()[place].value);
  else {
    const act = { u: () => betting.undo(), c: () => betting.clear(), d: () => betting.double(), r: () => rebet(1) }[event.key];
    if (act && (betting.total() === 0 || inTime())) act();
  }
});
performance.mark("played");
document.body.dataset.ready = "yes";
await idle();
odds(await get(`/tables/${name}/odds`).catch(() => null));
if (listed.face_down) await fetchSqueezing();
if (Object.values(book.bets).some((/** @type {any} */ one) => one.stage)) await fetchQuestions();
