import { deepFreeze } from "@agentprint/canonical-json/json-value";

/** The rule of the finding that a policy is weaker than the accepted one. */
export const WEAKENED = "policy/weakened";

/**
 * The rule of this package: what its finding means and what to do about it.
 *
 * @example
 * ```ts
 * import { POLICY_RULES } from "@agentprint/policy";
 *
 * console.log(POLICY_RULES["policy/weakened"].level); // error
 * ```
 */
export const POLICY_RULES: Readonly<
  Record<typeof WEAKENED, { readonly level: "error"; readonly summary: string; readonly help: string }>
> = /* @__PURE__ */ deepFreeze({
  [WEAKENED]: {
    level: "error",
    summary: "The policy lets more through than the one that was accepted.",
    help: "Review what it lets through. If that is meant, accept it: `agentprint approve --policy`.",
  },
});
