import { isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json/json-value";
import { schemaSlots } from "../schema-slots.ts";
import type { Answers } from "./library-schema.ts";

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
export function arkTypeAnswers(ask: (options?: object) => unknown): Answers {
  return { ask: () => renumber(ask()), isWhole: () => isWhole(ask) };
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
