/** Facts: the closed vocabulary in which pay lines speak about a finished coup. */

import { total } from "./cards.js";
import { isNatural, winner } from "./coup.js";

/** @typedef {string | number | boolean | null} Fact null where the question does not arise */

/** @param {import("./coup.js").Coup} coup a finished one @returns {Record<string, Fact>} */
export function facts(coup) {
  const { player, banker } = coup;
  const [mine, theirs] = [total(player), total(banker)];
  const tied = mine === theirs;
  return {
    winner: winner(coup),
    player_points: mine,
    banker_points: theirs,
    winning_points: tied ? null : Math.max(mine, theirs),
    losing_points: tied ? null : Math.min(mine, theirs),
    margin: Math.abs(mine - theirs),
    player_cards: player.length,
    banker_cards: banker.length,
    cards: player.length + banker.length,
    // Pairs and naturals look at the first two cards even after a third has been drawn.
    player_natural: isNatural(total(player.slice(0, 2))),
    banker_natural: isNatural(total(banker.slice(0, 2))),
    player_pair: player[0][0] === player[1][0],
    banker_pair: banker[0][0] === banker[1][0],
    player_suited_pair: player[0] === player[1],
    banker_suited_pair: banker[0] === banker[1],
  };
}
