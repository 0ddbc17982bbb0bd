import { fromPointer, toPointer } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";

/** The texts of those numbers in a value that a double cannot hold exactly, by the numbers' JSON Pointers. */
export type NumberTexts = Readonly<Record<string, string>>;

/** A number in a JSON text, as `parseJson` passes it. */
interface FoundNumber {
  readonly code: string;
  readonly path: string;
  readonly text?: string;
}

/**
 * The maximum number of UTF-16 code units of all pointers and texts of one message; numbers deep in a message have long
 * pointers.
 */
const MAX_UNITS = 1_048_576;

/**
 * Collects the texts of those numbers in one message that a double cannot hold exactly, for `parseJson`'s option
 * `tolerate`.
 *
 * @example
 * ```ts
 * import { parseJson } from "@agentprint/canonical-json";
 * import { NumberCollector } from "@agentprint/mcp";
 *
 * const numbers = new NumberCollector();
 * parseJson('{"maximum":18446744073709551615}', { exactNumbers: true, tolerate: (found) => numbers.take(found) });
 * console.log(numbers.texts); // { '/maximum': '18446744073709551615' }
 * ```
 */
export class NumberCollector {
  /** Each number so far. */
  readonly texts: Record<string, string> = {};
  #units = 0;

  /** Takes a number. Returns `false` for anything else, and once there are more numbers than a message may have. */
  take({ code, path, text }: FoundNumber): boolean {
    if (code !== "inexact-number" || text === undefined) return false;
    this.#units += path.length + text.length;
    if (this.#units > MAX_UNITS) return false;
    this.texts[path] = text;
    return true;
  }
}

/**
 * Groups the numbers by the first `depth` segments of their pointers, which lead to a part; the remaining segments are
 * the pointer within that part. Omits numbers above that depth.
 *
 * @example
 * ```ts
 * import { numbersByPart } from "@agentprint/mcp";
 *
 * const parts = numbersByPart({ "/tools/0/default": "1e-400", "/tools/1/default": "1e-500" }, 2);
 * console.log(parts.get("/tools/1")); // { '/default': '1e-500' }
 * ```
 */
export function numbersByPart(numbers: NumberTexts, depth: number): Map<string, NumberTexts> {
  checkArgument("numbers", numbers, "object");
  const parts = new Map<string, Record<string, string>>();
  for (const [pointer, text] of Object.entries(numbers)) {
    const path = fromPointer(pointer);
    if (path.length < depth) continue;
    const part = toPointer(path.slice(0, depth));
    const found = parts.get(part) ?? {};
    found[toPointer(path.slice(depth))] = text;
    parts.set(part, found);
  }
  return parts;
}
