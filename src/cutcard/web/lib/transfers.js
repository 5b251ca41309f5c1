/**
 * What each event of a table does to the ledger, entry by entry.
 *
 * A stake is a pending transfer from the patron's stack to the layout; so is a reserve. Settlement
 * posts the stake and hands it on. `t7:17.2` is the third place of event 17 of table t7: an event
 * that changes a bet releases at .0 and .1, and holds stake and reserve at .2 and .3.
 */

import { whole } from "./json.js";
import { corrections, keyOf } from "./table.js";

const HOLDS = 2;

/** @param {import("./table.js").Table} table just before the event @param {any} event */
export function transfers(table, event) {
  if (table.setup === null) return [];
  const writer = new Writer(table);
  MOVES[event.is]?.(writer, event);
  return writer.entries;
}

/** Writes an event's entries, one after another. */
class Writer {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.name = table.setup.table;
    this.next = 0;
    /** @type {any[]} */
    this.entries = [];
  }

  id() {
    this.next += 1;
    return `${this.name}:${this.table.seq}.${this.next - 1}`;
  }

  /** @param {string} patron */
  stack(patron) {
    return `stack:${this.name}:${patron}`;
  }

  /** @param {string} kind @returns {string} an account of the table itself */
  own(kind) {
    return `${kind}:${this.name}`;
  }

  /** @param {any} bet @param {number} place 0 for its stake, 1 for its reserve */
  pending(bet, place) {
    const held = this.table.held.get(keyOf(bet));
    if (held === undefined) throw new TypeError("nothing is held for this bet");
    return `${this.name}:${held}.${HOLDS + place}`;
  }

  /** @param {string} debit @param {string} credit @param {bigint} amount @param {string} reason */
  move(debit, credit, amount, reason, pending = false) {
    if (amount === 0n) return;
    const id = this.id();
    this.entries.push({
      is: "Transfer",
      id,
      debit,
      credit,
      amount: whole(amount),
      reason,
      pending,
    });
  }

  /** @param {any} bet */
  release(bet) {
    [bet.stake, bet.reserve].forEach((amount, place) => {
      if (amount === 0) return;
      this.entries.push({ is: "Void", id: this.id(), pending: this.pending(bet, place) });
    });
  }

  /**
   * Release what was held for a bet and hold its new amount.
   * @param {any} before @param {any} after
   */
  change(before, after) {
    if (before !== null) this.release(before);
    if (after === null) return;
    // The holds have places of their own, whatever was released.
    [
      ["stake", after.stake],
      ["reserve", after.reserve],
    ].forEach(([reason, amount], place) => {
      this.next = HOLDS + place;
      this.move(this.stack(after.patron), this.own("layout"), BigInt(amount), reason, true);
    });
  }

  /** @param {any} one what became of a bet */
  settle(one) {
    const { bet, clause } = one;
    const net = BigInt(one.net);
    if (one.removed) {
      if (net > 0n) this.win(one);
      else this.move(`debt:${bet.patron}`, this.own("house"), -net, `owed ${clause}`);
      return;
    }
    const owner = this.stack(bet.patron);
    if (bet.reserve !== 0) {
      this.entries.push({ is: "Void", id: this.id(), pending: this.pending(bet, 1) });
    }
    this.entries.push({ is: "Post", id: this.id(), pending: this.pending(bet, 0), amount: null });
    const effective = BigInt(one.effective);
    const lost = net >= 0n ? 0n : -net < effective ? -net : effective;
    this.move(this.own("layout"), owner, BigInt(bet.stake) - lost, `returned ${clause}`);
    this.move(this.own("layout"), this.own("house"), lost, `lost ${clause}`);
    if (-net > lost)
      this.move(owner, this.own("house"), -net - lost, `lost beyond stake ${clause}`);
    if (net > 0n) this.win(one);
  }

  /** @param {any} one */
  win({ bet, net, commission, clause }) {
    const owner = this.stack(bet.patron);
    const withheld = BigInt(commission);
    this.move(this.own("house"), owner, BigInt(net) + withheld, `won ${clause}`);
    this.move(owner, this.own("commission"), withheld, `commission ${clause}`);
  }

  /** @param {any} event */
  settleAnew(event) {
    const reason = `corrected ${event.clause}`;
    const [house, commission] = [this.own("house"), this.own("commission")];
    for (const [patron, { change, owed, withheld }] of corrections(this.table, event)) {
      const owner = this.stack(patron);
      if (withheld < 0n) this.move(commission, house, -withheld, reason);
      else this.move(house, commission, withheld, reason);
      if (change < 0n) this.move(owner, house, -change, reason);
      else this.move(house, owner, change, reason);
      if (owed < 0n) this.move(house, `debt:${patron}`, -owed, reason);
      else this.move(`debt:${patron}`, house, owed, reason);
    }
  }
}

/** @type {Record<string, (writer: Writer, event: any) => void>} */
const MOVES = {
  BetPlaced: (writer, { before, bet }) => writer.change(before, bet),
  SecondStagePlaced: (writer, { bet }) => writer.change(null, bet),
  BetWithdrawn: (writer, { bet, left }) => writer.change(bet, left),
  ChipsRemoved: (writer, { bet }) => writer.release(bet),
  RoundSettled: (writer, { bets }) => bets.forEach((/** @type {any} */ one) => writer.settle(one)),
  RoundVoided: (writer, { returned }) =>
    returned.forEach((/** @type {any} */ bet) => writer.release(bet)),
  BetsReturned: (writer, { returned }) =>
    returned.forEach((/** @type {any} */ bet) => writer.release(bet)),
  SettlementCorrected: (writer, event) => writer.settleAnew(event),
};
