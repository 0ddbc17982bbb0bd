import type { JsonValue } from "@agentprint/canonical-json";
import { someMember } from "@agentprint/json-schema";
import { StepBudget, withinBudget } from "./budget.ts";
import { type CompiledSchema, compileSchema } from "./compile/compiler.ts";
import { type ConstantShapes, constantShapes } from "./compile/constant-shapes.ts";
import { copyJson } from "./compile/copy-json.ts";
import { assignClasses } from "./compile/equivalence-classes.ts";
import { Confirmation } from "./confirm/confirm.ts";
import { OBJECT } from "./kinds.ts";
import { MAX_CLASS_STEPS, MAX_OTHER_STEPS, MAX_SHAPE_STEPS, MAX_VERDICT_STEPS } from "./limits.ts";
import type { Doubt } from "./notes.ts";
import { Prover } from "./prove/prover.ts";
import type { SchemaNode } from "./schema-graph.ts";

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
  /**
   * The number of steps that the search for the verdict may take; about two million take a second. Default 2,000,000.
   */
  readonly maxSteps?: number;
  /**
   * A budget shared with other comparisons, from which all of this comparison's work is taken. When it has no steps
   * left, the verdict is `unknown`.
   */
  readonly budget?: StepBudget;
  /**
   * The part of the result that the caller needs; by default, all of it. With `verdict`, no changes are listed. `proof`
   * asks only whether the change is `compatible`; any other verdict becomes `unknown`, without changes or a
   * counterexample. Asking for less is faster.
   */
  readonly want?: "verdict" | "proof";
}

export interface Counterexample {
  /** The value, as JSON. */
  readonly value: JsonValue;
  readonly acceptedBy: "before" | "after";
  readonly rejectedBy: "before" | "after";
}

/** The result of a comparison without its changes and notes. */
export interface SchemaStep {
  /**
   * `compatible` is proven, `breaking` has a counterexample, and `unknown` means that neither a proof nor a
   * counterexample was found.
   */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** Present only when the verdict is `breaking`. */
  readonly counterexample?: Counterexample;
}

/** One of the two schemas of a comparison. It is copied, compiled and read for confirmations only once, when first needed. */
export class SchemaSide {
  readonly which: "before" | "after";
  readonly schema: unknown;
  #copy: { readonly text: string; readonly value: JsonValue } | undefined;
  #compiled: CompiledSchema | undefined;
  #confirmation: Confirmation | undefined;
  #dependsOnScope: boolean | undefined;

  constructor(schema: unknown, which: "before" | "after") {
    this.schema = schema;
    this.which = which;
  }

  /**
   * Returns the canonical text of the schema.
   *
   * @throws {@link SchemaDiffError} if the schema is not JSON, too deep or too large.
   */
  text(budget: StepBudget): string {
    return this.#copied(budget).text;
  }

  /**
   * Returns the schema as a graph, or `undefined` when the budget is used up.
   *
   * @throws {@link SchemaDiffError} if the schema cannot be read.
   */
  compiled(budget: StepBudget): CompiledSchema | undefined {
    this.#compiled ??= compileSchema(this.#copied(budget).value, this.which, budget);
    return this.#compiled;
  }

  /** Returns whether a second reading of the schema as written gives the expected verdict on a value. */
  confirms(value: JsonValue, expected: boolean, budget: StepBudget): boolean {
    this.#confirmation ??= new Confirmation(this.#copied(budget).value);
    return this.#confirmation.confirms(value, expected, budget);
  }

  /** Returns whether nothing can be proven about the schema, because one of its schemas may differ from itself. */
  dependsOnScope(budget: StepBudget): boolean {
    this.#dependsOnScope ??= dependsOnScope(this.#copied(budget).value);
    return this.#dependsOnScope;
  }

  #copied(budget: StepBudget): { readonly text: string; readonly value: JsonValue } {
    this.#copy ??= copyJson(this.schema, this.which, budget);
    return this.#copy;
  }
}

/** The verdict on the step from one schema to another, and the graphs and results of the search for it. */
export interface JudgedStep extends SchemaStep {
  /** The reason why there is no verdict. */
  readonly doubt?: Doubt;
  /** Present if no step was left before anything was read. */
  readonly isNotStarted?: true;
  /** Absent if the steps were used up before a verdict was searched for. */
  readonly compiled?: { readonly before: CompiledSchema; readonly after: CompiledSchema };
  /**
   * Creates a prover for the same graphs that reuses the results of this search. Also absent if the schemas have the
   * same text.
   */
  readonly proveMore?: () => Prover;
}

/** The numbering of two graphs, with equal numbers for equal schemas. */
interface Numbering {
  readonly shapes: ConstantShapes;
  /** A schema of the values that can be sent, numbered with the graphs; empty if any value can be sent. */
  readonly possible: readonly SchemaNode[];
}

