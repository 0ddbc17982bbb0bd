import { groupEntries } from "../group-entries.ts";
import type { SchemaNode } from "./unfolded-schema.ts";

/**
 * The schemas that apply at the same place in two versions: a schema from each version, and those that its references
 * lead to.
 */
export interface AppliedPair {
  readonly before: readonly SchemaNode[];
  readonly after: readonly SchemaNode[];
  /** Whether the caller treats the place, or one that contains it, as new. */
  readonly isNew: boolean;
}

/** A definition name that zod numbers in the order of writing, so the name has no meaning. */
const COUNTED = /^__schema\d+$/;
/**
 * The maximum number of steps per schema of both versions; more are needed only if references keep combining into new
 * pairs.
 */
const STEPS_PER_SCHEMA = 16;

/**
 * Pairs the schemas that apply at the same place in two versions of a schema. References are followed, and each pair of
 * places occurs only once, no matter how many references lead to it. Definitions with the same name are also paired,
 * because a model reads names; anything that no reference leads to is in no other pair.
 *
 * @param before All schemas of the old version, the root first; none if there was no schema
 * @param isNew Whether a place in a schema, such as `properties/path`, is new
 * @returns `undefined` if the references are so entangled that this takes more steps than the size of the schemas
 * allows
 */
export function appliedPairs(
  before: readonly SchemaNode[],
  after: readonly SchemaNode[],
  isNew: (key: string) => boolean = () => false,
): readonly AppliedPair[] | undefined {
  const pairs: AppliedPair[] = [];
  const known = new Set<string>();
  let stepsLeft = STEPS_PER_SCHEMA * (before.length + after.length);
  const add = (from: readonly SchemaNode[], to: readonly SchemaNode[], isNew: boolean): void => {
    const pair = { before: withTargets(from), after: withTargets(to), isNew };
    stepsLeft -= pair.before.length + pair.after.length;
    const ids = [pair.before, pair.after].map((nodes) => nodes.map(({ id }) => id).join());
    const key = [...ids, isNew].join(" ");
    if (!known.has(key)) pairs.push(pair);
    known.add(key);
  };
  add(before.slice(0, 1), after.slice(0, 1), false);
  for (const pair of pairs) {
    const [from, to] = [membersOf(pair.before, "inside"), membersOf(pair.after, "inside")];
    for (const key of new Set([...from.keys(), ...to.keys()]))
      add(from.get(key) ?? [], to.get(key) ?? [], pair.isNew || isNew(key));
    const defined = membersOf(pair.after, "definitions");
    for (const [name, definitions] of membersOf(pair.before, "definitions")) {
      const others = defined.get(name);
      if (others !== undefined && !COUNTED.test(name)) add(definitions, others, pair.isNew);
    }
    if (stepsLeft < 0) return undefined;
  }
  return pairs;
}

/** Returns schemas and everything that their references lead to, in a stable order. */
function withTargets(nodes: readonly SchemaNode[]): SchemaNode[] {
  const found = new Set(nodes);
  for (const { target } of found) if (target !== undefined) found.add(target);
  return [...found].sort((one, other) => one.id - other.id);
}

/**
 * For schemas that apply together, returns either the schemas inside them, by keyword and key, or their definitions, by
 * name.
 */
function membersOf(nodes: readonly SchemaNode[], kind: "inside" | "definitions"): Map<string, SchemaNode[]> {
  return groupEntries(nodes.flatMap((node) => [...node[kind]]));
}
