import { diffJson, fromPointer, isSameJson, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { ITEMS, type ItemKind, LISTS, nameAt, type VisitAnswers } from "@agentprint/mcp";
import { checkAnswers, checkArgument } from "../check-argument.ts";
import { McpLockError } from "../errors.ts";
import { groupEntries } from "../group-entries.ts";
import type { LockedServer } from "../lock/lock.ts";
import { lockServer, type UnstableOptions } from "../lock/lock-server.ts";
import { below, setKey } from "../varies/number-texts.ts";
import { PinnedValues, placesAbove } from "../varies/pinned-values.ts";
import { holdersOfVisit } from "../varies/varying-holders.ts";
import { keyOfMember, type VaryingKind, type VaryingMember } from "../varies/varying-member.ts";
import { memberAt, varyingForm, varyingPlace } from "../varies/varying-place.ts";
import type { PlacedItem, Reading } from "../visit/read-pages.ts";
import { readSession, type SessionReadings } from "../visit/read-session.ts";
import { findUnstable, isBelow, memberReadings } from "../visit/unstable-members.ts";

/** A difference between two answers to one client, and the setting, if any, that allows it to be pinned. */
export interface VaryingFound {
  /** The item or the part of the server that differs. */
  readonly subject: string;
  /**
   * The JSON Pointer (RFC 6901) from the item or part; `""` if the item or part is present in only one of the answers.
   */
  readonly pointer: string;
  /** Two of the values; absent if the member did not exist. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** The member to allow to vary; absent if it may not vary. */
  readonly member?: VaryingMember;
  /** The pointer to omit as unstable; absent if that is not possible. */
  readonly unstable?: string;
}

/**
 * Returns the differences between a server's answers to the same client in several visits, each place once. Differences
 * between clients do not count, and neither do members that `options` allows to vary or omits.
 *
 * @throws {@link McpLockError} `invalid-definition` or `server-unstable`, as {@link lockServer} does
 *
 * @example
 * ```ts
 * import { findVarying } from "@agentprint/mcp-lock";
 *
 * console.log(findVarying([answers, answers])); // []
 * ```
 */
export function findVarying(visits: readonly VisitAnswers[], options: UnstableOptions = {}): VaryingFound[] {
  checkArgument("visits", visits, ["object"]);
  for (const [index, answers] of visits.entries()) checkAnswers(`visits[${index}]`, answers);
  checkArgument("options", options, "object");
  const { varies = [], unstable = [], allowUnstable = [] } = options;
  const sessions = visits.flatMap((visit) => visit.sessions);
  const first = new PinnedValues(varies, holdersOfVisit({ sessions }));
  const read = sessions.map((session, index) => readSession(first.session(session), index));
  const bySession = groupEntries(read.map((readings) => [readings.session, readings]));
  const found = new Map<string, VaryingFound>();
  for (const readings of bySession.values()) {
    for (const each of [...differingItems(readings), ...differingParts(readings, [...unstable, ...allowUnstable])]) {
      const key = JSON.stringify([each.subject, each.pointer]);
      if (!found.has(key)) found.set(key, each);
    }
  }
  const all = [...found.values()];
  const members = new Set(all.flatMap(({ member }) => (member ? [keyOfMember(member)] : [])));
  const isInner = ({ member }: VaryingFound): boolean =>
    member !== undefined &&
    placesAbove(member.pointer).some((pointer) => members.has(keyOfMember({ ...member, pointer })));
  return all.filter((each) => !isInner(each));
}

/**
 * Returns whether a server must be visited again before it is pinned, because it gave different answers to two clients,
 * or to one client within a session. Answers that cannot be locked at all do not require a second visit.
 *
 * @example
 * ```ts
 * import { hasToBeAskedAgain } from "@agentprint/mcp-lock";
 *
 * console.log(hasToBeAskedAgain("files", answers)); // false
 * ```
 */
export function hasToBeAskedAgain(name: string, answers: VisitAnswers, options: UnstableOptions = {}): boolean {
  try {
    return viewsDiffer(lockServer(name, answers, options));
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    return error.code === "server-unstable" || error.code === "unstable-member";
  }
}

function viewsDiffer({
  sessions,
  parts,
  tools,
  prompts,
  resources,
  resourceTemplates,
  contents,
}: LockedServer): boolean {
  const names = sessions.map(({ session }) => session);
  const eras = (["legacy", "modern"] as const).filter(
    (era) => names.includes(`${era}/client`) && names.includes(`${era}/bare`),
  );
  return [parts, tools, prompts, resources, resourceTemplates, contents]
    .flat()
    .some(
      ({ seenBy }) => seenBy && eras.some((era) => seenBy.includes(`${era}/client`) !== seenBy.includes(`${era}/bare`)),
    );
}

function differingItems(readings: readonly SessionReadings[]): VaryingFound[] {
  const ofLists = LISTS.flatMap(({ list, item: kind }) => {
    const lists = readings.flatMap((each): Reading["items"][] => each.lists[list]?.map(({ items }) => items) ?? [[]]);
    return differing(kind, lists);
  });
  return [
    ...ofLists,
    ...differing(
      "content",
      readings.map(({ contents }) => contents),
    ),
  ];
}

/** Returns the differences between the first list and each other list, matching items by name. */
function differing(kind: ItemKind, lists: readonly (readonly PlacedItem[])[]): VaryingFound[] {
  const [first = new Map<string, PlacedItem>(), ...others] = lists.map(
    (items) => new Map(items.map((item) => [nameAt(item.definition, ITEMS[kind].key), item])),
  );
  return others.flatMap((other) =>
    [...new Set([...first.keys(), ...other.keys()])].flatMap((name) => {
      const [before, after] = [first.get(name), other.get(name)];
      if (before === undefined || after === undefined) {
        const values = valuesOf(before?.definition, after?.definition);
        return [{ subject: memberInWordsOf(kind, name), pointer: "", ...values }];
      }
      return placesOf(before, after).map((pointer) => ofItem(kind, name, pointer, before, after));
    }),
  );
}

/** Returns the places where two definitions differ in a value or a number text. */
function placesOf(before: PlacedItem, after: PlacedItem): string[] {
  const places = diffJson(before.definition, after.definition).map(({ pointer }) => pointer);
  const [then, now] = [before.numbers ?? {}, after.numbers ?? {}];
  const texts = [...new Set([...Object.keys(then), ...Object.keys(now)])].filter((at) => then[at] !== now[at]);
  return [...places, ...texts.filter((at) => !isBelow(at, places))];
}

function memberInWordsOf(kind: ItemKind, name: string): string {
  return `${ITEMS[kind].words} ${name}`;
}

function valuesOf(before: JsonValue | undefined, after: JsonValue | undefined): Pick<VaryingFound, "before" | "after"> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function ofItem(kind: ItemKind, name: string, pointer: string, before: PlacedItem, after: PlacedItem): VaryingFound {
  const subject = memberInWordsOf(kind, name);
  if (kind !== "content" && kind !== "resourceTemplate") {
    const member = memberAbove({ kind, name }, pointer, before, after);
    if (member !== undefined) {
      const values = valuesOf(shownAt(before, member.pointer), shownAt(after, member.pointer));
      return { subject, pointer: member.pointer, ...values, member };
    }
  }
  return { subject, pointer, ...valuesOf(shownAt(before, pointer), shownAt(after, pointer)) };
}

/** Returns the value at a place in an item, or the number's text if the number changes when it is read as a double. */
function shownAt({ definition, numbers = {} }: PlacedItem, pointer: string): JsonValue | undefined {
  return numbers[pointer] ?? valueAt(definition, pointer);
}

function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  return fromPointer(pointer).reduce<JsonValue | undefined>(
    (value, name) => (value === undefined ? undefined : memberAt(value, name)),
    root,
  );
}

