/**
 * Where a table stands, and how each event changes it.
 *
 * Everything here is plain data (maps, sets, lists), so that a copy of a table is one call away.
 * Amounts in `stacks` are `bigint`; bets stay as the log writes them.
 */

import { resultOf } from "./roads.js";
import { whole } from "./json.js";
import { dealt, withCard } from "./coup.js";
import * as meters from "./meters.js";

/**
 * @typedef {any} Laid a bet as the log writes it
 * @typedef {{number: number, phase: string, terms: any, coup: import("./coup.js").Coup,
 *   boxes: Map<number, Map<string, Laid>>, own: Map<string, Map<string, Laid>>,
 *   sums: Map<string, bigint>, placed: number, effective: Map<string, number | bigint>,
 *   declined: Map<string, string>, always: Set<string>, removed: Set<string>,
 *   decideUntil: number | bigint | null, settled: any[] | null}} Round
 * @typedef {ReturnType<typeof newTable>} Table
 */

export const FINISHED = ["idle", "settled", "void"];

/** @param {Partial<Round>} [given] @returns {Round} */
export function newRound(given = {}) {
  return {
    number: 0,
    phase: "idle",
    terms: null,
    coup: { player: [], banker: [] },
    boxes: new Map(),
    // The same bets by patron, and their stakes as limits count them together.
    own: new Map(),
    sums: new Map(),
    placed: 0,
    effective: new Map(),
    declined: new Map(),
    always: new Set(),
    removed: new Set(),
    decideUntil: null,
    settled: null,
    ...given,
  };
}

export function newTable() {
  return {
    /** @type {any} */
    setup: null,
    seq: 0,
    open: false,
    /** @type {number | null} */
    lastRound: null,
    /** @type {any[]} */
    limits: [],
    /** @type {Map<string, any>} */
    staff: new Map(),
    /** @type {Map<number, string>} */
    seats: new Map(),
    /** @type {Map<number, bigint>} by box, for how long its patron had not bet when play paused */
    idle: new Map(),
    /** @type {bigint | null} since when a round is under way with nothing wrong */
    playFrom: null,
    /** @type {Map<string, bigint>} */
    stacks: new Map(),
    terminals: meters.newTerminals(),
    round: newRound(),
    /** @type {Map<string, number>} the event in which each bet took its present amount */
    held: new Map(),
    /** @type {Map<string, bigint>} what each patron came to owe in this round */
    owed: new Map(),
    /** @type {any} */
    shoe: null,
    shoes: 0,
    rounds: 0,
    /** @type {string[]} */
    results: [],
    /** @type {Map<string, string>} */
    /** @type {[string, Side][]} who asked for which side and has no answer, the first first */
    squeezeAsked: [],
    /** @type {any} */
    incident: null,
    /** @type {any[]} what went wrong meanwhile and is put right next */
    behind: [],
    incidents: 0,
    /** @type {string[]} */
    kept: [],
    /** @type {Map<string, boolean | null> | null} */
    options: null,
    /** @type {number | bigint} */
    optionsUntil: 0,
    optionsClause: "",
  };
}

/** @param {Table} table @returns {Table} */
export function copyOf(table) {
  return structuredClone(table);
}

/** @param {any} bet @returns {string} */
export function keyOf({ box, patron, spot }) {
  return JSON.stringify([box, patron, spot]);
}

/** @param {Round} round @returns {Laid[]} every bet on the layout, box by box */
export function betsOf(round) {
  return [...round.boxes.values()].flatMap((box) => [...box.values()]);
}

/**
 * @param {Round} round @param {{box: any, patron: string, spot: string}} at
 * @returns {Laid | null}
 */
export function betAt(round, at) {
  return round.boxes.get(at.box)?.get(keyOf(at)) ?? null;
}

