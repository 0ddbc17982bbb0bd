import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The rule for the finding that a policy is weaker than the accepted one. */
export const WEAKENED = "policy/weakened";

/** The rule for the note that a policy is stricter than the accepted one. */
export const STRENGTHENED = "policy/strengthened";

const FIXED = "a policy does not judge its own weakening";

/**
 * This package's rules, with the meaning of their findings and the remedies.
 *
 * @example
 * ```ts
 * import { POLICY_RULES } from "@agentprint/policy";
 *
 * console.log(POLICY_RULES["policy/weakened"].level); // error
 * ```
 */
export const POLICY_RULES: Rules<typeof WEAKENED | typeof STRENGTHENED> = /* @__PURE__ */ deepFreeze({
  [WEAKENED]: {
    level: "error",
    summary: "The policy allows more than the accepted one.",
    help: "Review what it allows. If that is intended, accept it: `agentprint approve --policy`.",
    why: "Without this, a change under review could switch off the check that reviews it.",
    example: {
      text: "A server's change comes with a preset that allows it.",
      before: { preset: "strict" },
      after: { preset: "breaking" },
    },
    fixedBecause: FIXED,
  },
  [STRENGTHENED]: {
    level: "note",
    isRemark: true,
    summary: "The policy allows less than the accepted one.",
    help: "Nothing to do. To keep it from being relaxed again unnoticed, accept it: `agentprint approve --policy`.",
    why: "As long as the weaker policy is the accepted one, a change can go back to it and pass.",
    example: {
      text: "A team returns to the preset in which every difference counts.",
      before: { preset: "breaking" },
      after: { preset: "strict" },
    },
    fixedBecause: FIXED,
  },
});
