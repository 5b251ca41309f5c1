/** From codes and figures to sentences: the only place that knows how texts are filled in. */

/** Figures that are spots, roles or steps, whatever part they play in a sentence. */
const PARTS = { other: "spot", others: "spot", offered: "spot", own: "role", lawful: "step" };
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const CARD = /^[A2-9TJQK][cdhs]$/;
const FIGURE = /\{([a-z_.]+)(\+1)?(?::money|:([^|{}]*)\|([^|{}]*))?\}/gi;

/** Characters of a figure at most; names and reasons come from whoever made the file. */
const LONGEST = 300;

/** @param {any} texts one of texts/*.js */
export function speaker(texts) {
  const numbers = new Intl.NumberFormat(texts.language);

  /** A figure in a sentence. @param {string} name @param {any} value @returns {string} */
  function figure(name, value) {
    if (typeof value === "bigint" || typeof value === "number") return numbers.format(value);
    if (Array.isArray(value)) return value.map((one) => figure(name, one)).join(texts.comma);
    const text = legible(String(value));
    if (CARD.test(text)) return card(text);
    const part = PARTS[/** @type {keyof PARTS} */ (name)] ?? name;
    // A stranger may call anything "constructor".
    const among = [texts.words[part], texts.catalogue[part]];
    return among.find((one) => one && Object.hasOwn(one, text))?.[text] ?? text;
  }

  /**
   * A text with its figures; null where one is not known.
   * @param {string} template @param {any} figures @returns {string | null}
   */
  function filled(template, figures) {
    let complete = true;
    const text = template.replace(FIGURE, (_, path, next, one, more) => {
      const names = path.split(".");
      const value = names.reduce(
        (/** @type {any} */ inside, /** @type {string} */ name) => inside?.[name],
        figures,
      );
      if (value === undefined || value === null) complete = false;
      if (one !== undefined) return Number(value) === 1 ? one : more;
      return complete ? figure(names[names.length - 1], next ? Number(value) + 1 : value) : "";
    });
    return complete ? text : null;
  }

  /** @param {string} code @param {any} details @returns {string} the sentence of a refusal */
  function refusal(code, details) {
    const own = texts.refusals[code] ?? texts.catalogue.refusal[code];
    const sentence = own === undefined ? null : filled(own, details);
    return sentence ?? `(${code})`;
  }

  /** @param {import("./lib/finding.js").Finding} finding @returns {string} */
  function finding({ code, details }) {
    const refused = details.refusal === undefined ? "" : refusal(String(details.refusal), details);
    const found = texts.findings;
    const template = found[`${code}.${details.why}`] ?? found[code] ?? found[code.split("/")[1]];
    return (filled(template, { ...details, refused }) ?? found.differs).trim();
  }

  /** @param {any} record of a log, or a step @returns {string} what happened, in one line */
  function line(record) {
    const told = record?.event ?? record?.step ?? record?.standing ?? {};
    const step = typeof told === "string" ? record : told;
    const name = record?.standing ? "standing" : (step.is ?? step.step);
    return filled(texts.records[name] ?? "", step) || texts.records.unknown;
  }

  /** @param {Record<string, string>} among @param {import("./lib/finding.js").Note} note */
  function note(among, { code, details }) {
    const { rounds, first, last } = details;
    const single = rounds === 1 || (first !== undefined && Number(first) === Number(last));
    return say((single ? among[`${code}.one`] : undefined) ?? among[code], details);
  }

  /** @param {string} template @param {any} [figures] @returns {string} */
  const say = (template, figures = {}) => filled(template, figures) ?? template;

  return { say, note, finding, line, number: (/** @type {number} */ one) => numbers.format(one) };
}

/**
 * Words of a stranger, so that they can be shown: nothing unseen, no lines of their own.
 * @param {string} text @param {number} [most] @returns {string}
 */
export function legible(text, most = LONGEST) {
  const cut = text.length <= most ? text : `${text.slice(0, most)}…`;
  return cut.replace(/(?! )[\p{C}\p{Z}]/gu, (mark) => {
    return `\\u{${Number(mark.codePointAt(0)).toString(16)}}`;
  });
}

/** @param {string} text @returns {string} a card as people print it */
export function card(text) {
  return text[0].replace("T", "10") + SUITS[/** @type {keyof SUITS} */ (text[1])];
}

/** A plain value as text, great numbers as they are. @param {any} value @returns {string} */
export function json(value, indent = 0) {
  const text = JSON.stringify(
    value,
    (_, one) => (typeof one === "bigint" ? `\u0000${one}` : one),
    indent,
  );
  const plain = (text ?? "null").replace(/"\\u0000(-?[0-9]+)"/g, "$1");
  // What turns the direction of writing, or cannot be seen, is spelled out.
  return plain.replace(/(?![ \n])[\p{C}\p{Z}]/gu, (mark) => {
    return Array.from({ length: mark.length }, (_, at) => {
      return `\\u${mark.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }).join("");
  });
}
