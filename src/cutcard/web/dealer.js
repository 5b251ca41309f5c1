// @ts-check
/**
 * The dealer's console: one lit button, which is the only lawful thing to do next. Everything else
 * stands behind "Something is wrong".
 */

import { computed, each, effect, html, signal, untracked } from "./lib/reactive.js";
import { dialog, notice, tried } from "./lib/dialog.js";
import { cells } from "./lib/road.js";
import { hand } from "./lib/hand.js";
import { counted } from "./lib/counted.js";
import { stateOf } from "./lib/telling.js";
import { post } from "./lib/api.js";
import { cardName, language, money, stored, t } from "./lib/language.js";
import { LOOKS, ask, capital, cardsIn, connection, dutyBar, follow, form, gate, kindName, left, lobby, me, now, question, ranks, roleName, shoeCount, small, staff, unit } from "./duty.js";
import { enterCard, wrongPanel } from "./wrong.js";
import { Reader } from "./reader.js";
import { train } from "./training.js";
import { freeSeat, mayFree } from "./seat_panel.js";

const name = new URLSearchParams(location.search).get("table") ?? "";
const listed = lobby.tables.find((/** @type {any} */ one) => one.table === name);
const AWAKE_EVERY = 60_000;
/** How long what is lit must have been seen before it can be pressed; a console may keep another time. */
const SETTLE = 400;
const ROLES = ["dealer", "pit supervisor", "pit manager", "shift manager"];
const WAITS = ["await-options", "await-decisions", "await-dealer", "open-table", "close-table", "automatic"];

const book = listed ? await question(`/tables/${name}/book`) : null;
const { shown, felt } = listed ? follow(name) : { shown: () => null, felt: () => null };
const kinds = signal(/** @type {any[]} */ ([]));
effect(() => {
  if (staff() && language()) untracked(async () => kinds(await question(`/tables/${name}/kinds`) ?? []));
});
const next = computed(() => felt()?.next ?? null);
const at = { table: name };
const reader = new Reader(() => felt()?.decks ?? 8, (card) => ask({ is: "scan-card", ...at, card }));

// --- still there ---

let told = Date.now();
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    if (Date.now() - told < AWAKE_EVERY || !felt() || felt().locked) return;
    told = Date.now();
    ask({ is: "stay-awake" });
  });
}
let locking = false;
/** Whoever unlocks one window has unlocked all of them. @param {() => void} close */
function unlocked(close) {
  effect(() => { if (felt() && !felt().locked) queueMicrotask(close); });
  return null;
}
effect(() => {
  if (!felt()?.locked || locking) return;
  locking = true;
  untracked(() => dialog(() => t("locked"), (close) => html`${unlocked(close)}<p>${() => t("locked.text", { name: me()?.name ?? "" })}</p>
    <form @submit=${async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const password = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("password"));
    await tried(() => post("/unlock", { password }));
  }}><label>${() => t("password")}<input name="password" type="password" autocomplete="current-password" required></label>
      <button class="go">${() => t("unlock")}</button></form>`, { must: true }).then(() => { locking = false; }));
});

// --- the one lit action ---

const advice = signal(/** @type {any} */ (null));
const deciding = computed(() => (next()?.act === "resolve" && next().role === "dealer" ? felt().incident.number : 0));
effect(() => {
  // What the book leaves to others is worked out for them.
  if (!deciding()) { advice(null); return; }
  language();
  untracked(async () => advice(await question(`/tables/${name}/advice`)));
});
/** A step that the dealer takes alone, where the book leaves it to the dealer. */
const own = computed(() => (next()?.act === "resolve" && next()?.role === "dealer"
  ? advice()?.paths.find((/** @type {any} */ one) => one.role === "dealer" && !one.needs_reason) ?? null : null));
/** Whether whoever deals here may decide what is not left to dealers, as somebody who acts for the pit may. */
const decides = computed(() => next()?.act === "resolve" && next().role !== "dealer" && ranks(next().role, felt().you));
const asked = computed(() => Object.entries(felt()?.squeeze_asked ?? {})[0] ?? null);

