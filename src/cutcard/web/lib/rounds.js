/**
 * The rules of a round: for each event, what should have happened instead of it, or with it.
 *
 * Each function gets the table just before the event and the event as the log has it. It takes
 * from the event only what somebody was free to choose (who, where, how much, when), works out
 * everything else anew, and gives the events that must then stand in the log. What nobody was free
 * to do is refused.
 */

import { BETS, checkFunds, checkOwn, cost, spotOf } from "./bets.js";
import { secondOf } from "./book.js";
import { total } from "./cards.js";
import { dealt, nextSide, winner, withCard, written } from "./coup.js";
import { facts } from "./facts.js";
import { whole } from "./json.js";
import { deciding, pay } from "./paytable.js";
import { Refusal } from "./refusal.js";
import { actor, checkAnybody, checkRole, checkStaff, hasDealer } from "./staff.js";
import { betAt, betsOf, cardsLeft, FINISHED, keeps, keyOf, longer } from "./table.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./table.js").Round} Round
 * @typedef {import("./book.js").Book} Book
 */

/** @param {Round} round @param {Book} book @returns {{bet: any, second: any}[]} */
export function undecided(round, book, coup = round.coup) {
  const count = dealt(coup).length;
  return betsOf(round).flatMap((bet) => {
    const second = secondOf(book, bet.spot);
    if (second === null || second.stage === null || round.declined.has(keyOf(bet))) return [];
    // A correction may find more cards on the table than the one that is decided on.
    if (second.stage.after_card > count) return [];
    return betAt(round, { ...bet, spot: second.id }) === null ? [{ bet, second }] : [];
  });
}

/** Opens the time to decide on first-stage bets, where there is something to decide on. */
export function decisions(
  /** @type {Round} */ round,
  /** @type {any} */ at,
  /** @type {Book} */ book,
  coup = round.coup,
) {
  if (undecided(round, book, coup).length === 0) return [];
  const until = whole(BigInt(at) + BigInt(round.terms.decision_ms));
  return [{ is: "DecisionsOpened", until, at }];
}

/**
 * @param {any} bet @param {any} second @param {number} order @param {boolean} by_system
 * @param {any} at @param {string | null} placed_by
 */
function placedSecond(bet, second, order, by_system, at, placed_by = null) {
  const stake = BigInt(bet.stake) * second.stage.multiple;
  const reserve = whole(stake * (second.reserve - 1n));
  const laid = {
    ...bet,
    spot: second.id,
    stake: whole(stake),
    order,
    revision: 1,
    placed_by,
    reserve,
  };
  return { is: "SecondStagePlaced", bet: laid, first: bet.spot, by_system, at };
}

/**
 * @param {any} bet @param {any} second @param {boolean} by_system @param {any} at
 * @param {string | null} placed_by
 */
function declinedSecond({ patron, box, spot }, second, by_system, at, placed_by = null) {
  const clause = by_system ? "HOUSE timeout" : second.stage.declined;
  return { is: "SecondStageDeclined", patron, box, spot, by_system, clause, at, placed_by };
}

/** What becomes of each bet. @param {Round} round @param {Book} book */
export function settle(round, book, coup = round.coup) {
  const truth = facts(coup);
  return betsOf(round).map((bet) => {
    const key = keyOf(bet);
    const effective = round.effective.get(key) ?? bet.stake;
    const removed = round.removed.has(key);
    const clause = round.declined.get(key);
    if (clause !== undefined) {
      return { bet, effective, net: whole(-BigInt(effective)), commission: 0, clause, removed };
    }
    const line = deciding(spotOf(book, bet.spot).lines, truth);
    const paid = line === undefined ? null : pay(line, BigInt(effective));
    if (line === undefined || paid === null) throw new TypeError("a stake off its step");
    const [net, commission] = [whole(paid.net), whole(paid.commission)];
    return { bet, effective, net, commission, clause: line.clause, removed };
  });
}

/** Bets whose chips lie there, and bets whose chips were taken away. @param {Round} round */
export function apart(round, bets = betsOf(round)) {
  return {
    returned: bets.filter((bet) => !round.removed.has(keyOf(bet))),
    removed: bets.filter((bet) => round.removed.has(keyOf(bet))),
  };
}

/** Bets whose second stage the stack cannot pay, the earlier bets paid first. */
function short(/** @type {Table} */ table, /** @type {Book} */ book) {
  const left = new Map(table.stacks);
  const found = new Set();
  const line = undecided(table.round, book).sort((one, other) => one.bet.order - other.bet.order);
  for (const { bet, second } of line) {
    const rest = (left.get(bet.patron) ?? 0n) - cost(bet, second);
    if (rest < 0n) found.add(keyOf(bet));
    else left.set(bet.patron, rest);
  }
  return found;
}

