// @ts-check
/** Words, money, dates and cards in the language that somebody chose. */

import { signal } from "./reactive.js";
import { part } from "./refused.js";

/** @typedef {"en" | "zh-Hans" | "zh-Hant"} Language */

export const LANGUAGES = /** @type {const} */ ({ en: "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" });
/** The texts that were fetched; a language comes when somebody speaks it. @type {Partial<Record<Language, Record<string, string>>>} */
const WORDS = {};
/** What some pages say beside that: whole files of words, in every language. @type {string[]} */
const MORE = [];
/** How many of them have come: whatever is on the screen is said anew. */
const learned = signal(0);
const LOCALES = { en: "en", "zh-Hans": "zh-CN", "zh-Hant": "zh-HK" };
const RWS = { player: "閒 PLAYER", banker: "庄 BANKER", tie: "和 TIE" };

/** What somebody asked for, here or another day. A page may change its address later. */
let chosen = new URLSearchParams(location.search).get("language") ?? stored("language") ?? "";

/** @returns {Language} */
function first() {
  if (chosen in LANGUAGES) return /** @type {Language} */ (chosen);
  const own = navigator.language;
  if (/^zh-(hant|tw|hk|mo)/i.test(own)) return "zh-Hant";
  return /^zh/i.test(own) ? "zh-Hans" : "en";
}

/** What was kept in this browser; nothing where nothing may be kept. @param {string} name */
export function stored(name) {
  try {
    return localStorage.getItem(`cutcard.${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function store(name, value) {
  try {
    localStorage.setItem(`cutcard.${name}`, value);
  } catch {
    // A private window forgets, and that is all.
  }
}

/** @param {Language} code */
async function fetched(code) {
  WORDS[code] ??= (await part(() => import(`../texts/screens.${code}.js`))).words;
  for (const one of MORE) {
    const found = (await part(() => import(`../texts/${one}.${code}.js`))).words;
    WORDS[code] = { ...WORDS[code], ...found };
  }
  return code;
}

/** Have the words of another file, in whatever is spoken. @param {string} file */
export async function learn(file) {
  if (!MORE.includes(file)) MORE.push(file);
  await fetched(language());
  learned(MORE.length);
}

export const language = signal(await fetched(first()));
/** Whether sides are labelled as on an RWS table, whatever the language. */
export const rws = signal(stored("labels") === "rws");
export const currency = signal({ code: "XTS", digits: 2 });

/**
 * A venue counts in its own money, its felt has a colour, and it speaks its own language to whoever chose none.
 * @param {{currency: string, digits: number, theme: string, language: string}} venue
 * @param {string} [spoken] what is spoken instead
 */
export async function comeTo(venue, spoken = venue.language) {
  currency({ code: venue.currency, digits: venue.digits });
  document.documentElement.dataset.theme = venue.theme;
  if (!(chosen in LANGUAGES)) await turnTo(/** @type {Language} */ (spoken));
}

/** Choose a language. @param {Language} code */
export async function speak(code) {
  await turnTo(code);
  chosen = code;
  store("language", code);
}

/** Speak a language for now. @param {Language} code */
export async function turnTo(code) {
  language(await fetched(code));
  document.documentElement.lang = code;
}
document.documentElement.lang = language();

/** A sentence in the chosen language; `{n:card|cards}` is one word for one and another for more. @param {string} word @param {Record<string, any>} [figures] */
export function t(word, figures = {}) {
  if (rws() && word in RWS) return RWS[/** @type {keyof RWS} */ (word)];
  learned();
  const text = WORDS[language()]?.[word] ?? word;
  return text.replace(/\{(\w+)(?::([^|{}]*)\|([^|{}]*))?\}/g, (_, name, one, more) =>
    (one === undefined ? String(figures[name] ?? "") : Number(figures[name]) === 1 ? one : more));
}

/** Money from minor units. @param {number} amount @param {boolean} [signed] */
export function money(amount, signed = false) {
  const { code, digits } = currency();
  const value = amount / 10 ** digits;
  const options = /** @type {Intl.NumberFormatOptions} */ ({
    minimumFractionDigits: amount % 10 ** digits ? digits : 0,
    maximumFractionDigits: digits,
    signDisplay: signed ? "exceptZero" : "auto",
  });
  // XTS is the code for testing: play money has no sign.
  const named = code === "XTS" ? options : { ...options, style: /** @type {const} */ ("currency"), currency: code,
    currencyDisplay: /** @type {const} */ ("narrowSymbol") };
  return new Intl.NumberFormat(LOCALES[language()], named).format(value).replace("-", "−");
}

/** An amount as people type it, in minor units; null if it is none. @param {string} text */
export function typed(text) {
  const { digits } = currency(), plain = text.normalize("NFKC").trim().replace(/[, ]/g, "");
  const [, whole, coins = ""] = plain.match(/^(\d{1,12})(?:\.(\d*))?$/) ?? [];
  return whole === undefined || coins.length > digits ? null : Number(whole + coins.padEnd(digits, "0"));
}

/** @param {number} at */
export function date(at) {
  return new Intl.DateTimeFormat(LOCALES[language()], { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** A plain number. @param {number} value */
export function number(value) {
  return new Intl.NumberFormat(LOCALES[language()]).format(value);
}

/** @param {number} share */
export function percent(share, digits = 2) {
  return new Intl.NumberFormat(LOCALES[language()], {
    style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(share);
}

/** A card's name. @param {string | null} code */
export function cardName(code) {
  if (!code) return t("face_down");
  const rank = t(`rank.${code[0]}`);
  return t("card.of", { rank: rank.startsWith("rank.") ? code[0] : rank, suit: t(`suit.${code[1]}`) });
}
