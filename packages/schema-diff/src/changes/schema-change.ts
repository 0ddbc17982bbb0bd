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
export type ChangeDirection = "added" | "changed" | "loosened" | "removed" | "tightened";

/** What a change, taken alone, does to the set of accepted values. */
export type ChangeEffect = "narrows" | "none" | "unknown" | "widens";

/** What is proven about a replacement; `both` when some values are lost and others gained. */
export type ProvenEffect = ChangeEffect | "both";

/** How the acceptance of an inner schema bears on the whole: in the same sense, in the opposite one (`not`), or either way. */
export type Polarity = 1 | -1 | 0;

/** A change before its effect on the whole schema is known. */
export interface Difference {
  readonly subject: ChangeSubject;
  readonly direction: ChangeDirection;
  readonly path: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** On the schema that it stands in. Where it is absent, the direction tells. */
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
