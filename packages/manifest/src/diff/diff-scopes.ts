import { toPointer } from "@agentprint/canonical-json";
import type { CapabilityManifest, PermissionScope } from "../capability-manifest.ts";
import { compareSensitivity, isBelowStandard } from "../sensitivity.ts";
import type { RawChange } from "./change.ts";
import { isReordered, pairByKey } from "./pair-by-key.ts";

/** Returns every change to the permission scopes, except changes in sensitivity that are reported with a tool. */
export function diffScopes(before: CapabilityManifest, after: CapabilityManifest): RawChange[] {
  const pairs = pairByKey(before.permission_scopes, after.permission_scopes, ({ id }) => id);
  const reported = scopesReportedWithTools(before, after);
  const changes = pairs.flatMap((pair): RawChange[] => {
    if (pair.before === undefined) return [scopeAdded(pair.after, pair.index)];
    if (pair.after === undefined) return [scopeRemoved(pair.before, pair.index)];
    return [
      ...diffLabel(pair.before, pair.after, pair.index),
      ...(reported.has(pair.after.id) ? [] : diffSensitivity(pair.before, pair.after, pair.index)),
    ];
  });
  return isReordered(pairs) ? [...changes, reordered(before, after)] : changes;
}

/**
 * Returns the ids of the scopes that a tool needs both before and after. If such a scope's sensitivity changes, the
 * change is reported with each of these tools, so it is not reported with the scope.
 */
function scopesReportedWithTools(before: CapabilityManifest, after: CapabilityManifest): ReadonlySet<string> {
  const scopeBefore = new Map(before.tools.map(({ name, permission_scope }) => [name, permission_scope]));
  const kept = after.tools.filter(({ name, permission_scope }) => scopeBefore.get(name) === permission_scope);
  return new Set(kept.map(({ permission_scope }) => permission_scope));
}

function scopeRemoved(scope: PermissionScope, index: number): RawChange {
  const path = toPointer(["permission_scopes", index]);
  return { kind: "permission_scope_removed", path, before: { ...scope }, scope: scope.id };
}

function scopeAdded(scope: PermissionScope, index: number): RawChange {
  return {
    kind: "permission_scope_added",
    path: toPointer(["permission_scopes", index]),
    after: { ...scope },
    scope: scope.id,
    weakens_consent: isBelowStandard(scope.id, scope.sensitivity),
  };
}

function diffLabel(
  { label_i18n_key: before }: PermissionScope,
  { label_i18n_key: after, id }: PermissionScope,
  index: number,
): RawChange[] {
  if (before === after) return [];
  const path = toPointer(["permission_scopes", index, "label_i18n_key"]);
  return [{ kind: "label_changed", path, before, after, scope: id }];
}

function diffSensitivity(
  { sensitivity: from }: PermissionScope,
  { sensitivity: to, id }: PermissionScope,
  index: number,
): RawChange[] {
  if (from === to) return [];
  return [
    {
      kind: "sensitivity_changed",
      path: toPointer(["permission_scopes", index, "sensitivity"]),
      before: from,
      after: to,
      scope: id,
      from,
      to,
      weakens_consent: compareSensitivity(to, from) < 0 || isBelowStandard(id, to),
    },
  ];
}

function reordered(before: CapabilityManifest, after: CapabilityManifest): RawChange {
  const idsOf = ({ permission_scopes }: CapabilityManifest): string[] => permission_scopes.map(({ id }) => id);
  const path = "/permission_scopes";
  return { kind: "permission_scopes_reordered", path, before: idsOf(before), after: idsOf(after) };
}
