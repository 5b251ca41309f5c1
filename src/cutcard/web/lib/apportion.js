/**
 * Apportionment: bets beyond a differential that nobody saw, cut pro rata (CB4 5.1.1).
 *
 * Only the heavier side is cut, down to the lighter one plus the limit. A bet below the minimum is
 * not cut, and nobody is cut below it: such bets are held there and the rest share what remains.
 * Shares are compared as cross products, so that no fraction is ever made.
 */

import { floor } from "./rational.js";

/**
 * @typedef {{patron: string, box: number, spot: string, stake: bigint, seated: boolean,
 *   order: bigint}} Bet
 * @typedef {{kind: string, scope: string, spots: string[], amount: bigint}} Limit
 * @typedef {Map<Bet, bigint>} Shares
 */

/** @param {Iterable<bigint>} amounts @returns {bigint} */
function sum(amounts) {
  let whole = 0n;
  for (const one of amounts) whole += one;
  return whole;
}

/** @param {bigint} amount @param {bigint} unit @returns {bigint} the next multiple of a unit */
const onUnit = (amount, unit) => -floor(-amount, unit) * unit;

/** @param {bigint} one @param {bigint} other @returns {bigint} */
const least = (one, other) => (one < other ? one : other);

/** @param {Bet} one @param {Bet} other @returns {number} seats first, then by time */
const inLine = (one, other) =>
  Number(other.seated) - Number(one.seated) || (one.order < other.order ? -1 : 1);

/**
 * What each bet on the heavier side counts for, on multiples of the spot's step.
 * @param {Bet[]} bets @param {bigint} target @param {bigint} minimum @param {bigint} unit
 * @returns {Shares}
 */
export function apportion(bets, target, minimum, unit) {
  const floorOf = onUnit(minimum, unit);
  /** @type {Shares} */
  const held = new Map();
  for (;;) {
    const active = bets.filter((bet) => !held.has(bet));
    if (active.length === 0) return held;
    const budget = target - sum(held.values());
    const whole = sum(active.map((bet) => bet.stake));
    const low = active.filter((bet) => bet.stake * (budget > 0n ? budget : 0n) < floorOf * whole);
    if (low.length === 0) return new Map([...held, ...rounded(active, budget, whole, unit)]);
    // A bet below the minimum has a share below it too, and stays whole.
    for (const bet of low) held.set(bet, least(bet.stake, floorOf));
  }
}

/**
 * Shares rounded down to the unit, what is left handed out by the largest remainder.
 * @param {Bet[]} bets @param {bigint} budget @param {bigint} whole @param {bigint} unit
 * @returns {Shares}
 */
function rounded(bets, budget, whole, unit) {
  const part = whole * unit;
  const scale = budget > 0n ? budget : 0n;
  const shares = new Map(bets.map((bet) => [bet, floor(bet.stake * scale, part) * unit]));
  /** @param {Bet} bet */
  const lost = (bet) => bet.stake * scale - floor(bet.stake * scale, part) * part;
  const spare = floor(budget - sum(shares.values()), unit);
  const line = [...bets].sort((one, other) => {
    const [mine, theirs] = [lost(one), lost(other)];
    return mine === theirs ? inLine(one, other) : mine > theirs ? -1 : 1;
  });
  for (const bet of line.slice(0, Number(spare))) shares.set(bet, (shares.get(bet) ?? 0n) + unit);
  return shares;
}

/**
 * The other reading: seated bets count first, and standing ones share what they leave.
 * @param {Bet[]} bets @param {bigint} target @param {bigint} minimum @param {bigint} unit
 * @returns {Shares}
 */
export function seatedFirst(bets, target, minimum, unit) {
  const seated = bets.filter((bet) => bet.seated);
  const standing = bets.filter((bet) => !bet.seated);
  const floors = new Map(standing.map((bet) => [bet, least(bet.stake, onUnit(minimum, unit))]));
  const forSeats = target - sum(floors.values());
  const sat = sum(seated.map((bet) => bet.stake));
  if (sat > forSeats) return new Map([...floors, ...apportion(seated, forSeats, minimum, unit)]);
  const whole = new Map(seated.map((bet) => [bet, bet.stake]));
  return new Map([...whole, ...apportion(standing, target - sat, minimum, unit)]);
}

/** @param {Limit[]} limits @param {string} spot @returns {bigint} the least that may be bet */
export function minimumOf(limits, spot) {
  return limits
    .filter((limit) => limit.kind === "minimum" && limit.spots.includes(spot))
    .reduce((most, { amount }) => (amount > most ? amount : most), 0n);
}

/**
 * Every bet that counts for less than was placed, because nobody saw the excess.
 * @param {Bet[]} bets as they lie, box by box
 * @param {{limits: Limit[], apportioning: string}} terms
 * @param {(spot: string) => bigint} step @returns {Shares}
 */