/** The schemas that the last of several steps has read, because the next step may be about the same schemas. */
export interface LastStep {
  after?: SchemaSide;
  numbered?: Numbering & Pick<CompareSchemasOptions, "values"> & { readonly sides: readonly SchemaSide[] };
}

/** Searches for the verdict on a step. */
export function judgeStep(
  before: SchemaSide,
  after: SchemaSide,
  options: CompareSchemasOptions,
  last: LastStep = {},
): JudgedStep {
  const { direction, values = "any", maxSteps = MAX_VERDICT_STEPS, budget, want } = options;
  if (budget?.isExhausted) return { verdict: "unknown", isNotStarted: true };
  const total = new StepBudget(MAX_OTHER_STEPS + maxSteps, budget);
  const isSame = before.text(total) === after.text(total);
  const [compiledBefore, compiledAfter] = [before.compiled(total), after.compiled(total)];
  if (!compiledBefore || !compiledAfter) return { verdict: "unknown" };
  const compiled = { before: compiledBefore, after: compiledAfter };
  if (isSame) return { verdict: "compatible", compiled };
  const isKnown =
    last.numbered?.values === values && [before, after].every((side, i) => last.numbered?.sides[i] === side);
  const kept = isKnown ? last.numbered : undefined;
  // Even a numbering that runs out of steps replaces some numbers in the last step's schemas.
  delete last.numbered;
  const numbering = kept ?? numbered(compiled, values, total);
  if (!numbering) return { verdict: "unknown" };
  last.numbered = { ...numbering, values, sides: [before, after] };

  const isInput = direction === "input";
  const [accepting, rejecting] = isInput ? [compiledBefore, compiledAfter] : [compiledAfter, compiledBefore];
  const prover = new Prover(new StepBudget(maxSteps, total), numbering.shapes);
  const proveMore = () => new Prover(new StepBudget(maxSteps / 2, total), numbering.shapes, prover);
  const read = { compiled, proveMore };
  const finding = withinBudget(() => prover.find([accepting.root, ...numbering.possible], [rejecting.root]));
  const isProven = finding?.found === "none" && ![before, after].some((side) => side.dependsOnScope(total));
  if (isProven) return { verdict: "compatible", ...read };
  if (finding?.found !== "value") return { verdict: "unknown", doubt: finding ? "not-proven" : "budget", ...read };
  const isConfirmed =
    want !== "proof" &&
    before.confirms(finding.value, isInput, total) &&
    after.confirms(finding.value, !isInput, total);
  if (!isConfirmed) return { verdict: "unknown", doubt: "unconfirmed", ...read };
  const [acceptedBy, rejectedBy] = isInput ? (["before", "after"] as const) : (["after", "before"] as const);
  const counterexample: Counterexample = { value: finding.value, acceptedBy, rejectedBy };
  return { verdict: "breaking", counterexample, ...read };
}

/** Numbers two graphs; `undefined` if the steps are used up. */
function numbered(
  { before, after }: Required<JudgedStep>["compiled"],
  values: CompareSchemasOptions["values"],
  total: StepBudget,
): Numbering | undefined {
  const possible = values === "objects" ? [anyObject()] : [];
  const nodes = [...before.compiler.nodes, ...after.compiler.nodes, ...possible];
  for (const node of nodes) node.equivalenceClass = 0;
  const shapes = withinBudget(() => constantShapes(nodes, new StepBudget(MAX_SHAPE_STEPS, total))) ?? NO_SHAPES;
  return withinBudget(() => {
    assignClasses([...nodes, ...shapes.values()], new StepBudget(MAX_CLASS_STEPS, total));
    return { shapes, possible };
  });
}

function anyObject(): SchemaNode {
  return { pointer: "", kinds: OBJECT, constraints: [], equivalenceClass: 0 };
}

const NO_SHAPES: ConstantShapes = new Map();

/** A reference that leads to the outermost anchor of its name, and such an anchor. */
const [REFERENCE, ANCHOR] = [/^\$(?:dynamic|recursive)Ref$/, /^\$(?:dynamic|recursive)Anchor$/];

/**
 * Returns whether a reference can lead to different schemas, depending on the schemas through which a validator has
 * passed (2020-12 Core §8.2.3.2), because the same anchor occurs twice. The schema of such a reference is not always
 * equal to itself.
 */
function dependsOnScope(document: JsonValue): boolean {
  const anchors = new Set<JsonValue>();
  const isRepeated = (name: string, anchor: JsonValue) =>
    ANCHOR.test(name) && anchors.size === anchors.add(anchor).size;
  return someMember(document, (name) => REFERENCE.test(name)) && someMember(document, isRepeated);
}
