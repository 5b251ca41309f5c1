// @ts-check
/**
 * The irregularity co-pilot: what happened, is an outcome established, can the cards be put in order,
 * who decides, and what each lawful step does to everybody's money. Then: do it, with the clause.
 */

import { computed, effect, html, signal, untracked } from "./lib/reactive.js";
import { dialog } from "./lib/dialog.js";
import { language, percent, t } from "./lib/language.js";
import { ask, capital, cardsIn, form, fraction, inOneLine, left, me, question, quote, ranks, ratio, roleName, said, small, stepName } from "./duty.js";

/** What tells the two ways of going on with misplaced cards apart. */
const MOVES = /** @type {Record<string, string>} */ ({ "put the cards in order": "path.moved", "play on with the cards as they lie": "path.lie" });
const CORRECT = "correct the record";

/** @param {string} name @param {() => any} felt @param {() => any} shown */
export function copilot(name, felt, shown) {
  const advice = signal(/** @type {any} */ (null));
  const number = computed(() => felt()?.incident?.number ?? 0);
  effect(() => {
    const open = number(), spoken = language();
    untracked(async () => {
      const found = open && spoken ? await question(`/tables/${name}/advice`) : null;
      advice(found && { ...found, incident: open });
    });
  });
  const may = (/** @type {string} */ role) => ranks(role, felt()?.you ?? "");
  return html`${() => (felt()?.incident && advice() ? html`<section class="copilot" aria-label=${() => t("copilot")}>
    <header><h2>${() => capital(advice().title)}</h2><p>${() => t("incident.by", { who: said(felt().incident.by), round: shown()?.name ?? "" })} ${() => felt().incident.note}
      ${() => felt().incident.drawn.map(small)} ${() => (felt().incident.lying ? html`<code>${felt().incident.lying}</code>` : null)}</p></header>
    ${() => quote(advice().clause, advice().text)}
    <dl class="facts"><div><dt>${() => t("established")}</dt><dd>${() => (advice().established.length ? t("established.yes", { bets: advice().established.map((/** @type {string} */ one) => t(one)).join(", ") }) : t("established.no"))}</dd></div>
      <div><dt>${() => t("reconstructable")}</dt><dd>${() => (advice().reconstructed ? hands(...advice().reconstructed) : t("reconstructable.no"))}</dd></div>
      <div><dt>${() => t("decides")}</dt><dd>${() => roleName(felt().incident.decides)}</dd></div></dl>
    <ol class="paths">${() => advice().paths.map((/** @type {any} */ one) => path(name, one, advice(), may(one.role), shown))}</ol></section>` : null)}`;
}

/** @param {(string | null)[] | null} player @param {(string | null)[] | null} banker */
const hands = (player, banker) => html`<span class="both">${(player ?? []).map(small)} / ${(banker ?? []).map(small)}</span>`;

