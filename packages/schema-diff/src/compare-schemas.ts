import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "./budget.ts";
import { findChanges, type Lookup } from "./changes/find-changes.ts";
import { checkArgument } from "./check-argument.ts";
import { type ConstantShapes, constantShapes } from "./compile/constant-shapes.ts";
import { assignClasses } from "./compile/equivalence-classes.ts";
import { SchemaDiffError } from "./errors.ts";
import { OBJECT } from "./kinds.ts";
import { MAX_CLASS_STEPS, MAX_OTHER_STEPS, MAX_SHAPE_STEPS, MAX_VERDICT_STEPS } from "./limits.ts";
import { describeNotes, NO_STEPS_LEFT, type SchemaNote, STOPPED } from "./notes.ts";
import { Prover } from "./prove/prover.ts";
import type { ChangeEffect, SchemaChange } from "./schema-change.ts";
import type { SchemaNode } from "./schema-graph.ts";
import { SchemaSide } from "./schema-side.ts";

export interface CompareSchemasOptions {
  /**
   * `input`: callers send values, so every value that the old schema accepts must stay accepted.
   * `output`: callers receive values, so every value that the new schema accepts must have been accepted.
   */
  readonly direction: "input" | "output";
  /**
   * Which values can be sent: `objects` when only objects can be sent, as with the arguments of an MCP tool. A change that
   * only concerns other values is then compatible. Default `any`.
   */
  readonly values?: "any" | "objects";
  /** Steps that the search for the verdict may take, about two million a second. Default 2,000,000. */
  readonly maxSteps?: number;
  /**
   * A budget shared with other comparisons, for all work of this one. When it has no steps left, the verdict is
   * `unknown`.
   */
  readonly budget?: StepBudget;
  /**
   * The part of the answer that the caller reads; default: all of it. With `verdict`, no changes are listed. `proof` asks only whether
   * the change is `compatible`: every other one is `unknown`, without changes and counterexample. Less is faster.
   */
  readonly want?: "verdict" | "proof";
}

/** Compares one schema with a possible replacement. */
export type SchemaComparer = (
  after: unknown,
  options: CompareSchemasOptions & Required<Pick<CompareSchemasOptions, "want">>,
) => SchemaComparison;

export interface Counterexample {
  /** The value, as JSON. */
  readonly value: JsonValue;
  readonly acceptedBy: "before" | "after";
  readonly rejectedBy: "before" | "after";
}

export interface SchemaComparison {
  /** `compatible` is proven, `breaking` has a counterexample, and `unknown` means that neither was found. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /**
   * The differences, except those of notation and prose, in the order of the new schema; empty if `want` is given.
   */
  readonly changes: readonly SchemaChange[];
  /** Present only when the verdict is `breaking`. */
  readonly counterexample?: Counterexample;
  /** The parts that were not compared and why; never empty when the verdict is `unknown`. */
  readonly notes: readonly SchemaNote[];
}

/**
 * Tells whether a change of a JSON Schema can break a caller, and names every change. With `breaking` it returns a value that
 * one schema accepts and the other rejects; a second reading of both schemas as they were written has confirmed it.
 *
 * Pure and deterministic: the function fetches nothing, runs patterns without backtracking, and counts its work in steps.
 *
 * @param before The schema as it was: an object or a boolean of draft-04 to 2020-12.
 * @param after The schema as it is now.
 * @throws {@link SchemaDiffError} `not-json`, `invalid-schema`, `schema-too-deep` or `schema-too-large` when a schema cannot be
 *   read, `invalid-direction` when the direction is neither `input` nor `output`.
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
  checkOptions(options);
  const sides = [new SchemaSide(before, "before"), new SchemaSide(after, "after")] as const;
  return compare(...sides, options, options.want === undefined ? findChanges : undefined);
}

/**
 * {@link compareSchemas} for one schema and many that may replace it, as {@link isolateCauses} asks about; it lists no changes.
 * The old schema is read once, at the cost of the first comparison's steps; a new schema that is compared
 * several times in a row is also read once. Neither may change meanwhile.
 *
 * @param before The schema as it was: an object or a boolean of draft-04 to 2020-12.
 * @returns A function that compares the schema with another one. It throws as `compareSchemas` does, and without `want`.
 * @example
 * ```ts
 * import { createSchemaComparer } from "@agentprint/schema-diff";
 *
 * const compare = createSchemaComparer({ type: "string" });
 * console.log(compare(true, { direction: "input", want: "proof" }).verdict); // compatible
 * console.log(compare({ type: "null" }, { direction: "input", want: "verdict" }).counterexample?.value); // a
 * ```
 */
export function createSchemaComparer(before: unknown): SchemaComparer {
  const side = new SchemaSide(before, "before");
  let last: SchemaSide | undefined;
  return (after, options) => {
    checkOptions(options);
    if (options.want === undefined) throw wrongWant('"verdict" or "proof"', options.want);
    const other = last !== undefined && last.schema === after ? last : new SchemaSide(after, "after");
    last = other;
    return compare(side, other, options);
  };
}