/** What the lit button says. */
const words = computed(() => {
  const due = next(), table = felt();
  if (!due || !table) return t("stale");
  if (table.automatic) return t(table.leaving ? "automatic.leaves" : "do.nothing");
  if (!table.here) return t("do.sign-on");
  if (table.proposal) return t("do.second");
  const figures = { n: due.number, side: due.side ? t(due.side) : "", card: cardName(due.card ?? null) };
  if (due.act === "resolve") {
    if (own()) return capital(own().title);
    if (decides()) return t("do.decide");
    return t(table.call ? (table.call.answered_by ? "do.coming" : "do.called") : "do.call", { who: table.call?.answered_by ?? "", role: roleName(due.role) });
  }
  if (due.act === "answer-squeeze" && asked()) return t("do.answer-squeeze", { who: table.names[asked()?.[0] ?? ""] ?? "", side: t(String(asked()?.[1])) });
  return t(`do.${due.act}`, figures);
});
const waiting = computed(() => {
  const due = next(), table = felt();
  if (!due || !table || table.automatic) return true;
  if (!table.here) return false;
  if (table.proposal || WAITS.includes(due.act)) return true;
  return due.act === "resolve" && !own() && !decides() && Boolean(table.call);
});
/** What the book has the dealer say, where the button does not say it already. @param {string} when */
const spoken = (when) => {
  const call = book.announcements[when]?.words ?? "";
  return call.replace(/\W+$/, "").toLowerCase() === words().toLowerCase() ? "" : call;
};
const remark = computed(() => {
  const due = next(), table = felt();
  if (!due || !table) return "";
  if (table.incident) return `${capital(kindName(table.incident.kind))} · ${table.incident.clause}`;
  if (due.until && due.until > now()) return left(due.until);
  if (due.act === "enter-card") return `${t("do.enter-card.text")} · CB4 1.3`;
  if (due.act === "scan-card" || (due.act === "expose-card" && table.scanner)) return t("do.reader");
  if (due.act === "close-bets") return table.warnings.length ? t("do.warned", { n: table.warnings.length }) : spoken("close");
  if (due.act === "open-round") return spoken("open");
  if (due.act === "await-dealer") return `${t("do.await-dealer.text")} · ${book.dealer_clause}`;
  return "";
});

const acting = signal(false);
let lit = -Infinity;
// Whatever is lit anew was lit by somebody's press, or stands where something else did a moment ago.
effect(() => { words(); lit = performance.now(); });
/** What is lit is done once: a finger that slips, or a switch that bounces, does not do the next thing unseen. */
async function press() {
  if (acting() || performance.now() - lit < Number(stored("settle") ?? SETTLE)) return;
  acting(true);
  await act().finally(() => { acting(false); lit = performance.now(); });
}

async function act() {
  const due = next(), table = felt();
  if (!due || waiting()) return;
  if (!table.here) { await ask({ is: "sign-on", ...at }); return; }
  switch (due.act) {
    case "register-shoe": await register(); break;
    case "expose-card": await (table.scanner ? reader.next() : expose()); break;
    case "scan-card": await reader.next(); break;
    case "enter-card": await enterCard(at, due.card ?? ""); break;
    case "deal-kept-card": await ask({ is: "scan-card", ...at, card: due.card }); break;
    case "answer-squeeze": await ask({ is: "answer-squeeze", ...at, patron: asked()?.[0], granted: true }); break;
    case "end-shoe": await endShoe(); break;
    case "resolve":
      if (own()) await ask({ is: "resolve", ...at, incident: table.incident.number, step: own().step });
      else if (decides()) location.href = `pit.html?table=${name}`;
      else await ask({ is: "call-supervisor", ...at, note: kindName(table.incident.kind) });
      break;
    default: await ask({ is: due.act, ...at });
  }
}

async function register() {
  const done = await form(() => t("shoe.register"), [
    { name: "shoe", label: () => t("shoe.name"), need: true, value: `shoe ${new Date().toISOString().slice(5, 16).replace(/[T:]/g, "-")}` },
    { name: "shuffle_record", label: () => t("shoe.record"), need: true },
  ], { does: () => t("shoe.register"), about: html`<p>${() => t("shoe.manifest", { decks: felt()?.decks ?? 8, cards: 52 * (felt()?.decks ?? 8) })}</p>`, act: (given) => ask({ is: "register-shoe", ...at, ...given }) });
  if (done) reader.shuffle();
}

/** The first card of a shoe, typed in where there is no scanner. */
const expose = () => form(() => t("do.expose-card"), [{ name: "card", label: () => t("reader.card"), pattern: LOOKS.card, need: true }], { does: () => t("do.expose-card"),
  act: (given) => ask({ is: "burn-card", ...at, card: cardsIn(given.card)[0] ?? "" }) });

async function endShoe() {
  if (felt()?.virtual) { await ask({ is: "end-shoe", ...at }); return; }
  // The count is blind: the field is empty, and what was expected is shown afterwards.
  await form(() => t("shoe.end"), [{ name: "left", label: () => t("shoe.left"), type: "number", least: 0, need: true }], { does: () => t("shoe.end"), about: html`<p>${() => t("shoe.blind")}</p>${felt().continuous ? html`<p>${() => t("shoe.blind.continuous")}</p>` : null}`,
    act: (given) => ask({ is: "end-shoe", ...at, left: Number(given.left) }) });
}

