/** How sensitive a permission scope is, in rising order. */
export const SENSITIVITIES = ["low", "medium", "high"] as const;
Object.freeze(SENSITIVITIES);

/** One of {@link SENSITIVITIES}. */
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** The four scopes that every client knows, with the sensitivity that they are meant to have. */
export const STANDARD_SCOPES: Readonly<Record<string, Sensitivity>> = Object.freeze({
  "notification:send": "low",
  "filesystem:read": "medium",
  "clipboard:read": "medium",
  "location:read": "high",
});

/** Above zero when `a` is more sensitive than `b`, below when less. */
export function compareSensitivity(a: Sensitivity, b: Sensitivity): number {
  return SENSITIVITIES.indexOf(a) - SENSITIVITIES.indexOf(b);
}

/** The more sensitive of two. */
export function stricterSensitivity(a: Sensitivity, b: Sensitivity): Sensitivity {
  return compareSensitivity(a, b) > 0 ? a : b;
}

/** Whether a scope that clients know is declared less sensitive than they know it. */
export function isBelowStandard(scope: string, sensitivity: Sensitivity): boolean {
  const standard = Object.hasOwn(STANDARD_SCOPES, scope) ? STANDARD_SCOPES[scope] : undefined;
  return standard !== undefined && compareSensitivity(sensitivity, standard) < 0;
}
