import { findChanges, type Lookup } from "./changes/find-changes.ts";
import { checkArgument } from "./check-argument.ts";
import { SchemaDiffError } from "./errors.ts";
import {
  type CompareSchemasOptions,
  type JudgedStep,
  judgeStep,
  type LastStep,
  SchemaSide,
  type SchemaStep,
} from "./judge-step.ts";
import { describeNotes, NO_STEPS_LEFT, type SchemaNote, STOPPED } from "./notes.ts";
import type { ChangeEffect, SchemaChange } from "./schema-change.ts";

/** A function that compares one schema with possible replacements. */
export interface SchemaComparer {
  (after: unknown, options: CompareSchemasOptions & Required<Pick<CompareSchemasOptions, "want">>): SchemaStep;
  /** Returns a comparer for another old schema. A new schema that both compare in a row is read only once. */
  from(before: unknown): SchemaComparer;
}

export interface SchemaComparison extends SchemaStep {
  /** The differences except in notation and prose, in the new schema's order; empty if `want` is given. */
  readonly changes: readonly SchemaChange[];
  /** The parts that were not compared and why; never empty when the verdict is `unknown`. */
  readonly notes: readonly SchemaNote[];
}

/**
 * Returns whether a change to a JSON Schema can break a caller, and lists all its parts. If the verdict is `breaking`,
 * also returns a value that one schema accepts and the other rejects, which a second reading of both schemas as written
 * has confirmed.
 *
 * The function is pure and deterministic: it fetches nothing, runs patterns without backtracking, and counts its work
 * in steps.
 *
 * @param before The old schema: an object or a boolean of draft-04 to 2020-12.
 * @param after The new schema.
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
  const judged = judgeStep(new SchemaSide(before, "before"), new SchemaSide(after, "after"), options);
  const { verdict, counterexample, doubt, compiled } = judged;
  if (compiled === undefined) return { verdict, changes: [], notes: [judged.isNotStarted ? NO_STEPS_LEFT : STOPPED] };
  const obstacles = { before: compiled.before.compiler.obstacles(), after: compiled.after.compiler.obstacles() };
  const notes = describeNotes(obstacles, doubt);
  const found = options.want === undefined ? changesOf(judged) : [];
  const harmless = options.direction === "input" ? "widens" : "narrows";
  const changes = verdict === "breaking" ? withoutContradiction(found, harmless) : found;
  return { verdict, changes, ...(counterexample && { counterexample }), notes };
}

function changesOf({ compiled, proveMore }: JudgedStep): readonly SchemaChange[] {
  if (compiled === undefined || proveMore === undefined) return [];
  const lookup: Lookup = (side, pointer) => compiled[side].compiler.textAt(pointer);
  return findChanges(compiled.before.root, compiled.after.root, lookup, proveMore());
}

/**
 * Returns a function like {@link compareSchemas} for one schema and many possible replacements, as {@link
 * isolateCauses} needs; it lists neither changes nor notes. The old schema is read once, at the cost of the first
 * comparison's steps; a new schema that is compared several times in a row is also read once. Neither schema may change
 * in the meantime.
 *
 * @param before The schema as it was: an object or a boolean of draft-04 to 2020-12.
 * @returns A function that compares the schema with another one. It throws as `compareSchemas` does, and if `want` is
 * missing.
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
  return comparerOf(before, {});
}

function comparerOf(before: unknown, last: LastStep): SchemaComparer {
  const side = new SchemaSide(before, "before");
  const compareTo = (after: unknown, options: Parameters<SchemaComparer>[1]): SchemaStep => {
    checkOptions(options);
    if (options.want === undefined) throw wrongWant('"verdict" or "proof"', options.want);
    const other = last.after !== undefined && last.after.schema === after ? last.after : new SchemaSide(after, "after");
    last.after = other;
    const { verdict, counterexample } = judgeStep(side, other, options, last);
    return { verdict, ...(counterexample && { counterexample }) };
  };
  return Object.assign(compareTo, { from: (other: unknown) => comparerOf(other, last) });
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
 * Makes all effects `unknown` if a break is proven but every single effect is harmless, because at least one effect is
 * then wrong, and it is not known which. This can happen because effects are found for each keyword by itself, although
 * two keywords can depend on each other.
 */
function withoutContradiction(changes: readonly SchemaChange[], harmless: ChangeEffect): readonly SchemaChange[] {
  if (!changes.every(({ effect }) => effect === harmless || effect === "none")) return changes;
  return changes.map((change) => ({ ...change, effect: "unknown" }));
}