// --- boxes ---

const bets = () => t(listed.boxes ? "boxes" : "boxes.open");

const boxes = computed(() => {
  const table = felt();
  if (!table) return [];
  const number = listed.boxes;
  if (!number) return patrons(table);
  return Array.from({ length: number }, (_, place) => {
    const box = place + 1;
    return { key: String(box), box, seat: table.seats.find((/** @type {any} */ one) => one.box === box) ?? null,
      bets: table.bets.filter((/** @type {any} */ one) => one.box === box),
      warnings: table.warnings.filter((/** @type {any} */ one) => one.box === box) };
  }).filter((one) => one.seat || one.bets.length);
});

/** At an open table bets stand by patron. @param {any} table */
const patrons = (table) => [...new Set(table.bets.map((/** @type {any} */ one) => one.patron))].map((patron) => {
  const bets = table.bets.filter((/** @type {any} */ one) => one.patron === patron);
  const seat = table.standing.find((/** @type {any} */ one) => one.patron === patron) ?? { patron, name: bets[0].name, stack: 0 };
  return { key: patron, box: 0, seat, bets, warnings: [] };
});

/** @param {any} row */
const boxOf = (row) => html`<li class=${() => (row().warnings.length ? "box warned" : "box")} data-box=${() => row().box}>
  <header>${() => (row().box ? html`<b>${() => row().box}</b>` : null)}<span>${() => row().seat?.name ?? t("box.standing")}</span><small>${() => (row().seat ? money(row().seat.stack) : "")}</small>
    <div class="acts">${() => (next()?.act === "close-bets" && row().seat ? html`<button class="quiet" @click=${() => betFor(row().seat, row().box)}>${() => t("bet.for")}</button>` : null)}
      ${() => (row().box && row().seat && felt()?.here && mayFree(felt(), row().seat.patron) ? html`<button class="quiet" @click=${() => freeSeat(name, row().seat)}>${() => t("seat.free")}</button>` : null)}</div></header>
  <ul>${each(() => row().bets, (bet) => `${bet.patron}/${bet.spot}`, (bet) => html`<li><span class=${() => `spot ${bet().spot}`}>${() => t(bet().spot)}</span>
    <small>${() => (bet().seated ? "" : bet().name)}${() => (bet().placed_by ? ` · ${t("bet.by", { who: bet().placed_by })}` : "")}</small><b>${() => money(bet().counts_for ?? bet().stake)}</b>
    ${() => (next()?.act === "close-bets" ? html`<button class="quiet" @click=${() => withdrawFor(bet())}>${() => t("bet.back")}</button>` : null)}
    ${() => (undecided(bet()) ? [true, false].map((continues) => html`<button class="quiet" @click=${() => ask({ is: "decide-for", ...at, patron: bet().patron, box: bet().box, spot: bet().spot, continues })}>${() => (continues ? t("continue", { amount: money(bet().stake * undecided(bet())) }) : t("decline"))}</button>`) : null)}</li>`)}</ul>
  ${() => row().warnings.map((/** @type {any} */ one) => html`<p class="warning">${() => t(one.code, { amount: money(one.amount), spot: t(one.spot) })} <small>${one.clause}</small></p>`)}</li>`;

/** How many times as much goes on a bet that its patron has still to decide about; 0 where nothing is to decide. @param {any} bet @returns {number} */
function undecided(bet) {
  const [second, more] = Object.entries(book.bets).find(([, one]) => /** @type {any} */ (one).stage?.follows === bet.spot) ?? [];
  const due = more && ["await-decisions", "end-decisions"].includes(next()?.act);
  const decided = felt()?.bets.some((/** @type {any} */ one) => one.patron === bet.patron && one.box === bet.box && one.spot === second);
  return due && !decided ? /** @type {any} */ (more).stage.multiple : 0;
}

/** @param {any} bet */
async function withdrawFor(bet) {
  const told = { who: bet.name, spot: t(bet.spot), amount: money(bet.stake) };
  const given = await form(() => t("bet.back"), [], { about: html`<p>${() => t("bet.back.text", told)}</p>` });
  if (given) await ask({ is: "withdraw-for", ...at, patron: bet.patron, box: bet.box, spot: bet.spot });
}

