import type { JsonValue } from "@agentprint/canonical-json";

/** The size of a number, a boolean or null. */
const SCALAR = 4;

/** The sizes of values. The size of each list and object is counted once and then remembered. */
export class JsonSizes {
  readonly #known = new WeakMap<object, number>();
  readonly #counts = new WeakMap<object, number>();

  /** The number of elements of a list or members of an object. */
  countOf(value: JsonValue): number {
    if (typeof value !== "object" || value === null) return 0;
    const count = this.#counts.get(value) ?? Object.keys(value).length;
    this.#counts.set(value, count);
    return count;
  }

  /** About the number of characters that the text of a value has. */
  of(value: JsonValue | readonly JsonValue[]): number {
    if (typeof value === "string") return value.length + SCALAR;
    if (typeof value !== "object" || value === null) return SCALAR;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    let size = SCALAR;
    for (const [key, item] of Object.entries(value)) size += key.length + this.of(item);
    this.#known.set(value, size);
    return size;
  }
}
