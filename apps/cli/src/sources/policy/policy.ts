import { POLICY_RULES } from "@agentprint/policy/apply";
import type { Source } from "../source.ts";

/**
 * The differences between the policy and the accepted one; no policy applies to them, and the weaker parts come first.
 */
export const POLICY: Source = {
  needed: ({ judgement: { weakened, strengthened } }) => weakened.length + strengthened.length > 0,
  findings: async ({ judgement: { weakened, strengthened } }) => ({
    first: weakened,
    last: strengthened,
    rules: POLICY_RULES,
    ...(weakened.length > 0 && { says: "the policy is weaker than the accepted one" }),
    isBeyondPolicy: true,
  }),
};
