import { VisitError } from "../errors.ts";

/** Counts what a server sends and throws `server-limit` as soon as it is more than allowed. */
export class ByteBudget {
  readonly #allowed: number;
  #used = 0;

  constructor(allowed: number) {
    this.#allowed = allowed;
  }

  spend(bytes: number): void {
    this.#used += bytes;
    if (this.#used <= this.#allowed) return;
    throw new VisitError("server-limit", `the server sent more than ${this.#allowed} bytes`, {
      expected: `at most ${this.#allowed} bytes in one visit`,
      fix: "raise the limit with --max-bytes <n> if the server really has that much to say",
    });
  }
}