/** @param {Round} round @param {string} patron @returns {Laid[]} one patron's bets, box by box */
export function ownBets(round, patron) {
  const own = round.own.get(patron) ?? new Map();
  return [...round.boxes.values()].flatMap((box) =>
    box.size > own.size
      ? [...own].filter(([key]) => box.has(key)).map(([, bet]) => bet)
      : [...box.values()].filter((bet) => bet.patron === patron),
  );
}

/** @param {Round} round @param {string} patron @param {string[]} spots @returns {boolean} */
export function hasAny(round, patron, spots) {
  return spots.some((spot) => staked(round, "patron", { patron, box: 0, spot }) > 0n);
}

/**
 * What a limit of some scope counts together: the text under which the sum of it is kept.
 * @param {string} scope @param {{patron: string, box: number, spot: string}} bet
 */
function counted(scope, { patron, box, spot }) {
  if (scope === "table") return JSON.stringify([spot]);
  if (scope === "box") return JSON.stringify([spot, box]);
  return JSON.stringify(scope === "patron" ? [spot, patron] : [spot, patron, box]);
}

const SCOPES = ["bet", "box", "patron", "table"];

/**
 * What lies on a spot, as far as a limit counts it together with a patron's bet in a box.
 * @param {Round} round @param {string} scope
 * @param {{patron: string, box: number, spot: string}} bet @returns {bigint}
 */
export function staked(round, scope, bet) {
  return round.sums.get(counted(scope, bet)) ?? 0n;
}

/** @param {Record<string, number>} cards @returns {number} how many there are of all together */
export function sum(cards) {
  return Object.values(cards).reduce((all, one) => all + one, 0);
}

/** @param {any} shoe @returns {number} how many cards should still be in it */
export function cardsLeft(shoe) {
  return sum(shoe.manifest) - sum(shoe.seen) - shoe.burned;
}

/**
 * Whether a table keeps what an edition of the house's own rules has brought.
 * @param {Table} table @param {number} edition
 */
export function keeps(table, edition) {
  return Number(table.setup.edition ?? 0) >= edition;
}

const RANKS = "A23456789TJQK";

/**
 * The run of a new deck's order that the latest card ends.
 * @param {string[]} run @param {string} card @returns {string[]}
 */
export function longer(run, card) {
  const step = run.length > 0 ? following(run[run.length - 1], card) : 0;
  if (step === 0) return [card];
  const [before, last] = run.slice(-2);
  return run.length > 1 && following(before, last) !== step ? [last, card] : [...run, card];
}

/** @param {string} one @param {string} other @returns {number} 1 or -1 in one suit, else 0 */
function following(one, other) {
  const step = RANKS.indexOf(other[0]) - RANKS.indexOf(one[0]);
  return one[1] === other[1] && Math.abs(step) === 1 ? step : 0;
}

/** @param {Table} table @param {string} patron @param {bigint} change */
function moveStack(table, patron, change) {
  table.stacks.set(patron, (table.stacks.get(patron) ?? 0n) + change);
}

/** @param {Table} table @param {string} patron @param {bigint} more below zero, less */
function owe(table, patron, more) {
  table.owed.set(patron, (table.owed.get(patron) ?? 0n) + more);
}

/** @param {Laid | null} bet @returns {bigint} what is held for a bet */
export function committed(bet) {
  return bet === null ? 0n : BigInt(bet.stake) + BigInt(bet.reserve);
}

/** @param {Round} round @param {Laid} bet */
function lay(round, bet) {
  const [box, own] = [round.boxes.get(bet.box) ?? new Map(), round.own.get(bet.patron) ?? new Map()];
  const key = keyOf(bet);
  add(round, bet, BigInt(bet.stake) - BigInt(own.get(key)?.stake ?? 0));
  round.boxes.set(bet.box, box.set(key, bet));
  round.own.set(bet.patron, own.set(key, bet));
}

/** @param {Round} round @param {Laid} bet */
function lift(round, bet) {
  const key = keyOf(bet);
  const there = round.own.get(bet.patron)?.get(key);
  if (there === undefined) return;
  add(round, bet, -BigInt(there.stake));
  round.boxes.get(bet.box)?.delete(key);
  round.own.get(bet.patron)?.delete(key);
}

