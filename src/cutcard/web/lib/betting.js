// @ts-check
/** One's bets in this round: what is sure, what is on its way, and how to take it back. */

import { computed, signal } from "./reactive.js";
import { newKey } from "./connection.js";
import { away, RefusedError } from "./refused.js";

/**
 * @typedef {Record<string, number>} Stakes
 * @typedef {import("./connection.js").Connection} Connection
 */

export class Betting {
  /**
   * @param {Connection} connection @param {string} table
   * @param {() => any} watched
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
    /** What lies there unconfirmed: no bet at all, unless it is confirmed in time. */
    this.planned = signal(/** @type {Stakes} */ ({}));
    /** Whether bets wait to be confirmed. */
    this.confirms = signal(false);
    this.stack = signal(0);
    /**
     * What each action here laid down (or took off, below zero), so that it can be taken back as a whole.
     * What somebody does in another window is no action of this one.
     */
    this.actions = signal(/** @type {{moved: Stakes, planned: Stakes}[]} */ ([]));
    /** Whatever takes something back waits until what is on its way has arrived. @type {Promise<any>} */
    this.arrived = Promise.resolve();
    this.total = computed(() => sum(this.sure()) + sum(this.coming()));
    this.waiting = computed(() => sum(this.planned()));
    this.open = computed(() => this.watched()?.shown?.phase === "betting");
  }

  /** Another round has begun. @param {string} round */
  begin(round) {
    this.round = round;
    this.actions([]);
  }

  /** Betting is over: what was not confirmed was never a bet. Returns how much that was. */
  end() {
    const left = sum(this.planned());
    this.planned({});
    this.actions([]);
    return left;
  }

  /** The server says what is ours. @param {any} own */
  told(own) {
    /** @type {Stakes} */ const stakes = {};
    for (const bet of own.bets) stakes[bet.spot] = (stakes[bet.spot] ?? 0) + bet.stake;
    if (Object.keys(this.coming()).length === 0) this.sure(stakes);
    this.stack(own.stack);
  }

  /** The server has done something, and says what lies there now. @param {any} done */
  lies(done) {
    this.sure(done.bets);
    this.stack(done.stack);
  }

  /** What lies on a spot, sure or not. @param {string} spot */
  on(spot) {
    return (this.sure()[spot] ?? 0) + (this.coming()[spot] ?? 0) + (this.planned()[spot] ?? 0);
  }

  /** @param {string} spot @param {number} stake */
  place(spot, stake) {
    if (this.confirms()) return this.plan([{ spot, stake }]);
    return this.send([{ spot, stake }], { is: "place-bet", table: this.table, spot, stake, round: this.round });
  }

  /** @param {{spot: string, stake: number}[]} bets */
  async plan(bets) {
    this.remember({});
    this.planned(added(this.planned(), bets, 1));
  }

  /** @param {{spot: string, stake: number}[]} bets */
  async several(bets) {
    if (bets.length === 0) return false;
    return this.send(bets, { is: "place-bets", table: this.table, bets, round: this.round });
  }

  /** What was planned becomes bets, all or none; and once, however often it is asked for. */
  async confirm() {
    const bets = listed(this.planned());
    this.planned({});
    if (bets.length && !(await this.several(bets))) this.planned(added(this.planned(), bets, 1));
  }

  double() {
    return this.confirms() && this.waiting() ? this.plan(listed(this.planned())) : this.several(listed(this.sure()));
  }

  rebet(times = 1) {
    return this.send([], { is: "rebet", table: this.table, times, round: this.round });
  }

  /** Take back the last action, whatever it was. */
  async undo() {
    if (!(await this.settled())) return;
    const last = this.actions().at(-1);
    if (last === undefined) return;
    this.actions(this.actions().slice(0, -1));
    this.planned(last.planned);
    const again = [];
    for (const [spot, stake] of Object.entries(last.moved)) {
      const lies = this.sure()[spot] ?? 0;
      if (stake < 0) again.push({ spot, stake: -stake });
      else if (lies > 0) await this.back(spot, Math.min(stake, lies));
    }
    if (await this.several(again)) this.actions(this.actions().slice(0, -1));
  }

  async clear() {
    if (!(await this.settled())) return;
    const all = listed(this.sure());
    const action = this.remember({});
    this.planned({});
    for (const { spot, stake } of all) action.moved[spot] = -(await this.back(spot, stake));
  }

  /** Take a chip off a spot. @param {string} spot @param {number} stake */
  async withdraw(spot, stake) {
    if (!(await this.settled())) return;
    const planned = this.planned()[spot] ?? 0, sure = this.sure()[spot] ?? 0;
    if (planned + sure === 0) return;
    const action = this.remember({});
    if (planned > 0) this.planned(added(this.planned(), [{ spot, stake: Math.min(stake, planned) }], -1));
    else action.moved[spot] = -(await this.back(spot, Math.min(stake, sure)));
  }

  /** Whether all that was on its way has arrived; without a connection it may take for ever. */
  async settled() {
    if (this.connection.lost) this.fail(away());
    else await this.arrived;
    return !this.connection.lost;
  }

  /** @param {Stakes} moved */
  remember(moved, planned = this.planned()) {
    const action = { moved, planned };
    this.actions([...this.actions(), action]);
    return action;
  }

  /** Take bets off a spot; returns how much went. @param {string} spot @param {number} stake */
  async back(spot, stake) {
    try {
      const done = await this.connection.do(
        { is: "withdraw-bet", table: this.table, spot, stake, round: this.round }, newKey());
      this.lies(done);
      return stake;
    } catch (error) {
      this.fail(error);
      return 0;
    }
  }

  /** @param {{spot: string, stake: number}[]} bets @param {object} command @returns {Promise<boolean>} */
  send(bets, command) {
    const sent = this.carry(bets, command);
    this.arrived = Promise.allSettled([this.arrived, sent]);
    return sent;
  }

  /** @param {{spot: string, stake: number}[]} bets @param {object} command */
  async carry(bets, command) {
    const planned = this.planned();
    this.coming(added(this.coming(), bets, 1));
    try {
      const done = await this.connection.do(command, newKey());
      this.coming(added(this.coming(), bets, -1));
      this.lies(done);
      // Bets are repeated on an empty layout only, so all that lies there was repeated.
      this.remember(bets.length ? added({}, bets, 1) : done.bets, planned);
      return true;
    } catch (error) {
      this.coming(added(this.coming(), bets, -1));
      this.fail(error);
      return false;
    }
  }

  /** @param {unknown} error */
  fail(error) {
    if (error instanceof RefusedError) this.refused(error.refused);
    else throw error;
  }
}

