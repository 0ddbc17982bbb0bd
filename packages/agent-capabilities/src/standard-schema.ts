import type { PathSegment } from "@agentprint/canonical-json";

/** One complaint of a schema about an input. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema says about an input: its validated value, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * What this package needs of a [Standard Schema](https://standardschema.dev): zod, valibot, ArkType, Effect Schema and
 * others satisfy it as they are.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: number;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/**
 * Whether a value is a schema of a library, and no JSON Schema. JSON that has the key is data: it has no `validate`. What
 * `z.toJSONSchema` returns has one, hidden in a plain object.
 */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return false;
  if (typeof (value as Partial<StandardSchema>)["~standard"]?.validate !== "function") return false;
  return Object.getPrototypeOf(value) !== Object.prototype || Object.keys(value).includes("~standard");
}

/** The type that a schema accepts. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["input"];

/** The type that a schema returns once it has validated. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** Path of an issue as JSON Pointer segments. */
export function issuePath(issue: SchemaIssue): PathSegment[] {
  return (issue.path ?? []).map((segment) => {
    const key = typeof segment === "object" ? segment.key : segment;
    return typeof key === "number" ? key : String(key);
  });
}
