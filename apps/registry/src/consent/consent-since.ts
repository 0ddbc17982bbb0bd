import { type CapabilityManifest, type Sensitivity, sensitivityInEffect } from "@agentprint/manifest";
import type { ScopeConsent } from "@agentprint/registry-api/answers";

/**
 * Returns the questions to a user who accepted manifest `accepted`, now that `present` is published. A permission that a version in
 * between did not declare is a new one; `kept` has the ids that every version since `accepted` declares. A permission is asked for
 * by the highest of the declared, the standard and the accepted sensitivity.
 */
export function consentSince(
  accepted: CapabilityManifest,
  present: CapabilityManifest,
  kept: ReadonlySet<string>,
): ScopeConsent[] {
  const tools = toolsByScope(present);
  const before = new Map(accepted.permission_scopes.map(({ id, sensitivity }) => [id, sensitivity]));
  return present.permission_scopes.map((scope) => {
    const { id, label_i18n_key } = scope;
    const agreed = kept.has(id) ? (before.get(id) ?? null) : null;
    const sensitivity = sensitivityInEffect(scope, agreed ?? undefined);
    const ask = askingFor(sensitivity, agreed !== null);
    const accepted_sensitivity = agreed === null ? null : sensitivityInEffect({ id, sensitivity: agreed });
    return {
      id,
      label_i18n_key,
      sensitivity,
      declared_sensitivity: scope.sensitivity,
      accepted_sensitivity,
      ask,
      asked_anew: accepted_sensitivity === null || ask !== askingFor(accepted_sensitivity, true),
      tools: tools.get(id) ?? [],
    };
  });
}

function toolsByScope({ tools }: CapabilityManifest): ReadonlyMap<string, readonly string[]> {
  const byScope = new Map<string, string[]>();
  for (const { name, permission_scope } of tools) {
    const names = byScope.get(permission_scope);
    if (names) names.push(name);
    else byScope.set(permission_scope, [name]);
  }
  return byScope;
}

function askingFor(sensitivity: Sensitivity, isAccepted: boolean): ScopeConsent["ask"] {
  if (sensitivity === "high") return "every_call";
  if (sensitivity === "medium") return "first_use";
  return isAccepted ? "never" : "once";
}
