import { canonicalize, locateJson } from "@agentprint/canonical-json";
import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { NumberTexts } from "@agentprint/mcp";

/** A number of a canonical text. */
const NUMBER = /-?\d[-+.\deE]*/y;

/** Returns the canonical text of a message, with these texts in place of the numbers at their pointers. */
export function textWithNumbers(value: JsonObject, numbers: NumberTexts = {}): string {
  const text = canonicalize(value);
  const entries = Object.entries(numbers);
  if (entries.length === 0) return text;
  const places = locateJson(
    text,
    entries.map(([pointer]) => pointer),
    { maxDepth: Number.POSITIVE_INFINITY, maxBytes: MAX_BYTES },
  ).map(({ offset }, index) => ({ offset, number: (entries[index] as [string, string])[1] }));
  let [written, end] = ["", 0];
  for (const { offset, number } of places.sort((a, b) => a.offset - b.offset)) {
    NUMBER.lastIndex = offset;
    const [replaced = ""] = NUMBER.exec(text) ?? [];
    written += text.slice(end, offset) + number;
    end = offset + replaced.length;
  }
  return written + text.slice(end);
}

/** The most that `locateJson` reads. A message of a server is shorter. */
const MAX_BYTES = 64 * 1024 * 1024;
