import type { JsonValue } from "@agentprint/canonical-json";
import type { StepBudget } from "../budget.ts";
import type { Evaluator, Truth } from "../evaluate.ts";
import type { Branch } from "./branch.ts";
import type { Prover } from "./prover.ts";

/** The result of a search: a value, a proof that there is no such value (`none`), or neither. */
export type Finding = { readonly found: "value"; readonly value: JsonValue } | { readonly found: "none" | "unknown" };

export const NONE: Finding = { found: "none" };
export const UNKNOWN: Finding = { found: "unknown" };

/** The input of the solver for one kind of value. */
export interface Problem {
  readonly branch: Branch;
  readonly prover: Prover;
  readonly budget: StepBudget;
  readonly evaluator: Evaluator;
  /** Whether a value fulfils all the goals of the search. */
  readonly fulfils: (value: JsonValue) => Truth;
}

/** The first candidate that fulfils the goals. `none` is a proof only when the candidates are all possible values. */
export function firstOf(candidates: Iterable<JsonValue>, fulfils: (value: JsonValue) => Truth): Finding {
  let finding = NONE;
  for (const value of candidates) {
    const truth = fulfils(value);
    if (truth) return { found: "value", value };
    if (truth === undefined) finding = UNKNOWN;
  }
  return finding;
}
