import { isJsonObject, isSameJson, type JsonValue } from "@agentprint/canonical-json";
import { type CompareSchemasOptions, compareSchemas, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import { MAX_STEPS, MAX_STEPS_OF_TOOL } from "../limits.ts";
import type { LockedTool } from "../lock/lock.ts";
import { toolLayers } from "../tool/tool-layers.ts";
import { findOpenings, type Opening } from "./find-openings.ts";
import { unjudgedKeywords } from "./unjudged-keywords.ts";

/** Whether a change of one schema of a tool lets callers go on as before. */
export interface SchemaVerdict {
  readonly schema: "inputSchema" | "outputSchema";
  /** `unknown` also when a schema cannot be read. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /** A call that was accepted before and is rejected after, or a result that was not possible before; only with `breaking`. */
  readonly counterexample?: JsonValue;
  /**
   * An input accepts calls that it did not accept before, or the opposite could not be proved. With `breaking`, only
   * those calls break that already sent a parameter that the schema before did not mention.
   */
  readonly isWider?: true;
  /**
   * Keywords of an input that changed and that no verdict is about, because they decide what a call does: `default`, and keywords that JSON
   * Schema does not define. Present where there are some.
   */
  readonly unjudged?: readonly string[];
  /** Where an input lets more through than before. Present where there are such places. */
  readonly openings?: readonly Opening[];
}

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
  readonly #known = new Map<string, SchemaVerdict[]>();
  #toolsToCome = 0;

  /** Sets how many tools are judged next: they share the steps that are left. */
  expect(tools: number): void {
    this.#toolsToCome = tools;
  }

  /** The verdicts on the schemas that differ between two versions of a tool. */
  judge(before: LockedTool, after: LockedTool): SchemaVerdict[] {
    const share = this.#budget.left / Math.max(1, this.#toolsToCome--);
    const key = `${before.digests.contract} ${after.digests.contract}`;
    const verdicts = this.#known.get(key) ?? this.#compare(before, after, Math.min(share, MAX_STEPS_OF_TOOL));
    this.#known.set(key, verdicts);
    return verdicts;
  }

  #compare(before: LockedTool, after: LockedTool, steps: number): SchemaVerdict[] {
    const budget = new StepBudget(steps, this.#budget);
    const [contractBefore, contractAfter] = [before, after].map(({ definition }) => toolLayers(definition).contract);
    return SCHEMAS.flatMap(([schema, options]): SchemaVerdict[] => {
      const [schemaBefore, schemaAfter] = [contractBefore?.[schema], contractAfter?.[schema]];
      if (isSameJson(schemaBefore, schemaAfter)) return [];
      const [from, to] = [orAny(schemaBefore), orAny(schemaAfter)];
      try {
        const judged = compare(from, to, { ...options, budget });
        const isSameInput = judged.verdict === "compatible" && !judged.isWider;
        const openings = isSameInput || schema === "outputSchema" ? [] : findOpenings(from, to, budget);
        return [{ schema, ...judged, ...(openings.length > 0 && { openings }) }];
      } catch (error) {
        if (error instanceof SchemaDiffError) return [{ schema, verdict: "unknown" }];
        throw error;
      }
    });
  }
}

/** A tool without a schema takes any arguments, or returns anything. A schema of `null` cannot be read. */
function orAny(schema: JsonValue | undefined): JsonValue {
  return schema === undefined ? true : schema;
}

function compare(before: JsonValue, after: JsonValue, options: CompareSchemasOptions): Omit<SchemaVerdict, "schema"> {
  const { verdict, counterexample } = compareSchemas(before, after, options);
  const isCompatible = (from: JsonValue, to: JsonValue) => compareSchemas(from, to, options).verdict === "compatible";
  const judged = { verdict, ...(counterexample && { counterexample: counterexample.value }) };
  if (options.direction === "output" || verdict === "unknown") return judged;
  const mentioned = textsIn(before);
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

/** Every string and every name in a value. */
function textsIn(root: JsonValue): Set<string> {
  const texts = new Set<string>();
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.add(value);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      texts.add(name);
      open.push(member);
    }
  }
  return texts;
}
