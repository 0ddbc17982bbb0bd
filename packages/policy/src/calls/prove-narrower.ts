import { canonicalize, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { compareSchemas, type SchemaComparison, SchemaDiffError, type StepBudget } from "@agentprint/schema-diff";
import type { CallKeyword } from "./call-keywords.ts";
import { replaceKeywords } from "./replace-keywords.ts";

/** The new schema may accept less, and arguments are always objects. */
const OF_CALLS = { direction: "output", values: "objects" } as const;

/** Returns whether the locked schema accepts every object that a schema accepts, ignoring the policy keywords. */
export function proveNarrower(locked: JsonValue, schema: JsonObject, budget: StepBudget): SchemaComparison {
  return compareSchemas(locked, withoutKeywords(schema), { ...OF_CALLS, budget, want: "verdict" });
}

/**
 * Returns whether the outer `arguments` schema provably accepts every call that the inner one accepts.
 *
 * For the proof, each keyword of the outer schema becomes a reference to an unknown schema, so that the prover uses
 * only facts that hold for any schema. A keyword of the inner schema that implies keywords of the outer one becomes
 * their references.
 */
export function isProvenWithin(inner: JsonObject, outer: JsonObject, budget: StepBudget): boolean {
  const wanted = new Map<string, { readonly keyword: CallKeyword; readonly allowed: readonly string[] }>();
  const asReferences = replaceKeywords(outer, (keyword, allowed) => {
    wanted.set(referenceOf(keyword, allowed), { keyword, allowed });
    return [{ $ref: referenceOf(keyword, allowed) }];
  });
  const implied = replaceKeywords(inner, (keyword, allowed) => {
    const names = [...wanted].filter(
      ([, other]) => keyword === other.keyword && implies(keyword, allowed, other.allowed),
    );
    return names.map(([$ref]) => ({ $ref }));
  });
  try {
    return compareSchemas(asReferences, implied, { ...OF_CALLS, budget, want: "proof" }).verdict === "compatible";
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return false;
  }
}

function withoutKeywords(schema: JsonObject): JsonObject {
  return replaceKeywords(schema, () => []);
}

function implies({ isWithin }: CallKeyword, inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((text) => outer.some((other) => isWithin(text, other)));
}

function referenceOf({ name }: CallKeyword, allowed: readonly string[]): string {
  return `urn:agentprint:${name}:${encodeURIComponent(canonicalize([...allowed].sort()))}`;
}
