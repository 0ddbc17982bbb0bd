import type { JsonValue } from "@agentprint/canonical-json";
import { type NumberTexts, numbersByPart } from "@agentprint/mcp";
import { hashDefinition } from "../hash-definition.ts";
import { numbersKey } from "../visit/item-numbers.ts";

/** Returns the texts of the numbers at or below a place, by pointer from that place. */
export function below(numbers: NumberTexts = {}, place: string): NumberTexts {
  return Object.fromEntries(
    Object.entries(numbers).flatMap(([at, text]) => (isAtOrBelow(at, place) ? [[at.slice(place.length), text]] : [])),
  );
}

/** Returns the number texts, with those at and below a place replaced by `inner`. */
export function withBelow(numbers: NumberTexts, place: string, inner: NumberTexts): NumberTexts {
  return Object.fromEntries([
    ...Object.entries(numbers).filter(([at]) => !isAtOrBelow(at, place)),
    ...Object.entries(inner).map(([at, text]) => [place + at, text]),
  ]);
}

function isAtOrBelow(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

/**
 * Returns a text that two arrays share only if they have the same elements, each the same number of times, with the
 * same number texts.
 */
export function setKey(value: JsonValue, numbers: NumberTexts = {}): string {
  const parts = numbersByPart(numbers, 1);
  return (value as readonly JsonValue[])
    .map((element, index) => hashDefinition(element) + numbersKey(parts.get(`/${index}`)))
    .sort()
    .join();
}