/** Patrons with money at the table and neither a seat nor a bet. */
const standing = computed(() => (felt()?.standing ?? []).filter((/** @type {any} */ one) => !felt().bets.some((/** @type {any} */ bet) => bet.patron === one.patron)));
/** Behind which box somebody may stand. @returns {[string, string][]} */
const places = () => boxes().filter((one) => one.bets.some((/** @type {any} */ bet) => bet.seated)).map((one) => [String(one.box), `${one.box} · ${one.seat?.name ?? ""}`]);

/** @param {any} seat @param {number | null} own */
async function betFor(seat, own) {
  const spots = Object.keys(book.bets).filter((one) => !book.bets[one].stage);
  await form(() => t("bet.title", { who: seat.name }), [
    ...(own === null ? [{ name: "box", label: () => t("bet.behind"), options: places() }] : []),
    { name: "spot", label: () => t("bet.spot"), options: spots.map((one) => [one, t(one)]) },
    { name: "stake", label: () => t("amount"), type: "number", least: 1 / unit, step: 1 / unit, need: true },
  ], { about: html`<p>${() => t("bet.read")}</p>`, act: async (given) => {
    const stake = Math.round(Number(given.stake) * unit), box = own ?? Number(given.box);
    const done = await ask({ is: "bet-for", ...at, patron: seat.patron, box, spot: given.spot, stake });
    if (done) notice(t("bet.placed", { who: seat.name, spot: t(given.spot), amount: money(stake) }), "CB4 5.16", "good");
    return done;
  } });
}

// --- paying ---

const paying = computed(() => ["result", "settled"].includes(shown()?.phase) && (felt()?.pay.length ?? 0) > 0);

const payList = () => html`<section class="pay" aria-label=${() => t("pay")}><h2>${() => t("pay")}</h2>
  <ul>${each(() => felt()?.pay ?? [], (one) => `${one.box}/${one.patron}/${one.spot}`, (one) => {
    const parts = computed(() => counted(Math.max(0, one().net), unit));
    return html`<li class=${() => (one().net > 0 ? "wins" : one().net < 0 ? "loses" : "")}>
      <span class="where"><b>${() => one().box || ""}</b> ${() => one().name} · ${() => t(one().spot)}</span>
      <b class="net">${() => (one().net > 0 ? t("pay.pay", { amount: money(one().net) }) : one().net < 0 ? t(one().collect ? "pay.collect" : "pay.take", { amount: money(-one().net) }) : t("pay.push"))}</b>
      <small class="chips">${() => parts().chips.map(([value, count]) => `${count} × ${money(value)}`).join(" + ")}${() => (parts().rest ? ` + ${money(parts().rest)}` : "")}</small>
      <small>${() => (one().commission ? `${t("pay.commission", { amount: money(one().commission) })} · ` : "")}${() => one().clause}</small></li>`;
  })}</ul></section>`;

// --- the page ---

const middle = html`${listed ? html`<h1 class="title">${listed.title}</h1>` : null}<dl class="about"><div><dt>${() => t("round")}</dt><dd>${() => shown()?.name || "–"}</dd></div>
  <div><dt>${() => t(felt()?.virtual ? "shoe.cards" : "shoe")}</dt><dd>${() => (felt()?.virtual ? felt().cards_left : felt()?.shoe) ?? "–"}${() => (shown()?.last_round ? ` · ${t("state.last")}` : "")}</dd></div></dl>`;

const tables = () => html`<main id="main" class="choose"><h1>${() => t("page.dealer")}</h1><ul>${lobby.tables.filter((/** @type {any} */ one) => one.deals !== "machine").map((/** @type {any} */ one) =>
  html`<li><a class="go" href=${`dealer.html?table=${one.table}`}>${one.title}</a></li>`)}</ul></main>`;