/** @param {Table} table @param {any} event @param {Book} book */
function timeIsUp(table, { at }, book) {
  const { round } = table;
  checkAnybody(table);
  if (round.phase !== "deciding" || round.decideUntil === null)
    throw new Refusal("decision/not-now");
  if (at < round.decideUntil) throw new Refusal("decision/time-left");
  const cannot = short(table, book);
  const events = undecided(round, book).map(({ bet, second }, place) => {
    const continues = round.always.has(bet.patron) && !cannot.has(keyOf(bet));
    return continues
      ? placedSecond(bet, second, round.placed + place, true, at)
      : declinedSecond(bet, second, true, at);
  });
  return [...events, { is: "DecisionsClosed", at }];
}

/**
 * @param {Table} table @param {any} at who decides what @param {boolean} continues
 * @param {Book} book
 */
function chosen(table, { patron, box, spot, by, at }, continues, book) {
  const { round } = table;
  const placed_by = checkOwn(table, patron, by, at, book);
  if (round.phase !== "deciding" || round.decideUntil === null)
    throw new Refusal("decision/not-now");
  if (at >= round.decideUntil) throw new Refusal("decision/too-late");
  const open = undecided(round, book);
  const mine = open.find(({ bet }) => keyOf(bet) === keyOf({ box, patron, spot }));
  if (mine === undefined) throw new Refusal("decision/nothing-to-decide", { spot });
  if (continues) checkFunds(table, patron, cost(mine.bet, mine.second));
  const event = continues
    ? placedSecond(mine.bet, mine.second, round.placed, false, at, placed_by)
    : declinedSecond(mine.bet, mine.second, false, at, placed_by);
  // The last decision ends the pause; the deal goes on.
  return open.length > 1 ? [event] : [event, { is: "DecisionsClosed", at }];
}

/** Excess is rejected in this order: in boxes first. @param {any[]} limits @returns {any[]} */
function tableLast(limits) {
  const isWhole = (/** @type {any} */ one) => one.scope === "table";
  return [...limits.filter((one) => !isWhole(one)), ...limits.filter(isWhole)];
}

/** @type {Record<string, (table: Table, event: any, book: Book) => any[]>} */
export const IN_ROUND = {
  ...BETS,

  RoundOpened(table, event, book) {
    const by = actor(table, event);
    const { at } = event;
    const { setup, shoe, round } = table;
    if (book.dealer !== null && setup.machine === null && !hasDealer(table, at)) {
      throw new Refusal("staff/no-dealer");
    }
    if (shoe === null) throw new Refusal("shoe/none");
    if (shoe.to_burn !== 0) throw new Refusal("shoe/burn-first", { left: shoe.to_burn ?? 0 });
    if (shoe.cut_card) throw new Refusal("shoe/last-round");
    if (table.lastRound !== null && table.rounds >= table.lastRound)
      throw new Refusal("table/closing");
    if (book.from !== null && at < book.from) throw new Refusal("round/not-in-force");
    if (!FINISHED.includes(round.phase)) throw new Refusal("round/not-finished");
    if (setup.book_hash !== book.hash) throw new Refusal("round/other-book");
    const { boxes, entry, apportioning, decision_ms } = setup;
    const terms = {
      book: setup.book,
      book_hash: setup.book_hash,
      limits: keeps(table, 2) ? tableLast(table.limits) : table.limits,
      boxes,
      entry,
      apportioning,
      decision_ms,
      open_cards: book.openCards,
    };
    return [{ is: "RoundOpened", number: table.rounds + 1, terms, at, ...by }];
  },

  CardDealt(table, { card, at, by, seen_by }, book) {
    const { round, setup, shoe } = table;
    checkStaff(table, by, "dealer", at);
    if (!setup.scanner || seen_by !== null) checkTyped(table, { card, at, by, seen_by }, book);
    if (shoe === null) throw new Refusal("shoe/none");
    const kept = card === table.kept[0];
    const wrong = kept ? null : outOfTurn(table, card, at, book);
    if (wrong !== null) return [wrong];
    const events = drawn(round, { card, at, by, seen_by }, book);
    if (!kept && alarms(setup, longer(shoe.run, card))) {
      return [...events, found(table, "unshuffled cards", at, book)];
    }
    const after = withCard(round.coup, events[0].side, card);
    const left = cardsLeft(shoe) + table.kept.length - 1;
    if (left <= 0 && nextSide(after) !== null) {
      return [...events, found(table, "insufficient cards", at, book)];
    }
    return events;
  },

  AlwaysChosen(table, { patron, always, at, placed_by: by }, book) {
    const placed_by = checkOwn(table, patron, by, at, book);
    const { phase, decideUntil } = table.round;
    if (phase === "deciding" && at >= (decideUntil ?? 0)) throw new Refusal("decision/too-late");
    return [{ is: "AlwaysChosen", patron, always, at, placed_by }];
  },

  SecondStagePlaced(table, event, book) {
    if (event.by_system) return timeIsUp(table, event, book);
    const { patron, box, placed_by: by } = event.bet;
    return chosen(table, { patron, box, spot: event.first, by, at: event.at }, true, book);
  },

  SecondStageDeclined(table, event, book) {
    if (event.by_system) return timeIsUp(table, event, book);
    return chosen(table, { ...event, by: event.placed_by }, false, book);
  },

  ChipsRemoved(table, { bet: said, by, at }, book) {
    const { round } = table;
    checkStaff(table, by, "dealer", at);
    if (FINISHED.includes(round.phase) || round.phase === "betting")
      throw new Refusal("bet/not-closed");
    if (table.setup.boxes === 0 && keeps(table, 1)) throw new Refusal("bet/no-chips");
    const bet = betAt(round, said);
    if (bet === null || round.removed.has(keyOf(bet))) throw new Refusal("bet/none-there");
    const clause = book.irregularities.get("late withdrawal")?.clause ?? null;
    return [{ is: "ChipsRemoved", bet, by, clause, at }];
  },

  ResultCalled(table, event) {
    const by = actor(table, event);
    const { coup, phase } = table.round;
    if (phase !== "dealing" || nextSide(coup) !== null) {
      throw new Refusal("round/cards-missing", { coup: written(coup) });
    }
    return [
      {
        is: "ResultCalled",
        winner: winner(coup),
        player_points: total(coup.player),
        banker_points: total(coup.banker),
        at: event.at,
        ...by,
      },
    ];
  },

  RoundSettled(table, event, book) {
    const by = actor(table, event);
    if (table.round.phase !== "result") throw new Refusal("round/no-result");
    return [{ is: "RoundSettled", bets: settle(table.round, book), at: event.at, ...by }];
  },
};

