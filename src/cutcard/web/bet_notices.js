// @ts-check
/** Notices about one's own bets: what the house gave back, and an Ante that the stack cannot continue. */

import { effect, untracked } from "./lib/reactive.js";
import { money, t } from "./lib/language.js";
import { notice } from "./lib/dialog.js";

/** @param {() => any} own what is the patron's at the table @param {() => string} phase */
export function betNotices(own, phase) {
  /** @type {any[]} */ let returned = [];
  /** @type {string[]} */ let dear = [];
  effect(() => {
    const { given_back = [], cannot_continue = [] } = own() ?? {};
    untracked(() => {
      for (const one of given_back.slice(same(returned, given_back))) {
        notice(t(`given_back.${one.cause}`, { spot: t(one.spot), amount: money(one.amount) }), one.clause ?? "");
      }
      // Once the bets are closed the question itself says what can be continued.
      const now = phase() === "betting" ? cannot_continue : [];
      for (const spot of now) if (!dear.includes(spot)) notice(t("cannot_continue", { spot: t(spot) }), "KO2 3.4");
      returned = given_back;
      dear = now;
    });
  });
}

/** How many entries a list has in common with the one before; another round begins with none. @param {any[]} before @param {any[]} after */
function same(before, after) {
  const place = after.findIndex((one, at) => JSON.stringify(one) !== JSON.stringify(before[at]));
  return place < 0 ? after.length : place;
}
