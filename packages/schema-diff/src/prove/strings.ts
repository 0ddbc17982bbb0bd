import type { JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP } from "../budget.ts";
import type { Automaton } from "../regex/automaton.ts";
import { compileStrings } from "../regex/compile-pattern.ts";
import { findString } from "../regex/find-string.ts";
import { type Finding, firstOf, NONE, type Problem, UNKNOWN } from "./finding.ts";

/** Searches for a string of bounded length that matches some patterns and does not match others. */
export function solveString({ branch, fulfils, budget }: Problem): Finding {
  const automata = (constraints: readonly { automaton: Automaton | undefined }[]): Automaton[] =>
    constraints.flatMap(({ automaton }) => automaton ?? []);
  for (const { size } of branch.excluded) budget.spend(size / ENTRIES_A_STEP);
  const excluded = branch.excluded.flatMap((values) => [...values.values()].filter((v) => typeof v === "string"));
  const avoiding = automata(branch.notPatterns);
  if (excluded.length > 0) avoiding.push(compileStrings(excluded, budget));
  const { minSize: minLength, maxSize: maxLength } = branch;
  const found = findString({ matching: automata(branch.patterns), avoiding, minLength, maxLength }, budget);
  if (!found) return NONE;
  const samples = branch.opaque.flatMap((constraint) => constraint.samples);
  const candidates: JsonValue[] = found === "too-long" ? samples : [found.text, ...samples];
  const finding = firstOf(candidates, fulfils);
  return finding.found === "value" ? finding : UNKNOWN;
}
