import { compareCodeUnits, diffJson, type JsonChange, type JsonValue } from "@agentprint/canonical-json";
import { type AppliedPair, appliedPairs } from "./applied-pairs.ts";
import { pairTexts } from "./pair-texts.ts";
import { type Member, type SchemaNode, unfoldSchema } from "./unfolded-schema.ts";

/**
 * A changed text in a schema. The pointer leads into the new schema, or into the old one if the text no longer exists.
 */
interface TextChange extends JsonChange {
  /** Present if the old schema did not have the place where the text applies. */
  readonly isNewPlace?: true;
}

/** The differences between the texts that apply at the places of two schemas. */
export interface AppliedChanges {
  readonly texts: readonly TextChange[];
  /**
   * Whether everything else is the same: apart from the texts, the schemas differ only in where their definitions are,
   * in the definitions' names and in the order of `required`.
   */
  readonly isSame: boolean;
}

/** The maximum total length of the pointers of all changes, in UTF-16 code units. */
const MAX_POINTERS_LENGTH = 1_048_576;

/**
 * Compares two versions of a schema place by place, following references: a text that moved into or out of a definition
 * still applies at the same place. Definitions with the same name are also compared, and so are definitions that
 * nothing refers to, because a model reads both.
 *
 * @param before `undefined` if there was no schema
 * @returns `undefined` if the references are too entangled to follow all of them, or if the pointers would be too long
 */
export function appliedChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): AppliedChanges | undefined {
  const [from, to] = [nodesOf(before), nodesOf(after)];
  if (from === undefined || to === undefined) return undefined;
  const pairs = appliedPairs(from, to);
  if (pairs === undefined) return undefined;
  const opposites = oppositesOf(from[0], to[0]);
  const applied = new Set(pairs.flatMap((pair) => [...pair.before, ...pair.after]));
  const gone = from.filter((node) => !applied.has(node));
  const fresh = to.filter((node) => !applied.has(node));
  const changes = [
    ...pairs.flatMap((pair) => changesOfPair(pair, opposites)),
    ...gone.flatMap((node) => changesOfTexts([node], oppositeOf(node, opposites))),
    ...fresh.flatMap((node) => changesOfTexts(oppositeOf(node, opposites), [node])),
  ];
  const texts = distinct(changes);
  return texts && { texts, isSame: gone.length + fresh.length === 0 && pairs.every(isSamePair) };
}

function nodesOf(schema: JsonValue | undefined): readonly SchemaNode[] | undefined {
  return schema === undefined ? [] : unfoldSchema(schema);
}

type Opposites = ReadonlyMap<SchemaNode, SchemaNode>;

/**
 * Returns, for each schema, the one at the same place in the other version; a definition may move between `definitions`
 * and `$defs`.
 */
function oppositesOf(rootBefore: SchemaNode | undefined, rootAfter: SchemaNode | undefined): Opposites {
  const opposites = new Map<SchemaNode, SchemaNode>();
  const queue: [SchemaNode, SchemaNode][] = rootBefore && rootAfter ? [[rootBefore, rootAfter]] : [];
  for (const [before, after] of queue) {
    opposites.set(before, after).set(after, before);
    for (const kind of ["inside", "definitions"] as const) {
      for (const [key, inner] of before[kind]) {
        const other = after[kind].get(key);
        if (other !== undefined) queue.push([inner, other]);
      }
    }
  }
  return opposites;
}

function oppositeOf(node: SchemaNode, opposites: Opposites): SchemaNode[] {
  const other = opposites.get(node);
  return other === undefined ? [] : [other];
}

function changesOfPair({ before, after }: AppliedPair, opposites: Opposites): TextChange[] {
  if (before.length > 0 && after.length > 0) return changesOfTexts(before, after);
  // If a definition's texts are unchanged, applying it at one more or one fewer place is not a change.
  const isKept = (node: SchemaNode, { text }: Member) =>
    oppositeOf(node, opposites).some(({ prose }) => prose.some((other) => other.text === text));
  const kept = (nodes: readonly SchemaNode[]) =>
    nodes.map((node) => ({ ...node, prose: node.prose.filter((member) => !isKept(node, member)) }));
  const changes = changesOfTexts(kept(before), kept(after));
  return before.length > 0 ? changes : changes.map((change) => ({ ...change, isNewPlace: true }));
}

function changesOfTexts(before: readonly SchemaNode[], after: readonly SchemaNode[]): JsonChange[] {
  return pairTexts(before, after).flatMap(({ before: from, after: to }) => {
    const { node, member } = (to ?? from) as NonNullable<typeof to>;
    const [was, is] = [from, to].map((text) => (text === undefined ? {} : { [member.keyword]: text.member.value }));
    return diffJson(was, is, { expandObjects: true }).map((change) => ({
      ...change,
      pointer: node.place.pointer + change.pointer,
    }));
  });
}

/**
 * Returns the changes without duplicates, in the order of their pointers; `undefined` if the pointers are too long in
 * total.
 */
function distinct(changes: readonly TextChange[]): TextChange[] | undefined {
  let left = MAX_POINTERS_LENGTH;
  const found = new Map<string, TextChange>();
  for (const change of changes) {
    left -= change.pointer.length;
    if (left < 0) return undefined;
    const key = JSON.stringify([change.pointer, change.before, change.after]);
    // A text that is new at an existing place counts as new there, even if it also applies at a new place.
    if (!change.isNewPlace || !found.has(key)) found.set(key, change);
  }
  return [...found.values()].sort((one, other) => compareCodeUnits(one.pointer, other.pointer));
}

/** Returns whether two schemas have the same keywords, apart from their prose and the schemas inside them. */
function isSamePair({ before, after }: AppliedPair): boolean {
  const said = (nodes: readonly SchemaNode[]) =>
    nodes.flatMap(({ rest, inside }) => [...rest.map(({ text }) => text), ...inside.keys()]).sort();
  const [from, to] = [said(before), said(after)];
  return before.length > 0 && after.length > 0 && from.length === to.length && from.every((text, i) => text === to[i]);
}
