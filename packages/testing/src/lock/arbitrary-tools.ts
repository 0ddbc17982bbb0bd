import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";

const PROSE_KEYWORDS = ["title", "description", "$comment", "examples"];
const MAP_KEYWORDS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
const ONE_KEYWORDS = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "contentSchema",
];
const LIST_KEYWORDS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const DATA_KEYWORDS = ["const", "enum", "default", "required", "type", "x-note", "__proto__", "constructor"];

/** Names that JavaScript, JSON Schema and terminals treat specially. */
export const anyName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "",
    "0",
    "description",
    "title",
    "properties",
    "$ref",
    "a/b~c",
    "\u202e",
    "é",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);

/** Any JSON value without lone surrogates, including members named like keywords. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, false, 0, 1.5, "", "text"),
    fc.string({ unit: "grapheme", maxLength: 4 }),
    fc.array(tie("value"), { maxLength: 3 }),
    entries(fc.oneof(anyName, fc.constantFrom(...PROSE_KEYWORDS)), tie("value")),
  ),
})).value;

/** Any JSON Schema, well-formed or not. */
const anySchema: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => {
  const schema = tie("schema");
  const member = fc.oneof(
    fc.tuple(fc.constantFrom(...PROSE_KEYWORDS), fc.oneof(fc.string({ unit: "grapheme", maxLength: 5 }), anyJson)),
    fc.tuple(fc.constantFrom(...MAP_KEYWORDS), fc.oneof(entries(anyName, schema), anyJson)),
    fc.tuple(fc.constantFrom(...ONE_KEYWORDS), fc.oneof(schema, anyJson)),
    fc.tuple(fc.constantFrom(...LIST_KEYWORDS), fc.array(schema, { maxLength: 3 })),
    fc.tuple(fc.constantFrom(...DATA_KEYWORDS), anyJson),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(true, false, {}),
      fc.array(member, { maxLength: 5 }).map((members) => Object.fromEntries(members)),
    ),
  };
}).schema;

/** Any tool as a server may send it. */
export const anyTool: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.record(
      {
        name: fc.oneof(anyName, anyJson),
        title: fc.string({ unit: "grapheme" }),
        description: fc.oneof(fc.string({ unit: "grapheme" }), anyJson),
        inputSchema: anySchema,
        outputSchema: anySchema,
        annotations: fc.oneof(
          fc.record({ readOnlyHint: fc.boolean(), title: fc.string({ unit: "grapheme" }) }),
          anyJson,
        ),
        _meta: anyJson,
        icons: anyJson,
      },
      { requiredKeys: [] },
    ),
    entries(anyName, anyJson),
  )
  .map(([known, unknown]) => Object.fromEntries([...Object.entries(unknown), ...Object.entries(known)]));

/** Returns an arbitrary for objects with names and values from these arbitraries. */
export function entries(names: fc.Arbitrary<string>, values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(names, values), { maxLength: 4 }).map((members) => Object.fromEntries(members));
}
