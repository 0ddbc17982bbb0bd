import { CHANGE_RULES } from "@agentprint/domain-reports/manifest";
import { GUARD_RULES } from "@agentprint/guard/rules";
import { DRIFT_RULES } from "@agentprint/mcp-lock/findings";
import { POLICY_RULES } from "@agentprint/policy/apply";
import { TURN_RULES } from "./capabilities-rules.ts";
import { CLIENT_RULES } from "./client-rules.ts";
import { CONFIG_RULES } from "./config-rules.ts";
import { LOCK_RULES } from "./lock-rules.ts";
import { ISSUE_RULES, WARNING_RULES } from "./manifest-rules.ts";
import { RuleRegistry } from "./rule-registry.ts";
import { SPEC_RULES } from "./spec-rules.ts";
import { COMPARISON_RULES, TREE_RULES } from "./text-rules.ts";
import { TRAIL_RULES } from "./trail-rules.ts";

const { "mcp/could-not-tell": couldNotTell, "mcp/artifact-changed": artifactChanged, ...drift } = DRIFT_RULES;

/** Every rule that a finding can refer to. `rules`, `explain`, the configuration and `docs/RULES.md` read this list. */
export const RULES: RuleRegistry = new RuleRegistry([
  { command: "agentprint check", isConfigurable: true, rules: drift },
  {
    command: "agentprint check",
    isConfigurable: false,
    fixedBecause: "what could not be told is never exit code 0 or 1",
    rules: { "mcp/could-not-tell": couldNotTell },
  },
  {
    command: "agentprint check",
    isConfigurable: false,
    fixedBecause: "no policy makes other bytes under one version the same",
    rules: { "mcp/artifact-changed": artifactChanged },
  },
  {
    command: "agentprint check",
    isConfigurable: false,
    fixedBecause: "a policy does not judge its own weakening",
    rules: POLICY_RULES,
  },
  { command: "agentprint check", isConfigurable: true, rules: CONFIG_RULES },
  { command: "agentprint check", isConfigurable: false, rules: LOCK_RULES },
  {
    command: "agentprint check",
    isConfigurable: false,
    fixedBecause: "a policy decides behind the guard, and not about what stands in its place",
    rules: CLIENT_RULES,
  },
  { command: "agentprint guard", isConfigurable: true, rules: GUARD_RULES },
  {
    command: "agentprint manifest validate",
    isConfigurable: false,
    fixedBecause: "the manifest is refused everywhere",
    rules: ISSUE_RULES,
  },
  { command: "agentprint manifest validate", isConfigurable: true, rules: WARNING_RULES },
  { command: "agentprint manifest diff", isConfigurable: true, rules: CHANGE_RULES },
  { command: "agentprint capabilities diff", isConfigurable: true, rules: TURN_RULES },
  { command: "agentprint spec check", isConfigurable: true, rules: SPEC_RULES },
  { command: "agentprint text tree", isConfigurable: true, rules: TREE_RULES },
  { command: "agentprint text compare", isConfigurable: true, rules: COMPARISON_RULES },
  { command: "agentprint trail verify", isConfigurable: false, rules: TRAIL_RULES },
]);
