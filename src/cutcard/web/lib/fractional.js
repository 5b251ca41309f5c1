/** A number that was not written as a whole one: no record may hold it. */
export class Fractional {
  /** @param {string} text as it was written */
  constructor(text) {
    this.text = text;
  }
}
