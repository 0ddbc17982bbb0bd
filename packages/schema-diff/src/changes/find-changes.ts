import type { JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP } from "../budget.ts";
import { constraintKey } from "../compile/equivalence-classes.ts";
import { MAX_CHANGE_DEPTH, MAX_CHANGES, MAX_COMPARED_PAIRS } from "../limits.ts";
import type { Prover } from "../prove/prover.ts";
import type {
  BeforeAfter,
  ChangeDirection,
  ChangeEffect,
  Difference,
  Polarity,
  ProvenEffect,
  SchemaChange,
} from "../schema-change.ts";
import type { Constraint, GroupConstraint, SchemaNode } from "../schema-graph.ts";
import {
  compareEnums,
  compareLimits,
  compareMultiples,
  compareOpaque,
  comparePatterns,
  compareRequired,
  compareTypes,
} from "./assertions.ts";
import type { ChangeWalk } from "./change-walk.ts";
import { compareChildren, compareGroups } from "./children.ts";
import { sentence } from "./sentences.ts";

/** Finds the part of a schema document at a pointer. */
export type Lookup = (side: "before" | "after", pointer: string) => JsonValue | undefined;

const LIMITS = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;

const EFFECTS: Record<ChangeDirection, ChangeEffect> = {
  added: "narrows",
  changed: "unknown",
  loosened: "widens",
  removed: "widens",
  tightened: "narrows",
};

/** Lists the differences between two schemas. Schemas that are proven to accept the same values have no differences. */
export function findChanges(
  before: SchemaNode,
  after: SchemaNode,
  lookup: Lookup,
  prover: Prover,
): readonly SchemaChange[] {
  const walk = new GraphWalk(lookup, prover);
  walk.compare(before, after, 1);
  return walk.changes;
}

/** Walks two graphs side by side, each pair of schemas once, and collects the changes. */
class GraphWalk implements ChangeWalk {
  readonly changes: SchemaChange[] = [];
  readonly #lookup: Lookup;
  readonly #prover: Prover;
  readonly #visited = new Set<string>();
  readonly #keys = new Map<Constraint, string>();
  /** How often a difference was added, or met again after it had been added. */
  #mentions = 0;
  #depth = 0;
  #pairs = 0;

  constructor(lookup: Lookup, prover: Prover) {
    this.#lookup = lookup;
    this.#prover = prover;
  }

  effectOf(before: SchemaNode, after: SchemaNode): ProvenEffect {
    if (before.equivalenceClass === after.equivalenceClass) return "none";
    return this.isExhausted ? "unknown" : this.#prover.effectOf(before, after);
  }

  get isExhausted(): boolean {
    return this.#prover.isExhausted;
  }

  keyOf(constraint: Constraint): string {
    const key = this.#keys.get(constraint) ?? constraintKey(constraint, (node) => node.equivalenceClass);
    this.#keys.set(constraint, key);
    return key;
  }

