/**
 * The rules of a table beside those of its round, in the manner of rounds.js: from what somebody
 * was free to choose to the events that must stand in the log.
 */

import { checkBox, isSeated } from "./bets.js";
import { burnCount } from "./cards.js";
import { mayDraw, nextSide } from "./coup.js";
import { atOpening, checkNotDevice, checkUnlocked, withMoney } from "./meters.js";
import { Refusal } from "./refusal.js";
import { checkTyping, found } from "./rounds.js";
import { checkName, checkRole, checkStaff, roleAt, SYSTEM } from "./staff.js";
import { betsOf, cardsLeft, FINISHED, hasBets, keeps, ownBets, sum } from "./table.js";
import { stripped } from "./text.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./book.js").Book} Book
 */

const MOST_MOVED = 10n ** 15n;
const SUPERVISOR = "pit supervisor";

/** @param {Table} table */
export function checkOpen(table) {
  if (table.setup === null || !table.open) throw new Refusal("table/closed");
}

/** @param {number | bigint} amount */
function checkAmount(amount) {
  if (amount <= 0 || amount > MOST_MOVED) throw new Refusal("table/amount", { amount });
}

/** The latest edition of the house's own rules; what a later one says, nobody here knows. */
const EDITION = 2;

/** @param {any[]} limits @param {Book} book */
function checkLimits(limits, book) {
  for (const { kind, scope, spots, amount, clause } of limits) {
    const two = kind !== "differential" || new Set(spots).size === 2;
    const perBet = kind !== "minimum" || scope === "bet";
    const known = spots.every((/** @type {string} */ spot) => book.spots.has(spot));
    if (!(amount > 0 && two && perBet && known)) throw new Refusal("limit/impossible", { clause });
  }
}

/** No limit per box where there are no boxes. @param {any} setup @param {any[]} limits */
function checkNoBoxLimits(setup, limits) {
  const shared = setup.boxes === 0 && Number(setup.edition ?? 0) >= 1;
  if (shared && limits.some((one) => one.scope === "box")) throw new Refusal("limit/no-boxes");
}

/** Nobody is both staff and patron. @param {Table} table @param {string} name */
const isMachine = (table, name) => table.setup !== null && table.setup.machine === name;
/** @param {Table} table @param {string} name */
const plays = ({ stacks, terminals }, name) => stacks.has(name) || terminals.byName.has(name);

/**
 * Refuse a set-up that no table can have.
 * @param {any} setup @param {Book} book @param {Table} table
 */
export function checkSetup(setup, book, table) {
  if (setup.book_hash !== book.hash) throw new Refusal("round/other-book");
  checkName(setup.table);
  if (setup.table === "cage") throw new Refusal("table/name", { name: setup.table });
  checkLimits(setup.limits, book);
  checkNoBoxLimits(setup, setup.limits);
  if (table.setup !== null && setup.table !== table.setup.table)
    throw new Refusal("table/other-name");
  if (table.shoe !== null && table.setup && setup.decks !== table.setup.decks) {
    throw new Refusal("shoe/in-use", { shoe: table.shoe.id });
  }
  if (stripped(setup.helpline) === "") throw new Refusal("table/no-helpline");
  if (setup.decks < book.decks.least || setup.decks > book.decks.most) {
    throw new Refusal("shoe/decks", { decks: setup.decks });
  }
  const layout = book.layouts.get(setup.layout);
  if (layout === undefined) throw new Refusal("table/layout", { layout: setup.layout });
  const { boxes } = layout;
  if (setup.boxes < (boxes === 0 ? 0 : 1)) {
    throw new Refusal("table/setup", { name: "boxes", value: setup.boxes });
  }
  if (boxes !== null && setup.boxes !== boxes) throw new Refusal("table/boxes", { must: boxes });
  if (boxes === 0 && setup.entry === "warn") throw new Refusal("table/open-chips");
  for (const name of ["decision_ms", "option_ms", "seat_ms", "edition"]) {
    if (setup[name] < 1 || (name === "edition" && setup[name] > EDITION))
      throw new Refusal("table/setup", { name, value: setup[name] });
  }
  if (setup.machine !== null) {
    if (book.dealer !== null && !setup.demonstration) throw new Refusal("table/needs-dealer");
    checkName(setup.machine);
    if (plays(table, setup.machine) || table.staff.has(setup.machine)) {
      throw new Refusal("staff/patron");
    }
  }
  if (book.approval) checkApproval(setup.approval);
  if (!setup.scanner) checkTyping(book);
}

/** Two people have signed that the regulator approved the book. @param {any} given */
function checkApproval(given) {
  if (given === null || stripped(given.reference) === "") throw new Refusal("table/not-approved");
  const [first, second] = [stripped(given.first), stripped(given.second)];
  if (first === "" || second === "" || given.first === given.second) {
    throw new Refusal("table/one-signature");
  }
}

