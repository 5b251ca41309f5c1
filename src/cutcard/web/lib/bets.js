/**
 * Bets: placed, taken back, rejected, closed and apportioned, in the manner of rounds.js.
 *
 * Each function takes from an event only what somebody was free to choose, works out everything
 * else anew, and gives the events that must then stand in the log, or refuses.
 */

import { cutAtClose, givingWay, isTooMuch, minimumOf, rejected } from "./apportion.js";
import { secondOf } from "./book.js";
import { whole } from "./json.js";
import { checkInPlace } from "./meters.js";
import { Refusal } from "./refusal.js";
import { actor, checkAnybody, checkRole } from "./staff.js";
import { betAt, betsOf, FINISHED, hasAny, keyOf, ownBets, staked } from "./table.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./table.js").Round} Round
 * @typedef {import("./book.js").Book} Book
 */

const MOST_STAKE = 10n ** 15n;
const REJECTED = ["excess rejected", "excess of the table rejected"];
const SEATED_FIRST = "seated patrons first";

/**
 * @param {Table} table @param {string} patron @param {string | null} by @param {any} at
 * @param {Book} book
 */
export function checkOwn(table, patron, by, at, book) {
  checkInPlace(table, patron, book);
  // Staff may act for a patron who asks, and the log says who did.
  if (by !== null && by !== patron) checkRole(table.staff.get(by), "dealer", at);
  return by === patron ? null : by;
}

/** Refuse whatever may only be done while bets are open. @param {Round} round */
function checkBetting(round) {
  if (FINISHED.includes(round.phase)) throw new Refusal("bet/not-open");
  if (round.phase !== "betting") throw new Refusal("bet/closed");
}

/** @param {Book} book @param {string} id */
export function spotOf(book, id) {
  const spot = book.spots.get(id);
  if (spot === undefined) throw new Refusal("bet/not-offered", { spot: id });
  return spot;
}

/** @param {bigint} stake */
function checkStake(stake) {
  if (stake <= 0n || stake > MOST_STAKE)
    throw new Refusal("bet/stake", { stake, most: MOST_STAKE });
}

/** @param {Table} table @param {string} patron @param {bigint} needed */
export function checkFunds(table, patron, needed) {
  const available = table.stacks.get(patron) ?? 0n;
  if (needed > available) throw new Refusal("stack/short", { needed, available });
}

/** @param {Round} round @returns {import("./apportion.js").Bet[]} with the log's own bet beside */
function lying(round) {
  return asShares(betsOf(round));
}

/** @param {any[]} bets @returns {import("./apportion.js").Bet[]} */
function asShares(bets) {
  return bets.map((laid) => ({
    ...laid,
    stake: BigInt(laid.stake),
    order: BigInt(laid.order),
    laid,
  }));
}

/** @param {any} terms @returns {import("./apportion.js").Limit[]} */
function limitsOf(terms) {
  return terms.limits.map((/** @type {any} */ one) => ({ ...one, amount: BigInt(one.amount) }));
}

/**
 * Refuse a bet outside the limits. In the limits of its box a seated patron's bet comes before
 * standing ones, which give way to it.
 * @param {Round} round @param {any} bet @param {bigint} added @param {Book} book
 * @returns {import("./apportion.js").Shares} what is left of the standing bets
 */
function checkLimits(round, { patron, box, spot, seated }, added, book) {
  const here = (/** @type {string} */ scope, /** @type {string} */ on) =>
    staked(round, scope, { patron, box, spot: on });
  const limits = limitsOf(round.terms);
  const behind = () =>
    lying(round).filter(
      (bet) => bet.box === box && bet.spot === spot && bet.patron !== patron && !bet.seated,
    );
  let excess = 0n;
  for (const { kind, scope, spots, amount } of limits) {
    if (!spots.includes(spot)) continue;
    const other = spots[0] === spot ? spots[1] : spots[0];
    const room = amount - here(scope, spot) + (kind === "differential" ? here(scope, other) : 0n);
    if (kind === "minimum" ? here("bet", spot) + added >= amount : added <= room) continue;
    const yields = seated && scope === "box" && kind !== "minimum" ? behind() : [];
    const most = yields.reduce((sum, bet) => sum + bet.stake, 0n);
    if (added > room + most || yields.length === 0) {
      throw new Refusal(`limit/${kind}`, { spot, stake: added, amount, scope, room: room + most });
    }
    if (added - room > excess) excess = added - room;
  }
  if (excess === 0n) return new Map();
  return givingWay(behind(), excess, minimumOf(limits, spot), spotOf(book, spot).step);
}

/**
 * The standing bets that a seated one takes the room of, the last in line first.
 * @param {Round} round @param {any} bet @param {import("./apportion.js").Shares} yielding
 * @param {Book} book @param {any} at @returns {any[]}
 */
