import { fromPointer, type JsonObject, type JsonValue, setOwnMember } from "@agentprint/canonical-json";
import { isSameJson } from "@agentprint/canonical-json/json-value";
import { LISTS, type ListName, type NumberTexts, numbersByPart, type SessionAnswers } from "@agentprint/mcp";
import { checkArgument, ENTRY } from "../check-argument.ts";
import { groupEntries } from "../group-entries.ts";
import { ITEM_DEPTH } from "../visit/item-numbers.ts";
import { below, setKey, withBelow } from "./number-texts.ts";
import { holdersOfEntry, type PinnedEntry, type VaryingHolder } from "./varying-holders.ts";
import { keyOfMember, memberInWords, type VaryingKind, type VaryingMember } from "./varying-member.ts";
import { memberAt, type NoPlace, varyingForm, varyingPlace } from "./varying-place.ts";

/** The values that replace varying ones: the pinned values, or the first ones that a server sent. */
export class PinnedValues {
  /** The first value at each member's place; for a set, the first order of each set of elements. */
  readonly #values = new Map<string, Pinned>();
  readonly #members: ReadonlyMap<string, readonly VaryingMember[]>;
  readonly #found = new Set<string>();

  constructor(varies: readonly VaryingMember[], holders: Iterable<VaryingHolder>) {
    this.#members = groupEntries(varies.map((member) => [keyOfHolder(member), member]));
    for (const holder of holders) {
      for (const member of this.#members.get(keyOfHolder(holder)) ?? []) {
        const value = memberValue(member, holder.value);
        if (value === undefined) continue;
        this.#found.add(keyOfMember(member));
        const key = keyOfValue(member, value);
        if (!this.#values.has(key)) this.#values.set(key, { value, numbers: below(holder.numbers, member.pointer) });
      }
    }
  }

  /** Returns whether the place of a member has a value that may vary in this way. */
  has(member: VaryingMember): boolean {
    return this.#found.has(keyOfMember(member));
  }

  /** Returns a definition with the pinned values; this is the same object if it already has them. */
  item(kind: VaryingKind, name: string, definition: JsonObject, numbers?: NumberTexts): JsonObject {
    return this.#with({ kind, name, value: definition, ...(numbers && { numbers }) });
  }

  /** Returns a definition's number texts, including those of the pinned values. */
  numbers(kind: VaryingKind, name: string, definition: JsonObject, numbers: NumberTexts): NumberTexts {
    const holder = { kind, name, value: definition, numbers };
    return this.#pinned(holder).reduce<NumberTexts>(
      (texts, { member, pinned }) => withBelow(texts, member.pointer, pinned.numbers),
      numbers,
    );
  }

  /** Returns a greeting with the pinned values; this is the same object if it already has them. */
  greeting(greeting: JsonObject): JsonObject {
    return this.#with({ kind: "greeting", value: greeting });
  }

  /** Returns answers with the pinned values. */
  session(session: SessionAnswers): SessionAnswers {
    if (this.#members.size === 0) return session;
    const numbers = session.numbers && { ...session.numbers };
    const parts = numbersByPart(numbers ?? {}, ITEM_DEPTH);
    const shownItem = (list: ListName, item: JsonValue, place: string): JsonValue => {
      const { item: kind, key } = kindOfList(list);
      const name = memberAt(item, key);
      if (kind === "resourceTemplate" || typeof name !== "string") return item;
      const own = numbers && (parts.get(place) ?? {});
      if (own !== undefined) {
        for (const pointer of Object.keys(own)) delete numbers?.[place + pointer];
        for (const [pointer, text] of Object.entries(this.numbers(kind, name, item as JsonObject, own)))
          Object.assign(numbers as object, { [place + pointer]: text });
      }
      return this.item(kind, name, item as JsonObject, own);
    };
    const lists = Object.fromEntries(
      LISTS.flatMap(({ list }) => {
        const shownPage = (page: JsonObject, place: string): JsonObject => {
          const items = page[list];
          if (!Array.isArray(items)) return page;
          const shown = items.map((item, index) => shownItem(list, item, `${place}/${list}/${index}`));
          return shown.every((item, index) => item === items[index]) ? page : { ...page, [list]: shown };
        };
        const readings = session.lists[list];
        if (readings === undefined) return [];
        const place = `/lists/${list}`;
        return [
          [
            list,
            readings.map((pages, reading) => pages.map((page, at) => shownPage(page, `${place}/${reading}/${at}`))),
          ],
        ];
      }),
    );
    const greetings = session.greetings.map((greeting) => this.greeting(greeting));
    return { ...session, greetings, lists, ...(numbers && { numbers }) };
  }

  /** Returns the members of a definition or greeting whose values differ from the pinned ones, with both values. */
  replaced(holder: VaryingHolder): Replaced[] {
    return this.#pinned(holder).flatMap(({ member, live, pinned: { value } }) =>
      isSameJson(value, live) ? [] : [{ member, live, value }],
    );
  }

  /** Returns the members of a definition or greeting that have a pinned value. */
  #pinned(holder: VaryingHolder): { member: VaryingMember; live: JsonValue; pinned: Pinned }[] {
    return (this.#members.get(keyOfHolder(holder)) ?? []).flatMap((member) => {
      const live = memberValue(member, holder.value);
      const pinned = live === undefined ? undefined : this.#values.get(keyOfValue(member, live));
      if (live === undefined || pinned === undefined || !isSameSet(member, live, holder.numbers, pinned)) return [];
      return [{ member, live, pinned }];
    });
  }

  #with(holder: VaryingHolder): JsonObject {
    const copies = new Set<JsonValue>();
    return this.replaced(holder).reduce<JsonValue>(
      (shown, { member, value }) => withValue(shown, fromPointer(member.pointer), value, copies),
      holder.value,
    ) as JsonObject;
  }
}

