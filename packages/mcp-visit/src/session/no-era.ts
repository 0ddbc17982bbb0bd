import type { VisitError } from "../errors.ts";

/** A server without this era, and what it said instead. */
export class NoEra extends Error {
  readonly reason: VisitError;

  constructor(reason: VisitError) {
    super(reason.message, { cause: reason });
    this.reason = reason;
  }
}
