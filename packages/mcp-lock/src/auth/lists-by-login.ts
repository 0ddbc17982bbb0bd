import { ITEM_KINDS, ITEMS, type ItemKind, itemName } from "@agentprint/mcp";
import { itemsOfEntry, type LockedServer } from "../lock/lock.ts";

/** A list of a server that one login is shown otherwise than another. */
export interface ListByLogin {
  /** The entry of the one login, and that of the other. */
  readonly server: string;
  readonly other: string;
  readonly list: (typeof ITEMS)[ItemKind]["list"];
  /** The names that only the one, and only the other is shown. */
  readonly onlyServer: readonly string[];
  readonly onlyOther: readonly string[];
  /** The names whose definitions differ. */
  readonly changed: readonly string[];
}

/**
 * Returns the lists that depend on the login: of entries with the same address, whose logins differ by account or scopes, each
 * one is compared with the first one.
 */
export function listsByLogin(entries: readonly LockedServer[]): ListByLogin[] {
  const firsts = new Map<string, LockedServer>();
  return entries.flatMap((entry) => {
    if (entry.auth === undefined || entry.launch.type !== "http") return [];
    const first = firsts.get(entry.launch.url);
    if (first === undefined) firsts.set(entry.launch.url, entry);
    return first === undefined || loginOf(first) === loginOf(entry) ? [] : compare(first, entry);
  });
}

function compare(one: LockedServer, two: LockedServer): ListByLogin[] {
  return ITEM_KINDS.flatMap((kind) => {
    const [before, after] = [one, two].map((entry) => definitionsOf(entry, kind)) as [Definitions, Definitions];
    const only = (these: Definitions, those: Definitions) => [...these.keys()].filter((name) => !those.has(name));
    const [onlyServer, onlyOther] = [only(before, after), only(after, before)];
    const changed = [...before]
      .filter(([name, seen]) => after.has(name) && after.get(name) !== seen)
      .map(([name]) => name);
    if (onlyServer.length + onlyOther.length + changed.length === 0) return [];
    return [{ server: one.name, other: two.name, list: ITEMS[kind].list, onlyServer, onlyOther, changed }];
  });
}

/** The digests of all definitions of each name. */
type Definitions = ReadonlyMap<string, string>;

function definitionsOf(entry: LockedServer, kind: ItemKind): Definitions {
  const seen = new Map<string, string>();
  for (const item of itemsOfEntry(entry, kind)) {
    const name = itemName(kind, item.definition);
    seen.set(name, `${seen.get(name) ?? ""} ${"digests" in item ? item.digests.wire : item.digest}`);
  }
  return seen;
}

function loginOf({ auth }: LockedServer): string {
  return JSON.stringify([auth?.account, auth?.scopes]);
}
