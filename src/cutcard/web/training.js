// @ts-check
/** Training: rounds with mistakes in them, what the book orders about each, and why. */

import { html, signal } from "./lib/reactive.js";
import { dialog } from "./lib/dialog.js";
import { language, number, t } from "./lib/language.js";
import { capital, kindName, question, quote, roleName, small, stepName } from "./duty.js";

const LESSONS = 1_000_000;
const NOTHING = "nothing wrong";

/** Lessons about a book, one after another, until somebody has had enough. @param {string} book */
export async function train(book) {
  let right = 0, answered = 0;
  for (;;) {
    const lesson = await question(`/school/${book}?seed=${Math.floor(Math.random() * LESSONS)}`);
    if (!lesson) return;
    for (const one of lesson.questions) {
      const chosen = signal(/** @type {number | null} */ (null));
      const answer = (/** @type {number} */ place) => { chosen(place); answered += 1; if (place === one.right) right += 1; };
      const more = await dialog(() => t("train.title", { right, answered }), (close) => html`<div class="lesson">
        <p class="soft">${() => capital(lesson.kind === NOTHING ? t("train.nothing") : kindName(lesson.kind))}</p>
        ${lesson.story.map((/** @type {string} */ line) => html`<p lang="en">${line}</p>`)}
        <p class="felt-cards">${() => t("player")} ${lesson.table.player.map(small)} · ${() => t("banker")} ${lesson.table.banker.map(small)} ${lesson.table.loose.length ? html`· ${() => t("train.loose")} ${lesson.table.loose.map(small)}` : null}</p>
        <ul class="bets">${lesson.table.bets.map((/** @type {any} */ bet) => html`<li>${bet.box ? `${bet.box} · ` : ""}${bet.patron} · ${() => t(bet.spot)} ${number(bet.stake)} <span lang="en">${bet.note}</span></li>`)}</ul>
        ${() => (language() === "en" ? null : html`<h3>${() => t(`train.asks.${one.topic}`)}</h3>`)}<h3 lang="en">${one.asks}</h3>
        <div class="choices">${one.choices.map((/** @type {any} */ choice, /** @type {number} */ place) => html`<button class=${() => (chosen() === null ? "" : place === one.right ? "right" : place === chosen() ? "wrong" : "")}
          lang=${() => (worded(one.topic, choice) === choice.words ? "en" : false)} disabled=${() => chosen() !== null} @click=${() => answer(place)}>${() => worded(one.topic, choice)}</button>`)}</div>
        ${() => (chosen() === null ? null : html`<div class="because" role="status"><p><b>${() => t(chosen() === one.right ? "train.right" : "train.wrong")}</b> <span lang="en">${one.because}</span></p>
          ${one.clauses.map((/** @type {any} */ clause) => quote(clause.clause, clause.text))}<button class="go" @click=${() => close(true)}>${() => t("train.next")}</button></div>`)}</div>`, { wide: true });
      if (!more) return;
    }
  }
}

/** A choice in the language chosen, where it is a word of the trade. @param {string} topic @param {{value: string, words: string}} choice */
function worded(topic, choice) {
  if (language() === "en") return choice.words;
  if (topic === "role" && t(`role.${choice.value}`) !== `role.${choice.value}`) return roleName(choice.value);
  if (topic === "step" && stepName(choice.value) !== choice.value) return capital(stepName(choice.value));
  return topic === "established" && choice.value !== "none" && t(choice.value) !== choice.value ? t(choice.value) : choice.words;
}
