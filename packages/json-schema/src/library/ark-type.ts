import type { JsonValue } from "@agentprint/canonical-json";
import { renumberDefinitions } from "../renumber-definitions.ts";
import type { Answers } from "./library-schema.ts";

/**
 * The parts that ArkType cannot express in JSON Schema, under ArkType's names. Code (`predicate`, the result of a
 * `morph`) is not one.
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

/** An identifier of a node of ArkType: its kind, and a number that the process counts up. */
const COUNTED = /^([a-z]+)[1-9]\d*$/i;

/** @param ask Queries the schema, with further options of Standard JSON Schema. */
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
