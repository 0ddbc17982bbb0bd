import type { CapabilityManifest, Sensitivity } from "@agentprint/manifest";
import { SENSITIVITIES } from "@agentprint/manifest";

/**
 * When a user is asked for a permission: `never`; `once`, before the first call that needs it; `first_use`, and again 24 hours
 * after each use; `every_call`.
 */
type Asking = "never" | "once" | "first_use" | "every_call";

/** What a user who accepted an earlier version is asked for one permission now. */
export interface ScopeConsent {
  readonly id: string;
  readonly label_i18n_key: string;
  readonly sensitivity: Sensitivity;
  /** `null` if the user has not accepted this permission. */
  readonly accepted_sensitivity: Sensitivity | null;
  readonly ask: Asking;
  /** Whether the user is asked more than the accepted version said. */
  readonly asked_anew: boolean;
  /** The tools that need the permission. */
  readonly tools: readonly string[];
}

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

function askingFor(sensitivity: Sensitivity, isAccepted: boolean): Asking {
  if (sensitivity === "high") return "every_call";
  if (sensitivity === "medium") return "first_use";
  return isAccepted ? "never" : "once";
}

function stricter(a: Sensitivity, b: Sensitivity): Sensitivity {
  return SENSITIVITIES.indexOf(a) > SENSITIVITIES.indexOf(b) ? a : b;
}
