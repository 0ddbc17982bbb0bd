import { fromPointer, type JsonObject, type JsonValue, setOwnMember } from "@agentprint/canonical-json";
import { isSameJson } from "@agentprint/canonical-json/json-value";
import { ITEMS, itemName, LISTS, type ListName, type SessionAnswers, type VisitAnswers } from "@agentprint/mcp";
import { checkArgument, ENTRY } from "../check-argument.ts";
import { hashDefinition } from "../hash-definition.ts";
import { keyOfMember, memberInWords, type VaryingKind, type VaryingMember } from "./varying-member.ts";
import { memberAt, type NoPlace, varyingForm, varyingPlace } from "./varying-place.ts";

/** A definition or greeting that can have members that vary. */
export interface VaryingHolder {
  readonly kind: VaryingKind;
  readonly name?: string;
  readonly value: JsonObject;
}

/** The values that take the place of those that vary: the pinned ones, or the first ones that a server gave. */
export class PinnedValues {
  /** The first value at the place of a member; of a set the first order of each set of elements. */
  readonly #values = new Map<string, JsonValue>();
  readonly #members = new Map<string, VaryingMember[]>();
  readonly #found = new Set<string>();

  constructor(varies: readonly VaryingMember[], holders: Iterable<VaryingHolder>) {
    for (const member of varies) {
      const holder = keyOfHolder(member);
      const known = this.#members.get(holder);
      if (known) known.push(member);
      else this.#members.set(holder, [member]);
    }
    for (const { value, ...holder } of holders) {
      for (const member of this.#members.get(keyOfHolder(holder)) ?? []) {
        const live = memberValue(member, value);
        if (live === undefined) continue;
        this.#found.add(keyOfMember(member));
        const key = keyOfValue(member, live);
        if (!this.#values.has(key)) this.#values.set(key, live);
      }
    }
  }

  /** Whether something that may vary so stands at the place of a member. */
  has(member: VaryingMember): boolean {
    return this.#found.has(keyOfMember(member));
  }

  /** Returns a definition with the pinned values; the same object where it has them already. */
  item(kind: VaryingKind, name: string, definition: JsonObject): JsonObject {
    return this.#with({ kind, name, value: definition });
  }

  /** Returns a greeting with the pinned values; the same object where it has them already. */
  greeting(greeting: JsonObject): JsonObject {
    return this.#with({ kind: "greeting", value: greeting });
  }

  /** Returns answers with the pinned values. */
  session(session: SessionAnswers): SessionAnswers {
    if (this.#members.size === 0) return session;
    const lists = Object.fromEntries(
      LISTS.flatMap(({ list }) => {
        const readings = session.lists[list];
        return readings ? [[list, readings.map((pages) => pages.map((page) => this.#page(list, page)))]] : [];
      }),
    );
    return { ...session, greetings: session.greetings.map((greeting) => this.greeting(greeting)), lists };
  }

  #page(list: ListName, page: JsonObject): JsonObject {
    const { item: kind, key } = kindOfList(list);
    const items = page[list];
    if (kind === "resourceTemplate" || !Array.isArray(items)) return page;
    const shown = items.map((item) => {
      const name = memberAt(item, key);
      return typeof name === "string" ? this.item(kind, name, item as JsonObject) : item;
    });
    return shown.every((item, index) => item === items[index]) ? page : { ...page, [list]: shown };
  }

  /** The members of a definition or greeting that have another value than the pinned one, with both. */
  replaced({ value, ...holder }: VaryingHolder): Replaced[] {
    return (this.#members.get(keyOfHolder(holder)) ?? []).flatMap((member) => {
      const live = memberValue(member, value);
      const pinned = live === undefined ? undefined : this.#values.get(keyOfValue(member, live));
      if (live === undefined || pinned === undefined || isSameJson(pinned, live)) return [];
      return [{ member, live, value: pinned }];
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

/** A member whose live value gives way to the pinned one. */
interface Replaced {
  readonly member: VaryingMember;
  readonly live: JsonValue;
  readonly value: JsonValue;
}

/** The value of a member in a definition or greeting; `undefined` where nothing that may vary so is there. */
function memberValue({ kind, pointer, as }: VaryingMember, holder: JsonObject): JsonValue | undefined {
  const place = varyingPlace(kind, holder, pointer);
  return typeof place === "string" || varyingForm(place.form) !== as ? undefined : place.value;
}

function keyOfValue(member: VaryingMember, value: JsonValue): string {
  const key = keyOfMember(member);
  return member.as === "set" ? `${key} ${setKey(value)}` : key;
}

/** A text that two arrays share only where they have the same elements, each as often. */
export function setKey(value: JsonValue): string {
  return (value as readonly JsonValue[])
    .map((element) => hashDefinition(element))
    .sort()
    .join();
}

function keyOfHolder({ kind, name }: Pick<VaryingMember, "kind" | "name">): string {
  return `${kind} ${name ?? ""}`;
}

function kindOfList(list: ListName): (typeof LISTS)[number] {
  return LISTS.find((each) => each.list === list) as (typeof LISTS)[number];
}

/** Returns a value with another one at a path that it has. What is in `copies` is changed, and everything else is copied. */
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

/** The definitions and greetings of a visit, in the order in which they came. */
export function* holdersOfVisit({ sessions }: Pick<VisitAnswers, "sessions">): Generator<VaryingHolder> {
  for (const { greetings, lists } of sessions) {
    for (const value of greetings) yield { kind: "greeting", value };
    for (const { list, item: kind, key } of LISTS) {
      if (kind === "resourceTemplate") continue;
      for (const page of (lists[list] ?? []).flat()) {
        for (const value of listOf(page[list])) {
          const name = memberAt(value, key);
          if (typeof name === "string") yield { kind, name, value: value as JsonObject };
        }
      }
    }
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

interface Defined {
  readonly definition: JsonObject;
}

/** The members of an entry of a lock that hold pinned values. */
export interface PinnedEntry {
  readonly varies?: readonly VaryingMember[];
  readonly parts: readonly { readonly part: string; readonly value: JsonValue }[];
  readonly tools: readonly Defined[];
  readonly prompts: readonly Defined[];
  readonly resources: readonly Defined[];
}

/** The definitions and the instructions that an entry holds. */
export function* holdersOfEntry(entry: PinnedEntry): Generator<VaryingHolder> {
  for (const { part, value } of entry.parts) {
    if (part === "instructions") yield { kind: "greeting", value: { instructions: value } };
  }
  for (const kind of ["tool", "prompt", "resource"] as const) {
    for (const { definition } of entry[ITEMS[kind].list]) {
      yield { kind, name: itemName(kind, definition), value: definition };
    }
  }
}

/**
 * Returns the pinned values of the members that an entry lets vary.
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

/** Returns a sentence about a member that cannot vary; `undefined` where it can. */
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
 * Returns why one of the members cannot vary, with its index; `undefined` where all can.
 *
 * @param values The values that were found at the members
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
      return { index, reason: "a member of the greeting has no name, and every other one has a name" };
    if (keys.has(key)) return { index, reason: `${memberInWords(member)} is named twice` };
    keys.add(key);
    const reason = values.has(member) ? undefined : noPlaceOf(member, holders());
    if (reason !== undefined) return { index, reason };
  }
  const inner = varies.findIndex((member) =>
    placesAbove(member.pointer).some((pointer) => keys.has(keyOfMember({ ...member, pointer }))),
  );
  const { [inner]: member } = varies;
  return member && { index: inner, reason: `${memberInWords(member)} is in another member that varies` };
}

/** The pointers of the places that a place is in, but for the root. */
export function placesAbove(pointer: string): string[] {
  return [...pointer.matchAll(/\//g)].flatMap(({ index }) => (index === 0 ? [] : [pointer.slice(0, index)]));
}

/** A sentence about all that may vary. */
export const MAY_VARY = "prose, default, examples, _meta, or the order of enum or required";
