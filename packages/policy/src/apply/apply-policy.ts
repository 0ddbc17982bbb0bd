import { LEVELS, type Outcome, outcomeOf } from "@agentprint/findings";
import { checkArgument, POLICY } from "../check-argument.ts";
import { decideCheck, decideGuard, failOnOf, isFixed } from "./decide.ts";
import type { CheckDecision } from "./decisions.ts";
import type { PolicyFinding } from "./finding.ts";
import type { Ignore, Policy } from "./policy.ts";

/** The options of {@link applyPolicy}. */
export interface ApplyPolicyOptions {
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
  /** Whether only errors count as differences if the policy names no level, whatever its preset is. Default false. */
  readonly onlyErrors?: boolean;
  /**
   * Whether a guard stands between clients and a finding's subject; if so, an error becomes a warning where a preset
   * decides and the guard keeps the locked state. By default there is no guard.
   */
  readonly isGuarded?: (finding: PolicyFinding) => boolean;
  /**
   * Whether a person named in the policy has accepted the subject of a finding, which turns the finding into a note. By
   * default no one has.
   */
  readonly isAccepted?: (finding: PolicyFinding) => boolean;
}

/** The result of applying a policy to a check's findings. */
export interface AppliedPolicy<Finding> {
  /** The remaining findings, with the levels that the policy gives them. */
  readonly findings: readonly Finding[];
  /** The findings among these that count as differences. */
  readonly counting: ReadonlySet<Finding>;
  /** `unknown` under any policy if a subject could not be read; else `drift` if a finding counts. */
  readonly outcome: Outcome;
  /** The number of findings that were left out. */
  readonly ignored: number;
  /** The ignores whose last day has passed. They leave nothing out. */
  readonly expired: readonly Ignore[];
}

/**
 * Applies a policy to a check's findings: gives them the policy's levels, and leaves out those that it ignores today.
 *
 * A remark counts only if the policy's `rules` name its rule. If an ignore of a finding has expired, the finding's note
 * says so.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { applyPolicy, parsePolicy } from "@agentprint/policy";
 *
 * const policy = parsePolicy({ preset: "compatible" }, DRIFT_CATALOG);
 * const finding = { rule: "mcp/item-added", level: "warning", place: { subject: "files › copy" } } as const;
 * console.log(applyPolicy([finding], policy, { today: "2026-01-31" }).outcome); // same
 * ```
 */
export function applyPolicy<Finding extends PolicyFinding>(
  findings: readonly Finding[],
  policy: Policy,
  options: ApplyPolicyOptions,
): AppliedPolicy<Finding> {
  checkArgument("findings", findings, ["object"]);
  checkArgument("policy", policy, POLICY);
  checkArgument("options", options, "object");
  const { today, onlyErrors = false, isGuarded = () => false, isAccepted = () => false } = options;
  const counting = new Set<Finding>();
  const left = findings.flatMap((finding): Finding[] => {
    const { decision, preset } = decideCheck(finding, policy);
    const isKept = isGuarded(finding) && isFrozenByPreset(finding, policy);
    const level = isKept ? atMostWarning(decision) : decision;
    if (level === "off") return [];
    const ignores = isFixed(finding) ? [] : policy.ignores.filter((ignore) => isAbout(ignore, finding));
    if (ignores.some((ignore) => !isOver(ignore, today))) return [];
    if (!finding.couldNotTell && isAccepted(finding)) return [{ ...finding, level: "note" }];
    const counts = LEVELS.indexOf(level) >= LEVELS.indexOf(failOnOf(finding.place.server, policy, onlyErrors).decision);
    const [over] = ignores;
    const applied = { ...finding, level, ...(over && { note: withNote(finding.note, over) }) };
    if (!counts || (finding.isRemark && preset)) return [applied];
    counting.add(applied);
    return [applied];
  });
  const expired = policy.ignores.filter((ignore) => isOver(ignore, today));
  const outcome = outcomeOf({ findings: left }, (finding) => counting.has(finding));
  return { findings: left, counting, outcome, ignored: findings.length - left.length, expired };
}

/**
 * Returns whether a preset decides a finding's level and makes a guard give clients the locked state instead of the
 * live one.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { isFrozenByPreset, parsePolicy } from "@agentprint/policy";
 *
 * const policy = parsePolicy({ preset: "compatible" }, DRIFT_CATALOG);
 * const finding = { rule: "mcp/free-text-added", level: "error", place: { subject: "mail › send" } } as const;
 * console.log(isFrozenByPreset(finding, policy)); // true
 * ```
 */
export function isFrozenByPreset(finding: PolicyFinding, policy: Policy): boolean {
  checkArgument("finding", finding, { rule: "string" });
  checkArgument("policy", policy, POLICY);
  const isByPreset = decideCheck(finding, policy).preset !== undefined;
  return isByPreset && decideGuard(finding, policy).decision === "freeze";
}

function atMostWarning(decision: CheckDecision): CheckDecision {
  return decision === "error" ? "warning" : decision;
}

/**
 * Returns whether an ignore's last day has passed. The days are compared as strings, because `YYYY-MM-DD` sorts
 * chronologically.
 */
function isOver({ until }: Ignore, today: string): boolean {
  return until < today;
}

function isAbout(ignore: Ignore, { rule, place: { server, tool, pointer = "" } }: PolicyFinding): boolean {
  return (
    ignore.rule === rule &&
    (ignore.server === undefined || ignore.server === server) &&
    (ignore.tool === undefined || ignore.tool === tool) &&
    (ignore.path === undefined || ignore.path === pointer)
  );
}

function withNote(note: string | undefined, { until, reason }: Ignore): string {
  const over = `ignored until ${until} (${reason}); that day is past`;
  return note === undefined ? over : `${note}; ${over}`;
}
