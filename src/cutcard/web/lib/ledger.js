/**
 * Double entry: a transfer takes from one account what it gives to another.
 *
 * A batch of entries goes in whole or not at all. Amounts are `bigint` in here, since balances may
 * pass 2^53; what an account may hold follows from the kind that its name begins with.
 */

import { Refusal } from "./refusal.js";
import { isPrintable, stripped } from "./text.js";

/**
 * @typedef {{is: "Transfer", id: string, debit: string, credit: string, amount: number | bigint,
 *   reason: string, pending: boolean}} Transfer
 * @typedef {{is: "Post", id: string, pending: string, amount: number | bigint | null}} Post
 * @typedef {{is: "Void", id: string, pending: string}} Release
 * @typedef {Transfer | Post | Release} Entry
 * @typedef {{posted: bigint, held: bigint}} Account
 */

const MOST = 10n ** 18n;
const NOTHING = { posted: 0n, held: 0n };

/** @type {Record<string, {parts: number, floor: bigint, ceiling: bigint, personal: boolean}>} */
const KINDS = {
  wallet: { parts: 1, floor: 0n, ceiling: MOST, personal: true },
  stack: { parts: 2, floor: 0n, ceiling: MOST, personal: true },
  debt: { parts: 1, floor: -MOST, ceiling: 0n, personal: true },
  layout: { parts: 1, floor: 0n, ceiling: MOST, personal: false },
  commission: { parts: 1, floor: 0n, ceiling: MOST, personal: false },
  vouchers: { parts: 0, floor: 0n, ceiling: MOST, personal: false },
  house: { parts: 1, floor: -MOST, ceiling: MOST, personal: false },
  cage: { parts: 0, floor: -MOST, ceiling: MOST, personal: false },
};

/** @param {string} text @returns {boolean} */
export const isPart = (text) => text !== "" && !text.includes(":") && isPrintable(text);

/** @param {string} account */
function kindOf(account) {
  const [name, ...parts] = account.split(":");
  const known = Object.hasOwn(KINDS, name) ? KINDS[name] : null;
  if (known === null || parts.length !== known.parts || !parts.every(isPart)) {
    throw new Refusal("ledger/account", { account });
  }
  return known;
}

/** @param {string} account @returns {string | null} the patron whose money it is */
function ownerOf(account) {
  return kindOf(account).personal ? account.slice(account.lastIndexOf(":") + 1) : null;
}

/** @param {string} id @returns {{source: string, event: bigint, place: bigint}} */
function parseId(id) {
  const found = /^([^:]+):(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})$/u.exec(id);
  if (found === null || !isPart(found[1])) throw new Refusal("ledger/id", { id });
  return { source: found[1], event: BigInt(found[2]), place: BigInt(found[3]) };
}

/** @param {number | bigint} amount @returns {bigint} */
function checked(amount) {
  const exact = BigInt(amount);
  if (exact <= 0n || exact > MOST) throw new Refusal("ledger/amount", { amount, most: MOST });
  return exact;
}

/** @param {Transfer} transfer */
function checkTransfer(transfer) {
  checked(transfer.amount);
  const { debit, credit } = transfer;
  if (debit === credit) throw new Refusal("ledger/same-account", { account: debit });
  const owners = new Set([ownerOf(debit), ownerOf(credit)].filter((one) => one !== null));
  // Money goes from patron to patron by no road at all.
  if (owners.size > 1) throw new Refusal("ledger/between-patrons", { debit, credit });
  if (stripped(transfer.reason) === "") throw new Refusal("ledger/no-reason", { id: transfer.id });
}

export class Ledger {
  constructor() {
    /** @type {Map<string, Account>} */
    this.accounts = new Map();
    /** @type {Map<string, Transfer>} */
    this.pending = new Map();
    /** @type {Map<string, {event: bigint, place: bigint}>} the last id of every source */
    this.last = new Map();
    /** @type {(() => unknown)[]} what takes the batch in hand back */
    this.undo = [];
  }

  /** @param {string} name @returns {Account} */
  account(name) {
    return this.accounts.get(name) ?? NOTHING;
  }

  /** @param {string} name @returns {bigint} what an account can still promise or pay */
  available(name) {
    const { posted, held } = this.account(name);
    return posted - held;
  }

  /** @returns {bigint} the sum of all balances: nought, always */
  total() {
    let sum = 0n;
    for (const { posted } of this.accounts.values()) sum += posted;
    return sum;
  }

  /** Enter all these entries, or refuse and stay as it was. @param {Iterable<Entry>} entries */
  post(entries) {
    // What a batch changes is noted, so that taking it back costs no more than doing it.
    this.undo = [];
    try {
      for (const entry of entries) this.enter(entry);
    } catch (refusal) {
      for (const one of this.undo.reverse()) one();
      throw refusal;
    }
  }

  /**
   * @template K, V @param {Map<K, V>} map @param {K} key
   * @param {V | undefined} value undefined takes the key out
   */
  put(map, key, value) {
    const before = map.get(key);
    this.undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  /** @param {Entry} entry */
  enter(entry) {
    this.count(entry.id);
    if (entry.is === "Transfer") {
      checkTransfer(entry);
      if (entry.pending) this.hold(entry);
      else this.move(entry, BigInt(entry.amount));
      return;
    }
    const promised = this.release(entry.pending);
    if (entry.is === "Void") return;
    const amount = entry.amount === null ? BigInt(promised.amount) : checked(entry.amount);
    if (amount > BigInt(promised.amount)) {
      throw new Refusal("ledger/too-much", { amount, promised: promised.amount, id: promised.id });
    }
    this.move(promised, amount);
  }

  /** Every source counts upwards, so each id comes once. @param {string} id */
  count(id) {
    const { source, event, place } = parseId(id);
    const last = this.last.get(source);
    if (last && (event < last.event || (event === last.event && place <= last.place))) {
      throw new Refusal("ledger/duplicate", { id, last: `${source}:${last.event}.${last.place}` });
    }
    this.put(this.last, source, { event, place });
  }

  /** @param {Transfer} transfer */
  hold(transfer) {
    const amount = BigInt(transfer.amount);
    const debit = this.able(transfer.debit, amount);
    this.put(this.accounts, transfer.debit, { ...debit, held: debit.held + amount });
    this.put(this.pending, transfer.id, transfer);
  }

  /** @param {string} id @returns {Transfer} */
  release(id) {
    const transfer = this.pending.get(id);
    if (transfer === undefined) throw new Refusal("ledger/not-pending", { id });
    const debit = this.account(transfer.debit);
    const held = debit.held - BigInt(transfer.amount);
    this.put(this.accounts, transfer.debit, { ...debit, held });
    this.put(this.pending, id, undefined);
    return transfer;
  }

  /** @param {Transfer} transfer @param {bigint} amount */
  move(transfer, amount) {
    const debit = this.able(transfer.debit, amount);
    this.put(this.accounts, transfer.debit, { ...debit, posted: debit.posted - amount });
    const [credit, { ceiling }] = [this.account(transfer.credit), kindOf(transfer.credit)];
    if (credit.posted + amount > ceiling) {
      throw new Refusal("ledger/full", { account: transfer.credit, most: ceiling });
    }
    this.put(this.accounts, transfer.credit, { ...credit, posted: credit.posted + amount });
  }

  /** @param {string} name @param {bigint} amount @returns {Account} */
  able(name, amount) {
    const account = this.account(name);
    const room = account.posted - account.held - kindOf(name).floor;
    if (amount > room) throw new Refusal("ledger/short", { account: name, amount, room });
    return account;
  }
}
