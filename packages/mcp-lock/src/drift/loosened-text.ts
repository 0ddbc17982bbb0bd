import { isSameJson, type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";
import type { StepBudget } from "@agentprint/schema-diff";
import { takesType, verdictOn } from "./schema-reach.ts";

/**
 * A way in which a schema accepts, or may accept, more values than before. `path` leads from the schema to the keyword
 * that changed; it is empty for choices.
 */
export interface Loosened {
  readonly kind: "more-values" | "unproven-values";
  readonly path: readonly string[];
}

/** Keywords that restrict texts. */
const BOUNDS = ["pattern", "format", "maxLength"];
/** Keywords of a new schema that can make up for a lost bound. */
const MAKING_UP = [...BOUNDS, "enum"];

/**
 * Returns how a schema accepts more texts than each of the earlier schemas, one of which applied; `undefined` if one of
 * them provably accepts as much, or if there are several and the schema does not restrict texts.
 */
export function loosenedText(before: readonly JsonObject[], to: JsonObject, budget: StepBudget): Loosened | undefined {
  const texts = before.filter((from) => takesType(from["type"], "string"));
  if (texts.length === 0 || !takesType(to["type"], "string")) return undefined;
  const all = texts.map((from) => loosened(from, to, budget));
  const [only] = all;
  if (only === undefined || all.length === 1) return only;
  // Each earlier schema by itself accepts fewer texts, but all of them together were not compared.
  return all.includes(undefined) || !isBounded(to) ? undefined : { ...only, kind: "unproven-values" };
}

function isBounded(schema: JsonObject): boolean {
  return BOUNDS.some((bound) => bound in schema);
}

function loosened(from: JsonObject, to: JsonObject, budget: StepBudget): Loosened | undefined {
  const bounds = BOUNDS.flatMap((bound): Loosened[] => {
    const kind = loosenedBound(bound, from, to, budget);
    return kind === undefined ? [] : [{ kind, path: [bound] }];
  });
  return bounds.find(({ kind }) => kind === "more-values") ?? bounds[0];
}

function loosenedBound(
  bound: string,
  from: JsonObject,
  to: JsonObject,
  budget: StepBudget,
): Loosened["kind"] | undefined {
  const [was, is] = [ownMember(from, bound), ownMember(to, bound)];
  if (was === undefined || isSameJson(was, is)) return undefined;
  const fresh = MAKING_UP.filter((each) => each in to && !isSameJson(ownMember(from, each), ownMember(to, each)));
  if (fresh.length === 0) return "more-values";
  const now = Object.fromEntries(MAKING_UP.flatMap((each) => (each in to ? [[each, to[each] as JsonValue]] : [])));
  switch (verdictOn({ type: "string", ...now }, { type: "string", [bound]: was }, budget)) {
    case "compatible":
      return undefined;
    case "breaking":
      return "more-values";
    default:
      return "unproven-values";
  }
}