function checkOptions(options: CompareSchemasOptions): void {
  checkArgument("options", options, "object");
  const { direction, want } = options;
  if (direction !== "input" && direction !== "output") {
    const message = `expected direction "input" or "output", received ${JSON.stringify(direction)}`;
    throw new SchemaDiffError("invalid-direction", undefined, "", message);
  }
  if (want !== undefined && want !== "verdict" && want !== "proof")
    throw wrongWant('"verdict", "proof" or nothing', want);
}

function wrongWant(expected: string, want: unknown): SchemaDiffError {
  const message = `expected want ${expected}, received ${JSON.stringify(want) ?? "nothing"}`;
  return new SchemaDiffError("invalid-argument", undefined, "", message);
}

/**
 * @param listChanges Lists the changes, if wanted; the bundle of a caller that never wants them omits it.
 */
function compare(
  before: SchemaSide,
  after: SchemaSide,
  options: CompareSchemasOptions,
  listChanges?: typeof findChanges,
): SchemaComparison {
  const { direction, values = "any", maxSteps = MAX_VERDICT_STEPS, budget, want } = options;
  if (budget?.isExhausted) return { verdict: "unknown", changes: [], notes: [NO_STEPS_LEFT] };
  const total = new StepBudget(MAX_OTHER_STEPS + maxSteps, budget);
  const isSame = before.text(total) === after.text(total);
  const [compiledBefore, compiledAfter] = [before.compiled(total), after.compiled(total)];
  if (!compiledBefore || !compiledAfter) return { verdict: "unknown", changes: [], notes: [STOPPED] };
  const compilers = [compiledBefore.compiler, compiledAfter.compiler] as const;
  const obstacles = { before: compilers[0].obstacles(), after: compilers[1].obstacles() };
  const proven = describeNotes(obstacles, undefined);
  if (isSame) return { verdict: "compatible", changes: [], notes: proven };
  const possible = values === "objects" ? [anyObject()] : [];
  const shapes = numberedShapes([...compilers.flatMap(({ nodes }) => nodes), ...possible], total);
  if (!shapes) return { verdict: "unknown", changes: [], notes: [STOPPED] };

  const isInput = direction === "input";
  const roots = [compiledBefore.root, compiledAfter.root] as const;
  const [accepting, rejecting] = isInput ? roots : [roots[1], roots[0]];
  const prover = new Prover(new StepBudget(maxSteps, total), shapes);
  const finding = withinBudget(() => prover.find([accepting, ...possible], [rejecting]));
  const isConfirmed =
    want !== "proof" &&
    finding?.found === "value" &&
    before.confirms(finding.value, isInput, total) &&
    after.confirms(finding.value, !isInput, total);
  const lookup: Lookup = (side, pointer) => compilers[side === "before" ? 0 : 1].textAt(pointer);
  const comparing = new Prover(new StepBudget(maxSteps / 2, total), shapes, prover);
  const changes = listChanges?.(...roots, lookup, comparing) ?? [];
  if (finding?.found === "none") return { verdict: "compatible", changes, notes: proven };
  if (finding?.found !== "value" || !isConfirmed) {
    const doubt = !finding ? "budget" : finding.found === "value" ? "unconfirmed" : "not-proven";
    return { verdict: "unknown", changes, notes: describeNotes(obstacles, doubt) };
  }
  const [acceptedBy, rejectedBy] = isInput ? (["before", "after"] as const) : (["after", "before"] as const);
  const counterexample = { value: finding.value, acceptedBy, rejectedBy };
  const reported = withoutContradiction(changes, isInput ? "widens" : "narrows");
  return { verdict: "breaking", changes: reported, counterexample, notes: proven };
}

function anyObject(): SchemaNode {
  return { pointer: "", kinds: OBJECT, constraints: [], equivalenceClass: 0 };
}

const NO_SHAPES: ConstantShapes = new Map();

/**
 * The shapes of the constants of both graphs, with equal numbers for equal schemas, instead of those of an earlier
 * comparison.
 */
function numberedShapes(nodes: readonly SchemaNode[], total: StepBudget): ConstantShapes | undefined {
  for (const node of nodes) node.equivalenceClass = 0;
  const shapes = withinBudget(() => constantShapes(nodes, new StepBudget(MAX_SHAPE_STEPS, total))) ?? NO_SHAPES;
  return withinBudget(() => {
    assignClasses([...nodes, ...shapes.values()], new StepBudget(MAX_CLASS_STEPS, total));
    return shapes;
  });
}

/**
 * The effects are found for each keyword by itself, although two keywords can depend on each other. When a break is
 * proven but every single effect is harmless, at least one effect is wrong, and it is not known which: all become
 * `unknown`.
 */
function withoutContradiction(changes: readonly SchemaChange[], harmless: ChangeEffect): readonly SchemaChange[] {
  if (!changes.every(({ effect }) => effect === harmless || effect === "none")) return changes;
  return changes.map((change) => ({ ...change, effect: "unknown" }));
}
