import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { Dialect } from "./dialect.ts";

/** A place in a schema document, and what the schemas around it say about it. */
export interface Place {
  /** RFC 6901 JSON Pointer from the document's root. */
  readonly pointer: string;
  /** What stands there. */
  readonly value: JsonValue;
  /** The absolute URI that relative references in it resolve against. */
  readonly base: string;
  /** What the nearest `$schema` names, here or around. */
  readonly dialect: Dialect;
}

/** Where a reference leads. */
export type Resolution =
  | { readonly type: "found"; readonly place: Place }
  /** It leads out of the document, to `uri`. */
  | { readonly type: "remote"; readonly uri: string }
  /** It leads into the document, to nothing. */
  | { readonly type: "missing" }
  /** Two schemas answer to its URI: validators differ on which of them is meant. */
  | { readonly type: "ambiguous" };

/** Takes steps from a limited effort, before they are made; throws where fewer are left. */
export interface Meter {
  spend(steps: number): void;
}