/** @param {Round} round @param {Laid} bet @param {bigint} more below zero, less */
function add(round, bet, more) {
  for (const scope of SCOPES) {
    round.sums.set(counted(scope, bet), staked(round, scope, bet) + more);
  }
}

/** @param {any} shoe @param {string} card */
function see(shoe, card) {
  shoe.seen[card] = (shoe.seen[card] ?? 0) + 1;
}

/**
 * The coup is another one: the cards seen follow it, but for those of an earlier shoe.
 * @param {any} shoe @param {import("./coup.js").Coup} before @param {import("./coup.js").Coup} after
 */
function seeInstead(shoe, before, after) {
  const [gone, come] = [dealt(before), dealt(after)];
  if (shoe === null || [...gone].sort().join() === [...come].sort().join()) return;
  for (const card of come.slice(shoe.earlier)) see(shoe, card);
  for (const card of gone.slice(shoe.earlier)) shoe.seen[card] = (shoe.seen[card] ?? 0) - 1;
  for (const card of Object.keys(shoe.seen)) if (shoe.seen[card] <= 0) delete shoe.seen[card];
}

/** The table after an event. @param {Table} table @param {any} event */
export function evolve(table, event) {
  const idle = PAUSING.includes(event.is) ? idleAt(table, event.at) : null;
  const bettors = UNBETTING.includes(event.is) ? seatedBettors(table) : [];
  EVOLVE[event.is]?.(table, event, table.round);
  table.seq += 1;
  if (idle !== null) countSeatTime(table, event.at, idle);
  for (const [box, patron] of bettors) {
    // Whose last bet is gone keeps the seat for the whole time from here on.
    const anew = table.playFrom === null ? 0n : table.playFrom - BigInt(event.at);
    if (!hasBets(table, patron)) table.idle.set(box, anew);
  }
}

/** The events with which a patron's last bet may go. */
const UNBETTING = ["BetWithdrawn", "BetsReturned"];

/** Seats and their patrons who have bets, where the table counts their time. @param {Table} table */
function seatedBettors(table) {
  if (table.setup?.seat_ms === undefined || !keeps(table, 1)) return [];
  return [...table.seats].filter(([, patron]) => hasBets(table, patron));
}

/**
 * The requests for a squeeze without this one; before the first edition a patron had one.
 * @param {Table} table @param {string} patron @param {Side} side
 */
function otherRequests(table, patron, side) {
  return table.squeezeAsked.filter(
    ([who, of]) => who !== patron || (keeps(table, 1) && of !== side),
  );
}

/** The events with which play may begin or pause. */
const PAUSING = [
  "RoundOpened",
  "RoundSettled",
  "RoundVoided",
  "IncidentReported",
  "IncidentResolved",
  "OptionsOffered",
  "OptionsClosed",
];

/**
 * For how long the patron of each box has not bet; a bet in the round begins it anew.
 * @param {Table} table @param {number | bigint} at @returns {Map<number, bigint>}
 */
function idleAt(table, at) {
  const since = table.playFrom === null ? 0n : BigInt(at) - table.playFrom;
  return new Map(
    [...table.seats].map(([box, patron]) => [
      box,
      hasBets(table, patron) ? 0n : (table.idle.get(box) ?? 0n) + since,
    ]),
  );
}

/**
 * Count the time for which seats are kept: only while play goes on.
 * @param {Table} table @param {number | bigint} at @param {Map<number, bigint>} idle
 */
function countSeatTime(table, at, idle) {
  if (table.setup === null || table.setup.seat_ms === undefined) return;
  const paused = table.incident !== null || table.options !== null;
  const going = !FINISHED.includes(table.round.phase) && !paused;
  if (going === (table.playFrom !== null)) return;
  if (going) table.playFrom = BigInt(at);
  else {
    table.playFrom = null;
    table.idle = idle;
  }
}

