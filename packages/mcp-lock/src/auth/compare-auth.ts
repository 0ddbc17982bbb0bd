import { compareCodeUnits, diffJson, type JsonChange } from "@agentprint/canonical-json";
import type { ServerAuth } from "@agentprint/mcp";
import type { Drift, ServerPart } from "../drift/drift.ts";

type PartChanged = Extract<Drift, { readonly type: "part-changed" }>;

/**
 * Returns the differences between the login of an entry and the one that a server asks for now, each as the part that one
 * rule is about; pointers are from the login. A login that only one side has is a difference of its metadata.
 */
export function compareAuth(before: ServerAuth | undefined, after: ServerAuth | undefined): PartChanged[] {
  if (before === undefined || after === undefined) {
    return changed("authMetadata", diffJson(before && json(before), after && json(after)));
  }
  if (before.issuer !== after.issuer) {
    return changed("issuer", [{ pointer: "/issuer", before: before.issuer, after: after.issuer }]);
  }
  const moved = movedEndpoints(before, after);
  const added = after.scopes.filter((scope) => !before.scopes.includes(scope));
  const dropped = before.scopes.filter((scope) => !after.scopes.includes(scope));
  const isMoved = new Set(moved.map(({ pointer }) => pointer));
  const others = diffJson(metadataOf(before), metadataOf(after)).filter(({ pointer }) => !isMoved.has(pointer));
  return [
    ...changed("endpointOrigin", moved),
    ...changed("scopesAdded", added.length > 0 ? [{ pointer: "/scopes", after: added }] : []),
    ...changed("scopesDropped", dropped.length > 0 ? [{ pointer: "/scopes", before: dropped }] : []),
    ...changed("authMetadata", others),
  ];
}

/** Whether a login has moved to another authorization server or origin, so that no token may follow it. */
export function isMovedAuth(before: ServerAuth, after: ServerAuth): boolean {
  return compareAuth(before, after).some(({ part }) => part === "issuer" || part === "endpointOrigin");
}

/** Returns the login of an entry where a visit used none, or one that differs in its client alone; else that of the visit. */
export function agreedAuth(locked: ServerAuth | undefined, found: ServerAuth | undefined): ServerAuth | undefined {
  if (locked === undefined || found === undefined) return found ?? locked;
  return compareAuth(locked, found).length === 0 ? locked : found;
}

/** Returns a login as an entry holds it: each scope once, in code-unit order. */
export function lockedAuth(auth: ServerAuth): ServerAuth {
  return { ...auth, scopes: [...new Set(auth.scopes)].sort(compareCodeUnits) };
}

/** The endpoints at another origin than before, and the new ones at an origin that no endpoint had. */
function movedEndpoints(before: ServerAuth, after: ServerAuth): JsonChange[] {
  const known = new Set([before.issuer, ...Object.values(before.endpoints)].map(originOf));
  return Object.entries(after.endpoints).flatMap(([member, address]): JsonChange[] => {
    const old = Object.hasOwn(before.endpoints, member) ? before.endpoints[member] : undefined;
    const isSame = old === undefined ? known.has(originOf(address)) : originOf(old) === originOf(address);
    if (isSame) return [];
    return [{ pointer: `/endpoints/${member}`, ...(old !== undefined && { before: old }), after: address }];
  });
}

/** The origin of an address; a text that is none stands for itself. */
function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

function metadataOf({ resource, endpoints }: ServerAuth) {
  return { resource, endpoints: { ...endpoints } };
}

function json(auth: ServerAuth) {
  return { ...auth, scopes: [...auth.scopes], endpoints: { ...auth.endpoints } };
}

function changed(part: ServerPart, changes: readonly JsonChange[]): PartChanged[] {
  return changes.length === 0 ? [] : [{ type: "part-changed", part, changes }];
}
