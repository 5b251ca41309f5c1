// @ts-check
/** One's bets in this round: what is sure, what is on its way, and how to take it back. */

import { computed, signal } from "./reactive.js";
import { newKey, RefusedError } from "./connection.js";

/**
 * @typedef {Record<string, number>} Stakes
 * @typedef {import("./connection.js").Connection} Connection
 */

export class Betting {
  /**
   * @param {Connection} connection @param {string} table
   * @param {() => import("./connection.js").Watched | null} watched
   * @param {(refused: any) => void} refused
   */
  constructor(connection, table, watched, refused) {
    this.connection = connection;
    this.table = table;
    this.watched = watched;
    this.refused = refused;
    this.round = "";
    /** What the server has acknowledged. */
    this.sure = signal(/** @type {Stakes} */ ({}));
    /** What is on its way. */
    this.coming = signal(/** @type {Stakes} */ ({}));
    this.stack = signal(0);
    /** @type {{spot: string, stake: number}[][]} */
    this.done = [];
    this.canUndo = signal(false);
    this.total = computed(() => sum(this.sure()) + sum(this.coming()));
  }

  /** The server says what is ours. @param {any} own @param {string} round */
  told(own, round) {
    if (round !== this.round) {
      this.round = round;
      this.done = [];
      this.canUndo(false);
    }
    /** @type {Stakes} */ const stakes = {};
    for (const bet of own.bets) stakes[bet.spot] = (stakes[bet.spot] ?? 0) + bet.stake;
    if (Object.keys(this.coming()).length === 0) this.sure(stakes);
    this.stack(own.stack);
  }

  get open() {
    return this.watched()?.shown?.phase === "betting";
  }

  /** @param {string} spot @param {number} stake */
  place(spot, stake) {
    return this.send([{ spot, stake }], { is: "place-bet", table: this.table, spot, stake, round: this.round });
  }

  /** @param {{spot: string, stake: number}[]} bets */
  several(bets) {
    if (bets.length === 0) return Promise.resolve();
    return this.send(bets, { is: "place-bets", table: this.table, bets, round: this.round });
  }

  double() {
    return this.several(Object.entries(this.sure()).filter(([, stake]) => stake > 0)
      .map(([spot, stake]) => ({ spot, stake })));
  }

  rebet(times = 1) {
    return this.send([], { is: "rebet", table: this.table, times, round: this.round });
  }

  async undo() {
    const last = this.done.pop();
    this.canUndo(this.done.length > 0);
    for (const bet of last ?? []) await this.withdraw(bet.spot, bet.stake);
  }

  async clear() {
    this.done = [];
    this.canUndo(false);
    for (const [spot, stake] of Object.entries(this.sure())) if (stake > 0) await this.withdraw(spot, stake);
  }

  /** @param {string} spot @param {number} stake */
  async withdraw(spot, stake) {
    try {
      const done = await this.connection.do(
        { is: "withdraw-bet", table: this.table, spot, stake, round: this.round }, newKey());
      this.sure({ ...this.sure(), [spot]: done.stake });
      this.stack(done.stack);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {{spot: string, stake: number}[]} bets @param {object} command */
  async send(bets, command) {
    this.add(bets, 1);
    try {
      const done = await this.connection.do(command, newKey());
      const sure = { ...this.sure() };
      for (const bet of bets) sure[bet.spot] = (sure[bet.spot] ?? 0) + bet.stake;
      if (done.spot) sure[done.spot] = done.stake;
      this.add(bets, -1);
      this.sure(sure);
      if (done.stack !== undefined) this.stack(done.stack);
      if (bets.length > 0) {
        this.done.push(bets);
        this.canUndo(true);
      }
    } catch (error) {
      this.add(bets, -1);
      this.fail(error);
    }
  }

  /** @param {{spot: string, stake: number}[]} bets @param {number} sign */
  add(bets, sign) {
    const coming = { ...this.coming() };
    for (const bet of bets) {
      coming[bet.spot] = (coming[bet.spot] ?? 0) + sign * bet.stake;
      if (coming[bet.spot] <= 0) delete coming[bet.spot];
    }
    this.coming(coming);
  }

  /** @param {unknown} error */
  fail(error) {
    if (error instanceof RefusedError) this.refused(error.refused);
    else throw error;
  }
}

/** @param {Stakes} stakes */
function sum(stakes) {
  return Object.values(stakes).reduce((total, one) => total + one, 0);
}

/**
 * How much more may be bet on a spot, and why: the tightest limit, counted over one's own bets.
 * @param {any[]} limits @param {Stakes} own @param {string} spot
 * @returns {{room: number, most: number, other: string | null, theirs: number} | null}
 */
export function room(limits, own, spot) {
  let found = null;
  for (const limit of limits) {
    if (limit.kind === "minimum" || !limit.spots.includes(spot)) continue;
    const other = limit.kind === "differential" ? limit.spots.find((/** @type {string} */ one) => one !== spot) : null;
    const theirs = other ? own[other] ?? 0 : 0;
    const most = limit.amount + theirs;
    const left = most - (own[spot] ?? 0);
    if (found === null || left < found.room) found = { room: left, most, other: theirs ? other : null, theirs };
  }
  return found;
}