/** @param {Table} table @param {string} patron @returns {boolean} in the latest round */
export function hasBets(table, patron) {
  return (table.round.own.get(patron)?.size ?? 0) > 0;
}

/**
 * What a patron has in the stack and in play.
 * @param {Table} table @param {string} name @returns {bigint}
 */
function creditOf({ round, stacks }, name) {
  const bets = FINISHED.includes(round.phase) ? [] : ownBets(round, name);
  // Chips that were taken away lie in the stack again.
  const lying = bets.filter((bet) => !round.removed.has(keyOf(bet)));
  return lying.reduce((sum, bet) => sum + committed(bet), stacks.get(name) ?? 0n);
}

/** @param {Table} table @param {string} name @returns {meters.Terminal} */
function terminalOf({ terminals }, name) {
  const one = terminals.byName.get(name);
  if (one === undefined) throw new TypeError("there is no such terminal");
  return one;
}

/** @type {Record<string, (table: Table, event: any, round: Round) => void>} */
const EVOLVE = {
  TableOpened(table, { setup }) {
    table.setup = setup;
    table.open = true;
    table.limits = setup.limits;
    for (const box of [...table.seats.keys()]) if (box > setup.boxes) table.seats.delete(box);
    table.idle = new Map();
  },
  ClosingAnnounced(table, event) {
    table.lastRound = event.last_round;
  },
  TableClosed(table) {
    table.open = false;
    table.lastRound = null;
  },
  SignedOn(table, { person, role }) {
    table.staff.set(person, { person, role, acting: null, acting_until: 0 });
  },
  SignedOff(table, { person }) {
    table.staff.delete(person);
  },
  Acting(table, { person, role, until }) {
    table.staff.set(person, { ...table.staff.get(person), acting: role, acting_until: until });
  },
  LimitsScheduled(table, { limits }) {
    table.limits = limits;
  },
  SeatTaken(table, { box, patron, at }) {
    table.seats.set(box, patron);
    // Only the time from here on counts.
    if (table.playFrom !== null) table.idle.set(box, table.playFrom - BigInt(at));
  },
  SeatLeft(table, { box }) {
    table.seats.delete(box);
    table.idle.delete(box);
  },
  TerminalAdded(table, event) {
    meters.added(table.terminals, event, creditOf(table, event.terminal));
  },
  TerminalRemoved(table, { terminal }) {
    Object.assign(terminalOf(table, terminal), { removed: true, calling: false });
  },
  TerminalLocked(table, { terminal, reason }) {
    terminalOf(table, terminal).locked = reason;
  },
  TerminalUnlocked(table, { terminal }) {
    terminalOf(table, terminal).locked = null;
  },
  AttendantCalled(table, { terminal }) {
    terminalOf(table, terminal).calling = true;
  },
  AttendantCame(table, { terminal }) {
    terminalOf(table, terminal).calling = false;
  },
  StackFilled(table, { patron, amount }) {
    moveStack(table, patron, BigInt(amount));
    meters.moved(table.terminals, patron, BigInt(amount));
  },
  StackEmptied(table, { patron, amount }) {
    moveStack(table, patron, -BigInt(amount));
    meters.moved(table.terminals, patron, -BigInt(amount));
  },
  ShoeRegistered(table, { shoe, manifest }, round) {
    table.shoe = {
      id: shoe,
      manifest,
      seen: {},
      burned: 0,
      to_burn: null,
      cut_card: false,
      earlier: dealt(round.coup).length,
      run: [],
    };
    table.shoes += 1;
    table.results = [];
    // A shoe replaced in the middle of a round: the round keeps its number.
    if (!FINISHED.includes(round.phase)) return;
    if (table.lastRound !== null) table.lastRound -= table.rounds;
    table.rounds = 0;
  },
  CardExposed(table, { card, to_burn }) {
    table.shoe.run = longer(table.shoe.run, card);
    table.shoe.to_burn = to_burn;
    see(table.shoe, card);
  },
  CardBurned(table, { left_to_burn }) {
    table.shoe.burned += 1;
    table.shoe.to_burn = left_to_burn;
    table.shoe.run = [];
  },
  CutCardShown(table) {
    table.shoe.cut_card = true;
  },
  ShoeEnded: withoutShoe,
  ShoeRemoved: withoutShoe,
  SqueezeRequested(table, { patron, side }) {
    table.squeezeAsked = [...otherRequests(table, patron, side), [patron, side]];
  },
  SqueezeAnswered(table, { patron, side }) {
    table.squeezeAsked = otherRequests(table, patron, side);
  },
  IncidentReported(table, { incident }) {
    if (table.incident === null) table.incident = incident;
    else table.behind = [...table.behind, incident];
    table.incidents = incident.number;
    // A foreign card is none of the shoe's.
    if (table.shoe === null || incident.kind === "foreign card") return;
    for (const card of incident.drawn) {
      see(table.shoe, card);
      table.shoe.run = longer(table.shoe.run, card);
    }
  },
  IncidentResolved(table) {
    const [next = null, ...rest] = table.behind;
    table.incident = next;
    table.behind = rest;
  },
  CardsKept(table, { cards }) {
    table.kept = [...table.kept, ...cards];
    // What was drawn with an incident has been counted; what a correction leaves over has not.
    if (table.shoe === null || table.incident === null || table.incident.drawn.length > 0) return;
    for (const card of cards) see(table.shoe, card);
  },
  KeptCardsBurned(table, { cards }) {
    table.kept = table.kept.slice(cards.length);
  },
  OptionsOffered(table, { patrons, until, clause }) {
    table.options = new Map(patrons.map((/** @type {string} */ patron) => [patron, null]));
    table.optionsUntil = until;
    table.optionsClause = clause;
  },
  OptionChosen(table, { patron, continues }) {
    table.options = (table.options ?? new Map()).set(patron, continues);
  },
  OptionsClosed(table) {
    table.options = null;
  },

  // --- in the round

  RoundOpened(table, { number, terms }, round) {
    // Who always continues said so for good, not for one round.
    table.round = newRound({ number, terms, phase: "betting", always: round.always });
    table.rounds = number;
    table.held = new Map();
    table.owed = new Map();
    table.squeezeAsked = [];
    if (table.shoe !== null) table.shoe.earlier = 0;
    if (table.setup?.continuous) {
      table.shoe.seen = {};
      for (const card of table.kept) see(table.shoe, card);
    }
  },
  BetPlaced(table, { bet, before }, round) {
    lay(round, bet);
    round.placed += 1;
    moveStack(table, bet.patron, committed(before) - committed(bet));
    table.held.set(keyOf(bet), table.seq);
  },
  BetWithdrawn(table, { bet, left }, round) {
    if (left === null) lift(round, bet);
    else {
      lay(round, left);
      table.held.set(keyOf(bet), table.seq);
    }
    moveStack(table, bet.patron, committed(bet) - committed(left));
  },
  BetsClosed(_, { cut }, round) {
    round.phase = "closed";
    round.effective = new Map(cut.map((/** @type {any} */ one) => [keyOf(one), one.stake]));
  },
  CardDealt(table, { side, card }, round) {
    round.coup = withCard(round.coup, side, card);
    round.phase = "dealing";
    if (table.kept.length > 0) table.kept = table.kept.slice(1);
    else {
      table.shoe.run = longer(table.shoe.run, card);
      see(table.shoe, card);
    }
  },
  DecisionsOpened(_, { until }, round) {
    round.phase = "deciding";
    round.decideUntil = until;
  },
  DecisionsClosed(_, __, round) {
    round.phase = "dealing";
    round.decideUntil = null;
  },
  AlwaysChosen(_, { patron, always }, round) {
    round.always = new Set(round.always);
    if (always) round.always.add(patron);
    else round.always.delete(patron);
  },
  SecondStagePlaced(table, { bet }, round) {
    lay(round, bet);
    round.placed += 1;
    moveStack(table, bet.patron, -committed(bet));
    table.held.set(keyOf(bet), table.seq);
  },
  SecondStageDeclined(_, event, round) {
    round.declined.set(keyOf(event), event.clause);
  },
  ChipsRemoved(table, { bet }, round) {
    round.removed.add(keyOf(bet));
    moveStack(table, bet.patron, committed(bet));
  },
  ResultCalled(_, __, round) {
    round.phase = "result";
  },
  RoundSettled(table, { bets }, round) {
    round.phase = "settled";
    round.settled = bets;
    for (const { bet, net, removed } of bets) {
      const gained = BigInt(net);
      // Where the chips are gone, what they lost is a debt in the ledger.
      if (removed) {
        moveStack(table, bet.patron, gained > 0n ? gained : 0n);
        if (gained < 0n) owe(table, bet.patron, -gained);
      } else moveStack(table, bet.patron, committed(bet) + gained);
    }
    meters.settled(table.terminals, bets);
    table.results = [...table.results, resultOf(round.coup)];
  },
  RoundVoided(table, { returned }, round) {
    round.phase = "void";
    round.decideUntil = null;
    for (const bet of returned) moveStack(table, bet.patron, committed(bet));
  },
  CoupCorrected(table, { coup }, round) {
    seeInstead(table.shoe, round.coup, coup);
    round.coup = coup;
    round.phase = dealt(coup).length > 0 ? "dealing" : "closed";
    round.decideUntil = null;
  },
  BetsReturned(table, { returned, removed }, round) {
    for (const bet of [...returned, ...removed]) lift(round, bet);
    for (const bet of returned) moveStack(table, bet.patron, committed(bet));
  },
  SettlementCorrected(table, event, round) {
    for (const [patron, { change, owed }] of corrections(table, event)) {
      moveStack(table, patron, change);
      owe(table, patron, owed);
      meters.corrected(table.terminals, patron, change);
    }
    const before = round.coup;
    if (event.coup === null) {
      round.phase = "void";
      round.settled = null;
    } else {
      const still = new Set(event.bets.map((/** @type {any} */ one) => keyOf(one.bet)));
      for (const bet of betsOf(round)) if (!still.has(keyOf(bet))) lift(round, bet);
      round.coup = event.coup;
      round.settled = event.bets;
    }
    if (event.coup !== null) seeInstead(table.shoe, before, event.coup);
    // The roads of a new shoe do not begin with the last round of the old one.
    if (table.rounds !== round.number) return;
    table.results = table.results.slice(0, -1);
    if (event.coup !== null) table.results = [...table.results, resultOf(event.coup)];
  },
};

