import { isJsonObject, isSameJson, type JsonValue } from "@agentprint/canonical-json";
import {
  type CompareSchemasOptions,
  compareSchemas,
  createSchemaComparer,
  SchemaDiffError,
  StepBudget,
} from "@agentprint/schema-diff";
import { toolLayers } from "@agentprint/tool-pins";
import {
  type BareVerdict,
  type FingerprintedTool,
  newFaults,
  type SchemaVerdict,
  textsOf,
} from "@agentprint/tool-pins/judgement";
import { MAX_CAUSE_STEPS, MAX_EFFECT_STEPS, MAX_STEPS, MAX_STEPS_OF_TOOL, MIN_CAUSE_STEPS_OF_TOOL } from "../limits.ts";
import { causesOf, isBreak } from "./break-causes.ts";
import { contractChanges } from "./contract-changes.ts";
import { effectsOf } from "./edit-effects.ts";
import { findOpenings } from "./find-openings.ts";
import { unjudgedKeywords } from "./unjudged-keywords.ts";

/** Arguments are objects in every version of the protocol; a result can be any value. */
const SCHEMAS = [
  ["inputSchema", { direction: "input", values: "objects" }],
  ["outputSchema", { direction: "output", values: "any" }],
] as const;

/**
 * Judges the changed tools of one server, each change once, in however many sessions it appears. The steps that one
 * tool leaves of its share are divided among the tools after it.
 */
export class SchemaJudge {
  readonly #budget = new StepBudget(MAX_STEPS);
  /** Apart from the steps of verdicts, so that no verdict depends on the causes of another one. */
  readonly #causeBudget = new StepBudget(MAX_CAUSE_STEPS);
  readonly #effectBudget = new StepBudget(MAX_EFFECT_STEPS);
  readonly #known = new Map<string, SchemaVerdict[]>();
  #toolsToCome = 0;

  /** Sets how many tools are judged next: they share the steps that are left. */
  expect(tools: number): void {
    this.#toolsToCome = tools;
  }

  /** The verdicts on the schemas that differ between two versions of a tool. */
  judge(before: FingerprintedTool, after: FingerprintedTool): SchemaVerdict[] {
    const tools = Math.max(1, this.#toolsToCome--);
    const key = `${before.digests.contract} ${after.digests.contract}`;
    const verdicts = this.#known.get(key) ?? this.#compare(before, after, tools);
    this.#known.set(key, verdicts);
    return verdicts;
  }

  /** @param tools How many tools share the steps that are left. */
  #compare(before: FingerprintedTool, after: FingerprintedTool, tools: number): SchemaVerdict[] {
    const share = (all: StepBudget, least: number) =>
      new StepBudget(Math.min(Math.max(all.left / tools, least), MAX_STEPS_OF_TOOL), all);
    const [budget, causeBudget] = [share(this.#budget, 0), share(this.#causeBudget, MIN_CAUSE_STEPS_OF_TOOL)];
    const effectBudget = share(this.#effectBudget, 0);
    const [from, to] = [toolLayers(before.definition).contract, toolLayers(after.definition).contract];
    const faults = newFaults(before.definition, after.definition);
    return SCHEMAS.flatMap(([schema, options]): SchemaVerdict[] => {
      if (isSameJson(from[schema], to[schema])) return [];
      const [schemaBefore, schemaAfter] = [orAny(from[schema]), orAny(to[schema])];
      const newFault = faults.get(schema);
      const fault = newFault && { fault: newFault };
      try {
        // Read once for the verdict and for all mixtures among which the causes are looked for.
        const compareTo = createSchemaComparer(schemaBefore);
        const judged = compare(schemaBefore, schemaAfter, { ...options, budget }, compareTo);
        const isSameInput = judged.verdict === "compatible" && !judged.isWider;
        const opened = isSameInput || schema === "outputSchema" ? [] : findOpenings(schemaBefore, schemaAfter, budget);
        const openings = opened.length > 0 && { openings: opened };
        if (!isBreak(judged) && !judged.isWider && !judged.unjudged)
          return [{ schema, ...judged, ...openings, ...fault }];
        const changed = { name: schema, before: schemaBefore, after: schemaAfter, changes: contractChanges(from, to) };
        const judgeWithin = (budget: StepBudget) => (mixed: JsonValue) =>
          compare(schemaBefore, mixed, { ...options, budget }, compareTo);
        const found = isBreak(judged) ? causesOf(changed, judgeWithin(causeBudget), causeBudget) : { rest: judged };
        const breaking = new Set(found.causes?.flatMap(({ pointers }) => pointers));
        const known = found.rest && { whole: found.rest, breaking };
        const effects = known && effectsOf(changed, known, judgeWithin(effectBudget), effectBudget);
        return [{ schema, ...judged, ...openings, ...fault, ...(isBreak(judged) && found), ...effects }];
      } catch (error) {
        if (error instanceof SchemaDiffError) return [{ schema, verdict: "unknown", ...fault }];
        throw error;
      }
    });
  }
}

/** A tool without a schema takes any arguments, or returns anything. A schema of `null` cannot be read. */
function orAny(schema: JsonValue | undefined): JsonValue {
  return schema === undefined ? true : schema;
}

/** @param compareTo Compares the schema before with another one. */
function compare(
  before: JsonValue,
  after: JsonValue,
  options: CompareSchemasOptions,
  compareTo: ReturnType<typeof createSchemaComparer>,
): BareVerdict {
  const { verdict, counterexample } = compareTo(after, { ...options, want: "verdict" });
  const isCompatible = (from: JsonValue, to: JsonValue) =>
    compareSchemas(from, to, { ...options, want: "proof" }).verdict === "compatible";
  const judged = { verdict, ...(counterexample && { counterexample: counterexample.value }) };
  if (options.direction === "output" || verdict === "unknown") return judged;
  const mentioned = new Set(textsOf(before));
  const unjudged = unjudgedKeywords(before, after, mentioned);
  const proof = { ...judged, ...(unjudged.length > 0 && { unjudged }) };
  if (verdict === "compatible") return isCompatible(after, before) ? proof : { ...proof, isWider: true };
  const expected = withoutNewParameters(before, after, mentioned);
  return expected !== undefined && isCompatible(expected, after) ? { ...proof, isWider: true } : proof;
}

/**
 * The schema before for callers that send no parameter which it does not mention and the schema after has: an open object
 * accepts any value under the name of a parameter that is yet to come, but no caller sends one.
 */
function withoutNewParameters(
  before: JsonValue,
  after: JsonValue,
  mentioned: ReadonlySet<string>,
): JsonValue | undefined {
  const [propertiesBefore, propertiesAfter] = [before, after].map((schema) =>
    isJsonObject(schema) ? (schema["properties"] ?? {}) : undefined,
  );
  if (!isJsonObject(before) || !isJsonObject(propertiesBefore) || !isJsonObject(propertiesAfter)) return undefined;
  const added = Object.keys(propertiesAfter).filter((name) => !mentioned.has(name));
  if (added.length === 0) return undefined;
  const properties = Object.fromEntries([
    ...Object.entries(propertiesBefore),
    ...added.map((name): [string, JsonValue] => [name, false]),
  ]);
  return { ...before, properties };
}
