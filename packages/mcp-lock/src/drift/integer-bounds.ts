import { fromPointer, isJsonObject, type JsonChange, type JsonObject } from "@agentprint/canonical-json";
import { keywordAt } from "@agentprint/tool-pins/judgement";
import { valueAt } from "./value-at.ts";

/**
 * The bounds of the integers that JavaScript represents exactly: zod 4 writes them for every integer without other
 * bounds.
 */
const BOUNDS = new Map([
  ["minimum", Number.MIN_SAFE_INTEGER],
  ["maximum", Number.MAX_SAFE_INTEGER],
]);

/**
 * Returns whether a change gives an integer in the input one of the bounds that zod 4 writes: formally, this breaks
 * callers, but no program that computes with doubles is affected.
 */
export function isIntegerBound({ pointer, before, after }: JsonChange, definition: JsonObject): boolean {
  if (before !== undefined || typeof after !== "number" || !pointer.startsWith("/inputSchema/")) return false;
  const keyword = keywordAt(pointer)?.keyword ?? "";
  if (BOUNDS.get(keyword) !== after) return false;
  const schema = valueAt(definition, fromPointer(pointer).slice(0, -1));
  return isJsonObject(schema) && isInteger(schema);
}

function isInteger({ type }: JsonObject): boolean {
  const types = [type].flat().filter((each) => each !== "null");
  return types.length === 1 && types[0] === "integer";
}
