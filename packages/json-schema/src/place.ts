import type { JsonValue } from "@agentprint/canonical-json";
import type { Dialect } from "./dialect.ts";

/** A place in a schema document, with the base URI and the dialect that it gets from the schemas around it. */
export interface Place {
  /** RFC 6901 JSON Pointer from the document's root. */
  readonly pointer: string;
  /** The value at that place. */
  readonly value: JsonValue;
  /** The absolute URI against which relative references at this place are resolved. */
  readonly base: string;
  /** The dialect that the nearest `$schema` names, at this place or around it. */
  readonly dialect: Dialect;
}

/** Where a reference leads. */
export type Resolution =
  | { readonly type: "found"; readonly place: Place }
  /** The reference leads out of the document, to `uri`. */
  | { readonly type: "remote"; readonly uri: string }
  /** The reference leads into the document, but nothing is there. */
  | { readonly type: "missing" }
  /** Two schemas have the reference's URI, and validators differ on which of the two is meant. */
  | { readonly type: "ambiguous" };

/**
 * Receives the number of steps that a piece of work takes before the work is done, and throws if too few steps are
 * left.
 */
export interface Meter {
  spend(steps: number): void;
}
