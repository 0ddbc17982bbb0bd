import type { JsonValue } from "@agentprint/canonical-json";

/** The subject of a change. A keyword represents all its notations: `minimum` also for `exclusiveMinimum`. */
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
 * When an inner schema accepts more, the complete schema accepts more (1), accepts fewer as under `not` (-1), or either
 * (0).
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

/** Values of two schemas that belong together. */
export interface BeforeAfter<T> {
  readonly before: T;
  readonly after: T;
}

/** One difference between two schemas. */
export interface SchemaChange {
  /** `<subject>-<direction>`, such as `required-added` or `minLength-tightened`. */
  readonly kind: `${ChangeSubject}-${ChangeDirection}`;
  /** RFC 6901 JSON Pointer of the keyword: in the new schema, or in the old schema when the keyword was removed. */
  readonly path: string;
  /** The keyword's old value; absent when it was added. */
  readonly before?: JsonValue;
  /** The keyword's new value; absent when it was removed. */
  readonly after?: JsonValue;
  readonly effect: ChangeEffect;
  /** A sentence for people, safe to print. */
  readonly message: string;
}
