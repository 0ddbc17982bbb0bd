import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import {
  type CompareSchemasOptions,
  createSchemaComparer,
  type SchemaComparer,
  SchemaDiffError,
  StepBudget,
} from "@agentprint/schema-diff";
import {
  type BareVerdict,
  type FingerprintedTool,
  newFaults,
  type SchemaVerdict,
  textsOf,
} from "@agentprint/tool-pins/judgement";
import { MAX_CAUSE_STEPS, MAX_EFFECT_STEPS, MAX_STEPS, MAX_STEPS_OF_TOOL, MIN_CAUSE_STEPS_OF_TOOL } from "../limits.ts";
import { causesOf, isBreak, type Steps } from "./break-causes.ts";
import { effectsOf } from "./edit-effects.ts";
import { findOpenings } from "./find-openings.ts";
import type { ChangedContract } from "./judge.ts";
import { unfoldSchema } from "./unfolded-schema.ts";
import { unjudgedKeywords } from "./unjudged-keywords.ts";

/** Arguments are objects in every version of the protocol; a result can be any value. */
const SCHEMAS = [
  ["inputSchema", { direction: "input", values: "objects" }],
  ["outputSchema", { direction: "output", values: "any" }],
] as const;

/**
 * Judges the changed tools of one server, each change only once, no matter how many sessions it appears in. The steps
 * that one tool leaves unused are divided among the tools after it.
 */
export class SchemaJudge {
  readonly #budget = new StepBudget(MAX_STEPS);
  /**
   * Separate from the budget for verdicts, so that the search for one verdict's causes does not affect another verdict.
   */
  readonly #causeBudget = new StepBudget(MAX_CAUSE_STEPS);
  readonly #effectBudget = new StepBudget(MAX_EFFECT_STEPS);
  readonly #known = new Map<string, SchemaVerdict[]>();
  #toolsToCome = 0;

  /** Sets the number of tools that are judged next; they share the remaining steps. */
  expect(tools: number): void {
    this.#toolsToCome = tools;
  }

