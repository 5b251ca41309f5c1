/**
 * The coup and its tableau: whose the next card is, and when the coup is over.
 *
 * The rule stands here as rulebooks print it, so that the page can be laid beside the screen. D
 * draws, S stands, N is a natural. The Banker's columns are the points of the Player's third
 * card; the last one, -, is for a Player who stood.
 */

import { points, total } from "./cards.js";
import { Refusal } from "./refusal.js";

/**
 * @typedef {"player" | "banker"} Side
 * @typedef {{player: string[], banker: string[]}} Coup
 */

const PLAYER_TABLE = `
    P   0 1 2 3 4 5 6 7 8 9
    -   D D D D D D S S N N
`;

const BANKER_TABLE = `
    B   0 1 2 3 4 5 6 7 8 9 -
    0   D D D D D D D D D D D
    1   D D D D D D D D D D D
    2   D D D D D D D D D D D
    3   D D D D D D D D S D D
    4   S S D D D D D D S S D
    5   S S S S D D D D S S D
    6   S S S S S S D D S S S
    7   S S S S S S S S S S S
    8   N N N N N N N N N N N
    9   N N N N N N N N N N N
`;

/** Both printed tables, word by word, as they go into a rulebook's hash. */
export const TABLEAU = [PLAYER_TABLE, BANKER_TABLE].map((table) => table.trim().split(/\s+/));

const PLAYER = parse(PLAYER_TABLE);
const BANKER = parse(BANKER_TABLE);

/** @param {string} table @returns {Map<string, string>} "row column" → letter */
function parse(table) {
  const [header, ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ +/));
  const cells = rows.flatMap((row) =>
    header
      .slice(1)
      .map((column, place) => /** @type {const} */ ([`${row[0]} ${column}`, row[place + 1]])),
  );
  return new Map(cells);
}

/** @param {number} two points of the first two cards @returns {boolean} */
export function isNatural(two) {
  return PLAYER.get(`- ${two}`) === "N";
}

/** @param {Coup} coup @returns {Side | null} the side that the next card belongs to */
export function nextSide({ player, banker }) {
  if (player.length < 2 || banker.length < 2) {
    // In turn; where cards were misdealt and stay where they lie, the shorter hand is next.
    return player.length <= banker.length ? "player" : "banker";
  }
  const [mine, theirs] = [total(player.slice(0, 2)), total(banker.slice(0, 2))];
  // Naturals come first: neither side draws against one, whatever its own row says.
  if (isNatural(mine) || isNatural(theirs) || banker.length === 3) return null;
  if (player.length === 2 && PLAYER.get(`- ${mine}`) === "D") return "player";
  const third = player.length === 3 ? points(player[2]) : "-";
  return BANKER.get(`${theirs} ${third}`) === "D" ? "banker" : null;
}

/**
 * Whether another card may still come to a side.
 * @param {Coup} coup @param {Side} side
 */
export function mayDraw(coup, side) {
  const turn = nextSide(coup);
  if (turn === null || coup[side].length > 2) return false;
  // Until both sides have two cards nobody knows who draws; then the Player comes first.
  return coup.player.length < 2 || coup.banker.length < 2 || turn === side || side === "banker";
}

/** @param {Coup} coup @param {Side} side @param {string} card @returns {Coup} */
export function withCard(coup, side, card) {
  return { ...coup, [side]: [...coup[side], card] };
}

/** @param {Coup} coup @returns {string} `2h 3s 9c / 5d Kc` */
export function written({ player, banker }) {
  return `${player.join(" ")} / ${banker.join(" ")}`.trim();
}

/** @param {Coup} coup @returns {string[]} the cards in dealing order */
export function dealt({ player, banker }) {
  return [0, 1, 2]
    .flatMap((place) => [player[place], banker[place]])
    .filter((card) => card !== undefined);
}

/** @param {Coup} coup @returns {"player" | "banker" | "tie"} */
export function winner({ player, banker }) {
  const margin = total(player) - total(banker);
  if (margin === 0) return "tie";
  return margin > 0 ? "player" : "banker";
}

/**
 * Refuse a coup whose cards do not lie where the tableau puts them, or that is not over.
 * @param {Coup} coup @param {boolean} [finished] whether it must be
 */
export function checkDealt(coup, finished = true) {
  /** @type {Coup} */
  let lawful = { player: [], banker: [] };
  for (let side = nextSide(lawful); side !== null; side = nextSide(lawful)) {
    const card = coup[side][lawful[side].length];
    if (card === undefined) {
      if (!finished) break;
      throw new Refusal("coup/card-missing", { coup: written(coup), side });
    }
    lawful = withCard(lawful, side, card);
  }
  for (const side of /** @type {const} */ (["player", "banker"])) {
    const card = coup[side][lawful[side].length];
    if (card !== undefined)
      throw new Refusal("coup/card-too-many", { coup: written(coup), side, card });
  }
}

/** @param {Coup} coup @returns {boolean} whether every card so far lies where the tableau puts it */
export function inOrder(coup) {
  try {
    checkDealt(coup, false);
  } catch (problem) {
    if (problem instanceof Refusal) return false;
    throw problem;
  }
  return true;
}
