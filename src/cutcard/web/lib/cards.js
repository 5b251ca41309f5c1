/** Cards by their names: `9h`, `Ks`, `Td`. */

const CARD = /^[A2-9TJQK][cdhs]$/;

/** @param {unknown} text @returns {text is string} */
export function isCard(text) {
  return typeof text === "string" && CARD.test(text);
}

/** @param {string} card @returns {number} ace to nine count their place, the others nothing */
export function points(card) {
  return "A23456789".indexOf(card[0]) + 1;
}

/** @param {string[]} cards @returns {number} the last digit of the total */
export function total(cards) {
  return cards.reduce((sum, card) => sum + points(card), 0) % 10;
}

/** @param {string} exposed @returns {number} how many cards are burned after the first */
export function burnCount(exposed) {
  return points(exposed) || 10;
}
