import { choices } from "./samples.ts";
import { type Schema, subschemas } from "./schemas.ts";

type Keywords = { [keyword: string]: unknown };

/** Functions that each rewrite a schema in a different, equivalent form. */
const REWRITES: readonly ((schema: Keywords) => void)[] = [
  (schema) => {
    if ("const" in schema && !("enum" in schema)) {
      schema["enum"] = [schema["const"]];
      delete schema["const"];
    }
  },
  (schema) => {
    if (typeof schema["type"] === "string") schema["type"] = [schema["type"]];
  },
  (schema) => {
    const { type } = schema;
    if (!Array.isArray(type) || "anyOf" in schema) return;
    schema["anyOf"] = type.map((name) => ({ type: name }));
    delete schema["type"];
  },
  (schema) => {
    if (schema["type"] !== "integer" || "multipleOf" in schema) return;
    schema["type"] = "number";
    schema["multipleOf"] = 1;
  },
  (schema) => {
    for (const list of ["required", "enum", "type", "anyOf", "oneOf", "allOf"]) {
      if (Array.isArray(schema[list])) schema[list] = (schema[list] as unknown[]).toReversed();
    }
  },
  (schema) => {
    for (const [key, value] of Object.entries(schema).toReversed()) {
      delete schema[key];
      schema[key] = value;
    }
  },
  (schema) => {
    Object.assign(schema, { title: "t", description: "d", "x-note": 1, $comment: "c", deprecated: true });
  },
  (schema) => {
    const { $defs, ...rest } = structuredClone(schema);
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, { allOf: [rest] }, $defs === undefined ? {} : { $defs });
  },
  (schema) => {
    for (const key of ["items", "additionalProperties", "contains", "not", "propertyNames"]) {
      if (schema[key] === true) schema[key] = {};
      if (schema[key] === false) schema[key] = { not: {} };
    }
  },
];

/** Returns the same document in another notation, chosen by a seed. */
export function rewrite(document: Schema, seed: number): Schema {
  if (typeof document === "boolean") return document ? {} : { not: {} };
  const copy = structuredClone(document);
  const pick = choices(seed);
  for (let round = 0; round < 4; round++) {
    const targets = subschemas(copy);
    const target = targets[pick(targets.length)] as Keywords;
    (REWRITES[pick(REWRITES.length)] as (schema: Keywords) => void)(target);
  }
  return pick(2) === 0 ? copy : withDefinitions(copy);
}

function withDefinitions(document: Keywords): Keywords {
  const { $defs, ...rest } = document;
  return JSON.parse(
    JSON.stringify({ ...rest, definitions: $defs }).replaceAll("#/$defs/", "#/definitions/"),
  ) as Keywords;
}
