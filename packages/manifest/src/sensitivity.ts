import { checkArgument } from "./check-argument.ts";
/** How sensitive a permission scope is, in ascending order. */
export const SENSITIVITIES = ["low", "medium", "high"] as const;
Object.freeze(SENSITIVITIES);

/** One of {@link SENSITIVITIES}. */
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** The four standard scopes, with the sensitivity that clients expect. */
export const STANDARD_SCOPES: Readonly<Record<string, Sensitivity>> = Object.freeze({
  "notification:send": "low",
  "filesystem:read": "medium",
  "clipboard:read": "medium",
  "location:read": "high",
});

/** Returns a number above zero if `a` is more sensitive than `b`, or below zero if it is less sensitive. */
export function compareSensitivity(a: Sensitivity, b: Sensitivity): number {
  return SENSITIVITIES.indexOf(a) - SENSITIVITIES.indexOf(b);
}

/**
 * Returns the sensitivity that decides how users are asked about a scope: the highest of the declared sensitivity, the
 * scope's standard one, and the one that the user accepted. A manifest cannot make clients ask less often for a
 * standard scope.
 *
 * @param scope - the scope's id and the sensitivity that the manifest declares
 * @param accepted - the sensitivity that the user accepted, if any
 *
 * @example
 * ```ts
 * import { sensitivityInEffect } from "@agentprint/manifest";
 *
 * console.log(sensitivityInEffect({ id: "location:read", sensitivity: "low" })); // "high"
 * console.log(sensitivityInEffect({ id: "notes:read", sensitivity: "low" }, "medium")); // "medium"
 * ```
 */
export function sensitivityInEffect(
  scope: { readonly id: string; readonly sensitivity: Sensitivity },
  accepted: Sensitivity = "low",
): Sensitivity {
  checkArgument("scope", scope, "object");
  const { id, sensitivity } = scope;
  return stricterSensitivity(stricterSensitivity(sensitivity, standardSensitivity(id) ?? "low"), accepted);
}

/** Returns whether a standard scope is declared less sensitive than clients expect. */
export function isBelowStandard(scope: string, sensitivity: Sensitivity): boolean {
  const standard = standardSensitivity(scope);
  return standard !== undefined && compareSensitivity(sensitivity, standard) < 0;
}

function standardSensitivity(scope: string): Sensitivity | undefined {
  return Object.hasOwn(STANDARD_SCOPES, scope) ? STANDARD_SCOPES[scope] : undefined;
}

/** Returns the higher of two sensitivities. */
export function stricterSensitivity(a: Sensitivity, b: Sensitivity): Sensitivity {
  return compareSensitivity(a, b) > 0 ? a : b;
}
