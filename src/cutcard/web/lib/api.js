// @ts-check
/** Questions over REST, and signing in. */

import { away, RefusedError } from "./refused.js";
import { language } from "./language.js";

let csrf = "";

/** @param {string} path @param {RequestInit} [more] @returns {Promise<any>} */
async function ask(path, more = {}) {
  const headers = { "accept-language": language(), ...(more.headers ?? {}) };
  // Whatever else answers in the house's place does not speak JSON.
  const told = await fetch(`/api/v1${path}`, { ...more, headers }).then((answer) => answer.json()).catch(() => { throw away(); });
  if (told?.is === "refused") throw new RefusedError(told);
  return told;
}

/** @param {string} path */
export const get = (path) => ask(path);

/** @param {string} path @param {object} [body] */
export async function post(path, body) {
  const told = await ask(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": csrf },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (told.csrf) csrf = told.csrf;
  return told;
}

/** What a page must say to be believed, since its cookie comes by itself. @param {string} told */
export function trusted(told) {
  csrf = told;
}
