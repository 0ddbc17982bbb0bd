import { isSameJson, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { ITEM_KINDS, ITEMS, LISTS, type ListName, nameAt, type SessionName, type UnreadList } from "@agentprint/mcp";
import { McpLockError } from "../errors.ts";
import { groupEntries } from "../group-entries.ts";
import { hashDefinition } from "../hash-definition.ts";
import { numbersKey } from "./item-numbers.ts";
import type { Reading } from "./read-pages.ts";
import type { PlacedContent, SaidParts, SessionReadings } from "./read-session.ts";
import { findUnstable, isBelow, isEmpty, memberReadings, withoutMembers } from "./unstable-members.ts";

/** A session whose readings are all equal. */
export interface SteadySession {
  readonly session: SessionName;
  readonly protocolVersion: string;
  readonly supportedVersions?: JsonValue;
  readonly unread?: readonly UnreadList[];
  readonly parts: SaidParts;
  readonly lists: Readonly<Partial<Record<ListName, Reading>>>;
  readonly contents: readonly PlacedContent[];
}

/**
 * Returns the state that all readings of a session have in common.
 *
 * @param unstable - The pointers of members that may differ and are omitted.
 * @throws {@link McpLockError} `server-unstable` if items, instructions, capabilities or server infos differ.
 * @throws {@link McpLockError} `unstable-member` if another member differs that is not at or below a pointer in
 * `unstable`; its own pointer is the `path`.
 */
export function steadySession(readings: SessionReadings, unstable: readonly string[]): SteadySession {
  const { greetings, serverInfos, lists, ...rest } = readings;
  requireSteadyItems(readings);
  const members = memberReadings([readings]);
  const differing = findUnstable(members).find((pointer) => !isBelow(pointer, unstable));
  if (differing !== undefined) {
    throw new McpLockError(
      "unstable-member",
      differing,
      `The server returned a different value each time (${rest.session})`,
    );
  }
  const kept = (question: string): JsonValue | undefined => {
    const value = members.get(question)?.at(-1);
    const left = value === undefined ? undefined : withoutMembers(question, value, unstable);
    return left === undefined || isEmpty(left) ? undefined : left;
  };
  const listMembers = Object.fromEntries(
    LISTS.flatMap(({ list }) => {
      const value = kept(list);
      return value === undefined ? [] : [[list, value]];
    }),
  );
  const last = greetings.at(-1);
  const said: Record<keyof SaidParts, JsonValue | undefined> = {
    serverInfo: serverInfos[0],
    capabilities: last?.["capabilities"],
    instructions: last?.["instructions"],
    greeting: kept("greeting"),
    listMembers: isEmpty(listMembers) ? undefined : listMembers,
  };
  return {
    ...rest,
    parts: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    lists: Object.fromEntries(
      Object.entries(lists).flatMap(([list, all]) => (all.length > 0 ? [[list, all.at(-1)]] : [])),
    ),
  };
}

function requireSteadyItems({ session, greetings, serverInfos, lists }: SessionReadings): void {
  const unsteady = (what: string, path: string): never => {
    throw new McpLockError("server-unstable", path, `The server returned different ${what} each time (${session})`);
  };
  if (differ(serverInfos)) unsteady("server infos", "/serverInfo");
  for (const name of ["capabilities", "instructions"] as const) {
    if (differ(greetings.map((greeting) => greeting[name] ?? null))) unsteady(name, `/${name}`);
  }
  for (const kind of ITEM_KINDS) {
    const { list, key } = ITEMS[kind];
    const readings = (list !== "contents" && lists[list]) || [];
    const [first, ...others] = readings.length > 1 ? readings.map(({ items }) => digestsByName(items, key)) : [];
    for (const other of others) {
      const names = [...new Set([...(first?.keys() ?? []), ...other.keys()])];
      const name = names.find((each) => first?.get(each) !== other.get(each));
      if (name !== undefined) unsteady(`${ITEMS[kind].words}s`, toPointer([list, name]));
    }
  }
}

function differ(values: readonly JsonValue[]): boolean {
  return values.some((value) => !isSameJson(value, values[0]));
}

/**
 * Returns the digests of items, with their number texts, by name. Items with the same name are compared together,
 * because servers list items in any order.
 */
function digestsByName(items: Reading["items"], key: string): Map<string, string> {
  const digests = items.map(({ definition, place, numbers }): [string, string] => [
    nameAt(definition, key),
    hashDefinition(definition, place) + numbersKey(numbers),
  ]);
  return new Map([...groupEntries(digests)].map(([name, all]) => [name, all.sort().join(" ")]));
}