/** @param {string} name @param {any} one @param {any} advice @param {boolean} allowed @param {() => any} shown */
function path(name, one, advice, allowed, shown) {
  // What stands at the head of the advice is not said again under every step.
  const quoted = one.text && one.clause !== advice.clause;
  const edges = Object.entries(one.edges).filter(([, edge]) => ratio(edge) > 0);
  return html`<li data-step=${one.step}><header><h3>${capital(one.title)}${one.order.length ? html` ${one.order.map(small)}` : null}</h3><small>${quoted ? "" : `${one.clause} · `}${() => roleName(one.role)}${one.four_eyes ? ` · ${t("four_eyes")}` : ""}</small></header>
    ${quoted ? quote(one.clause, one.text) : null}${one.step in MOVES ? html`<p>${() => t(MOVES[one.step])}</p>` : null}
    <p class="then">${one.player ? hands(one.player, one.banker) : html`<b>${() => t(one.step === CORRECT ? "path.correct" : "path.void")}</b>`}${one.kept.length ? html` · ${() => t("kept")} ${one.kept.map(small)}` : null}${one.shoe_goes ? html` · ${() => t("path.shoe")}` : null}</p>
    ${one.offered.length ? html`<p>${() => t("path.offered", { names: one.offered.map((/** @type {string} */ who) => advice.names[who] ?? who).join(", "), seconds: advice.option_ms / 1000 })}</p>` : null}
    ${one.money ? html`<table><thead><tr><th scope="col">${() => t("path.who")}</th><th scope="col">${() => t("path.least")}</th><th scope="col">${() => t("path.mean")}</th><th scope="col">${() => t("path.most")}</th></tr></thead><tbody>
      ${Object.entries(one.money).map(([who, figures]) => row(advice.names[who] ?? who, figures))}${one.house ? row(t("house"), one.house) : null}</tbody></table>` : null}
    ${edges.length ? html`<p class="edge">${() => t("path.edge", { edges: edges.map(([spot, edge]) => `${t(spot)} ${percent(ratio(edge))}`).join(", ") })}</p>` : null}
    <button class="go" disabled=${!allowed} @click=${() => take(name, { ...one, incident: advice.incident }, shown())}>${() => t(one.four_eyes ? "path.propose" : "path.do", { step: one.title })}</button>
    ${allowed ? null : html`<small>${() => t("path.role", { role: roleName(one.role) })}</small>`}</li>`;
}

/** @param {string} who @param {string[]} figures */
const row = (who, figures) => html`<tr><th scope="row">${who}</th>${figures.map((one) => html`<td>${() => fraction(one)}</td>`)}</tr>`;

/** @param {string} table @param {any} one a step, and the irregularity that it was advised for @param {any} shown */
async function take(table, one, shown) {
  const command = { is: "resolve", table, incident: one.incident, step: one.step, order: one.order };
  if (one.step === CORRECT) { await correct(table, one, shown); return; }
  if (!one.needs_reason && !one.ruling && !one.four_eyes && !one.may_replace_shoe) { await ask(command); return; }
  await form(() => capital(one.title), [
    ...(one.ruling ? [{ name: "facts", label: () => t("ruling.facts"), area: true, need: true }] : []),
    { name: "reason", label: () => t(one.ruling ? "ruling.decision" : "reason"), area: true, need: one.needs_reason || one.ruling || one.four_eyes },
    ...(one.may_replace_shoe ? [{ name: "replace_shoe", label: () => t("path.replace"), options: /** @type {[string, string][]} */ ([["no", t("no")], ["yes", t("yes")]]) }] : []),
  ], { about: html`${quote(one.clause, one.text)}<p>${() => t("ruling.signed", { name: me()?.name ?? "", role: roleName(me()?.role ?? "") })}</p>`, does: () => t(one.four_eyes ? "path.propose" : "path.do", { step: one.title }),
    act: (given) => ask({ ...command, reason: given.reason ?? "", facts: given.facts ?? "", replace_shoe: given.replace_shoe === "yes" }) });
}

