import { isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json/json-value";
import { schemaSlots } from "../schema-slots.ts";
import type { LibrarySchema, SchemaView, SchemaWriter } from "./library-schema.ts";

type Write = (options?: object) => unknown;

const TARGET = { target: "draft-2020-12" } as const;

/**
 * Returns what writes the JSON Schema of a library's schema, or `undefined` where the schema cannot write that view.
 *
 * ArkType names the definitions of a recursive schema by a counter of the process. They are numbered by their first reference instead,
 * so that one schema is one text in every process. All other names are kept, because models read them.
 *
 * @throws {@link Error} of a getter of the schema
 * @example
 * ```ts
 * import { schemaWriter } from "@agentprint/json-schema";
 * import { z } from "zod";
 *
 * const writer = schemaWriter(z.number().int().min(1).max(9), "input");
 * console.log(writer?.write()); // { $schema: "https://json-schema.org/draft/2020-12/schema", type: "integer", minimum: 1, maximum: 9 }
 * ```
 */
export function schemaWriter(schema: LibrarySchema, view: SchemaView): SchemaWriter | undefined {
  if (view === "to-json-schema") {
    const { toJSONSchema } = schema;
    return typeof toJSONSchema === "function" ? whole(() => toJSONSchema.call(schema)) : undefined;
  }
  const { vendor, jsonSchema } = schema["~standard"];
  const write = (jsonSchema as Record<string, unknown> | undefined)?.[view];
  if (typeof write !== "function") return undefined;
  const ask: Write = (options) => write.call(jsonSchema, { ...TARGET, ...options });
  return vendor === "arktype" ? arkTypeWriter(ask) : whole(ask);
}

function whole(write: Write): SchemaWriter {
  return { write: () => write(), isWhole: () => true };
}

/** The parts that ArkType cannot express in JSON Schema, by its own names. Code (`predicate`, the result of a `morph`) is none. */
const CONTENT = [
  "arrayObject",
  "arrayPostfix",
  "date",
  "defaultValue",
  "domain",
  "patternIntersection",
  "proto",
  "symbolKey",
  "unit",
] as const;

/** An identifier of a node of ArkType: its kind, and a number that the process counts up. */
const COUNTED = /^([a-z]+)[1-9]\d*$/i;

/** @param ask Asks the schema, with further options of Standard JSON Schema. */
function arkTypeWriter(ask: (options?: object) => unknown): SchemaWriter {
  return { write: () => renumber(ask()), isWhole: () => isWhole(ask) };
}

function isWhole(ask: (options: object) => unknown): boolean {
  let leftOut = false;
  const fallback = ({ base }: { readonly base: unknown }): unknown => {
    leftOut = true;
    return base;
  };
  ask({ libraryOptions: { fallback: Object.fromEntries(CONTENT.map((code) => [code, fallback])) } });
  return !leftOut;
}

/**
 * The same schema, with the definitions that have a counted name numbered by the first reference to each. Members are visited in the
 * order of their names, because the order in which they are written is not hashed.
 */
function renumber(answer: unknown): unknown {
  const definitions = isJsonObject(answer as JsonValue) ? (answer as JsonObject)["$defs"] : undefined;
  if (!isJsonObject(definitions as JsonValue)) return answer;
  const { $defs, ...root } = structuredClone(answer) as Referrer & { readonly $defs: Record<string, JsonValue> };
  const byReference = new Map(Object.keys($defs).map((name) => [referenceTo(name), name]));
  const names = new Map<string, string>();
  let count = 0;
  const queue: JsonValue[] = [root as JsonValue];
  for (const schema of queue) {
    if (!isJsonObject(schema)) continue;
    queue.push(...subschemas(schema));
    const referrer = schema as Referrer;
    const name = byReference.get(referrer.$ref as string);
    if (name === undefined) continue;
    if (!names.has(name)) {
      const kind = COUNTED.exec(name)?.[1];
      names.set(name, kind === undefined ? name : `${kind}${++count}`);
      queue.push($defs[name] as JsonValue);
    }
    referrer.$ref = referenceTo(names.get(name) as string);
  }
  const renamed = Object.entries($defs).map(([name, schema]) => [names.get(name) ?? name, schema]);
  return { ...root, $defs: Object.fromEntries(renamed) };
}

/** A schema of the copy, which is changed in place. */
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
