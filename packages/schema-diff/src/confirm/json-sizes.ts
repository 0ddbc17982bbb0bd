import type { JsonValue } from "@agentprint/canonical-json";

/** What a value that is neither text, list nor object counts for. */
const SCALAR = 4;

/** How large values are; each list and object is counted once. */
export class JsonSizes {
  readonly #known = new WeakMap<object, number>();
  readonly #counts = new WeakMap<object, number>();

  /** Elements of a list or members of an object. */
  countOf(value: JsonValue): number {
    if (typeof value !== "object" || value === null) return 0;
    const count = this.#counts.get(value) ?? Object.keys(value).length;
    this.#counts.set(value, count);
    return count;
  }

  /** About how many characters a value has as text. */
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
