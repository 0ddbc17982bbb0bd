import { isSameJson, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { readCanonical } from "@agentprint/canonical-json/json-value";
import { type Place, SchemaDocument } from "@agentprint/json-schema";
import type { StepBudget } from "@agentprint/schema-diff";
import type { Opening, OpeningKind } from "@agentprint/tool-pins/judgement";
import { EarlierSchemas } from "./earlier-schemas.ts";
import { type Loosened, loosenedText } from "./loosened-text.ts";
import {
  CHOICES,
  hasChoices,
  membersOf,
  NAMED,
  partsByText,
  placesByName,
  TOGETHER,
  valuesOf,
  without,
} from "./schema-parts.ts";
import { both, FURTHER_MEMBERS, furtherElements, isAnything, type Reach, ReachReader } from "./schema-reach.ts";

interface Pair {
  /**
   * The earlier places, one of which a value had to match; there are several if a schema is compared with the earlier
   * choices.
   */
  readonly before: readonly Place[];
  readonly after: Place;
  /** The places that apply to the same value as `after`. */
  readonly beside: readonly Place[];
  /**
   * Whether all values that the place itself allows, or only its listed values, were already compared at the place
   * above.
   */
  readonly above?: "all" | "listed";
}

/** A pair, with the values that the later place accepts. */
interface Compared extends Omit<Pair, "before"> {
  readonly before: EarlierSchemas;
  readonly is: Reach;
}

/** The maximum number of compared schemas; for the schemas that they refer to, no separate openings are reported. */
const MAX_COMPARED = 20_000;
const REFERENCE = '"$ref"';
/** Keywords that list values. */
const LISTS = ["enum", "const"];
/** The maximum number of earlier schemas that are read for all pairs together. */
const MAX_EARLIER = 60_000;
/** The maximum length of the new schemas that are read for all pairs together, in UTF-16 code units. */
const MAX_READ_UNITS = 16_000_000;

/** Returns the places where an input schema accepts more than the earlier one did, each place once. */
export function findOpenings(before: JsonValue, after: JsonValue, budget: StepBudget): Opening[] {
  return new OpeningFinder(before, after, budget).find();
}

class OpeningFinder {
  readonly #before: ReachReader;
  readonly #after: ReachReader;
  readonly #budget: StepBudget;
  readonly #open: Pair[];
  /** Whether equal schemas in the two documents cannot refer to different schemas. */
  readonly #isLocal: boolean;
  readonly #earlier = new Map<string, EarlierSchemas>();
  #earlierSize = 0;
  #readUnits = 0;
  /** The values that the new schemas list, by pointer. */
  readonly #listed = new Map<string, ReadonlySet<string> | undefined>();
  readonly #found = new Map<string, Opening>();

  constructor(before: JsonValue, after: JsonValue, budget: StepBudget) {
    const [old, now] = [new SchemaDocument(before), new SchemaDocument(after)];
    this.#before = new ReachReader(old, budget);
    this.#after = new ReachReader(now, budget);
    this.#budget = budget;
    this.#open = [{ before: [old.root], after: now.root, beside: [] }];
    this.#isLocal = ![before, after].some((schema) => JSON.stringify(schema).includes(REFERENCE));
  }

  find(): Opening[] {
    const seen = new Set<string>();
    let compared = 0;
    for (let pair = this.#open.pop(); pair !== undefined; pair = this.#open.pop()) {
      if (compared > MAX_COMPARED || this.#earlierSize > MAX_EARLIER || this.#readUnits > MAX_READ_UNITS) break;
      const after = this.#after.resolved(pair.after);
      const before = pair.before.flatMap((place) => this.#before.resolved(place) ?? []);
      if (after === undefined || before.length < pair.before.length) continue;
      if (this.#isLocal && pair.beside.length === 0 && before.some(({ value }) => isSameJson(value, after.value)))
        continue;
      const key = JSON.stringify([pair.above, pointersOf(before), pointersOf([after, ...pair.beside])]);
      if (seen.has(key)) continue;
      seen.add(key);
      const now = [after, ...pair.beside];
      compared += before.length + now.length;
      for (const { value } of now) this.#readUnits += JSON.stringify(value).length;
      const is = both(now.map((place) => this.#after.of(place)));
      this.#compare({ ...pair, before: this.#earlierOf(before), after, is });
    }
    return [...this.#found.values()];
  }

  #earlierOf(places: readonly Place[]): EarlierSchemas {
    const key = JSON.stringify(pointersOf(places));
    const known = this.#earlier.get(key);
    if (known !== undefined) return known;
    const earlier = new EarlierSchemas(this.#before, places);
    this.#earlierSize += earlier.size;
    this.#earlier.set(key, earlier);
    return earlier;
  }

  #add(kind: OpeningKind, pointer: string): void {
    this.#found.set(`${kind} ${pointer}`, { kind, pointer });
  }

  #compare(compared: Compared): void {
    const { after, above } = compared;
    if (after.pointer !== "" && above !== "all") this.#comparePlace(compared);
    this.#compareNamed(compared);
    if (above !== "all") {
      this.#compareFurther(compared, "furtherMembers");
      this.#compareFurther(compared, "furtherElements");
    }
    this.#compareCounted(compared);
    for (const keyword of [...CHOICES, ...TOGETHER]) this.#compareParts(compared, keyword);
  }

  /** Compares the values that the two places themselves allow. */
  #comparePlace({ before, after, beside, above, is }: Compared): void {
    if (beside.length === 0 && before.places.some(({ value }) => isSameJson(value, after.value))) return;
    const { listed, reach: was } = before;
    const more = listed ? this.#moreListed(listed, before, after, beside) : this.#moreTexts(before, after, beside);
    if (more !== undefined && !(listed && above === "listed"))
      this.#add(more.kind, after.pointer + toPointer(more.path));
    if ((is.objects && !was.objects) || (is.lists && !was.lists)) this.#add("anything", after.pointer);
    else if (is.text && !was.text && more === undefined) this.#add("free-text", after.pointer);
  }

  #moreListed(
    listed: ReadonlySet<string>,
    before: EarlierSchemas,
    after: Place,
    beside: readonly Place[],
  ): Loosened | undefined {
    const isFewer = this.#listsOf(after, beside).some((values) => [...values].every((value) => listed.has(value)));
    const path = LISTS.filter((keyword) => before.says(keyword)).slice(0, 1);
    return isFewer ? undefined : { kind: "more-values", path };
  }

  #moreTexts(before: EarlierSchemas, after: Place, beside: readonly Place[]): Loosened | undefined {
    if (hasChoices(after)) return undefined;
    const [values] = this.#listsOf(after, beside);
    const list = values && { enum: [...values].map(readCanonical) };
    const to = Object.assign({}, ...[...beside, after].map(({ value }) => membersOf(value)), list);
    return loosenedText(before.single, to, this.#budget);
  }

  /** Returns the lists of values in schemas that apply together; the value has to be in each list. */
  #listsOf(after: Place, beside: readonly Place[]): ReadonlySet<string>[] {
    // The places in `beside` lack a part of the schema at their pointer, so their values are not stored.
    const lists = [valuesOf(this.#after, after, this.#listed), ...beside.map((place) => valuesOf(this.#after, place))];
    return lists.filter((values) => values !== undefined);
  }

  #compareNamed({ before, after, beside }: Compared): void {
    for (const keyword of NAMED) {
      const others = placesByName(this.#after, beside, keyword);
      for (const [name, place] of this.#after.below(after, keyword)) {
        const known = before.named(keyword, name);
        if (known.length === 0) this.#addNew(place);
        else this.#open.push({ before: known, after: place, beside: others.get(name) ?? [] });
      }
    }
  }

  /** Judges a new parameter, member or element. `tookText` means that its place may have accepted any text before. */
  #addNew(place: Place, tookText = false): void {
    const reach = this.#after.of(place);
    if (isAnything(reach) || reach.anythingInside) this.#add("anything", place.pointer);
    else if (!tookText && (reach.text || reach.textInside)) this.#add("free-text", place.pointer);
  }

  /** Compares members that the schemas do not name, or elements that they do not list. */
  #compareFurther({ before, after, beside, is }: Compared, further: "furtherMembers" | "furtherElements"): void {
    const { reach: was, parts } = before;
    if (was[further]) return;
    const keywordsOf = ({ value }: Place) => (further === "furtherMembers" ? FURTHER_MEMBERS : furtherElements(value));
    const said = (reader: ReachReader, places: readonly Place[]) =>
      places.flatMap((place) => keywordsOf(place).flatMap((word) => reader.below(place, word).map(([, each]) => each)));
    const [[place], limits] = [said(this.#after, [after]), said(this.#before, parts)];
    if (is[further]) {
      const pointer = place?.pointer ?? after.pointer + toPointer(keywordsOf(after).slice(0, 1));
      if (limits.length > 0) this.#add("anything", pointer);
    } else if (place !== undefined) {
      const known = limits.filter(({ value }) => value !== false);
      if (known.length === 0) this.#addNew(place, was.text);
      else this.#open.push({ before: known, after: place, beside: said(this.#after, beside) });
    }
  }

  /** Compares elements by their positions in a list. */
  #compareCounted({ before: { parts, reach }, after }: Compared): void {
    for (const keyword of ["prefixItems", ...(Array.isArray(membersOf(after.value)["items"]) ? ["items"] : [])]) {
      for (const [index, place] of this.#after.below(after, keyword)) {
        const known = parts.flatMap((part) =>
          ["prefixItems", "items", "additionalItems"].flatMap((word) =>
            this.#before.below(part, word).flatMap(([key, below]) => (key === index || key === "" ? [below] : [])),
          ),
        );
        if (known.length > 0) this.#open.push({ before: known, after: place, beside: [] });
        else if (!reach.furtherElements) this.#addNew(place, reach.text);
      }
    }
  }

  /**
   * Pairs equal parts first, then one by one the parts that apply together, and every other part with the complete
   * earlier schemas.
   */
  #compareParts({ before, after, beside }: Compared, keyword: string): void {
    const now = partsByText(this.#after, [after], keyword);
    if (now.size === 0) return;
    const old = before.byText(keyword);
    const isTogether = TOGETHER.some((each) => each === keyword);
    const gone = [...old].filter(([text]) => !now.has(text)).map(([, place]) => place);
    const added = [...now.keys()].filter((text) => !old.has(text));
    const partners = new Map(
      isTogether && gone.length === added.length ? added.map((text, at) => [text, gone[at]]) : [],
    );
    for (const [text, place] of now) {
      const partner = old.get(text) ?? partners.get(text);
      const others = [...beside, without(after, keyword, isTogether ? place : undefined)];
      if (partner) this.#open.push({ before: [partner], after: place, beside: [] });
      else
        this.#open.push({ before: before.places, after: place, beside: others, above: isTogether ? "all" : "listed" });
    }
  }
}

function pointersOf(places: readonly Place[]): string[] {
  return places.map(({ pointer }) => pointer);
}
