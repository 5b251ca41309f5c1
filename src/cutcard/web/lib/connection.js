// @ts-check
/** The live connection: comes back by itself, misses nothing, and does every command once. */

import { effect, signal, untracked } from "./reactive.js";
import { language, stored } from "./language.js";
import { away, RefusedError } from "./refused.js";

export { RefusedError };

const PAUSES = [100, 200, 400, 800, 1000];
/** How patient a device is with its line; one at the end of a slow line may keep another number. */
const SLACK = Number(stored("slack") ?? 1);
const PING_EVERY = 5000 * SLACK;
const STALE_AFTER = 3000 * SLACK;
const PASSING = new Set(["server/busy", "server/stopped", "server/not-ready", "store/away"]);

/** A new idempotency key. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

export class Connection {
  /** @param {string} [address] */
  constructor(address = `${location.origin.replace("http", "ws")}/api/v1/live`) {
    this.address = address;
    this.online = signal(false);
    this.stale = signal(true);
    this.you = signal(/** @type {any} */ (null));
    /** Whether a command waits for a lost connection to come back; a patron is told at once instead. */
    this.waits = true;
    /** How far the server's clock is ahead of ours. */
    this.drift = 0;
    this.trip = Infinity;
    /** @type {Map<string, any>} by table: seq, shown, own, staff */
    this.tables = new Map();
    /** @type {Map<string, any>} */
    this.underWay = new Map();
    this.heard = 0;
    this.attempts = 0;
    /** @type {WebSocket | null} */ this.socket = null;
    setInterval(() => this.tick(), 1000);
    // A browser may know that its line is dead long before the silence tells.
    addEventListener("offline", () => this.drop());
    this.connect();
    // Refusals come in words, so the server is told when somebody speaks another language.
    effect(() => {
      const spoken = language();
      untracked(() => this.say({ is: "speak", language: spoken }));
    });
  }

  /** The server's time. */
  now() {
    return Date.now() + this.drift;
  }

  connect() {
    const socket = new WebSocket(`${this.address}?language=${language()}`);
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.online(true);
      this.heard = Date.now();
      this.stale(false);
      for (const [table, cell] of this.tables) {
        this.say({ is: "watch", table, since: cell()?.seq ?? null });
      }
      for (const one of this.underWay.values()) socket.send(one.said);
      this.ping();
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => this.lose(socket);
  }

  /** A connection is no more: try another. @param {WebSocket} socket */
  lose(socket) {
    socket.onclose = socket.onmessage = null;
    // One that was left for another says nothing of that one.
    if (this.socket !== socket) return;
    this.online(false);
    const pause = PAUSES[Math.min(this.attempts, PAUSES.length - 1)];
    this.attempts += 1;
    setTimeout(() => { if (this.socket === socket) this.connect(); }, pause);
  }

  /** Sign in or out: the same tables, in another name. */
  again() {
    const old = this.socket;
    this.socket = null;
    // One that is not open yet is closed as soon as it is: a browser complains of anything sooner.
    if (old?.readyState === WebSocket.CONNECTING) old.onopen = () => old.close();
    else old?.close();
    for (const cell of this.tables.values()) cell(null);
    this.connect();
  }

  tick() {
    const silent = Date.now() - this.heard;
    this.stale(silent > STALE_AFTER);
    if (silent > PING_EVERY * 2) this.drop();
    else if (silent > STALE_AFTER / 2) this.ping();
  }

  /** Leave a line on which nothing comes any more: no goodbye would come either. */
  drop() {
    const { socket } = this;
    // One that is still being opened is left alone: a browser may make it wait after many failures.
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.close();
    this.lose(socket);
  }

  ping() {
    this.say({ is: "ping", sent: Date.now() });
  }

  /** @param {object} message */
  say(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Whether there was a connection, or should have been, and there is none. */
  get lost() {
    return this.attempts > 0;
  }

  /** Follow a table. @param {string} table */
  watch(table) {
    let cell = this.tables.get(table);
    if (cell === undefined) {
      cell = signal(/** @type {any} */ (null));
      this.tables.set(table, cell);
      this.say({ is: "watch", table, since: null });
    }
    return cell;
  }

  /** @param {string} table */
  leave(table) {
    this.tables.delete(table);
    this.say({ is: "leave", table });
  }

  /** Have a command carried out once. @param {object} command @param {string} [key] @returns {Promise<any>} */
  do(command, key = newKey()) {
    if (this.lost && !this.waits) return Promise.reject(away());
    return new Promise((done, failed) => {
      const said = JSON.stringify({ is: "do", key, command });
      this.underWay.set(key, { said, done, failed });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(said);
    });
  }

  /** @param {any} told */
  hear(told) {
    this.heard = Date.now();
    this.stale(false);
    switch (told.is) {
      case "welcome":
        if (told.you?.id !== this.you()?.id) for (const table of this.tables.keys()) this.put(table, { own: null });
        this.you(told.you);
        this.drift = told.now - Date.now();
        break;
      case "time": {
        const trip = Date.now() - told.sent;
        // The quickest answer knows the time best.
        if (trip <= this.trip * 1.5) {
          this.trip = Math.min(this.trip, trip);
          this.drift = told.now + trip / 2 - Date.now();
        }
        break;
      }
      case "snapshot":
        this.put(told.table, { seq: told.seq, shown: told.shown });
        break;
      case "change":
        this.change(told);
        break;
      case "own":
        this.put(told.own.table, { own: told.own });
        break;
      case "staff":
        this.put(told.staff.table, { staff: told.staff });
        break;
      default:
        this.answered(told);
    }
  }

  /** @param {string} table @param {any} changes */
  put(table, changes) {
    const cell = this.tables.get(table);
    if (cell === undefined) return;
    const book = cell()?.shown?.book;
    // Whoever opened the page has read another book: it is opened anew, and so is the page.
    if (book && changes.shown?.book && changes.shown.book !== book) location.reload();
    cell({ seq: -1, shown: null, own: null, ...cell(), ...changes });
  }

  /** @param {any} told */
  change(told) {
    const before = this.tables.get(told.table)?.();
    if (!before?.shown || before.seq < told.was) {
      this.say({ is: "watch", table: told.table, since: null });
    } else if (before.seq === told.was) {
      this.put(told.table, { seq: told.seq, shown: { ...before.shown, ...told.changes } });
    }
  }

  /** @param {any} told */
  answered(told) {
    const waiting = this.underWay.get(told.key ?? "");
    if (waiting === undefined) return;
    if (told.is === "refused" && PASSING.has(told.code)) {
      setTimeout(() => { if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(waiting.said); }, 300);
      return;
    }
    this.underWay.delete(told.key);
    if (told.is === "done") waiting.done(told);
    else waiting.failed(new RefusedError(told));
  }
}
