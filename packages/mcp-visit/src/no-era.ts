import type { VisitError } from "./errors.ts";

/** Thrown if the server does not support this era; `reason` is its refusal. */
export class NoEra extends Error {
  readonly reason: VisitError;

  constructor(reason: VisitError) {
    super(reason.message, { cause: reason });
    this.reason = reason;
  }
}
