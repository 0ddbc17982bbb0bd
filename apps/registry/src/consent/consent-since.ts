import { type CapabilityManifest, SENSITIVITIES, type Sensitivity } from "@agentprint/manifest";
import type { ScopeConsent } from "@agentprint/registry-client/answers";

/**
 * What a user who accepted manifest `accepted` must be asked now that `present` is published. A permission that a version in
 * between did not declare is a new one; `kept` has the ids that every version since `accepted` declares. A permission whose
 * sensitivity was lowered is asked for as it was accepted.
 */
export function consentSince(
  accepted: CapabilityManifest,
  present: CapabilityManifest,
  kept: ReadonlySet<string>,
): ScopeConsent[] {
  const before = new Map(accepted.permission_scopes.map(({ id, sensitivity }) => [id, sensitivity]));
  return present.permission_scopes.map(({ id, label_i18n_key, sensitivity }) => {
    const agreed = kept.has(id) ? (before.get(id) ?? null) : null;
    const ask = askingFor(stricter(sensitivity, agreed ?? "low"), agreed !== null);
    return {
      id,
      label_i18n_key,
      sensitivity,
      accepted_sensitivity: agreed,
      ask,
      asked_anew: agreed === null || ask !== askingFor(agreed, true),
      tools: present.tools.filter(({ permission_scope }) => permission_scope === id).map(({ name }) => name),
    };
  });
}

function askingFor(sensitivity: Sensitivity, isAccepted: boolean): ScopeConsent["ask"] {
  if (sensitivity === "high") return "every_call";
  if (sensitivity === "medium") return "first_use";
  return isAccepted ? "never" : "once";
}

function stricter(a: Sensitivity, b: Sensitivity): Sensitivity {
  return SENSITIVITIES.indexOf(a) > SENSITIVITIES.indexOf(b) ? a : b;
}
