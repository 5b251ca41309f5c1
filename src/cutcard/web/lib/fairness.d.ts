/** The records of a verifiable shoe as `steps.js` reads them, and what checking one can find (docs/fairness.md). */

export type Whole = number | bigint;

export type Commitment = {
  step: "Commitment";
  table: string;
  number: Whole;
  book: string;
  decks: Whole;
  behind_cut: Whole;
  seeds_until: Whole;
  root: Uint8Array;
};
export type SeedSealed = { step: "SeedSealed"; giver: string; seal: Uint8Array; at: Whole };
export type SeedsClosed = { step: "SeedsClosed"; at: Whole };
export type SeedGiven = { step: "SeedGiven"; giver: string; seed: Uint8Array };
export type CardShown = { step: "CardShown"; place: Whole; position: Whole; card: string; nonce: Uint8Array; path: Uint8Array[] };
export type CardTaken = { step: "CardTaken"; place: Whole };
export type ShoeOpened = { step: "ShoeOpened"; cards: string[]; nonces: Uint8Array[] };
export type ShoeAborted = { step: "ShoeAborted"; reason: string; cards: string[]; nonces: Uint8Array[] };
export type Step = SeedSealed | SeedsClosed | SeedGiven | CardShown | CardTaken | ShoeOpened | ShoeAborted;

export type Phase = "sealing" | "giving" | "dealing" | "opened" | "aborted";

/** What is wrong, and at which record; the commitment is number 0. */
export type Finding = { record: number; code: string; params: Record<string, unknown> };
