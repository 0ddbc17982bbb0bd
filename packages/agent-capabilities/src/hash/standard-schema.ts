import { CapabilityError, guarded } from "../errors.ts";

/** One reason that a schema gives for refusing an input. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema's answer about an input: the validated value, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** Validates an input, and returns the value that a tool's handler receives, or issues. */
export type Validate<Output = unknown> = (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;

/**
 * The part of a [Standard Schema](https://standardschema.dev) that this package uses. Schemas of zod, valibot, ArkType,
 * Effect Schema and others have it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: number;
    readonly vendor: string;
    readonly validate: Validate<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The type that a schema accepts. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["input"];

/** The type that a schema returns once it has validated. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/**
 * Returns whether a value is a library's schema rather than a JSON Schema. A JSON Schema may have a `~standard` key
 * too, but as JSON it has no `validate` function, and the object that `z.toJSONSchema` returns is plain and does not
 * list the key.
 */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return false;
  if (typeof (value as Partial<StandardSchema>)["~standard"]?.validate !== "function") return false;
  return Object.getPrototypeOf(value) !== Object.prototype || Object.keys(value).includes("~standard");
}

/**
 * Throws unless `schema` is a Standard Schema.
 *
 * @throws {@link CapabilityError} `invalid-schema`
 */
export function assertSchema(schema: unknown, toolName: string | undefined): asserts schema is StandardSchema {
  guarded("invalid-schema", schemaOf(toolName), () => requireSchema(schema, toolName), { toolName });
}

function requireSchema(schema: unknown, toolName: string | undefined): void {
  const carries = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  const standard: unknown = carries ? Reflect.get(schema, "~standard") : undefined;
  if (typeof standard === "object" && standard !== null) {
    const { vendor, version } = standard as Record<string, unknown>;
    if (typeof vendor === "string" && typeof version === "number") return;
  }
  throw new CapabilityError(
    "invalid-schema",
    `${prefixOf(toolName)}inputSchema: expected a Standard Schema (an object with "~standard"), received ${
      carries ? "an object without a usable one; wrap a plain JSON Schema with jsonSchema(object)" : String(schema)
    }`,
    { toolName },
  );
}

/** Returns the words that name a schema in a message. */
export function schemaOf(toolName: string | undefined): string {
  return toolName === undefined ? "a schema" : `tool "${toolName}": its schema`;
}

/** Returns the beginning of a message about a schema, which names the schema's tool if it is known. */
export function prefixOf(toolName: string | undefined): string {
  return toolName === undefined ? "" : `tool "${toolName}": `;
}
