import { TURN_RULES } from "@agentprint/agent-capabilities/rules";
import { COMPARISON_RULES } from "@agentprint/content-hash/findings";
import { SPEC_RULES } from "@agentprint/drover/findings";
import { GUARD_RULES } from "@agentprint/guard/rules";
import { CHANGE_RULES, ISSUE_RULES, WARNING_RULES } from "@agentprint/manifest/findings";
import { DRIFT_RULES } from "@agentprint/mcp-lock/findings";
import { POLICY_RULES } from "@agentprint/policy/apply";
import { RELEASE_RULES } from "@agentprint/release/rules";
import { SKILL_RULES } from "@agentprint/skills/rules";
import { EVIDENCE_RULES } from "@agentprint/statement/evidence/rules";
import { STATEMENT_RULES } from "@agentprint/statement/rules";
import { TREE_RULES } from "../text/tree-rules.ts";
import { TRAIL_RULES } from "../trail/trail-rules.ts";
import { CLIENT_RULES } from "./client-rules.ts";
import { CONFIG_RULES } from "./config-rules.ts";
import { LOCK_RULES } from "./lock-rules.ts";
import { PERMISSION_RULES } from "./permission-rules.ts";
import { RuleRegistry } from "./rule-registry.ts";

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