const console_ = () => html`<main id="main" class="desk">
  <section class="stage" aria-label=${() => t("table")}>
    <p class="state" role="status">${() => stateOf(shown())}</p>
    <div class="hands">${hand("player", shown)}${hand("banker", shown)}</div>
    <p class="kept">${() => (shown()?.kept.length ? html`${t("kept")} ${shown().kept.map(small)}` : "")}</p>
    <section class="next" aria-label=${() => t("next")}>
      <button class=${() => (waiting() ? "lit wait" : "lit")} aria-disabled=${() => String(waiting())} aria-busy=${() => String(acting())} data-act=${() => (felt()?.here === false ? "sign-on" : next()?.act ?? "")} @keydown=${(/** @type {KeyboardEvent} */ event) => { if (event.repeat) event.preventDefault(); }} @click=${(/** @type {MouseEvent} */ event) => { if (event.detail < 2) press(); }}>
        <b>${words}</b><small>${remark}</small></button>
      ${() => (next()?.act === "answer-squeeze" ? html`<button class="quiet" @click=${() => ask({ is: "answer-squeeze", ...at, patron: asked()?.[0], granted: false })}>${() => t("squeeze.no")}</button>` : null)}
      ${() => (felt()?.options.length ? html`<ul class="options">${() => felt().options.map((/** @type {any} */ one) => html`<li class=${one.continues === null ? "" : one.continues ? "yes" : "no"}>${one.name}: ${() => t(one.continues === null ? "option.open" : one.continues ? "option.goes" : "option.back")}
        ${one.continues === null ? html`<button class="quiet" @click=${() => ask({ is: "choose-for", ...at, patron: one.patron, continues: true })}>${() => t("option.go")}</button><button class="quiet" @click=${() => ask({ is: "choose-for", ...at, patron: one.patron, continues: false })}>${() => t("option.give")}</button>` : null}</li>`)}</ul>` : null)}
    </section>
    <nav class="tools" aria-label=${() => t("tools")}>
      <button class="wrong" @click=${() => wrongPanel({ at, kinds, shown, felt, boxes: listed.boxes, endShoe })}>${() => t("wrong")}</button>
      <button disabled=${() => !felt()?.shoe || shown()?.last_round || felt().continuous} @click=${() => ask({ is: "show-cut-card", ...at })}>${() => t("cut_card")}</button>
      <button disabled=${() => Boolean(felt()?.call && !felt().call.answered_by)} @click=${() => ask({ is: "call-supervisor", ...at })}>${() => t("call")}</button>
      <button @click=${() => train(book.id)}>${() => t("train")}</button>
      <button disabled=${() => !felt()?.here} @click=${() => ask({ is: "sign-off", ...at })}>${() => t("sign_off")}</button></nav>
    <p class="call" role="status">${() => (felt()?.call ? (felt().call.answered_by ? t("call.coming", { who: felt().call.answered_by }) : t("call.sent")) : "")}</p>
    ${shoeCount(felt)}
    ${() => (felt()?.scanner === false ? null : reader.panel(next))}
  </section>
  <aside class="rail">${() => (paying() ? payList() : null)}
    <section class="boxes" aria-label=${bets}><h2>${bets}</h2><ul>${each(boxes, (one) => one.key, boxOf)}</ul>
      ${() => (boxes().length ? null : html`<p class="soft">${() => t("boxes.none")}</p>`)}
      ${() => (felt()?.unlisted ? html`<p class="soft">${() => t("boxes.more", { n: felt().unlisted })}</p>` : null)}
      <ul class="standing">${each(standing, (one) => one.patron, (one) => html`<li class="box" data-patron=${() => one().name}><header><span>${() => one().name}</span> <small>${() => `${listed.boxes ? `${t("box.standing")} · ` : ""}${money(one().stack)}`}</small>
        <div class="acts">${() => (next()?.act === "close-bets" && (!listed.boxes || places().length) ? html`<button class="quiet" @click=${() => betFor(one(), listed.boxes ? null : 0)}>${() => t("bet.for")}</button>` : null)}</div></header></li>`)}</ul>
      ${() => (felt()?.warnings.some((/** @type {any} */ one) => one.code !== "warning/below-minimum") ? html`<button class="quiet" @click=${() => ask({ is: "reject-excess", ...at })}>${() => t("excess.reject")}</button>` : null)}</section>
    <section class="crew" aria-label=${() => t("crew")}><h2>${() => t("crew")}</h2><ul>${each(() => felt()?.staff ?? [], (one) => one.person, (one) => html`<li>${() => one().name || t("automatic")} <small>${() => roleName(one().acting ?? one().role)}${() => (one().locked ? ` · ${t("locked")}` : "")}</small></li>`)}</ul></section>
    <figure class="road"><figcaption>${() => t("road.big")}</figcaption><road-map kind="big" columns="24" .cells=${() => cells(shown()?.roads, "big")}></road-map></figure></aside></main>`;

document.body.append(html`${dutyBar("dealer.html", middle)}${gate(ROLES, listed ? console_ : tables)}`);
effect(() => { document.title = `${listed?.title ?? t("page.dealer")} · ${words()}`; });
// A reader that types as a keyboard does is heard wherever the focus is.
addEventListener("keydown", (event) => reader.key(event));
addEventListener("keydown", (event) => {
  // A foot switch that sends F9 presses the lit button, once for each step.
  if (event.key !== "F9") return;
  event.preventDefault();
  if (!event.repeat) press();
});
effect(() => { if (felt() || !staffed()) document.body.dataset.ready = "yes"; });
effect(() => { document.body.dataset.seq = String(felt()?.seq ?? ""); });

function staffed() {
  return Boolean(me()) && Boolean(listed) && connection.online();
}