/** @param {Stakes} stakes @param {{spot: string, stake: number}[]} bets @param {number} sign @returns {Stakes} */
function added(stakes, bets, sign) {
  const next = { ...stakes };
  for (const { spot, stake } of bets) {
    next[spot] = (next[spot] ?? 0) + sign * stake;
    if (next[spot] <= 0) delete next[spot];
  }
  return next;
}

/** @param {Stakes} stakes */
function listed(stakes) {
  return Object.entries(stakes).filter(([, stake]) => stake > 0).map(([spot, stake]) => ({ spot, stake }));
}

/** @param {Stakes} stakes */
function sum(stakes) {
  return Object.values(stakes).reduce((total, one) => total + one, 0);
}

/**
 * How much more may be bet on a spot, and why: the tightest limit, counted over one's own bets or everybody's.
 * @param {any[]} limits @param {Stakes} own @param {string} spot @param {Stakes} all
 * @returns {{room: number, most: number, other: string | null, theirs: number, scope: string} | null}
 */
export function room(limits, own, spot, all) {
  let found = null;
  for (const limit of limits) {
    if (limit.kind === "minimum" || !limit.spots.includes(spot)) continue;
    const other = limit.kind === "differential" ? limit.spots.find((/** @type {string} */ one) => one !== spot) : null;
    const counted = limit.scope === "table" ? all : own;
    const theirs = other ? counted[other] ?? 0 : 0;
    const most = limit.amount + theirs;
    const left = most - (counted[spot] ?? 0);
    if (found === null || left < found.room) found = { room: left, most, other: theirs ? other : null, theirs, scope: limit.scope };
  }
  return found;
}