/** @param {Table} table */
function withoutShoe(table) {
  table.shoe = null;
  table.kept = [];
}

/**
 * By patron, what a new settlement moves: to the stack (or from it), the debt, the commission.
 * A stack pays what it can; the rest is owed. What is struck off a debt does not come to the stack.
 * @param {Table} table @param {any} event
 * @returns {Map<string, {change: bigint, owed: bigint, withheld: bigint}>}
 */
export function corrections(table, event) {
  const moved = new Map();
  const struck = new Map(Object.entries(event.struck ?? {}));
  for (const [patron, [net, withheld]] of changes(table, event)) {
    const most = -(table.stacks.get(patron) ?? 0n);
    const off = BigInt(struck.get(patron) ?? 0);
    const change = net - off > most ? net - off : most;
    if (net === 0n && withheld === 0n && off === 0n) continue;
    moved.set(patron, { change, owed: change - net, withheld });
  }
  return moved;
}

/**
 * By patron, what a new settlement gives more than the one before, and withholds more.
 * @param {Table} table @param {any} event @returns {Map<string, [bigint, bigint]>}
 */
function changes(table, event) {
  const [before, after] = [nets(table.round.settled ?? []), nets(event.bets)];
  /** @type {Map<string, [bigint, bigint]>} */
  const found = new Map();
  for (const patron of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(patron) ?? [0n, 0n], after.get(patron) ?? [0n, 0n]];
    found.set(patron, [is[0] - was[0], is[1] - was[1]]);
  }
  return found;
}