/**
 * Returns the member at or above a changed place that may vary; inside `_meta`, this is the innermost member that both
 * definitions have and that is not in an array.
 */
function memberAbove(
  holder: { readonly kind: VaryingKind; readonly name?: string },
  pointer: string,
  before: PlacedItem,
  after: PlacedItem,
): VaryingMember | undefined {
  const path = fromPointer(pointer);
  let member: VaryingMember | undefined;
  for (let length = 1; length <= path.length; length++) {
    const above = toPointer(path.slice(0, length));
    const [one, other] = [before, after].map(({ definition }) => varyingPlace(holder.kind, definition, above));
    if (typeof one !== "object" || typeof other !== "object" || one.form !== other.form) {
      if (member !== undefined) return member;
      continue;
    }
    if (one.form === "set") {
      const texts = [before, after].map(({ numbers }) => below(numbers, above));
      if (setKey(one.value, texts[0]) !== setKey(other.value, texts[1])) return undefined;
    }
    member = { ...holder, pointer: above, as: varyingForm(one.form) };
    if (one.form !== "any" || path[0] !== "_meta" || Array.isArray(one.value)) return member;
  }
  return member;
}

function differingParts(readings: readonly SessionReadings[], leftOut: readonly string[]): VaryingFound[] {
  const greetings = readings.flatMap((each) => each.greetings);
  const said = (name: string) => greetings.map((greeting) => greeting[name] ?? null);
  const together = memberReadings(readings);
  return [
    ...fixed(
      "protocol version",
      readings.map(({ protocolVersion }) => protocolVersion),
    ),
    ...fixed(
      "server info",
      readings.flatMap(({ serverInfos }) => serverInfos),
    ),
    ...fixed("server capabilities", said("capabilities")),
    ...instructions(said("instructions")),
    ...findUnstable(together)
      .filter((pointer) => !isBelow(pointer, leftOut))
      .map((unstable) => {
        const [question = "", ...path] = fromPointer(unstable);
        const values = (together.get(question) ?? []).map((value) => valueAt(value, toPointer(path)));
        const other = values.find((value) => !isSameJson(value ?? null, values[0] ?? null));
        return { subject: question, pointer: toPointer(path), ...valuesOf(values[0], other), unstable };
      }),
  ];
}

function fixed(subject: string, [first = null, ...others]: readonly JsonValue[]): VaryingFound[] {
  return others.flatMap((other) =>
    diffJson(first, other).map(({ pointer, before, after }) => ({ subject, pointer, ...valuesOf(before, after) })),
  );
}

function instructions([first = null, ...others]: readonly JsonValue[]): VaryingFound[] {
  const other = others.find((value) => value !== first);
  if (other === undefined) return [];
  const pointer = "/instructions";
  const isText = typeof first === "string" && typeof other === "string";
  return [
    {
      subject: "greeting",
      pointer,
      before: first,
      after: other,
      ...(isText && { member: { kind: "greeting", pointer, as: "any" } }),
    },
  ];
}
