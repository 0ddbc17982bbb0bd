import type { JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP } from "../budget.ts";
import { partKey } from "../compile/shapes.ts";
import type { GroupPart, Node, Part } from "../node.ts";
import type { Prover } from "../prove/prover.ts";
import {
  compareEnums,
  compareLimits,
  compareMultiples,
  compareOpaque,
  comparePatterns,
  compareRequired,
  compareTypes,
} from "./assertions.ts";
import { ChangeList, type Difference, type Polarity } from "./change-list.ts";
import { compareChildren } from "./children.ts";
import { compareGroups } from "./holders.ts";
import { type Relation, relate } from "./relation.ts";
import type { SchemaChange } from "./schema-change.ts";
import type { Sides } from "./sides.ts";

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

/** Schemas inside schemas; what lies deeper is told as one change. */
const MAX_DEPTH = 130;
/** Pairs of schemas that are looked at, large ones counted as several: like the number of changes, more than anyone reads. */
const MAX_PAIRS = 100_000;

/** Names what differs between two schemas. Schemas that are proven to accept the same values do not differ. */
export function findChanges(before: Node, after: Node, lookup: Lookup, prover: Prover): readonly SchemaChange[] {
  const walk = new ChangeWalk(lookup, prover);
  walk.compare(before, after, 1);
  return walk.list.changes;
}

/** Walks two graphs side by side; each pair of schemas once. */
export class ChangeWalk {
  readonly list: ChangeList = new ChangeList();
  readonly #lookup: Lookup;
  readonly #prover: Prover;
  readonly #visited = new Set<string>();
  readonly #keys = new Map<Part, string>();
  /** How often a difference was added, or met again where it was added before. */
  #mentions = 0;
  #depth = 0;
  #pairs = 0;

  constructor(lookup: Lookup, prover: Prover) {
    this.#lookup = lookup;
    this.#prover = prover;
  }

  relate(before: Node, after: Node): Relation {
    if (before.shape === after.shape) return "none";
    return this.isExhausted ? "unknown" : relate(this.#prover, before, after);
  }

  /** Whether schemas that differ cannot be related any more. */
  get isExhausted(): boolean {
    return this.#prover.isExhausted;
  }

  /** A text that is equal for parts that say the same. */
  keyOf(part: Part): string {
    const key = this.#keys.get(part) ?? partKey(part, ({ shape }) => shape);
    this.#keys.set(part, key);
    return key;
  }

  /** The schema's text; a schema that is only implied accepts everything. */
  text(side: "before" | "after", node: Node): JsonValue {
    return (node.shape > 0 ? this.#lookup(side, node.pointer) : undefined) ?? true;
  }

  add(differences: readonly Difference[], polarity: Polarity): void {
    for (const difference of differences) this.list.add(difference, polarity);
    this.#mentions += differences.length;
  }

  compare(before: Node, after: Node, polarity: Polarity): void {
    this.#pairs += 1 + (before.parts.length + after.parts.length) / ENTRIES_A_STEP;
    if (this.list.isFull || this.#pairs > MAX_PAIRS) return;
    const relation = this.relate(before, after);
    if (relation === "none") return;
    const mentions = this.#mentions;
    const key = `${before.shape}|${after.shape}|${polarity}`;
    if (this.#visited.has(key)) {
      this.#mentions++;
      return;
    }
    this.#visited.add(key);
    if (this.#depth < MAX_DEPTH) {
      this.#depth++;
      this.#compareKeywords(before, after, polarity);
      this.#depth--;
    }
    if (this.#mentions > mentions || relation === "unknown") return;
    const effect = relation === "changes" ? "unknown" : relation;
    const [old, young] = [this.text("before", before), this.text("after", after)];
    this.add(
      [{ subject: "schema", manner: "changed", path: after.pointer, before: old, after: young, effect }],
      polarity,
    );
  }

  #compareKeywords(before: Node, after: Node, polarity: Polarity): void {
    this.add(compareTypes(before, after), polarity);
    const common = before.kinds & after.kinds;
    const sides = { before: partsOf(before, common), after: partsOf(after, common) };
    const [a, b] = [soleGroup(sides.before), soleGroup(sides.after)];
    const group = a ?? b;
    if (group && !(a && b)) {
      // One schema becomes several alternatives, or the other way round: it is an alternative by itself.
      const alone = (node: Node): GroupPart => ({ ...group, at: node.pointer, nodes: [node] });
      const alternatives = { before: [a ?? alone(before)], after: [b ?? alone(after)] };
      compareGroups(this, alternatives, group.part === "one" ? 0 : polarity);
      return;
    }
    this.#compareAssertions(before, after, common, polarity);
    compareChildren(this, sides, polarity);
  }

  #compareAssertions(before: Node, after: Node, kinds: number, polarity: Polarity): void {
    const sides = <K extends Part["part"]>(...names: readonly K[]): Sides<Extract<Part, { part: K }>> => ({
      before: partsOf(before, kinds, names),
      after: partsOf(after, kinds, names),
    });
    this.add(compareEnums(sides("enum")), polarity);
    for (const limit of LIMITS) this.add(compareLimits(sides(limit)), polarity);
    this.add(compareMultiples(sides("multipleOf"), this.#prover), polarity);
    this.add(comparePatterns(sides("pattern"), this.#prover), polarity);
    this.add(compareOpaque(sides("opaque")), polarity);
    this.add(compareRequired(sides("required")), polarity);
    const unique = sides("uniqueItems");
    const [old, young] = [unique.before[0], unique.after[0]];
    if (old && !young) this.add([{ subject: "uniqueItems", manner: "removed", path: old.at, before: true }], polarity);
    if (young && !old) this.add([{ subject: "uniqueItems", manner: "added", path: young.at, after: true }], polarity);
  }
}

/** The alternatives of a schema that says nothing else. */
function soleGroup(parts: readonly Part[]): GroupPart | undefined {
  const [only, ...others] = parts;
  return others.length === 0 && (only?.part === "any" || only?.part === "one") ? only : undefined;
}

function partsOf(node: Node, kinds: number): readonly Part[];
function partsOf<K extends Part["part"]>(node: Node, kinds: number, names: readonly K[]): Extract<Part, { part: K }>[];
function partsOf(node: Node, kinds: number, names?: readonly string[]): readonly Part[] {
  return node.parts.filter((part) => part.kinds & kinds && (!names || names.includes(part.part)));
}
