import { RULES } from "../../../../apps/cli/src/rules/rule-list.ts";
import type { DriftFinding } from "../../../../packages/mcp-lock/src/index.ts";
import { applyPolicy, type Policy, PRESETS, parsePolicy } from "../../../../packages/policy/src/index.ts";
import { PROVEN_LAYERS } from "../tables.ts";
import type { TriedEdit } from "../try-edits.ts";

/**
 * The rules whose findings make a guard with `compatible` freeze a tool, so that their level in a check is a free
 * choice.
 */
const FREE: readonly string[] = Object.entries(PRESETS.compatible.rules)
  .filter(([, { guard }]) => guard === "freeze")
  .map(([rule]) => rule);

const [VALUES, ANYTHING, TEXT] = ["mcp/values-widened", "mcp/anything-added", "mcp/free-text-added"] as const;
const OPENINGS = [VALUES, ANYTHING, TEXT];

/** Sets of rules that are tried together as errors, in addition to the rules that the guard blocks. */
export const CHOICES: readonly (readonly string[])[] = [
  [],
  ...OPENINGS.map((rule) => [rule]),
  [VALUES, ANYTHING],
  [ANYTHING, TEXT],
  OPENINGS,
  [...OPENINGS, "mcp/input-widened"],
  [...OPENINGS, "mcp/input-widened", "mcp/schema-compatible"],
  [...OPENINGS, "mcp/input-widened", "mcp/schema-compatible", "mcp/tool-prose-changed"],
  FREE,
];

/** Returns a row of the table for each choice: its rules, and the upgrades and attacks that a check with it stops. */
export function measureChoices(
  upgrades: readonly (readonly DriftFinding[])[],
  edits: readonly TriedEdit[],
): string[][] {
  const chosen = FREE.filter((rule) => PRESETS.compatible.rules[rule]?.check === "error");
  const isProven = ({ recipe }: TriedEdit): boolean => PROVEN_LAYERS.includes(recipe.layer);
  return CHOICES.map((rules) => {
    const policy = policyOf(rules);
    const isChosen = rules.length === chosen.length && rules.every((rule) => chosen.includes(rule));
    const words =
      rules.length === FREE.length ? "everything" : rules.map((rule) => `\`${rule}\``).join(", ") || "nothing";
    const stopped = (some: readonly TriedEdit[]): string =>
      share(
        some.filter(({ stages }) => stages.some((findings) => stopping(findings, policy).length > 0)).length,
        some.length,
      );
    return [
      isChosen ? `**${words}** (chosen)` : words,
      share(upgrades.filter((findings) => stopping(findings, policy).length > 0).length, upgrades.length),
      share(sum(upgrades.map((all) => toolsOf(stopping(all, policy)))), sum(upgrades.map(toolsOf))),
      stopped(edits),
      stopped(edits.filter(isProven)),
      stopped(edits.filter((edit) => !isProven(edit))),
    ];
  });
}

function policyOf(errors: readonly string[]): Policy {
  const rules = Object.fromEntries(
    FREE.map((rule) => [rule, errors.includes(rule) ? ("error" as const) : ("warning" as const)]),
  );
  return parsePolicy({ preset: "compatible", rules }, RULES);
}

/** Returns the findings that make a check end with exit code 1. */
function stopping(findings: readonly DriftFinding[], policy: Policy): DriftFinding[] {
  return [...applyPolicy(findings, policy, { today: "2000-01-01" }).counting];
}

/** Returns the number of tools that findings are about. */
function toolsOf(findings: readonly DriftFinding[]): number {
  const tools = findings.flatMap(({ place, isRemark }) => (isRemark ? [] : (place.tool ?? [])));
  return new Set(tools).size;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function share(some: number, all: number): string {
  return `${some} of ${all} (${Math.round((some / all) * 100)} %)`;
}
