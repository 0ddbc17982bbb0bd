import type { JsonValue } from "@agentprint/canonical-json";

/** What a change is about. Keywords stand for all their notations: `minimum` also for `exclusiveMinimum`. */
export type ChangeSubject =
  | "additionalProperties"
  | "anyOf"
  | "condition"
  | "contains"
  | "dependent"
  | "enum"
  | "format"
  | "items"
  | "maximum"
  | "maxItems"
  | "maxLength"
  | "maxProperties"
  | "minimum"
  | "minItems"
  | "minLength"
  | "minProperties"
  | "multipleOf"
  | "not"
  | "oneOf"
  | "pattern"
  | "patternProperty"
  | "property"
  | "propertyNames"
  | "required"
  | "schema"
  | "type"
  | "uniqueItems";

/** How it changed. */
export type ChangeManner = "added" | "changed" | "loosened" | "removed" | "tightened";

/** What a change, taken alone, does to the set of accepted values. */
export type ChangeEffect = "narrows" | "none" | "unknown" | "widens";

/** One difference between two schemas. */
export interface SchemaChange {
  /** `<subject>-<manner>`, such as `required-added` or `minLength-tightened`. */
  readonly kind: `${ChangeSubject}-${ChangeManner}`;
  /** RFC 6901 JSON Pointer of the keyword in the schema after; of something removed, in the schema before. */
  readonly path: string;
  /** The keyword's value before; absent when it was added. */
  readonly before?: JsonValue;
  /** The keyword's value after; absent when it was removed. */
  readonly after?: JsonValue;
  readonly effect: ChangeEffect;
  /** A sentence for people, safe to print. */
  readonly message: string;
}
