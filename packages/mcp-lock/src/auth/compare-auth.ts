import { compareCodeUnits, diffJson, type JsonChange, type JsonObject } from "@agentprint/canonical-json";
import { ITEM_KINDS, ITEMS, type ItemKind, itemName, type ServerAuth } from "@agentprint/mcp";
import { checkArgument } from "../check-argument.ts";
import { type PartChanged, partChanged } from "../drift/part-changed.ts";
import { itemsOfEntry, type LockedServer } from "../lock/lock.ts";

/**
 * Returns the differences between an entry's login and the login that the server requires now, one for each rule;
 * pointers start at the login. A login that exists on only one side is reported as changed metadata.
 */
export function compareAuth(before: ServerAuth | undefined, after: ServerAuth | undefined): PartChanged[] {
  if (before === undefined || after === undefined) {
    return partChanged("authMetadata", diffJson(before as JsonObject | undefined, after as JsonObject | undefined));
  }
  if (before.issuer !== after.issuer) {
    return partChanged("issuer", [{ pointer: "/issuer", before: before.issuer, after: after.issuer }]);
  }
  const moved = movedEndpoints(before, after);
  const only = (scopes: readonly string[], others: readonly string[]) =>
    scopes.filter((scope) => !others.includes(scope));
  const [added, dropped] = [only(after.scopes, before.scopes), only(before.scopes, after.scopes)];
  const isMoved = new Set(moved.map(({ pointer }) => pointer));
  const others = diffJson(metadataOf(before), metadataOf(after)).filter(({ pointer }) => !isMoved.has(pointer));
  return [
    ...partChanged("endpointOrigin", moved),
    ...partChanged("scopesAdded", added.length > 0 ? [{ pointer: "/scopes", after: added }] : []),
    ...partChanged("scopesDropped", dropped.length > 0 ? [{ pointer: "/scopes", before: dropped }] : []),
    ...partChanged("authMetadata", others),
  ];
}

/** Returns whether a login has moved to another authorization server or origin, so that no token may be sent there. */
export function isMovedAuth(before: ServerAuth, after: ServerAuth): boolean {
  checkArgument("before", before, { scopes: "array" });
  checkArgument("after", after, { scopes: "array" });
  return compareAuth(before, after).some(({ part }) => part === "issuer" || part === "endpointOrigin");
}

/**
 * Returns the entry's login if the visit used no login, or one that differs only in its client; otherwise, the visit's.
 */
export function agreedAuth(locked: ServerAuth | undefined, found: ServerAuth | undefined): ServerAuth | undefined {
  checkArgument("locked", locked, "object?");
  checkArgument("found", found, "object?");
  if (locked === undefined || found === undefined) return found ?? locked;
  checkArgument("locked", locked, { scopes: "array" });
  checkArgument("found", found, { scopes: "array" });
  return compareAuth(locked, found).length === 0 ? locked : found;
}

/** Returns a login in the form that an entry holds: each scope once, in code-unit order. */
export function lockedAuth(auth: ServerAuth): ServerAuth {
  return { ...auth, scopes: [...new Set(auth.scopes)].sort(compareCodeUnits) };
}

/** Returns the endpoints that moved to a different origin, and the new ones at an origin where no endpoint was. */
function movedEndpoints(before: ServerAuth, after: ServerAuth): JsonChange[] {
  const known = new Set([before.issuer, ...Object.values(before.endpoints)].map(originOf));
  return Object.entries(after.endpoints).flatMap(([member, address]): JsonChange[] => {
    const old = Object.hasOwn(before.endpoints, member) ? before.endpoints[member] : undefined;
    const isSame = old === undefined ? known.has(originOf(address)) : originOf(old) === originOf(address);
    if (isSame) return [];
    return [{ pointer: `/endpoints/${member}`, ...(old !== undefined && { before: old }), after: address }];
  });
}

/** Returns the origin of an address; an invalid address is returned unchanged. */
function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

function metadataOf({ resource, endpoints }: ServerAuth) {
  return { resource, endpoints };
}

/** A server's list that differs between two logins. */
export interface ListByLogin {
  /** The entries of the two logins. */
  readonly server: string;
  readonly other: string;
  readonly list: (typeof ITEMS)[ItemKind]["list"];
  /** The names that only one of the two logins sees. */
  readonly onlyServer: readonly string[];
  readonly onlyOther: readonly string[];
  /** The names whose definitions differ. */
  readonly changed: readonly string[];
}

/**
 * Returns the lists that depend on the login: among entries with the same address whose logins differ in account or
 * scopes, each one is compared with the first.
 */
export function listsByLogin(entries: readonly LockedServer[]): ListByLogin[] {
  checkArgument("entries", entries, ["object"]);
  const firsts = new Map<string, LockedServer>();
  return entries.flatMap((entry) => {
    if (entry.auth === undefined || entry.launch.type !== "http") return [];
    const first = firsts.get(entry.launch.url);
    if (first === undefined) firsts.set(entry.launch.url, entry);
    return first === undefined || loginOf(first) === loginOf(entry) ? [] : compareLists(first, entry);
  });
}

function compareLists(one: LockedServer, two: LockedServer): ListByLogin[] {
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

/** The digests of all definitions, by name. */
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