/** @param {Table} table @returns {any} */
function shoeOf(table) {
  if (table.shoe === null) throw new Refusal("shoe/none");
  return table.shoe;
}

/**
 * A supervisor may sign somebody else on or off, and is named; nobody else is.
 * @param {Table} table @param {any} event
 */
function forAnother(table, { by, ...event }) {
  if (by === undefined || by === event.person) return event;
  const signs = table.staff.get(by);
  checkRole(signs, SUPERVISOR, event.at);
  const there = table.staff.get(event.person);
  // Nobody takes a person of higher rank off the table, nor down to another role.
  if (there !== undefined) checkRole(signs, roleAt(there, event.at), event.at);
  return { ...event, by };
}

/**
 * A seat is taken from its patron: by staff, or by the house once its time is over.
 * @param {Table} table @param {number} box @param {string} by @param {number | bigint} at
 */
function freed(table, box, by, at) {
  if (by !== SYSTEM) checkRole(table.staff.get(by), "dealer", at);
  const patron = table.seats.get(box);
  if (patron === undefined) throw new Refusal("seat/empty", { box });
  if (!FINISHED.includes(table.round.phase) && hasBets(table, patron)) {
    throw new Refusal("seat/playing", { box });
  }
  if (by === SYSTEM && !isOver(table, box, at)) throw new Refusal("seat/kept", { box });
  return { is: "SeatLeft", patron, box, at, by };
}

/**
 * Whether a patron has let the rounds go by for as long as the table keeps a seat.
 * @param {Table} table @param {number} box @param {number | bigint} at
 */
function isOver(table, box, at) {
  const keep = table.setup?.seat_ms;
  if (!keep || table.playFrom === null) return false;
  return BigInt(at) - table.playFrom + (table.idle.get(box) ?? 0n) >= BigInt(keep);
}