/**
 * A new settlement with what it strikes off the debts of its own round: no more than it gives, but
 * all of it where somebody has no bet in it any more. How much of a debt still stands no log of a
 * table tells: it is believed, but never more than the round made.
 * @param {Table} table @param {any} event @param {Map<string, any>} said by patron
 */
export function withStruck(table, event, said) {
  const still = nets(event.bets);
  const struck = [...changes(table, event)].flatMap(([patron, [net]]) => {
    const gives = still.has(patron) ? net : net + (table.stacks.get(patron) ?? 0n);
    const bounds = [gives, table.owed.get(patron) ?? 0n, BigInt(said.get(patron) ?? 0)];
    const amount = bounds.reduce((least, one) => (one < least ? one : least));
    return amount > 0n ? [[patron, whole(amount)]] : [];
  });
  return struck.length === 0 ? event : { ...event, struck: Object.fromEntries(struck) };
}

/** @param {any[]} bets @returns {Map<string, [bigint, bigint]>} net and commission by patron */
function nets(bets) {
  /** @type {Map<string, [bigint, bigint]>} */
  const found = new Map();
  for (const { bet, net, commission } of bets) {
    const [gained, withheld] = found.get(bet.patron) ?? [0n, 0n];
    found.set(bet.patron, [gained + BigInt(net), withheld + BigInt(commission)]);
  }
  return found;
}

