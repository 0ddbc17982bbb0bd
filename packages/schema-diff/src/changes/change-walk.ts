import type { JsonValue } from "@agentprint/canonical-json";
import type { Difference, Polarity, ProvenEffect } from "../schema-change.ts";
import type { Constraint, SchemaNode } from "../schema-graph.ts";

/** The walk through both graphs, as the comparison of one keyword uses it. */
export interface ChangeWalk {
  /** Whether the prover has no steps left. */
  readonly isExhausted: boolean;
  /** Compares two schemas that apply to the same values. */
  compare(before: SchemaNode, after: SchemaNode, polarity: Polarity): void;
  /** Lists differences. */
  add(differences: readonly Difference[], polarity: Polarity): void;
  /** Returns the effect on the set of accepted values when one schema replaces the other. */
  effectOf(before: SchemaNode, after: SchemaNode): ProvenEffect;
  /** Returns a key that is equal for constraints with equal meaning. */
  keyOf(constraint: Constraint): string;
  /**
   * Returns a schema as the document writes it; `true` for a schema that the document does not contain, which accepts
   * everything.
   */
  text(side: "before" | "after", node: SchemaNode): JsonValue;
  /** Returns whether the document contains a schema; an absent keyword has one that the document does not contain. */
  isWritten(side: "before" | "after", node: SchemaNode): boolean;
}
