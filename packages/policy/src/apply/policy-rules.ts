import { deepFreeze } from "@agentprint/canonical-json/json-value";

/** The rule of the finding that a policy is weaker than the accepted one. */
export const WEAKENED = "policy/weakened";

/** The rule of the note that a policy is stricter than the accepted one. */
export const STRENGTHENED = "policy/strengthened";

/** The meaning of a rule, and what to do about its findings. */
interface PolicyRule<Level> {
  readonly level: Level;
  readonly summary: string;
  readonly help: string;
}

/**
 * The rules of this package: what their findings mean and what to do about them.
 *
 * @example
 * ```ts
 * import { POLICY_RULES } from "@agentprint/policy";
 *
 * console.log(POLICY_RULES["policy/weakened"].level); // error
 * ```
 */
export const POLICY_RULES: {
  readonly [WEAKENED]: PolicyRule<"error">;
  readonly [STRENGTHENED]: PolicyRule<"note">;
} = /* @__PURE__ */ deepFreeze({
  [WEAKENED]: {
    level: "error",
    summary: "The policy lets more through than the one that was accepted.",
    help: "Review what it lets through. If that is meant, accept it: `agentprint approve --policy`.",
  },
  [STRENGTHENED]: {
    level: "note",
    summary: "The policy lets less through than the one that was accepted.",
    help: "Nothing has to be done. So that it cannot be relaxed again unseen, accept it: `agentprint approve --policy`.",
  },
});