  text(side: "before" | "after", node: SchemaNode): JsonValue {
    return (node.equivalenceClass > 0 ? this.#lookup(side, node.pointer) : undefined) ?? true;
  }

  isWritten(side: "before" | "after", node: SchemaNode): boolean {
    return this.#lookup(side, node.pointer) !== undefined;
  }

  add(differences: readonly Difference[], polarity: Polarity): void {
    const room = MAX_CHANGES - this.changes.length;
    for (const difference of differences.slice(0, room)) this.changes.push(changeOf(difference, polarity));
    this.#mentions += differences.length;
  }

  compare(before: SchemaNode, after: SchemaNode, polarity: Polarity): void {
    this.#pairs += 1 + (before.constraints.length + after.constraints.length) / ENTRIES_A_STEP;
    if (this.changes.length >= MAX_CHANGES || this.#pairs > MAX_COMPARED_PAIRS) return;
    const proven = this.effectOf(before, after);
    if (proven === "none") return;
    const mentions = this.#mentions;
    const key = `${before.equivalenceClass}|${after.equivalenceClass}|${polarity}`;
    if (this.#visited.has(key)) {
      this.#mentions++;
      return;
    }
    this.#visited.add(key);
    if (this.#depth < MAX_CHANGE_DEPTH) {
      this.#depth++;
      this.#compareKeywords(before, after, polarity);
      this.#depth--;
    }
    // The schemas differ, but no keyword's difference was listed, so one change represents the complete schema.
    if (this.#mentions > mentions || proven === "unknown") return;
    const texts = { before: this.text("before", before), after: this.text("after", after) };
    this.add([{ subject: "schema", direction: "changed", path: after.pointer, ...texts, effect: proven }], polarity);
  }

  #compareKeywords(before: SchemaNode, after: SchemaNode, polarity: Polarity): void {
    this.add(compareTypes(before, after), polarity);
    const common = before.kinds & after.kinds;
    const constraints = { before: constraintsOf(before, common), after: constraintsOf(after, common) };
    const [a, b] = [soleGroup(constraints.before), soleGroup(constraints.after)];
    const group = a ?? b;
    if (group && !(a && b)) {
      // If one schema becomes several alternatives, or several become one, the single schema is treated as one
      // alternative.
      const alone = (node: SchemaNode): GroupConstraint => ({ ...group, pointer: node.pointer, nodes: [node] });
      const groups = { before: [a ?? alone(before)], after: [b ?? alone(after)] };
      compareGroups(this, groups, group.type === "oneOf" ? 0 : polarity);
      return;
    }
    this.#compareAssertions(before, after, common, polarity);
    compareChildren(this, constraints, polarity);
  }

  #compareAssertions(before: SchemaNode, after: SchemaNode, kinds: number, polarity: Polarity): void {
    const both = <K extends Constraint["type"]>(type: K): BeforeAfter<Extract<Constraint, { type: K }>[]> => ({
      before: constraintsOf(before, kinds, type),
      after: constraintsOf(after, kinds, type),
    });
    this.add(compareEnums(both("enum")), polarity);
    for (const limit of LIMITS) this.add(compareLimits(both(limit)), polarity);
    this.add(compareMultiples(both("multipleOf"), this.#prover), polarity);
    this.add(comparePatterns(both("pattern"), this.#prover), polarity);
    this.add(compareOpaque(both("opaque")), polarity);
    this.add(compareRequired(both("required")), polarity);
    const [a, b] = [both("uniqueItems").before[0], both("uniqueItems").after[0]];
    if (a && !b) this.add([{ subject: "uniqueItems", direction: "removed", path: a.pointer, before: true }], polarity);
    if (b && !a) this.add([{ subject: "uniqueItems", direction: "added", path: b.pointer, after: true }], polarity);
  }
}

function changeOf(difference: Difference, polarity: Polarity): SchemaChange {
  const { subject, direction, path, before, after } = difference;
  return {
    kind: `${subject}-${direction}`,
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    effect: effectOnWhole(difference.effect ?? EFFECTS[direction], polarity),
    message: difference.message ?? sentence(subject, direction, before, after),
  };
}

function effectOnWhole(effect: ProvenEffect, polarity: Polarity): ChangeEffect {
  if (effect === "both") return "unknown";
  if (effect === "none" || effect === "unknown" || polarity === 1) return effect;
  if (polarity === 0) return "unknown";
  return effect === "narrows" ? "widens" : "narrows";
}

/** Returns the alternatives of a schema that has no other constraint. */
function soleGroup(constraints: readonly Constraint[]): GroupConstraint | undefined {
  const [only, ...others] = constraints;
  return others.length === 0 && (only?.type === "anyOf" || only?.type === "oneOf") ? only : undefined;
}

function constraintsOf(node: SchemaNode, kinds: number): Constraint[];
function constraintsOf<K extends Constraint["type"]>(
  node: SchemaNode,
  kinds: number,
  type: K,
): Extract<Constraint, { type: K }>[];
function constraintsOf(node: SchemaNode, kinds: number, type?: string): Constraint[] {
  return node.constraints.filter((each) => each.kinds & kinds && (type === undefined || each.type === type));
}
