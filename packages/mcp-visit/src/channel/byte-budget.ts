import { VisitError } from "../errors.ts";

/** Counts the bytes that a server sends in a session. */
export class ByteBudget {
  readonly #allowed: number;
  #used = 0;

  constructor(allowed: number) {
    this.#allowed = allowed;
  }

  /** @throws {@link VisitError} `server-limit` if the server has sent more bytes than allowed. */
  spend(bytes: number): void {
    this.#used += bytes;
    if (this.#used <= this.#allowed) return;
    throw new VisitError("server-limit", `the server sent more than ${this.#allowed} bytes`, {
      expected: `at most ${this.#allowed} bytes in one visit`,
      fix: "raise maxBytes under visits in agentprint.config.json if the server really needs to send that much",
    });
  }
}
