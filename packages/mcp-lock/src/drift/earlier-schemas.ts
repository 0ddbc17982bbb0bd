import type { JsonObject } from "@agentprint/canonical-json";
import type { Place } from "@agentprint/json-schema";
import {
  CHOICES,
  hasChoices,
  membersOf,
  NAMED,
  partsByText,
  partsOf,
  placesByName,
  TOGETHER,
  union,
  valuesOf,
} from "./schema-parts.ts";
import { either, type Reach, type ReachReader } from "./schema-reach.ts";

/** The old schemas, one of which a value had to match. */
export class EarlierSchemas {
  readonly places: readonly Place[];
  /** The schemas and all their parts, in which `named` looks up names. */
  readonly parts: readonly Place[];
  readonly reach: Reach;
  /** The canonical texts of the values that the schemas list; `undefined` if one of them accepts other values. */
  readonly listed: ReadonlySet<string> | undefined;
  readonly #reader: ReachReader;
  readonly #named: ReadonlyMap<string, ReadonlyMap<string, readonly Place[]>>;
  #single: readonly JsonObject[] | undefined;
  readonly #byText = new Map<string, ReadonlyMap<string, Place>>();

  constructor(reader: ReachReader, places: readonly Place[]) {
    this.#reader = reader;
    this.places = places;
    this.parts = partsOf(reader, places, [...CHOICES, ...TOGETHER]);
    this.reach = either(places.map((place) => reader.of(place)));
    this.#named = new Map(NAMED.map((keyword) => [keyword, placesByName(reader, this.parts, keyword)]));
    this.listed = union(places.map((place) => valuesOf(reader, place)));
  }

  /** Returns the number of schemas that were read. */
  get size(): number {
    const named = [...this.#named.values()].map((places) => places.size);
    return named.reduce((sum, size) => sum + size, this.parts.length + (this.listed?.size ?? 0));
  }

  /** Returns the places of a member with the given name or pattern. */
  named(keyword: string, name: string): readonly Place[] {
    return this.#named.get(keyword)?.get(name) ?? [];
  }

  /** Returns the schemas without choices, one of which a text had to match. */
  get single(): readonly JsonObject[] {
    this.#single ??= partsOf(this.#reader, this.places, CHOICES)
      .filter((place) => !hasChoices(place))
      .map(({ value }) => membersOf(value));
    return this.#single;
  }

  /** Returns the parts under a keyword, by their canonical texts. */
  byText(keyword: string): ReadonlyMap<string, Place> {
    const known = this.#byText.get(keyword) ?? partsByText(this.#reader, this.places, keyword);
    this.#byText.set(keyword, known);
    return known;
  }

  /** Returns whether one of the schemas has a keyword. */
  says(keyword: string): boolean {
    return this.places.some(({ value }) => keyword in membersOf(value));
  }
}
