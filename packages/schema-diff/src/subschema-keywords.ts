/** How the value of a keyword holds schemas: it is one, a list of them, or an object with one under each name. */
export type SubschemaPosition = "schema" | "list" | "by-name";

const schema = (...keywords: string[]): [string, SubschemaPosition][] => keywords.map((each) => [each, "schema"]);
const list = (...keywords: string[]): [string, SubschemaPosition][] => keywords.map((each) => [each, "list"]);
const byName = (...keywords: string[]): [string, SubschemaPosition][] => keywords.map((each) => [each, "by-name"]);

/** A map that nobody can change: freezing one does not keep `set` from working. */
class KeywordTable implements ReadonlyMap<string, SubschemaPosition> {
  readonly #positions: ReadonlyMap<string, SubschemaPosition>;

  constructor(entries: Iterable<[string, SubschemaPosition]>) {
    this.#positions = new Map(entries);
    Object.freeze(this);
  }

  get size(): number {
    return this.#positions.size;
  }

  get(keyword: string): SubschemaPosition | undefined {
    return this.#positions.get(keyword);
  }

  has(keyword: string): boolean {
    return this.#positions.has(keyword);
  }

  keys(): MapIterator<string> {
    return this.#positions.keys();
  }

  values(): MapIterator<SubschemaPosition> {
    return this.#positions.values();
  }

  entries(): MapIterator<[string, SubschemaPosition]> {
    return this.#positions.entries();
  }

  [Symbol.iterator](): MapIterator<[string, SubschemaPosition]> {
    return this.entries();
  }

  forEach(
    visit: (position: SubschemaPosition, keyword: string, table: ReadonlyMap<string, SubschemaPosition>) => void,
  ): void {
    for (const [keyword, position] of this) visit(position, keyword, this);
  }
}

/**
 * The keywords of Draft 2020-12 whose value holds schemas (Core §8.2.4, §10, §11; Validation §8.5).
 *
 * @example
 * ```ts
 * import { SUBSCHEMA_KEYWORDS } from "@agentprint/schema-diff";
 *
 * console.log(SUBSCHEMA_KEYWORDS.get("items")); // "schema"
 * console.log(SUBSCHEMA_KEYWORDS.get("default")); // undefined
 * ```
 */
export const SUBSCHEMA_KEYWORDS: ReadonlyMap<string, SubschemaPosition> = new KeywordTable([
  ...schema("additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then"),
  ...schema("unevaluatedItems", "unevaluatedProperties"),
  ...list("allOf", "anyOf", "oneOf", "prefixItems"),
  ...byName("$defs", "dependentSchemas", "patternProperties", "properties"),
]);

/**
 * What the drafts before 2020-12 have beyond that. `items` could be a list too, and a name of `dependencies` can hold
 * names instead of a schema.
 *
 * @example
 * ```ts
 * import { EARLIER_SUBSCHEMA_KEYWORDS } from "@agentprint/schema-diff";
 *
 * console.log(EARLIER_SUBSCHEMA_KEYWORDS.get("items")); // "list"
 * console.log(EARLIER_SUBSCHEMA_KEYWORDS.get("definitions")); // "by-name"
 * ```
 */
export const EARLIER_SUBSCHEMA_KEYWORDS: ReadonlyMap<string, SubschemaPosition> = new KeywordTable([
  ...schema("additionalItems"),
  ...list("items"),
  ...byName("definitions", "dependencies"),
]);
