import type { RuleExample } from "@agentprint/mcp-lock/findings";
import type { Rule } from "@agentprint/report";

export type { RuleExample } from "@agentprint/mcp-lock/findings";

/** A rule with its explanation for `agentprint explain`. */
export interface ExplainedRule extends Rule {
  /** The reason why it matters, in one or two sentences. */
  readonly why: string;
  /** For a validation rule, `before` is the wrong form and `after` the right one. */
  readonly example: RuleExample;
  /** Present where the findings are observations and no differences. */
  readonly isRemark?: true;
}
