import { deepFreeze, type JsonValue } from "@agentprint/canonical-json/json-value";

/** The rule of the finding that a policy is weaker than the accepted one. */
export const WEAKENED = "policy/weakened";

/** A rule, why it matters, and what its finding can be about. */
export interface PolicyRule {
  readonly level: "error";
  readonly summary: string;
  readonly help: string;
  readonly why: string;
  readonly example: { readonly text: string; readonly before: JsonValue; readonly after: JsonValue };
}

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
export const POLICY_RULES: Readonly<Record<"policy/weakened", PolicyRule>> = /* @__PURE__ */ deepFreeze({
  [WEAKENED]: {
    level: "error",
    summary: "The policy lets more through than the one that was accepted.",
    help: "Review what it lets through. If that is meant, accept it: `agentprint approve --policy`.",
    why: "A change under review could otherwise switch off the check that has to review it.",
    example: {
      text: "A change of a server comes with a preset that lets it through.",
      before: { preset: "strict" },
      after: { preset: "breaking" },
    },
  },
});
