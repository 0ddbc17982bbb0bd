/** How sensitive a permission scope is, in rising order. */
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

/** Above zero if `a` is more sensitive than `b`, below zero if it is less sensitive. */
export function compareSensitivity(a: Sensitivity, b: Sensitivity): number {
  return SENSITIVITIES.indexOf(a) - SENSITIVITIES.indexOf(b);
}

/** The higher of two sensitivities. */
export function stricterSensitivity(a: Sensitivity, b: Sensitivity): Sensitivity {
  return compareSensitivity(a, b) > 0 ? a : b;
}

/** Whether a standard scope is declared less sensitive than clients expect. */
export function isBelowStandard(scope: string, sensitivity: Sensitivity): boolean {
  const standard = Object.hasOwn(STANDARD_SCOPES, scope) ? STANDARD_SCOPES[scope] : undefined;
  return standard !== undefined && compareSensitivity(sensitivity, standard) < 0;
}
