import type { JsonValue } from "@agentprint/canonical-json";

/** The subject of a change. A keyword represents all its notations: `minimum` also stands for `exclusiveMinimum`. */
export type ChangeSubject =
  | "additionalProperties"
  | "anyOf"
  | "condition"
  | "contains"
  | "contentEncoding"
  | "contentMediaType"
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

/** How the subject changed. */
export type ChangeDirection = "added" | "changed" | "loosened" | "removed" | "tightened";

/** The effect of a single change on the set of accepted values. */
export type ChangeEffect = "narrows" | "none" | "unknown" | "widens";

/** The proven effect when one schema replaces another; `both` when some values are lost and others gained. */
export type ProvenEffect = ChangeEffect | "both";

/**
 * Whether the complete schema accepts more values when an inner schema does (1), fewer, as under `not` (-1), or
 * possibly either (0).
 */
export type Polarity = 1 | -1 | 0;

/** A change before its effect on the complete schema is known. */
export interface Difference {
  readonly subject: ChangeSubject;
  readonly direction: ChangeDirection;
  readonly path: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** The effect on the schema around the keyword. If it is absent, the effect follows from `direction`. */
  readonly effect?: ProvenEffect;
  readonly message?: string;
}

/** Two values that belong together, one from each schema. */
export interface BeforeAfter<T> {
  readonly before: T;
  readonly after: T;
}

/** One difference between two schemas. */
export interface SchemaChange {
  /** The kind of change, `<subject>-<direction>`, such as `required-added` or `minLength-tightened`. */
  readonly kind: `${ChangeSubject}-${ChangeDirection}`;
  /** RFC 6901 JSON Pointer of the keyword in the new schema, or in the old schema if the keyword was removed. */
  readonly path: string;
  /** The keyword's old value; absent if the keyword was added. */
  readonly before?: JsonValue;
  /** The keyword's new value; absent if the keyword was removed. */
  readonly after?: JsonValue;
  readonly effect: ChangeEffect;
  /** A sentence for people that is safe to print. */
  readonly message: string;
}
