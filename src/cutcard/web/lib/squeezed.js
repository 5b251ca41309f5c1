// @ts-check
/**
 * Squeezing: a card is folded over by dragging from any side or corner or by its keys 1 to 4, or opened
 * at once with Enter or a double click.
 */

/** How far keys 1, 2 and 3 lift the card; 4 opens it. */
const STEPS = [0.1, 0.22, 0.34];
const OPEN = 0.42;
const STILL = 5;

/** @typedef {[number, number]} Point */

/** What of a polygon lies where x·point is not more than a limit. @param {Point[]} points @param {Point} along @param {number} limit */
function within(points, along, limit) {
  /** @type {Point[]} */ const found = [];
  points.forEach((from, place) => {
    const to = points[(place + 1) % points.length];
    const here = from[0] * along[0] + from[1] * along[1] - limit, there = to[0] * along[0] + to[1] * along[1] - limit;
    if (here <= 0) found.push(from);
    if (here * there < 0) {
      const part = here / (here - there);
      found.push([from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])]);
    }
  });
  return found;
}

/** Make a card one that can be squeezed. @param {HTMLElement} card a <playing-card> with its code @returns {() => void} what opens it */
export function squeezable(card) {
  /** @type {{x: number, y: number} | null} */ let from = null;
  const closed = () => !card.hasAttribute("up");

  function flat() {
    from = null;
    card.removeAttribute("peel");
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll(".back, .flap"))) part.style.clipPath = "";
  }

  function open() {
    if (!closed()) return;
    flat();
    card.setAttribute("up", "");
    card.removeAttribute("tabindex");
    card.dispatchEvent(new CustomEvent("reveal", { bubbles: true }));
  }

  /** The part that is folded over: it shows the card's face. */
  function flap() {
    const made = card.querySelector(".flap");
    if (made) return /** @type {HTMLElement} */ (made);
    card.insertAdjacentHTML("beforeend", `<div class="fold"><div class="flap side">${card.querySelector(".front")?.innerHTML}</div></div>`);
    return /** @type {HTMLElement} */ (card.querySelector(".flap"));
  }

  /**
   * Fold the card over, from the edge that lies against the direction.
   * @param {Point} along of length 1 @param {number} depth in pixels
   */
  function fold([x, y], depth) {
    const wide = card.offsetWidth, high = card.offsetHeight;
    const reach = (Math.abs(x) * wide + Math.abs(y) * high) / 2;
    if (depth > 2 * reach * OPEN) {
      open();
      return;
    }
    const line = depth - reach;
    /** @type {Point[]} */ const whole = [[-wide / 2, -high / 2], [wide / 2, -high / 2], [wide / 2, high / 2], [-wide / 2, high / 2]];
    const shape = (/** @type {Point[]} */ points) => (points.length < 3 ? "inset(50%)"
      : `polygon(${points.map(([across, down]) => `${(across + wide / 2).toFixed(1)}px ${(down + high / 2).toFixed(1)}px`).join()})`);
    const back = /** @type {HTMLElement} */ (card.querySelector(".back")), over = flap();
    back.style.clipPath = shape(within(whole, [-x, -y], -line));
    // The face is on the underside: seen through the card it is mirrored, and folding mirrors it again.
    over.style.clipPath = shape(within(whole, [-x, y], line));
    over.style.transform = `matrix(${[2 * x * x - 1, 2 * x * y, -2 * x * y, 1 - 2 * y * y, 2 * line * x, 2 * line * y].map((one) => one.toFixed(4)).join()})`;
    card.setAttribute("peel", (depth / reach / 2).toFixed(2));
  }

  card.setAttribute("squeeze", "");
  card.setAttribute("tabindex", "0");
  card.addEventListener("pointerdown", (event) => {
    if (!closed()) return;
    event.preventDefault();
    card.focus({ preventScroll: true });
    card.setPointerCapture(event.pointerId);
    from = { x: event.clientX, y: event.clientY };
  });
  card.addEventListener("pointermove", (event) => {
    if (from === null) return;
    let across = event.clientX - from.x, down = event.clientY - from.y;
    if (card.hasAttribute("turned")) [across, down] = [down, -across];
    const far = Math.hypot(across, down);
    // A fold follows at half the hand's speed, as paper does.
    if (far > STILL) fold([across / far, down / far], far / 2);
  });
  for (const end of ["pointerup", "pointercancel"]) card.addEventListener(end, () => { if (from) flat(); });
  card.addEventListener("dblclick", open);
  card.addEventListener("keydown", (event) => {
    if (!closed()) return;
    const step = "1234".indexOf(event.key);
    if (step >= 0 && step < STEPS.length) fold([0, -1], STEPS[step] * card.offsetHeight);
    else if (step === STEPS.length || event.key === "Enter" || event.key === " ") open();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return open;
}
