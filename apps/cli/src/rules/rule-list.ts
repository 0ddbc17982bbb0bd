import { TURN_RULES } from "@agentprint/agent-capabilities/rules";
import { COMPARISON_RULES } from "@agentprint/content-hash/rules";
import { SPEC_RULES } from "@agentprint/drover/rules";
import { fullId, type Rule, type Rules } from "@agentprint/findings";
import { GUARD_RULES } from "@agentprint/guard/rules";
import { CHANGE_RULES, ISSUE_RULES, WARNING_RULES } from "@agentprint/manifest/rules";
import { DRIFT_RULES } from "@agentprint/mcp-lock/rules";
import { POLICY_RULES } from "@agentprint/policy/apply";
import { RELEASE_RULES } from "@agentprint/release/rules";
import { SKILL_RULES } from "@agentprint/skills/rules";
import { EVIDENCE_RULES } from "@agentprint/statement/evidence/rules";
import { STATEMENT_RULES } from "@agentprint/statement/rules";
import { TREE_RULES } from "../text/tree-rules.ts";
import { TRAIL_RULES } from "../trail/trail-rules.ts";
import { CLIENT_RULES, CONFIG_RULES, LOCK_RULES, PERMISSION_RULES } from "./check-rules.ts";

/** `domain/name`. */
const RULE_ID = /^[a-z]+\/[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;

/** The rules whose findings one command reports. */
export interface RuleTable {
  readonly command: string;
  /** Whether a configuration can change the levels of these rules, except for those that are fixed for a reason. */
  readonly isConfigurable: boolean;
  readonly rules: Rules;
}

/** A rule with its id and its documentation on the command line. */
export interface ListedRule extends Rule {
  readonly id: string;
  readonly command: string;
  readonly isConfigurable: boolean;
}

/** All rules by id, in the order in which they are listed. */
export class RuleRegistry {
  readonly #rules = new Map<string, ListedRule>();

  /**
   * @throws Error if a rule id is not `domain/name` or is registered twice.
   */
  constructor(tables: readonly RuleTable[]) {
    for (const { rules, command, isConfigurable } of tables) {
      for (const [id, { fixedBecause, ...rule }] of Object.entries(rules)) {
        if (!RULE_ID.test(id)) throw new Error(`the rule id ${id} is not of the form domain/name`);
        if (this.#rules.has(id)) throw new Error(`the rule id ${id} is registered twice`);
        const isFixed = fixedBecause !== undefined;
        const listed = { id, command, isConfigurable: isConfigurable && !isFixed, ...(isFixed && { fixedBecause }) };
        this.#rules.set(id, { ...listed, ...rule });
      }
    }
  }

  /** Returns all rules, in the order in which they were registered. */
  list(): readonly ListedRule[] {
    return [...this.#rules.values()];
  }

  /** Returns the rule with an id, or with an id without its domain if only one domain has such a rule. */
  find(id: string): ListedRule | undefined {
    const full = fullId(id, [...this.#rules.keys()]);
    return full === undefined ? undefined : this.#rules.get(full);
  }
}

const { "mcp/could-not-tell": couldNotTell, "mcp/artifact-changed": artifactChanged, ...drift } = DRIFT_RULES;

/** Every rule that a finding can refer to. `rules`, `explain`, the configuration and `docs/RULES.md` read this list. */
export const RULES: RuleRegistry = new RuleRegistry([
  {
    command: "agentprint check",
    isConfigurable: true,
    rules: {
      ...drift,
      "mcp/could-not-tell": couldNotTell,
      "mcp/artifact-changed": artifactChanged,
      ...POLICY_RULES,
      ...CONFIG_RULES,
      ...PERMISSION_RULES,
    },
  },
  { command: "agentprint check", isConfigurable: false, rules: LOCK_RULES },
  { command: "agentprint release", isConfigurable: false, rules: RELEASE_RULES },
  { command: "agentprint statement", isConfigurable: false, rules: STATEMENT_RULES },
  { command: "agentprint check", isConfigurable: true, rules: { ...CLIENT_RULES, ...SKILL_RULES } },
  { command: "agentprint guard", isConfigurable: true, rules: GUARD_RULES },
  { command: "agentprint manifest validate", isConfigurable: true, rules: { ...ISSUE_RULES, ...WARNING_RULES } },
  { command: "agentprint manifest diff", isConfigurable: true, rules: CHANGE_RULES },
  { command: "agentprint capabilities diff", isConfigurable: true, rules: TURN_RULES },
  { command: "agentprint spec check", isConfigurable: true, rules: SPEC_RULES },
  { command: "agentprint text tree", isConfigurable: true, rules: TREE_RULES },
  { command: "agentprint text compare", isConfigurable: true, rules: COMPARISON_RULES },
  { command: "agentprint trail verify", isConfigurable: false, rules: TRAIL_RULES },
  { command: "agentprint evidence verify", isConfigurable: false, rules: EVIDENCE_RULES },
]);
