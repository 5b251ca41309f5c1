/** A refusal: the same codes and figures as in Python, so that both verifiers say one thing. */
export class Refusal extends Error {
  /** @param {string} code @param {Record<string, unknown>} [params] */
  constructor(code, params = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}
