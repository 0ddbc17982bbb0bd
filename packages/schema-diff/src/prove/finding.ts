import type { JsonValue } from "@agentprint/canonical-json";
import type { StepBudget } from "../budget.ts";
import type { Evaluator, Truth } from "../evaluate.ts";
import type { SchemaNode } from "../schema-graph.ts";
import type { Branch } from "./branch.ts";
import type { Goal } from "./goal.ts";

/** The result of a search: a value, a proof that there is no such value (`none`), or neither. */
export type Finding = { readonly found: "value"; readonly value: JsonValue } | { readonly found: "none" | "unknown" };

export const NONE: Finding = { found: "none" };
export const UNKNOWN: Finding = { found: "unknown" };

/** The searches for the parts of a value that a solver needs. */
export interface PartProver {
  /** Searches for a value that fulfils all schemas in `fulfilled` and violates all schemas in `violated`. */
  find(fulfilled: readonly SchemaNode[], violated: readonly SchemaNode[]): Finding;
  /**
   * Searches for a value that fulfils all schemas in `fulfilled` and is not in `avoided`, which maps canonical texts to
   * values.
   */
  findOther(fulfilled: readonly SchemaNode[], avoided: ReadonlyMap<string, JsonValue>): Finding;
  /** Searches for a value of one kind that fulfils the goals, which can be constraints as well as schemas. */
  findOfKind(kind: number, goals: readonly Goal[]): Finding;
  /** Returns whether a value fulfils all goals. */
  fulfils(goals: readonly Goal[], value: JsonValue): Truth;
  /** Returns the canonical text of a value. */
  text(value: JsonValue): string;
}

/** The input of the solver for one kind of value. */
export interface Problem {
  readonly branch: Branch;
  readonly prover: PartProver;
  readonly budget: StepBudget;
  readonly evaluator: Evaluator;
  /** Returns whether a value fulfils all goals of the search. */
  readonly fulfils: (value: JsonValue) => Truth;
}

/**
 * Returns the first candidate that fulfils the goals. `none` is a proof only if the candidates are all possible values.
 */
export function firstOf(candidates: Iterable<JsonValue>, fulfils: (value: JsonValue) => Truth): Finding {
  let finding = NONE;
  for (const value of candidates) {
    const truth = fulfils(value);
    if (truth) return { found: "value", value };
    if (truth === undefined) finding = UNKNOWN;
  }
  return finding;
}
