/** Staff and names: who may do what at a table, and what may be written into an account. */

import { Refusal } from "./refusal.js";
import { WORDS } from "./schema.js";
import { isPrintable, stripped } from "./text.js";

/** Beyond any time there will be. */
const LATEST = 10n ** 18n;

/** Who finds what the table notices by itself. */
export const SYSTEM = "system";

/** @param {string} role @returns {number} */
const rank = (role) => WORDS.Role.indexOf(role);

/**
 * Refuse what somebody's role does not allow at this moment.
 * @param {any} member @param {string} needed @param {number | bigint} at @param {boolean} [own]
 *   whether a role that somebody only acts in does not count
 */
export function checkRole(member, needed, at, own = false) {
  if (member === undefined) throw new Refusal("staff/not-signed-on", { role: needed });
  const held = own ? member.role : roleAt(member, at);
  if (rank(held) < rank(needed)) throw new Refusal("staff/role", { role: needed, own: held });
}

/**
 * Whether anybody is signed on as a dealer, or acts as one; a person who ranks above one is none
 * without acting as one.
 * @param {{staff: Map<string, any>}} table @param {number | bigint} at
 */
export function hasDealer({ staff }, at) {
  return [...staff.values()].some(
    ({ role, acting, acting_until }) =>
      role === "dealer" || (acting === "dealer" && at < acting_until),
  );
}

/**
 * The highest role that counts at a moment.
 * @param {any} member @param {number | bigint} at @returns {string}
 */
export function roleAt({ role, acting, acting_until }, at) {
  const acts = acting !== null && at < acting_until && rank(acting) > rank(role);
  return acts ? acting : role;
}

/**
 * The same, where a machine that deals needs no role to deal.
 * @param {import("./table.js").Table} table @param {string} person @param {string} needed
 * @param {number | bigint} at
 */
export function checkStaff(table, person, needed, at) {
  if (needed === "dealer" && table.setup?.machine !== null && person === table.setup?.machine)
    return;
  checkRole(table.staff.get(person), needed, at);
}

/**
 * Somebody must be there, where the log does not say who.
 * @param {import("./table.js").Table} table
 */
export function checkAnybody(table) {
  if (table.setup?.machine === null && table.staff.size === 0) {
    throw new Refusal("staff/not-signed-on", { role: "dealer" });
  }
}

/**
 * Who gave a command that any member of staff may give: nobody where an older log names nobody.
 * @param {import("./table.js").Table} table @param {{by?: string, at: number | bigint}} event
 * @returns {{by?: string}}
 */
export function actor(table, { by, at }) {
  if (by === undefined) {
    checkAnybody(table);
    return {};
  }
  checkStaff(table, by, "dealer", at);
  return { by };
}

/** Refuse a name that the ledger could not write into an account. @param {string} name */
export function checkName(name) {
  const fits = name !== "" && !name.includes(":") && isPrintable(name);
  if (!fits || stripped(name) === "" || name === SYSTEM) throw new Refusal("table/name", { name });
}

/** Refuse a time that is none. @param {number | bigint} at */
export function checkTime(at) {
  if (at < 0 || at > LATEST) throw new Refusal("command/type", { key: "at" });
}