/** The reconstruction editor: cards are put where they belong; the engine says whether that can be. @param {string} table @param {any} one @param {any} shown */
async function correct(table, one, shown) {
  const sides = signal({ player: (shown?.player ?? []).filter(Boolean), banker: (shown?.banker ?? []).filter(Boolean) });
  const held = signal(/** @type {{side: "player" | "banker", place: number} | null} */ (null));
  const move = (/** @type {"player" | "banker"} */ side, /** @type {number} */ place) => {
    const from = held(), now = { player: [...sides().player], banker: [...sides().banker] };
    if (!from) { held({ side, place }); return; }
    const [card] = now[from.side].splice(from.place, 1);
    now[side].splice(place, 0, card);
    sides(now);
    held(null);
  };
  await dialog(() => t("editor"), (close) => html`<p>${() => t("editor.text")}</p>
    ${/** @type {const} */ (["player", "banker"]).map((side) => html`<section class="editor"><h3>${() => t(side)}</h3><div class="slots" @dragover=${(/** @type {DragEvent} */ event) => event.preventDefault()} @drop=${() => move(side, sides()[side].length)}>
      ${() => sides()[side].map((/** @type {string} */ card, /** @type {number} */ place) => html`<button draggable="true" aria-pressed=${() => String(held()?.side === side && held()?.place === place)} @dragstart=${() => held({ side, place })} @click=${() => move(side, place)}>${small(card)}</button>`)}
      <button class="slot" aria-label=${() => t("editor.end", { side: t(side) })} @click=${() => held() && move(side, sides()[side].length)}>+</button></div>
      <label>${() => t("editor.cards")}<input name=${side} .value=${() => sides()[side].join(" ")} @change=${(/** @type {any} */ event) => sides({ ...sides(), [side]: cardsIn(event.target.value) })}></label></section>`)}
    <form @submit=${async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const reason = inOneLine(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("reason")));
    const coup = `${sides().player.join(" ")} / ${sides().banker.join(" ")}`;
    if (await ask({ is: "resolve", table, incident: one.incident, step: one.step, reason, coup })) close();
  }}><label>${() => t("reason")}<textarea name="reason" rows="2" maxlength="500" required></textarea></label><button class="go">${() => t("path.propose", { step: one.title })}</button></form>`, { wide: true });
}

/** Who may choose, who has, and how long they have. @param {string} table @param {() => any} felt */
export function options(table, felt) {
  return html`${() => (felt()?.options.length ? html`<section class="tracker" aria-label=${() => t("options")}><h2>${() => t("options")} <span>${() => left(felt().options_until)}</span></h2>
    <p class="soft">${() => t("options.default")}</p><ul>${() => felt().options.map((/** @type {any} */ one) => html`<li class=${one.continues === null ? "open" : one.continues ? "yes" : "no"} data-patron=${one.name}><b>${one.name}</b> <span>${() => t(one.continues === null ? "option.open" : one.continues ? "option.goes" : "option.back")}</span></li>`)}</ul>
    ${() => (ranks("dealer", felt().you) ? html`<button class="quiet" disabled=${() => felt()?.next.act !== "end-options"} @click=${() => ask({ is: "end-options", table })}>${() => t("do.end-options")}</button>` : null)}</section>` : null)}`;
}

/** @param {any} one */
const proposed = (one) => (one.card ? t("enter") : stepName(one.what));

/** What waits for a second pair of eyes, or came to nothing. @param {string} table @param {() => any} felt */
export function second(table, felt) {
  return html`${() => (felt()?.proposal ? html`<section class="proposal" aria-label=${() => t("proposal")}><h2>${() => t("proposal")}</h2>
    <p>${() => t("proposal.text", { who: felt().proposal.name, what: proposed(felt().proposal) })} ${() => (felt().proposal.card ? small(felt().proposal.card) : null)} ${() => (felt().proposal.coup ? html`<code>${felt().proposal.coup}</code>` : null)}</p>
    <p>${() => felt().proposal.reason}</p>${() => (ranks("pit supervisor", felt().you) ? html`<div class="buttons"><button class="go" disabled=${() => felt().proposal.by === me()?.id} @click=${() => ask({ is: "confirm", table, proposal: felt().proposal.number })}>${() => t("proposal.confirm")}</button>
      <button @click=${() => ask({ is: "decline", table, proposal: felt().proposal.number })}>${() => t("proposal.decline")}</button></div>` : null)}
    ${() => (felt().proposal.by === me()?.id ? html`<small>${() => t("proposal.own")}</small>` : null)}</section>` : null)}
  ${() => (felt()?.lapsed && !felt().proposal ? html`<p class="lapsed" role="status">${() => t("proposal.lapsed", { who: felt().lapsed.name, what: proposed(felt().lapsed) })}</p>` : null)}`;
}