/** A pinned value, with the texts of its numbers, by pointer from that value. */
interface Pinned {
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
}

/**
 * Returns whether an array that may come in any order has the same elements as the pinned one, with their numbers
 * written in the same way if that is known.
 */
function isSameSet(
  { as, pointer }: VaryingMember,
  live: JsonValue,
  numbers: NumberTexts | undefined,
  pinned: Pinned,
): boolean {
  if (as !== "set" || numbers === undefined) return true;
  return setKey(live, below(numbers, pointer)) === setKey(pinned.value, pinned.numbers);
}

/** A member whose live value is replaced by the pinned one. */
interface Replaced {
  readonly member: VaryingMember;
  readonly live: JsonValue;
  readonly value: JsonValue;
}

/**
 * Returns the value of a member in a definition or greeting; `undefined` if that place has no value that may vary in
 * this way.
 */
function memberValue({ kind, pointer, as }: VaryingMember, holder: JsonObject): JsonValue | undefined {
  const place = varyingPlace(kind, holder, pointer);
  return typeof place === "string" || varyingForm(place.form) !== as ? undefined : place.value;
}

function keyOfValue(member: VaryingMember, value: JsonValue): string {
  const key = keyOfMember(member);
  return member.as === "set" ? `${key} ${setKey(value)}` : key;
}

function keyOfHolder({ kind, name }: Pick<VaryingMember, "kind" | "name">): string {
  return `${kind} ${name ?? ""}`;
}

function kindOfList(list: ListName): (typeof LISTS)[number] {
  return LISTS.find((each) => each.list === list) as (typeof LISTS)[number];
}

/**
 * Returns a value in which the part at an existing path is replaced. Parts in `copies` are changed in place, and
 * everything else is copied.
 */
function withValue(
  root: JsonValue,
  [name, ...rest]: readonly string[],
  value: JsonValue,
  copies: Set<JsonValue>,
): JsonValue {
  if (name === undefined) return value;
  const below = withValue(memberAt(root, name) as JsonValue, rest, value, copies);
  const copy = copies.has(root) ? root : copyOf(root);
  copies.add(copy);
  setOwnMember(copy as JsonObject, name, below);
  return copy;
}

function copyOf(value: JsonValue): JsonValue {
  return Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value as JsonObject));
}

/**
 * Returns the pinned values of the members that an entry allows to vary.
 *
 * @example
 * ```ts
 * import { pinnedValuesOf } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * const live = { name: "move_file", inputSchema: { type: "object" } };
 * if (entry) console.log(pinnedValuesOf(entry).item("tool", "move_file", live) === live); // true
 * ```
 */
export function pinnedValuesOf(entry: PinnedEntry): PinnedValues {
  checkArgument("entry", entry, ENTRY);
  return new PinnedValues(entry.varies ?? [], holdersOfEntry(entry));
}

/** Returns a sentence about a member that cannot vary; `undefined` if it can. */
function noPlaceOf(member: VaryingMember, holders: Iterable<VaryingHolder>): string | undefined {
  let found: NoPlace = "nowhere";
  for (const { kind, name, value } of holders) {
    if (kind !== member.kind || name !== member.name) continue;
    const place = varyingPlace(kind, value, member.pointer);
    if (typeof place === "object" && varyingForm(place.form) === member.as) return undefined;
    if (place !== "nowhere") found = "contract";
  }
  return found === "nowhere"
    ? `the server has no ${memberInWords(member)}`
    : `${memberInWords(member)} is part of the contract`;
}

/**
 * Returns why one of the members cannot vary, with its index; `undefined` if all can.
 *
 * @param values The values that the members were found to have
 */
export function faultOfVaries(
  varies: readonly VaryingMember[],
  values: PinnedValues,
  holders: () => Iterable<VaryingHolder>,
): { readonly index: number; readonly reason: string } | undefined {
  const keys = new Set<string>();
  for (const [index, member] of varies.entries()) {
    const key = keyOfMember(member);
    if ((member.kind === "greeting") !== (member.name === undefined))
      return { index, reason: "a member of the greeting has no name, and every other member has one" };
    if (keys.has(key)) return { index, reason: `${memberInWords(member)} is named twice` };
    keys.add(key);
    const reason = values.has(member) ? undefined : noPlaceOf(member, holders());
    if (reason !== undefined) return { index, reason };
  }
  const inner = varies.findIndex((member) =>
    placesAbove(member.pointer).some((pointer) => keys.has(keyOfMember({ ...member, pointer }))),
  );
  const { [inner]: member } = varies;
  return member && { index: inner, reason: `${memberInWords(member)} is inside another varying member` };
}

/** Returns the pointers of the places that contain a place, except for the root. */
export function placesAbove(pointer: string): string[] {
  return [...pointer.matchAll(/\//g)].flatMap(({ index }) => (index === 0 ? [] : [pointer.slice(0, index)]));
}

/** A sentence that lists everything that may vary. */
export const MAY_VARY = "prose, default, examples, _meta, or the order of enum or required";
