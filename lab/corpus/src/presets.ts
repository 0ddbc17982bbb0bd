import { RULES } from "../../../apps/cli/src/rules/rule-list.ts";
import type { DriftFinding } from "../../../packages/mcp-lock/src/index.ts";
import { applyPolicy, decide, PRESET_NAMES, type PresetName, parsePolicy } from "../../../packages/policy/src/index.ts";

export type { PresetName };

/** The effect of a preset on a list of findings. */
export interface Judgement {
  /** Whether `agentprint check` ends with exit code 1. */
  readonly failsCheck: boolean;
  /** Whether a guard blocks or freezes the subject of one of the findings. */
  readonly stopsGuard: boolean;
}

const today = new Date().toISOString().slice(0, 10);
const POLICIES = new Map(PRESET_NAMES.map((preset) => [preset, parsePolicy({ preset }, RULES)]));

/**
 * Applies a preset to findings, and returns its effect.
 *
 * @throws Error if a server could not be compared, because no preset decides about that
 */
export function judge(findings: readonly DriftFinding[], preset: PresetName): Judgement {
  const policy = policyOf(preset);
  const { outcome } = applyPolicy(findings, policy, { today });
  if (outcome === "unknown") throw new Error(`could not tell: ${findings.find((f) => f.couldNotTell)?.message}`);
  const decisions = findings.map((finding) => decide(finding, policy).guard);
  return {
    failsCheck: outcome === "drift",
    stopsGuard: decisions.some((guard) => guard === "block" || guard === "freeze"),
  };
}

/** Returns the findings with the levels that a preset gives them. */
export function applied(findings: readonly DriftFinding[], preset: PresetName): readonly DriftFinding[] {
  return applyPolicy(findings, policyOf(preset), { today }).findings;
}

function policyOf(preset: PresetName): ReturnType<typeof parsePolicy> {
  return POLICIES.get(preset) as ReturnType<typeof parsePolicy>;
}

/** Returns the value that a function computes for each preset. */
export function byPreset<T>(value: (preset: PresetName) => T): Record<PresetName, T> {
  return Object.fromEntries(PRESET_NAMES.map((preset) => [preset, value(preset)])) as Record<PresetName, T>;
}
