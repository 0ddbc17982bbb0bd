import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { isSameJson } from "@agentprint/canonical-json/json-value";
import type { DriftFinding, DriftRuleId } from "@agentprint/mcp-lock";
import { decide, GUARD_DECISIONS, type GuardDecision, type Policy } from "@agentprint/policy";
import { compareSchemas, SchemaDiffError, type StepBudget } from "@agentprint/schema-diff";
import type { Locked } from "./baseline.ts";
import type { ItemVerdict } from "./verdict.ts";

/** Returns the strictest of the decisions; `pass` if there are none. */
export function highest(decisions: readonly GuardDecision[]): GuardDecision {
  const rank = decisions.reduce((most, decision) => Math.max(most, GUARD_DECISIONS.indexOf(decision)), 0);
  return GUARD_DECISIONS[rank] as GuardDecision;
}

/** Returns the strictest decision on some findings. */
export function decideAll(findings: readonly DriftFinding[], policy: Policy): GuardDecision {
  return highest(findings.map((finding) => decide(finding, policy).guard));
}

/** Returns the ids of the rules in some findings, each once. */
export function ruleIds(findings: readonly { readonly rule: string }[]): string[] {
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** An item that differs from the lock. */
interface ChangedItem extends Pick<ItemVerdict, "name" | "live" | "numbers"> {
  readonly locked: Locked | undefined;
  /** Whether the lock allows one of its members to vary; clients then see the locked definition or nothing. */
  readonly isVarying: boolean;
}

/** Returns the verdict on an item that differs from the lock. */
export function decideItem(
  item: ChangedItem,
  findings: readonly DriftFinding[],
  policy: Policy,
  budget: StepBudget,
): ItemVerdict {
  const { isVarying, ...compared } = item;
  const { locked } = compared;
  const allowed = decideAll(findings, policy);
  const decided = allowed === "pass" && isVarying ? "freeze" : allowed;
  const decision = decided === "freeze" && !isSafeToFreeze(item, findings, budget) ? "block" : decided;
  const shown = decision === "pass" ? item.live : decision === "block" ? undefined : locked?.definition;
  return {
    ...compared,
    // An item that was never locked has no locked definition that could be shown.
    decision: shown === undefined ? "block" : decision,
    shown,
    findings: ruleIds(findings),
  } as ItemVerdict;
}

/** Rules that no proof about schemas covers: more power, and numbers that share a double. */
const UNSAFE: ReadonlySet<string> = new Set<DriftRuleId>(["mcp/hint-more-power", "mcp/number-changed"]);

/**
 * Returns whether calls that follow the locked definition are safe with the live one: every call that the locked input
 * schema accepts is proven to be accepted, the live output is proven to be within the locked one, no hint claims more
 * power, and no number is written differently.
 */
function isSafeToFreeze(
  { live, locked }: { readonly live: JsonObject; readonly locked: Locked | undefined },
  findings: readonly DriftFinding[],
  budget: StepBudget,
): boolean {
  if (locked === undefined || findings.some(({ rule }) => UNSAFE.has(rule))) return false;
  const { definition } = locked;
  return (
    isCompatible(definition["inputSchema"], live["inputSchema"], "input", budget) &&
    isCompatible(definition["outputSchema"], live["outputSchema"], "output", budget)
  );
}

/** Returns whether a schema change is proven safe. A missing schema accepts any value; `null` is not a schema. */
function isCompatible(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  direction: "input" | "output",
  budget: StepBudget,
): boolean {
  if (isSameJson(before, after)) return true;
  const [from, to] = [before, after].map((schema) => (schema === undefined ? true : schema));
  const values = direction === "input" ? "objects" : "any";
  try {
    return compareSchemas(from, to, { direction, values, budget, want: "proof" }).verdict === "compatible";
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return false;
  }
}