export function cutAtClose(bets, { limits, apportioning }, step) {
  const share = apportioning === "all" ? apportion : seatedFirst;
  const counting = new Map(bets.map((bet) => [bet, bet.stake]));
  // Boxes come before the whole table. One cut may leave another side heavy; stakes only fall, so
  // this comes to an end: when nothing is heavy, or only minimums are left.
  const turn = [...limits].sort(
    (one, other) => Number(one.scope === "table") - Number(other.scope === "table"),
  );
  for (let cutting = true; cutting;) {
    cutting = false;
    for (const side of heavySides(counting, turn)) {
      const lying = new Map(
        side.bets.map((bet) => [{ ...bet, stake: counting.get(bet) ?? 0n }, bet]),
      );
      const shares = share(
        [...lying.keys()],
        side.target,
        minimumOf(limits, side.spot),
        step(side.spot),
      );
      for (const [one, stake] of shares) {
        if (stake < one.stake) {
          counting.set(/** @type {Bet} */ (lying.get(one)), stake);
          cutting = true;
        }
      }
      if (cutting) break;
    }
  }
  return new Map([...counting].filter(([bet, stake]) => stake < bet.stake));
}

/**
 * Every box, patron or table whose differential is exceeded.
 * @param {Shares} counting @param {Limit[]} limits
 * @returns {Generator<{spot: string, bets: Bet[], target: bigint}>}
 */
function* heavySides(counting, limits) {
  for (const limit of limits) {
    if (limit.kind !== "differential") continue;
    for (const group of groups(counting, limit.scope)) {
      const sums = limit.spots.map((spot) =>
        sum(group.filter((bet) => bet.spot === spot).map((bet) => counting.get(bet) ?? 0n)),
      );
      const heavy = sums[1] > sums[0] ? 1 : 0;
      const target = sums[1 - heavy] + limit.amount;
      const spot = limit.spots[heavy];
      if (sums[heavy] > target)
        yield { spot, target, bets: group.filter((bet) => bet.spot === spot) };
    }
  }
}

/** @param {string} scope @param {Bet} bet @returns {string} */
function groupOf(scope, bet) {
  if (scope === "table") return "";
  if (scope === "box") return String(bet.box);
  if (scope === "patron") return bet.patron;
  return JSON.stringify([bet.patron, bet.box]);
}

/**
 * What stays of each bet when the excess is rejected before the close (CB4 5.1): seated bets count
 * first, then standing ones in their order; the excess comes off the back.
 * @param {Bet[]} bets @param {bigint} target @param {bigint} unit @returns {Shares}
 */
export function reject(bets, target, unit) {
  let room = target;
  /** @type {Shares} */
  const kept = new Map();
  for (const bet of [...bets].sort(inLine)) {
    const stays = least(bet.stake, floor(room > 0n ? room : 0n, unit) * unit);
    kept.set(bet, stays);
    room -= stays;
  }
  return kept;
}

/**
 * What is left of standing bets that give way to a seated one; only bets that change. The excess
 * comes off the back of the line, and less than the minimum is left to nobody.
 * @param {Bet[]} bets @param {bigint} excess @param {bigint} minimum @param {bigint} unit
 * @returns {Shares}
 */
export function givingWay(bets, excess, minimum, unit) {
  const kept = reject(bets, sum(bets.map((bet) => bet.stake)) - excess, unit);
  const cut = [...kept].filter(([bet, stake]) => stake < bet.stake);
  return new Map(cut.map(([bet, stake]) => [bet, stake < minimum ? 0n : stake]));
}

/** @param {Bet[]} bets @param {Limit[]} limits @returns {boolean} whether any limit is exceeded */
export function isTooMuch(bets, limits) {
  const counting = new Map(bets.map((bet) => [bet, bet.stake]));
  return [...heavySides(counting, limits), ...aboveMaximum(counting, limits)].length > 0;
}

/**
 * What is left of each bet when all excess is rejected; only bets that change.
 * @param {Bet[]} bets @param {Limit[]} limits @param {(spot: string) => bigint} step
 * @returns {Shares}
 */
export function rejected(bets, limits, step) {
  const counting = new Map(bets.map((bet) => [bet, bet.stake]));
  // One cut may leave another side heavy; stakes only fall, so this comes to an end.
  for (let cutting = true; cutting;) {
    cutting = false;
    for (const side of [...heavySides(counting, limits), ...aboveMaximum(counting, limits)]) {
      const lying = new Map(
        side.bets.map((bet) => [{ ...bet, stake: counting.get(bet) ?? 0n }, bet]),
      );
      const kept = reject([...lying.keys()], side.target, step(side.spot));
      cutting = [...kept].some(([one, stake]) => stake < one.stake);
      if (!cutting) continue;
      for (const [one, stake] of kept) counting.set(/** @type {Bet} */ (lying.get(one)), stake);
      break;
    }
  }
  return new Map([...counting].filter(([bet, stake]) => stake < bet.stake));
}

/**
 * Every bet, box, patron or table whose maximum is exceeded.
 * @param {Shares} counting @param {Limit[]} limits
 * @returns {Generator<{spot: string, bets: Bet[], target: bigint}>}
 */
function* aboveMaximum(counting, limits) {
  for (const limit of limits.filter(({ kind }) => kind === "maximum")) {
    for (const group of groups(counting, limit.scope)) {
      for (const spot of new Set(limit.spots)) {
        const bets = group.filter((bet) => bet.spot === spot);
        const staked = sum(bets.map((bet) => counting.get(bet) ?? 0n));
        if (staked > limit.amount) yield { spot, bets, target: limit.amount };
      }
    }
  }
}

/** @param {Shares} counting @param {string} scope @returns {Iterable<Bet[]>} */
function groups(counting, scope) {
  /** @type {Map<string, Bet[]>} */
  const found = new Map();
  for (const bet of counting.keys()) {
    const whose = groupOf(scope, bet);
    found.set(whose, [...(found.get(whose) ?? []), bet]);
  }
  return found.values();
}