function givenBack(round, bet, yielding, book, at) {
  const clause = book.irregularities.get("excess bets")?.clause ?? null;
  const line = [...yielding].sort(([one], [other]) => (one.order > other.order ? -1 : 1));
  const changed = new Map([[keyOf(bet), bet]]);
  const events = line.map(([one, stake]) => {
    const { laid } = /** @type {any} */ (one);
    const left = less(laid, stake, book);
    changed.set(keyOf(laid), left);
    return { is: "BetWithdrawn", bet: laid, left, cause: SEATED_FIRST, clause, at, placed_by: null };
  });
  const patrons = [...new Set(events.map((event) => event.bet.patron))];
  const gone = dependents(round, patrons, changed, book, at);
  for (const event of gone) changed.set(keyOf(event.bet), null);
  const others = betsOf(round).filter((one) => !changed.has(keyOf(one)));
  const lies = [...others, ...changed.values()].filter((one) => one !== null);
  // A limit of another scope gives no priority: what is given back must not break one.
  if (isTooMuch(asShares(lies), limitsOf(round.terms))) {
    throw new Refusal("limit/differential", { spot: bet.spot, stake: bet.stake });
  }
  return [...events, ...gone];
}

/** @param {any} bet @param {bigint} stake @param {Book} book @returns {any} the bet, smaller */
function less(bet, stake, book) {
  if (stake === 0n) return null;
  const reserve = whole(stake * (spotOf(book, bet.spot).reserve - 1n));
  return { ...bet, stake: whole(stake), reserve, revision: bet.revision + 1 };
}

/**
 * Bets of patrons that cannot stand any more, because what they need is gone.
 * @param {Round} round @param {string[]} patrons
 * @param {Map<string, any>} changed by key, what is left
 * @param {Book} book @param {any} at
 */
function dependents(round, patrons, changed, book, at) {
  return patrons.flatMap((patron) => {
    const own = ownBets(round, patron).flatMap((bet) => {
      const left = changed.has(keyOf(bet)) ? changed.get(keyOf(bet)) : bet;
      return left === null ? [] : [left];
    });
    return own.flatMap((bet) => {
      const { needs } = spotOf(book, bet.spot);
      if (needs === null || own.some(({ spot }) => needs.any_of.includes(spot))) return [];
      const { clause } = needs;
      return [
        {
          is: "BetWithdrawn",
          bet,
          left: null,
          cause: "needs another bet",
          clause,
          at,
          placed_by: null,
        },
      ];
    });
  });
}

/** @param {any} bet @param {any} second @returns {bigint} what continuing takes from the stack */
export const cost = (bet, second) => BigInt(bet.stake) * second.stage.multiple * second.reserve;

/** At an open table no bet is in a box. @param {number} box @param {number} boxes */
export function checkBox(box, boxes) {
  if (boxes === 0 && box !== 0) throw new Refusal("bet/no-boxes", { box });
  if (boxes > 0 && !(box >= 1 && box <= boxes)) throw new Refusal("bet/no-such-box", { box });
}

/**
 * Whether a patron bets from a seat of the own, as everybody does at an open table.
 * @param {Table} table @param {{patron: string, box: number}} bet
 */
export function isSeated(table, { patron, box }) {
  return box === 0 || table.seats.get(box) === patron;
}

/** @param {Table} table @param {number} box @param {Book} book */
function checkBackBet({ seats, round }, box, book) {
  if (!book.backBets) throw new Refusal("bet/not-your-box", { box });
  const covered = ownBets(round, seats.get(box) ?? "").some((bet) => bet.box === box);
  if (!covered) throw new Refusal("bet/nobody-seated", { box });
}

/**
 * What the second stage of a new bet takes, and those of the patron's open first bets; older books
 * count each first bet by itself when it is placed.
 * @param {Round} round @param {{patron: string, spot: string}} bet @param {bigint} added
 * @param {Book} book @returns {bigint}
 */
function secondStages(round, { patron, spot }, added, book) {
  const own = secondOf(book, spot);
  const open = ownBets(round, patron).flatMap((bet) => {
    const second = secondOf(book, bet.spot);
    return second?.stage?.fundsTogether ? [cost(bet, second)] : [];
  });
  const costs = own === null ? open : [...open, cost({ stake: added }, own)];
  return costs.reduce((sum, one) => sum + one, 0n);
}

