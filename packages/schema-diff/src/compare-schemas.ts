import type { JsonValue } from "@agentprint/canonical-json";
import { Budget, withinBudget } from "./budget.ts";
import { findChanges, type Lookup } from "./changes/find-changes.ts";
import type { SchemaChange } from "./changes/schema-change.ts";
import { Compiler } from "./compile/compiler.ts";
import { copyJson } from "./compile/json.ts";
import { assignShapes } from "./compile/shapes.ts";
import { confirms } from "./confirm.ts";
import { SchemaDiffError } from "./errors.ts";
import type { Node } from "./node.ts";
import { describeNotes, type SchemaNote } from "./notes.ts";
import { Prover } from "./prove/prover.ts";

export interface CompareSchemasOptions {
  /**
   * `input`: callers send values, so every value that the old schema accepts must stay accepted.
   * `output`: callers receive values, so every value that the new schema accepts must have been accepted.
   */
  readonly direction: "input" | "output";
  /** Steps that the search for the verdict may take, about two million a second. Default 2,000,000. */
  readonly maxSteps?: number;
}

export interface Counterexample {
  /** The value, as JSON. */
  readonly value: JsonValue;
  readonly acceptedBy: "before" | "after";
  readonly rejectedBy: "before" | "after";
}

export interface SchemaComparison {
  /** `compatible` is proven, `breaking` has a counterexample, `unknown` is everything else. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** What differs, apart from notation and prose, in the order of the schema after. */
  readonly changes: readonly SchemaChange[];
  /** Only with `breaking`. */
  readonly counterexample?: Counterexample;
  /** What was not judged and why; never empty with `unknown`. */
  readonly notes: readonly SchemaNote[];
}

const VERDICT_STEPS = 2_000_000;
const COMPILE_STEPS = 1_000_000;

/**
 * Says whether a change of a JSON Schema can break a caller, with every change named, and for `breaking` a value that
 * one schema accepts and the other rejects, checked with ajv against both as they were written.
 *
 * Pure and deterministic: nothing is fetched, no pattern can backtrack, and effort is bounded in steps, not in time.
 *
 * @param before The old schema: an object or a boolean of draft-04 to 2020-12.
 * @param after The new schema.
 * @throws {SchemaDiffError} `not-json`, `invalid-schema`, `schema-too-deep`, `schema-too-large`, `invalid-direction`.
 * @example
 * ```ts
 * import { compareSchemas } from "@agentprint/schema-diff";
 *
 * const before = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
 * const after = { ...before, required: ["path", "mode"] };
 * const { verdict, changes, counterexample } = compareSchemas(before, after, { direction: "input" });
 * console.log(verdict); // "breaking"
 * console.log(changes[0]?.kind, changes[0]?.path); // "required-added" "/required"
 * console.log(counterexample?.value); // { path: "" }
 * ```
 */
export function compareSchemas(before: unknown, after: unknown, options: CompareSchemasOptions): SchemaComparison {
  const { direction, maxSteps = VERDICT_STEPS } = options;
  if (direction !== "input" && direction !== "output") {
    const message = `expected direction "input" or "output", received ${JSON.stringify(direction)}`;
    throw new SchemaDiffError("invalid-direction", undefined, "", message);
  }
  const [old, young] = [copyJson(before, "before"), copyJson(after, "after")];
  const [oldGraph, youngGraph] = [compile(old.value, "before"), compile(young.value, "after")];
  const graphs = [oldGraph.compiler, youngGraph.compiler] as const;
  if (old.text === young.text) return { verdict: "compatible", changes: [], notes: describeNotes(graphs, undefined) };
  assignShapes(graphs.flatMap((compiler) => compiler.nodes));

  const isInput = direction === "input";
  const [accepting, rejecting] = isInput ? [oldGraph.root, youngGraph.root] : [youngGraph.root, oldGraph.root];
  const finding = search(accepting, rejecting, maxSteps);
  const lookup: Lookup = (side, pointer) => graphs[side === "before" ? 0 : 1].textAt(pointer);
  const changes = findChanges(oldGraph.root, youngGraph.root, lookup, new Budget(maxSteps / 2));
  if (finding.found === "none") return { verdict: "compatible", changes, notes: describeNotes(graphs, undefined) };
  if (finding.found !== "value") return { verdict: "unknown", changes, notes: describeNotes(graphs, finding.found) };
  const { value } = finding;
  if (!confirms(old.value, value, isInput) || !confirms(young.value, value, !isInput)) {
    return { verdict: "unknown", changes, notes: describeNotes(graphs, "unconfirmed") };
  }
  const [acceptedBy, rejectedBy] = isInput ? (["before", "after"] as const) : (["after", "before"] as const);
  const counterexample = { value, acceptedBy, rejectedBy };
  return { verdict: "breaking", changes, counterexample, notes: describeNotes(graphs, undefined) };
}

function compile(schema: JsonValue, which: "before" | "after"): { compiler: Compiler; root: Node } {
  const compiler = new Compiler(schema, which, new Budget(COMPILE_STEPS));
  const root = withinBudget(() => compiler.compile());
  if (root) return { compiler, root };
  throw new SchemaDiffError("schema-too-large", which, "", "expected fewer schemas that apply to one value");
}

/** A value that one schema accepts and the other rejects, within the budget. */
function search(
  accepting: Node,
  rejecting: Node,
  maxSteps: number,
): { readonly found: "value"; readonly value: JsonValue } | { readonly found: "none" | "budget" | "not-proven" } {
  const prover = new Prover(new Budget(maxSteps));
  const finding = withinBudget(() => prover.find([accepting], [rejecting]));
  if (!finding) return { found: "budget" };
  if (finding.found === "value") return finding;
  return { found: finding.found === "none" ? "none" : "not-proven" };
}
