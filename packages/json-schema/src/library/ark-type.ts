import type { JsonValue } from "@agentprint/canonical-json";
import { renumberDefinitions } from "../renumber-definitions.ts";
import type { Answers } from "./library-schema.ts";

/**
 * ArkType's names for the parts that it cannot express in JSON Schema. Code (`predicate`, or the result of a `morph`)
 * is not among them.
 */
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

/** An identifier of an ArkType node: its kind and a number from a per-process counter. */
const COUNTED = /^([a-z]+)[1-9]\d*$/i;

/** @param ask Queries the schema, with further options for Standard JSON Schema. */
export function arkTypeAnswers(ask: (options?: object) => unknown): Answers {
  return { ask: () => renumberDefinitions(ask() as JsonValue, COUNTED), isWhole: () => isWhole(ask) };
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
