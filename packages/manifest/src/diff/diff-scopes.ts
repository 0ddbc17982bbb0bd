import { toPointer } from "@agentprint/canonical-json";
import type { CapabilityManifest, PermissionScope } from "../manifest-schema.ts";
import { compareSensitivity, isBelowStandard } from "../sensitivity.ts";
import { isReordered, pairByKey } from "./by-key.ts";
import type { Fact } from "./change.ts";

/**
 * What changed in the permission scopes.
 *
 * @param attributed Ids of the scopes whose sensitivity is told with the tools that use them.
 */
export function diffScopes(
  before: CapabilityManifest,
  after: CapabilityManifest,
  attributed: ReadonlySet<string>,
): Fact[] {
  const pairs = pairByKey(before.permission_scopes, after.permission_scopes, ({ id }) => id);
  const facts = pairs.flatMap(({ before: old, after: young }): Fact[] => {
    if (old === undefined) return [added(young.item, young.index)];
    if (young === undefined) return [removed(old.item, old.index)];
    return changed(old.item, young.item, young.index, attributed);
  });
  if (isReordered(pairs)) {
    const oldIds = before.permission_scopes.map(({ id }) => id);
    const youngIds = after.permission_scopes.map(({ id }) => id);
    facts.push({
      kind: "permission_scopes_reordered",
      path: "/permission_scopes",
      before: oldIds,
      after: youngIds,
    });
  }
  return facts;
}

function removed(scope: PermissionScope, index: number): Fact {
  const path = toPointer(["permission_scopes", index]);
  return { kind: "permission_scope_removed", path, before: { ...scope }, scope: scope.id };
}

function added(scope: PermissionScope, index: number): Fact {
  return {
    kind: "permission_scope_added",
    path: toPointer(["permission_scopes", index]),
    after: { ...scope },
    scope: scope.id,
    weakens_consent: isBelowStandard(scope.id, scope.sensitivity),
  };
}

function changed(old: PermissionScope, young: PermissionScope, index: number, attributed: ReadonlySet<string>): Fact[] {
  const facts: Fact[] = [];
  const at = (field: string): string => toPointer(["permission_scopes", index, field]);
  if (old.label_i18n_key !== young.label_i18n_key) {
    const [before, after] = [old.label_i18n_key, young.label_i18n_key];
    facts.push({ kind: "label_changed", path: at("label_i18n_key"), before, after, scope: young.id });
  }
  const [from, to] = [old.sensitivity, young.sensitivity];
  if (from !== to && !attributed.has(young.id)) {
    facts.push({
      kind: "sensitivity_changed",
      path: at("sensitivity"),
      before: from,
      after: to,
      scope: young.id,
      from,
      to,
      weakens_consent: compareSensitivity(to, from) < 0 || isBelowStandard(young.id, to),
    });
  }
  return facts;
}
