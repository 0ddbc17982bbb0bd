import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "./budget.ts";
import { findChanges, type Lookup } from "./changes/find-changes.ts";
import type { ChangeEffect, SchemaChange } from "./changes/schema-change.ts";
import { compileSchema } from "./compile/compile-schema.ts";
import { copyJson } from "./compile/json.ts";
import { assignShapes } from "./compile/shapes.ts";
import { confirms } from "./confirm/confirm.ts";
import { SchemaDiffError } from "./errors.ts";
import { OBJECT } from "./kinds.ts";
import type { Node } from "./node.ts";
import { describeNotes, NO_STEPS_LEFT, type SchemaNote, STOPPED } from "./notes.ts";
import { Prover } from "./prove/prover.ts";

export interface CompareSchemasOptions {
  /**
   * `input`: callers send values, so every value that the old schema accepts must stay accepted.
   * `output`: callers receive values, so every value that the new schema accepts must have been accepted.
   */
  readonly direction: "input" | "output";
  /**
   * Which values are ever sent: `objects` where nothing else can be, as with the arguments of an MCP tool. What only
   * other values would show breaks nobody then. Default `any`.
   */
  readonly values?: "any" | "objects";
  /** Steps that the search for the verdict may take, about two million a second. Default 2,000,000. */
  readonly maxSteps?: number;
  /** Steps that this comparison shares with others, compiling and confirming included; used up, all are `unknown`. */
  readonly budget?: StepBudget;
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
const SHAPE_STEPS = 1_000_000;
/** Steps that everything else than the search for the verdict may take. */
const OTHER_STEPS = 1_500_000;

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
 * console.log(changes[0]?.kind, changes[0]?.path); // required-added /required
 * console.log(counterexample?.value); // { path: "a" }
 * ```
 */
export function compareSchemas(before: unknown, after: unknown, options: CompareSchemasOptions): SchemaComparison {
  const { direction, values = "any", maxSteps = VERDICT_STEPS, budget } = options;
  if (direction !== "input" && direction !== "output") {
    const message = `expected direction "input" or "output", received ${JSON.stringify(direction)}`;
    throw new SchemaDiffError("invalid-direction", undefined, "", message);
  }
  if (budget?.isExhausted) return { verdict: "unknown", changes: [], notes: [NO_STEPS_LEFT] };
  const total = new StepBudget(OTHER_STEPS + maxSteps, budget);
  const [old, young] = [copyJson(before, "before", total), copyJson(after, "after", total)];
  const [oldGraph, youngGraph] = [
    compileSchema(old.value, "before", total),
    compileSchema(young.value, "after", total),
  ];
  if (!oldGraph || !youngGraph) return { verdict: "unknown", changes: [], notes: [STOPPED] };
  const graphs = [oldGraph.compiler, youngGraph.compiler] as const;
  if (old.text === young.text) return { verdict: "compatible", changes: [], notes: describeNotes(graphs, undefined) };
  const possible = values === "objects" ? [oldGraph.compiler.create("", { kinds: OBJECT, parts: [] })] : [];
  const nodes = graphs.flatMap((compiler) => compiler.nodes);
  const areAssigned = withinBudget(() => assignShapes(nodes, new StepBudget(SHAPE_STEPS, total)) ?? true);
  if (!areAssigned) return { verdict: "unknown", changes: [], notes: [STOPPED] };

  const isInput = direction === "input";
  const [accepting, rejecting] = isInput ? [oldGraph.root, youngGraph.root] : [youngGraph.root, oldGraph.root];
  const prover = new Prover(new StepBudget(maxSteps, total));
  const finding = search(prover, [accepting, ...possible], rejecting);
  const isConfirmed =
    finding.found === "value" &&
    confirms(old.value, finding.value, isInput, total) &&
    confirms(young.value, finding.value, !isInput, total);
  const lookup: Lookup = (side, pointer) => graphs[side === "before" ? 0 : 1].textAt(pointer);
  const comparing = new Prover(new StepBudget(maxSteps / 2, total), prover);
  const changes = findChanges(oldGraph.root, youngGraph.root, lookup, comparing);
  if (finding.found === "none") return { verdict: "compatible", changes, notes: describeNotes(graphs, undefined) };
  if (finding.found !== "value") return { verdict: "unknown", changes, notes: describeNotes(graphs, finding.found) };
  if (!isConfirmed) return { verdict: "unknown", changes, notes: describeNotes(graphs, "unconfirmed") };
  const [acceptedBy, rejectedBy] = isInput ? (["before", "after"] as const) : (["after", "before"] as const);
  const counterexample = { value: finding.value, acceptedBy, rejectedBy };
  const told = withoutContradiction(changes, isInput ? "widens" : "narrows");
  return { verdict: "breaking", changes: told, counterexample, notes: describeNotes(graphs, undefined) };
}

/**
 * Effects are found keyword by keyword, and what one keyword takes another can give. Where all of them are harmless
 * beside a break that is proven, none of them is known.
 */
function withoutContradiction(changes: readonly SchemaChange[], harmless: ChangeEffect): readonly SchemaChange[] {
  if (!changes.every(({ effect }) => effect === harmless || effect === "none")) return changes;
  return changes.map((change) => ({ ...change, effect: "unknown" }));
}

/** A value that some schemas accept and another rejects, within the budget of the prover. */
function search(
  prover: Prover,
  accepting: readonly Node[],
  rejecting: Node,
): { readonly found: "value"; readonly value: JsonValue } | { readonly found: "none" | "budget" | "not-proven" } {
  const finding = withinBudget(() => prover.find(accepting, [rejecting]));
  if (!finding) return { found: "budget" };
  if (finding.found === "value") return finding;
  return { found: finding.found === "none" ? "none" : "not-proven" };
}
