import { isJsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";

/** A draft of JSON Schema: draft-04, draft-06, draft-07, 2019-09, 2020-12. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

/**
 * The notation that a schema declares: a draft, `"unknown"` for a meta-schema that does not belong to JSON Schema and
 * may change what keywords mean, or `undefined` if the schema declares none.
 */
export type Dialect = Draft | "unknown" | undefined;

const DRAFT_URI = /^https?:\/\/json-schema\.org\/(?:draft-0([467])|draft\/(2019|2020)-\d\d)\/schema#?$/;

/** The URI that names no draft. It means the latest draft, so its meaning depends on when the schema was written. */
const LATEST_URI = "http://json-schema.org/schema#";

/**
 * Returns the dialect that a schema's `$schema` names (2020-12 Core §8.1.1). Reads only the schema itself. Inside a
 * document, a schema without `$schema` has the dialect of the schema around it, which {@link SchemaDocument} knows.
 *
 * @example
 * ```ts
 * import { dialectOf } from "@agentprint/json-schema";
 *
 * console.log(dialectOf({ $schema: "http://json-schema.org/draft-07/schema#" })); // 7
 * console.log(dialectOf({ $schema: "https://example.com/my-dialect" })); // unknown
 * console.log(dialectOf({ type: "string" })); // undefined
 * ```
 */
export function dialectOf(schema: JsonValue): Dialect {
  const uri = isJsonObject(schema) ? ownMember(schema, "$schema") : undefined;
  if (uri === undefined || uri === LATEST_URI) return undefined;
  const [, draft, year] = (typeof uri === "string" && DRAFT_URI.exec(uri)) || [];
  return draft || year ? (Number(draft ?? year) as Draft) : "unknown";
}