/** @type {Record<string, (table: Table, event: any, book: Book) => any[]>} */
export const AT_TABLE = {
  TableOpened(table, event, book) {
    if (table.open) throw new Refusal("table/open");
    checkRole(table.staff.get(event.by), SUPERVISOR, event.at);
    checkSetup(event.setup, book, table);
    return [event, ...atOpening(table, event.setup, event.at, book)];
  },
  ClosingAnnounced(table, event) {
    checkOpen(table);
    checkStaff(table, event.by, SUPERVISOR, event.at);
    const over = FINISHED.includes(table.round.phase) ? table.rounds : table.rounds - 1;
    if (event.last_round <= over) throw new Refusal("table/round-over");
    return [event];
  },
  TableClosed(table, event) {
    checkOpen(table);
    checkStaff(table, event.by, SUPERVISOR, event.at);
    if (!FINISHED.includes(table.round.phase)) throw new Refusal("round/not-finished");
    if (table.lastRound === null || table.rounds < table.lastRound)
      throw new Refusal("table/no-notice");
    return [event];
  },
  SignedOn(table, event) {
    checkName(event.person);
    if (plays(table, event.person) || isMachine(table, event.person)) {
      throw new Refusal("staff/patron");
    }
    return [forAnother(table, event)];
  },
  SignedOff(table, event) {
    if (!table.staff.has(event.person))
      throw new Refusal("staff/not-signed-on", { role: "dealer" });
    return [forAnother(table, event)];
  },
  Acting(table, event) {
    // Whoever only acts in a role cannot hand it on, not even to themselves.
    checkRole(table.staff.get(event.by), event.role, event.at, true);
    if (!table.staff.has(event.person))
      throw new Refusal("staff/not-signed-on", { role: event.role });
    if (event.until <= event.at) throw new Refusal("staff/acting-over");
    return [event];
  },
  LimitsScheduled(table, event, book) {
    checkOpen(table);
    checkStaff(table, event.by, SUPERVISOR, event.at);
    checkLimits(event.limits, book);
    checkNoBoxLimits(table.setup, event.limits);
    return [event];
  },
  SeatTaken(table, event, book) {
    checkOpen(table);
    const { patron, box, at } = event;
    checkName(patron);
    if (table.staff.has(patron)) throw new Refusal("staff/patron");
    if (table.setup.boxes === 0) throw new Refusal("seat/open-table");
    checkNotDevice(table, patron, book);
    checkBox(box, table.setup.boxes);
    if (table.seats.has(box)) throw new Refusal("seat/taken", { box });
    const own = [...table.seats].find(([, holder]) => holder === patron);
    return own === undefined ? [event] : [{ is: "SeatLeft", patron, box: own[0], at }, event];
  },
  SeatLeft(table, { patron, box, at, by }) {
    if (by !== undefined) return [freed(table, box, by, at)];
    const own = [...table.seats].find(([, holder]) => holder === patron);
    if (own === undefined) throw new Refusal("seat/none");
    return [{ is: "SeatLeft", patron, box: own[0], at }];
  },
  StackFilled(table, event, book) {
    if (table.setup === null) throw new Refusal("table/closed");
    checkName(event.patron);
    checkAmount(event.amount);
    if (table.staff.has(event.patron) || isMachine(table, event.patron)) {
      throw new Refusal("staff/patron");
    }
    return [...withMoney(table, event.patron, event.at, book), event];
  },
  StackEmptied(table, event) {
    checkAmount(event.amount);
    checkUnlocked(table, event.patron);
    const underWay = !FINISHED.includes(table.round.phase);
    if (underWay && ownBets(table.round, event.patron).length > 0) {
      throw new Refusal("stack/bets-in-play");
    }
    const available = table.stacks.get(event.patron) ?? 0n;
    if (event.amount > available)
      throw new Refusal("stack/short", { needed: event.amount, available });
    return [event];
  },
  ShoeRegistered(table, event) {
    checkOpen(table);
    checkStaff(table, event.by, "dealer", event.at);
    checkName(event.shoe);
    if (table.shoe !== null) throw new Refusal("shoe/in-use", { shoe: table.shoe.id });
    if (stripped(event.shuffle_record) === "") throw new Refusal("shoe/unshuffled");
    const copies = Object.values(event.manifest);
    if (copies.length !== 52 || copies.some((one) => one !== table.setup.decks)) {
      throw new Refusal("shoe/manifest", { decks: table.setup.decks });
    }
    return [event];
  },
  CardExposed(table, { card, by, at }) {
    checkStaff(table, by, "dealer", at);
    const { to_burn } = shoeOf(table);
    if (to_burn === 0) throw new Refusal("shoe/burn-done");
    if (to_burn !== null) return [{ is: "CardBurned", left_to_burn: to_burn - 1, by, at }];
    return [{ is: "CardExposed", card, to_burn: burnCount(card), by, at }];
  },
  CardBurned(table, { by, at }) {
    checkStaff(table, by, "dealer", at);
    const { to_burn } = shoeOf(table);
    if (to_burn === null) throw new Refusal("shoe/expose-first");
    if (to_burn === 0) throw new Refusal("shoe/burn-done");
    return [{ is: "CardBurned", left_to_burn: to_burn - 1, by, at }];
  },
  CutCardShown(table, event) {
    checkOpen(table);
    checkStaff(table, event.by, "dealer", event.at);
    if (table.setup.continuous) throw new Refusal("shoe/continuous");
    if (shoeOf(table).cut_card) throw new Refusal("shoe/cut-card-shown");
    return [event];
  },
  ShoeEnded(table, { left, by, at }, book) {
    checkStaff(table, by, "dealer", at);
    const shoe = shoeOf(table);
    if (!FINISHED.includes(table.round.phase)) throw new Refusal("round/not-finished");
    if (left < 0) throw new Refusal("shoe/count", { left });
    // A continuous shuffler is counted with every card back in it.
    const whole = table.setup.continuous && keeps(table, 1);
    const expected = whole ? sum(shoe.manifest) : cardsLeft(shoe);
    const missing = expected - Number(left);
    const ended = { is: "ShoeEnded", shoe: shoe.id, left, missing, by, at };
    return missing === 0
      ? [ended]
      : [ended, found(table, "shortage or excess in the shoe", at, book)];
  },
  SqueezeRequested(table, event) {
    checkOpen(table);
    if (!table.setup.face_down) throw new Refusal("squeeze/face-up");
    // For as long as a card is to come: the first one, or the third of a side.
    const { phase, coup } = table.round;
    const dealing = ["closed", "dealing"].includes(phase);
    if (!dealing || nextSide(coup) === null) throw new Refusal("squeeze/too-late");
    if (keeps(table, 1) && !mayDraw(coup, event.side)) throw new Refusal("squeeze/too-late");
    const seated = betsOf(table.round).filter((bet) => isSeated(table, bet));
    // Of equal bets the earlier counts.
    const [highest] = seated.sort((one, other) =>
      one.stake === other.stake ? one.order - other.order : one.stake > other.stake ? -1 : 1,
    );
    if (highest?.patron !== event.patron) throw new Refusal("squeeze/not-highest");
    return [event];
  },
  SqueezeAnswered(table, event) {
    checkStaff(table, event.by, "dealer", event.at);
    if (FINISHED.includes(table.round.phase)) throw new Refusal("squeeze/too-late");
    const asked = table.squeezeAsked.filter(([who]) => who === event.patron);
    if (asked.length === 0) throw new Refusal("squeeze/not-asked");
    const next = asked.find(([, side]) => mayDraw(table.round.coup, side));
    if (next === undefined && event.granted && keeps(table, 1))
      throw new Refusal("squeeze/too-late");
    return [{ ...event, side: (next ?? asked[0])[1] }];
  },
  CardsOpened(table, event) {
    checkOpen(table);
    checkStaff(table, event.by, "dealer", event.at);
    return [event];
  },
};