/** @type {Record<string, (table: Table, event: any, book: Book) => any[]>} */
export const BETS = {
  BetPlaced(table, { bet: { patron, box, spot, stake, placed_by: by }, before: said, at }, book) {
    const { round, setup } = table;
    const placed_by = checkOwn(table, patron, by, at, book);
    const added = BigInt(stake) - BigInt(said?.stake ?? 0);
    checkBox(box, setup.boxes);
    const seated = isSeated(table, { patron, box });
    if (!seated && !setup.open_boxes) checkBackBet(table, box, book);
    checkBetting(round);
    const { step, stage, needs, reserve } = spotOf(book, spot);
    checkBox(box, round.terms.boxes);
    checkStake(added);
    if (stage !== null) throw new Refusal("bet/too-early", { spot });
    if (needs !== null && !hasAny(round, patron, needs.any_of)) {
      throw new Refusal("bet/needs-main-bet", { spot, others: needs.any_of });
    }
    if (added % step !== 0n) throw new Refusal("bet/off-step", { spot, stake: added, step });
    const yielding =
      round.terms.entry === "refuse"
        ? checkLimits(round, { patron, box, spot, seated }, added, book)
        : new Map();
    const before = betAt(round, { box, patron, spot });
    const whole_ = added + BigInt(before?.stake ?? 0);
    checkStake(whole_);
    const seconds = setup.reserve_second ? secondStages(round, { patron, spot }, added, book) : 0n;
    checkFunds(table, patron, added * reserve + seconds);
    const bet = {
      patron,
      box,
      spot,
      stake: whole(whole_),
      seated,
      order: before === null ? round.placed : before.order,
      revision: before === null ? 1 : before.revision + 1,
      reserve: whole(whole_ * (reserve - 1n)),
      placed_by,
    };
    const more = yielding.size === 0 ? [] : givenBack(round, bet, yielding, book, at);
    return [{ is: "BetPlaced", bet, before, at }, ...more];
  },

  BetWithdrawn(table, event, book) {
    const { cause, at } = event;
    if (REJECTED.includes(cause)) {
      return excessRejected(table, cause === REJECTED[0] ? event.bet.box : null, cause, at, book);
    }
    const { round } = table;
    const { patron, box, spot } = event.bet;
    const placed_by = checkOwn(table, patron, event.placed_by, at, book);
    checkBetting(round);
    const bet = betAt(round, event.bet);
    if (bet === null) throw new Refusal("bet/none-there", { spot });
    const gone = BigInt(event.bet.stake) - BigInt(event.left?.stake ?? 0);
    const stays = BigInt(bet.stake) - gone;
    if (gone <= 0n || stays < 0n) throw new Refusal("bet/not-there", { spot, stake: gone });
    if (round.terms.entry === "refuse") checkWithdrawal(round, { patron, box, spot }, gone, stays);
    const { step } = spotOf(book, spot);
    if (stays % step !== 0n) throw new Refusal("bet/off-step", { spot, stake: stays, step });
    const left = less(bet, stays, book);
    const taken = {
      is: "BetWithdrawn",
      bet,
      left,
      cause: "withdrawn",
      clause: null,
      at,
      placed_by,
    };
    return [taken, ...dependents(round, [patron], new Map([[keyOf(bet), left]]), book, at)];
  },

  BetsClosed(table, event, book) {
    const by = actor(table, event);
    const { at } = event;
    const { round } = table;
    checkBetting(round);
    if (round.terms.entry === "refuse") return [{ is: "BetsClosed", cut: [], at, ...by }];
    const terms = { ...round.terms, limits: limitsOf(round.terms) };
    const shares = cutAtClose(lying(round), terms, (spot) => spotOf(book, spot).step);
    const cut = [...shares].map(([{ box, patron, spot }, stake]) => ({
      box,
      patron,
      spot,
      stake: whole(stake),
    }));
    return [{ is: "BetsClosed", cut, at, ...by }];
  },
};

/** @param {Round} round @param {any} bet @param {bigint} gone @param {bigint} stays */
function checkWithdrawal(round, { patron, box, spot }, gone, stays) {
  for (const { kind, scope, spots, amount } of limitsOf(round.terms)) {
    if (!spots.includes(spot)) continue;
    if (kind === "minimum" && stays > 0n && stays < amount) {
      throw new Refusal("limit/minimum", { spot, stake: stays, amount });
    }
    if (kind !== "differential") continue;
    const other = spots[0] === spot ? spots[1] : spots[0];
    const here = (/** @type {string} */ on) => staked(round, scope, { patron, box, spot: on });
    // Room on the other spot is what may come off this one.
    const room = amount + here(spot) - here(other);
    if (gone > room) throw new Refusal("limit/withdrawal", { spot, other, amount, room });
  }
}

/**
 * @param {Table} table @param {number | null} box @param {string} cause @param {any} at
 * @param {Book} book
 */
function excessRejected(table, box, cause, at, book) {
  const { round } = table;
  checkAnybody(table);
  checkBetting(round);
  const limits = limitsOf(round.terms).filter(
    ({ scope }) => box === null || ["box", "bet"].includes(scope),
  );
  const bets = lying(round).filter((bet) => box === null || bet.box === box);
  const kept = rejected(bets, limits, (spot) => spotOf(book, spot).step);
  if (kept.size === 0) throw new Refusal("bet/no-excess");
  const clause = book.irregularities.get("excess bets")?.clause ?? null;
  const changed = new Map();
  const events = [...kept].map(([one, stake]) => {
    const bet = /** @type {any} */ (one).laid;
    const left = less(bet, stake, book);
    changed.set(keyOf(bet), left);
    return { is: "BetWithdrawn", bet, left, cause, clause, at, placed_by: null };
  });
  const patrons = [...new Set(events.map(({ bet }) => bet.patron))];
  return [...events, ...dependents(round, patrons, changed, book, at)];
}
