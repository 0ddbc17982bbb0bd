import { isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { checkArgument } from "./check-argument.ts";
import { schemaSlots } from "./schema-slots.ts";

/**
 * Returns a copy of a schema in which the definitions with a counted name are numbered by the first reference to each.
 * Members are visited in the order of their names, because their order in the text is not hashed. A definition without
 * a reference keeps its name.
 *
 * @param counted Matches a counted name; its first group is the text before the number
 * @example
 * ```ts
 * import { renumberDefinitions } from "@agentprint/json-schema";
 *
 * const $defs = { __schema0: { type: "number" }, __schema1: { type: "string" } };
 * const properties = { a: { $ref: "#/$defs/__schema1" }, b: { $ref: "#/$defs/__schema0" } };
 * console.log(JSON.stringify(renumberDefinitions({ properties, $defs }, /^(__schema)\d+$/)));
 * // {"properties":{"a":{"$ref":"#/$defs/__schema1"},"b":{"$ref":"#/$defs/__schema2"}},"$defs":{"__schema2":{"type":"number"},"__schema1":{"type":"string"}}}
 * ```
 */
export function renumberDefinitions(schema: JsonValue, counted: RegExp): JsonValue {
  checkArgument("counted", counted, { exec: "function" });
  if (!isJsonObject(schema) || !isJsonObject(schema["$defs"])) return schema;
  const { $defs, ...root } = structuredClone({ ...schema, $defs: schema["$defs"] });
  const byReference = new Map(Object.keys($defs).map((name) => [referenceTo(name), name]));
  const names = new Map<string, string>();
  let count = 0;
  const queue: JsonValue[] = [root as JsonValue];
  for (const each of queue) {
    if (!isJsonObject(each)) continue;
    queue.push(...subschemas(each));
    const referrer = each as Referrer;
    const name = byReference.get(referrer.$ref as string);
    if (name === undefined) continue;
    if (!names.has(name)) {
      const stem = counted.exec(name)?.[1];
      names.set(name, stem === undefined ? name : `${stem}${++count}`);
      queue.push($defs[name] as JsonValue);
    }
    referrer.$ref = referenceTo(names.get(name) as string);
  }
  const renamed = Object.entries($defs).map(([name, definition]) => [names.get(name) ?? name, definition]);
  return { ...root, $defs: Object.fromEntries(renamed) } as JsonObject;
}

/** A schema in the copy, which is changed in place. */
interface Referrer {
  $ref?: string;
}

function referenceTo(name: string): string {
  return `#${toPointer(["$defs", name])}`;
}

function subschemas(schema: JsonObject): JsonValue[] {
  const slots = [...schemaSlots(schema)];
  slots.sort((a, b) => compare(a.keyword.name, b.keyword.name) || compare(a.key ?? "", b.key ?? ""));
  return slots.map(({ value }) => value);
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
