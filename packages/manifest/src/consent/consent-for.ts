import type { CapabilityManifest } from "../capability-manifest.ts";
import { checkArgument, MANIFEST } from "../check-argument.ts";
import { type Sensitivity, sensitivityInEffect } from "../sensitivity.ts";

/** The question that the user is asked about one permission. */
export interface ScopeConsent {
  readonly id: string;
  readonly label_i18n_key: string;
  /** The sensitivity that decides how the user is asked: the highest of the declared, the standard and the accepted one. */
  readonly sensitivity: Sensitivity;
  /** The sensitivity that the present version declares. */
  readonly declared_sensitivity: Sensitivity;
  /**
   * The sensitivity that decided how the user was asked when the version was accepted; `null` if the user has not
   * accepted this permission.
   */
  readonly accepted_sensitivity: Sensitivity | null;
  /**
   * `never`, because the user has accepted the permission or does so by adding the agent; `once`, before the first
   * call; `first_use`, and again 24 hours after each use; or `every_call`.
   */
  readonly ask: "never" | "once" | "first_use" | "every_call";
  /** Whether the user is asked more often than in the accepted version. */
  readonly asked_anew: boolean;
  /** The tools that need the permission. */
  readonly tools: readonly string[];
}

/** A version that a user accepted. */
export interface AcceptedManifest {
  readonly manifest: CapabilityManifest;
  /**
   * The ids of the scopes that every version since then declares; by default all. A scope that was missing in between
   * counts as new.
   */
  readonly kept?: ReadonlySet<string>;
}

/**
 * Returns the questions that a user is asked about a manifest: without `accepted`, when the user is about to add the
 * agent; with it, after the user accepted an earlier version. A consent gate that is notified of each acceptance asks
 * the same questions.
 *
 * @param present - the manifest of the present version
 * @param accepted - the version that the user accepted before
 * @returns one entry for each permission, in the manifest's order
 *
 * @example
 * ```ts
 * import { consentFor } from "@agentprint/manifest";
 *
 * const scope = { id: "notification:send", label_i18n_key: "scopes.send", sensitivity: "low" } as const;
 * const manifest = {
 *   schema_version: "1.0",
 *   agent_version: "1.0.0",
 *   tools: [],
 *   permission_scopes: [scope],
 *   capability_flags: {},
 * } as const;
 * console.log(consentFor(manifest)[0]?.ask); // "never"
 * console.log(consentFor(manifest, { manifest: { ...manifest, permission_scopes: [] } })[0]?.ask); // "once"
 * ```
 */
export function consentFor(present: CapabilityManifest, accepted?: AcceptedManifest): ScopeConsent[] {
  checkArgument("present", present, MANIFEST);
  const tools = toolsByScope(present);
  const before = new Map(accepted?.manifest.permission_scopes.map(({ id, sensitivity }) => [id, sensitivity]));
  return present.permission_scopes.map((scope) => {
    const { id, label_i18n_key } = scope;
    const agreed = accepted?.kept?.has(id) === false ? null : (before.get(id) ?? null);
    const sensitivity = sensitivityInEffect(scope, agreed ?? undefined);
    const ask = askingFor(sensitivity, agreed !== null || accepted === undefined);
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