// --- standings ---

/**
 * Where a table stands between two rounds, as the log writes it.
 * @param {Table} table @param {{commitment: string | null, left: number}} proof
 */
export function standingOf(table, proof) {
  const { shoe } = table;
  return {
    seq: table.seq,
    setup: table.setup,
    open: table.open,
    last_round: table.lastRound,
    limits: table.limits,
    staff: Object.fromEntries(table.staff),
    seats: Object.fromEntries(table.seats),
    stacks: stacksOf(table),
    always: [...table.round.always].sort(),
    shoe: shoe && {
      ...shoe,
      seen: Object.fromEntries(Object.entries(shoe.seen).filter(([, one]) => Number(one) > 0)),
    },
    shoes: table.shoes,
    rounds: table.rounds,
    results: table.results,
    incidents: table.incidents,
    kept: table.kept,
    ...proof,
    ...(table.setup.seat_ms === undefined ? {} : { idle: wholes(table.idle) }),
    ...meters.written(table.terminals),
  };
}

/** @param {Table} table @returns {Record<string, number | bigint>} */
export function stacksOf(table) {
  return wholes(table.stacks);
}

/** @param {Map<any, bigint>} found @returns {Record<string, number | bigint>} */
function wholes(found) {
  return Object.fromEntries([...found].map(([key, one]) => [key, whole(one)]));
}

/** @param {any} stood @returns {Table} the table as far as the next round depends on it */
export function tableAt(stood) {
  return {
    ...newTable(),
    setup: stood.setup,
    seq: stood.seq,
    open: stood.open,
    lastRound: stood.last_round,
    limits: stood.limits,
    staff: new Map(Object.entries(stood.staff)),
    seats: new Map(Object.entries(stood.seats).map(([box, patron]) => [Number(box), patron])),
    stacks: new Map(Object.entries(stood.stacks).map(([patron, one]) => [patron, BigInt(one)])),
    round: newRound({ number: stood.rounds, phase: "void", always: new Set(stood.always) }),
    shoe: stood.shoe && { ...stood.shoe, seen: { ...stood.shoe.seen } },
    shoes: stood.shoes,
    rounds: stood.rounds,
    results: stood.results,
    incidents: stood.incidents,
    kept: stood.kept,
    idle: new Map(Object.entries(stood.idle ?? {}).map(([box, one]) => [Number(box), BigInt(one)])),
    terminals: meters.terminalsAt(stood),
  };
}
