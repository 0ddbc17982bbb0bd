import { fromPointer } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Returns a value in the forms in which readers may read it: unchanged, and in two versions with other values at these
 * places. A number that a double changed lies between its neighbouring doubles; many readers replace half a surrogate
 * pair with U+FFFD.
 *
 * @param pointers RFC 6901 JSON Pointers to the numbers and strings on which readers differ.
 */
export function variantsOf(value: JsonValue, pointers: readonly string[]): JsonValue[] {
  return [
    value,
    ...[-1n, 1n].map((step) => pointers.reduce((root, pointer) => replaced(root, pointer, step), copy(value))),
  ];
}

function copy(value: JsonValue): JsonValue {
  return structuredClone(value);
}

function replaced(root: JsonValue, pointer: string, step: bigint): JsonValue {
  const path = fromPointer(pointer);
  const last = path.pop();
  if (last === undefined) return other(root, step);
  const parent = path.reduce((value, name) => (value as JsonObject)[name] as JsonValue, root) as JsonObject;
  parent[last] = other(parent[last] as JsonValue, step);
  return root;
}

function other(value: JsonValue, step: bigint): JsonValue {
  if (typeof value === "string") return value.replace(LONE_SURROGATE, "\ufffd");
  return typeof value === "number" ? neighbour(value, step) : value;
}

const bits = new BigInt64Array(1);
const doubles = new Float64Array(bits.buffer);

/** Returns the next double away from zero (1) or towards it (−1); for zero, the smallest double of that sign. */
function neighbour(value: number, step: bigint): number {
  if (value === 0) return Number(step) * Number.MIN_VALUE;
  doubles[0] = value;
  bits[0] = (bits[0] as bigint) + step;
  return doubles[0];
}