  /** Returns the verdicts on the schemas that differ between two versions of a tool. */
  judge(before: FingerprintedTool, after: FingerprintedTool, contract: ChangedContract): SchemaVerdict[] {
    const tools = Math.max(1, this.#toolsToCome--);
    const key = `${before.digests.contract} ${after.digests.contract}`;
    const verdicts = this.#known.get(key) ?? this.#compare(before, after, contract, tools);
    this.#known.set(key, verdicts);
    return verdicts;
  }

  /** @param tools The number of tools that share the remaining steps. */
  #compare(
    before: FingerprintedTool,
    after: FingerprintedTool,
    contract: ChangedContract,
    tools: number,
  ): SchemaVerdict[] {
    const share = (all: StepBudget, least: number) =>
      new StepBudget(Math.min(Math.max(all.left / tools, least), MAX_STEPS_OF_TOOL), all);
    const [budget, causeBudget] = [share(this.#budget, 0), share(this.#causeBudget, MIN_CAUSE_STEPS_OF_TOOL)];
    const effectBudget = share(this.#effectBudget, 0);
    const { before: from, after: to, changes } = contract;
    const faults = newFaults(before.definition, after.definition);
    return SCHEMAS.flatMap(([schema, options]): SchemaVerdict[] => {
      if (isSameJson(from[schema], to[schema])) return [];
      const [schemaBefore, schemaAfter] = [orAny(from[schema]), orAny(to[schema])];
      const newFault = faults.get(schema);
      const fault = newFault && { fault: newFault };
      try {
        const steps = new StepJudge(schemaBefore, options);
        const judged = steps.whole(schemaAfter, steps.verdict(schemaAfter, budget), budget);
        const isSameInput = judged.verdict === "compatible" && !judged.isWider;
        const opened = isSameInput || schema === "outputSchema" ? [] : findOpenings(schemaBefore, schemaAfter, budget);
        const openings = opened.length > 0 && { openings: opened };
        if (!isBreak(judged) && !judged.isWider && !judged.unjudged)
          return [{ schema, ...judged, ...openings, ...fault }];
        const changed = { name: schema, before: schemaBefore, after: schemaAfter, changes };
        const found = isBreak(judged) ? causesOf(changed, steps, causeBudget) : { rest: judged };
        const breaking = new Set(found.causes?.flatMap(({ pointers }) => pointers));
        const known = found.rest && { whole: found.rest, breaking };
        const effects = known && effectsOf(changed, known, steps, effectBudget);
        return [{ schema, ...judged, ...openings, ...fault, ...(isBreak(judged) && found), ...effects }];
      } catch (error) {
        if (error instanceof SchemaDiffError) return [{ schema, verdict: "unknown", ...fault }];
        throw error;
      }
    });
  }
}

/** Returns a schema, or one that accepts anything if the tool has none; a schema that is `null` stays unreadable. */
function orAny(schema: JsonValue | undefined): JsonValue {
  return schema === undefined ? true : schema;
}

/**
 * Judges the steps from one schema, which is read only once, to the new schema and to schemas with only some of its
 * edits.
 */
class StepJudge implements Steps {
  readonly #before: JsonValue;
  readonly #options: Pick<CompareSchemasOptions, "direction" | "values">;
  readonly #compareTo: SchemaComparer;
  /** The comparers for callers that do not send the new parameters, by the names of those parameters. */
  readonly #expected = new Map<string, SchemaComparer>();
  /**
   * The verdicts, by the text of the new schema: the searches for causes and effects need the same combinations of
   * edits.
   */
  readonly #judged = new Map<string, BareVerdict>();
  #mentioned: ReadonlySet<string> | undefined;
  #unfolded: { readonly schemas: ReturnType<typeof unfoldSchema> } | undefined;

  constructor(before: JsonValue, options: Pick<CompareSchemasOptions, "direction" | "values">) {
    this.#before = before;
    this.#options = options;
    this.#compareTo = createSchemaComparer(before);
  }

  verdict(after: JsonValue, budget: StepBudget): BareVerdict {
    const text = JSON.stringify(after);
    const said = this.#judged.get(text) ?? this.#compare(after, budget);
    // A verdict that was cut short is not stored, so that it is computed again.
    if (!budget.isExhausted) this.#judged.set(text, said);
    return said;
  }

  whole(after: JsonValue, said: BareVerdict, budget: StepBudget, withUnjudged = true): BareVerdict {
    const { isWider, ...judged } = said;
    if (this.#options.direction === "output" || said.verdict === "unknown") return said;
    this.#unfolded ??= { schemas: unfoldSchema(this.#before) };
    const unjudged = withUnjudged ? unjudgedKeywords(this.#unfolded.schemas, after, this.#names) : [];
    const opened = said.verdict === "compatible" ? !this.#isAlsoNarrower(after, budget) : isWider;
    return { ...judged, ...(unjudged.length > 0 && { unjudged }), ...(opened && { isWider: true }) };
  }

  #compare(after: JsonValue, budget: StepBudget): BareVerdict {
    const { verdict, counterexample } = this.#compareTo(after, { ...this.#options, budget, want: "verdict" });
    const judged = { verdict, ...(counterexample && { counterexample: counterexample.value }) };
    return verdict === "breaking" && this.#isWider(after, budget) ? { ...judged, isWider: true } : judged;
  }

  /**
   * Returns whether a break affects no caller that follows the old schema, because such callers send no parameters that
   * do not exist yet.
   */
  #isWider(after: JsonValue, budget: StepBudget): boolean {
    if (this.#options.direction === "output") return false;
    const added = newParameters(this.#before, after, this.#names);
    if (added.length === 0) return false;
    const key = JSON.stringify(added);
    const compareTo = this.#expected.get(key) ?? this.#compareTo.from(withoutParameters(this.#before, added));
    this.#expected.set(key, compareTo);
    const { verdict } = compareTo(after, { ...this.#options, budget, want: "proof" });
    return verdict === "compatible";
  }

  /**
   * Returns whether the new schema provably accepts no more than the old one, so that all its results were possible
   * before.
   */
  #isAlsoNarrower(after: JsonValue, budget: StepBudget): boolean {
    const { verdict } = this.#compareTo(after, { ...this.#options, direction: "output", budget, want: "proof" });
    return verdict === "compatible";
  }

  get #names(): ReadonlySet<string> {
    this.#mentioned ??= new Set(textsOf(this.#before));
    return this.#mentioned;
  }
}

/** Returns the names of the parameters that only the new schema mentions. */
function newParameters(before: JsonValue, after: JsonValue, mentioned: ReadonlySet<string>): string[] {
  const [known, now] = [before, after].map(propertiesOf);
  return known && now ? Object.keys(now).filter((name) => !mentioned.has(name)) : [];
}

/**
 * Returns the old schema as it applies to callers that do not send the parameters that only the new schema has: an open
 * object accepts any value under the name of a future parameter, but no caller sends such a value.
 */
function withoutParameters(before: JsonValue, added: readonly string[]): JsonValue {
  const properties = Object.fromEntries([
    ...Object.entries(propertiesOf(before) ?? {}),
    ...added.map((name): [string, JsonValue] => [name, false]),
  ]);
  return { ...(before as JsonObject), properties };
}

function propertiesOf(schema: JsonValue): JsonObject | undefined {
  const properties = isJsonObject(schema) ? (schema["properties"] ?? {}) : undefined;
  return isJsonObject(properties) ? properties : undefined;
}
