// @ts-check
/** Refusals as things that can be thrown, also where it is the line that fails. */

import { t } from "./language.js";

/** @typedef {{code: string, sentence: string, clause: string | null, params: Record<string, any>}} Refused */

export const AWAY = "connection/away";

export class RefusedError extends Error {
  /** @param {Refused} refused */
  constructor(refused) {
    super(refused.sentence);
    this.refused = refused;
  }
}

/** Nobody answers, so nothing was done. */
export function away() {
  return new RefusedError({ code: AWAY, sentence: t("away"), clause: null, params: {} });
}

/** A part of the program that is fetched when it is wanted. @template T @param {() => Promise<T>} load @returns {Promise<T>} */
export async function part(load) {
  try {
    return await load();
  } catch (error) {
    throw error instanceof TypeError && /module/.test(error.message) ? away() : error;
  }
}
