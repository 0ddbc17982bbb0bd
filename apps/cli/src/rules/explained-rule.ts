import type { RuleExample } from "@agentprint/mcp-lock/findings";
import type { Rule } from "@agentprint/report";

export type { RuleExample } from "@agentprint/mcp-lock/findings";

/** A rule as `agentprint explain` tells it. */
export interface ExplainedRule extends Rule {
  /** The reason why it matters, in one or two sentences. */
  readonly why: string;
  /** For a rule that validates, `before` is what is wrong and `after` what is right. */
  readonly example: RuleExample;
  /** Present where the findings are observations and no differences. */
  readonly isRemark?: true;
}
