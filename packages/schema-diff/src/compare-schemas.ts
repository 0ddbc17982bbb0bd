import type { JsonValue } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "./budget.ts";
import { findChanges, type Lookup } from "./changes/find-changes.ts";
import { checkArgument } from "./check-argument.ts";
import { compileSchema } from "./compile/compiler.ts";
import { type ConstantShapes, constantShapes } from "./compile/constant-shapes.ts";
import { copyJson } from "./compile/copy-json.ts";
import { assignClasses } from "./compile/equivalence-classes.ts";
import { Confirmation } from "./confirm/confirm.ts";
import { SchemaDiffError } from "./errors.ts";
import { OBJECT } from "./kinds.ts";
import { MAX_CLASS_STEPS, MAX_OTHER_STEPS, MAX_SHAPE_STEPS, MAX_VERDICT_STEPS } from "./limits.ts";
import { describeNotes, NO_STEPS_LEFT, type SchemaNote, STOPPED } from "./notes.ts";
import { Prover } from "./prove/prover.ts";
import type { ChangeEffect, SchemaChange } from "./schema-change.ts";
import type { SchemaNode } from "./schema-graph.ts";

export interface CompareSchemasOptions {
  /**
   * `input`: callers send values, so every value that the schema before accepts must stay accepted.
   * `output`: callers receive values, so every value that the schema after accepts must have been accepted.
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
   * A budget that this comparison shares with others, for all its work. When no steps are left in it, the verdict is
   * `unknown`.
   */
  readonly budget?: StepBudget;
}

export interface Counterexample {
  /** The value, as JSON. */
  readonly value: JsonValue;
  readonly acceptedBy: "before" | "after";
  readonly rejectedBy: "before" | "after";
}

export interface SchemaComparison {
  /** `compatible` is proven, `breaking` has a counterexample, and `unknown` means that neither was found. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** The differences, except those of notation and prose, in the order of the schema after. */
  readonly changes: readonly SchemaChange[];
  /** Present only when the verdict is `breaking`. */
  readonly counterexample?: Counterexample;
  /** The parts that were not compared and why; never empty when the verdict is `unknown`. */
  readonly notes: readonly SchemaNote[];
}

/**
 * Says whether a change of a JSON Schema can break a caller, and names every change. With `breaking` it returns a value that
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
  checkArgument("options", options, "object");
  const { direction, values = "any", maxSteps = MAX_VERDICT_STEPS, budget } = options;
  if (direction !== "input" && direction !== "output") {
    const message = `expected direction "input" or "output", received ${JSON.stringify(direction)}`;
    throw new SchemaDiffError("invalid-direction", undefined, "", message);
  }
  if (budget?.isExhausted) return { verdict: "unknown", changes: [], notes: [NO_STEPS_LEFT] };
  const total = new StepBudget(MAX_OTHER_STEPS + maxSteps, budget);
  const [copyBefore, copyAfter] = [copyJson(before, "before", total), copyJson(after, "after", total)];
  const [compiledBefore, compiledAfter] = [
    compileSchema(copyBefore.value, "before", total),
    compileSchema(copyAfter.value, "after", total),
  ];
  if (!compiledBefore || !compiledAfter) return { verdict: "unknown", changes: [], notes: [STOPPED] };
  const compilers = [compiledBefore.compiler, compiledAfter.compiler] as const;
  const obstacles = { before: compilers[0].obstacles(), after: compilers[1].obstacles() };
  const proven = describeNotes(obstacles, undefined);
  if (copyBefore.text === copyAfter.text) return { verdict: "compatible", changes: [], notes: proven };
  const possible = values === "objects" ? [compilers[0].create("", { kinds: OBJECT, constraints: [] })] : [];
  const nodes = compilers.flatMap((compiler) => compiler.nodes);
  const shapes = numberedShapes(nodes, total);
  if (!shapes) return { verdict: "unknown", changes: [], notes: [STOPPED] };

  const isInput = direction === "input";
  const roots = [compiledBefore.root, compiledAfter.root] as const;
  const [accepting, rejecting] = isInput ? roots : [roots[1], roots[0]];
  const prover = new Prover(new StepBudget(maxSteps, total), shapes);
  const finding = withinBudget(() => prover.find([accepting, ...possible], [rejecting]));
  const isConfirmed =
    finding?.found === "value" &&
    new Confirmation(copyBefore.value).confirms(finding.value, isInput, total) &&
    new Confirmation(copyAfter.value).confirms(finding.value, !isInput, total);
  const lookup: Lookup = (side, pointer) => compilers[side === "before" ? 0 : 1].textAt(pointer);
  const comparing = new Prover(new StepBudget(maxSteps / 2, total), shapes, prover);
  const changes = findChanges(...roots, lookup, comparing);
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

const NO_SHAPES: ConstantShapes = new Map();

/** The shapes of the constants of both graphs, with equal numbers for equal schemas. */
function numberedShapes(nodes: readonly SchemaNode[], total: StepBudget): ConstantShapes | undefined {
  const shapes = withinBudget(() => constantShapes(nodes, new StepBudget(MAX_SHAPE_STEPS, total))) ?? NO_SHAPES;
  return withinBudget(() => {
    assignClasses([...nodes, ...shapes.values()], new StepBudget(MAX_CLASS_STEPS, total));
    return shapes;
  });
}

/**
 * The effects are found for each keyword alone, although two keywords can depend on each other. When a break is proven but
 * every single effect is harmless, at least one effect is wrong, and it is not known which: all become `unknown`.
 */
function withoutContradiction(changes: readonly SchemaChange[], harmless: ChangeEffect): readonly SchemaChange[] {
  if (!changes.every(({ effect }) => effect === harmless || effect === "none")) return changes;
  return changes.map((change) => ({ ...change, effect: "unknown" }));
}