/** @param {any} setup @param {string[]} run @returns {boolean} whether so long a run is no chance */
export const alarms = ({ sentinel }, run) => sentinel > 0 && run.length >= sentinel;

/**
 * What is wrong with a card that has left the shoe; null where it is the one to come.
 * @param {Table} table @param {string} card @param {number} at @param {Book} book
 * @returns {any}
 */
export function outOfTurn(table, card, at, book) {
  const { round, shoe, kept } = table;
  if (shoe === null) throw new Refusal("shoe/none");
  if (shoe.to_burn !== 0) throw new Refusal("shoe/burn-first", { left: shoe.to_burn ?? 0 });
  if (cardsLeft(shoe) <= 0) throw new Refusal("card/none-left", { card });
  if ((shoe.seen[card] ?? 0) >= (shoe.manifest[card] ?? 0)) {
    return found(table, "foreign card", at, book, [card]);
  }
  const due = ["closed", "dealing"].includes(round.phase) && nextSide(round.coup) !== null;
  if (due && kept.length === 0) return null;
  return found(table, "excess or exposed card", at, book, [card]);
}

/** A card entered by hand is confirmed by a second member of staff. */
function checkTyped(
  /** @type {Table} */ table,
  /** @type {any} */ { card, at, by, seen_by },
  /** @type {Book} */ book,
) {
  checkTyping(book);
  checkRole(table.staff.get(seen_by ?? ""), "dealer", at);
  if (seen_by === by) throw new Refusal("card/one-person", { card });
}

/** Some books let nobody type a card in. @param {Book} book */
export function checkTyping(book) {
  if (book.irregularities.get("unread card")?.remedy === "rescan")
    throw new Refusal("card/no-typing");
}

/** @param {Round} round @param {any} command @param {Book} book @returns {any[]} */
function drawn(round, { card, at, by, seen_by }, book) {
  if (FINISHED.includes(round.phase) || round.phase === "betting") {
    throw new Refusal("card/bets-open", { card });
  }
  if (round.phase === "deciding") throw new Refusal("card/decisions-open", { card });
  const side = nextSide(round.coup);
  if (side === null || round.phase === "result") throw new Refusal("card/not-allowed", { card });
  const after = withCard(round.coup, side, card);
  return [{ is: "CardDealt", side, card, at, by, seen_by }, ...decisions(round, at, book, after)];
}

/**
 * The number of the latest round; a shoe that has had none follows on one that had.
 * @param {Table} table @returns {number}
 */
export function lastRound(table) {
  return table.rounds || table.round.number;
}

/**
 * What the table notices by itself.
 * @param {Table} table @param {string} kind @param {any} at @param {Book} book
 * @param {string[]} cards
 */
export function found(table, kind, at, book, cards = []) {
  const clause = book.irregularities.get(kind)?.clause;
  if (clause === undefined) throw new Refusal("incident/unknown", { word: kind });
  const incident = {
    number: table.incidents + 1,
    kind,
    round: lastRound(table),
    by: "system",
    drawn: cards,
    lying: null,
    exposed: null,
    note: "",
  };
  return { is: "IncidentReported", incident, clause, at };
}
