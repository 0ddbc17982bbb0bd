import { isSameJson } from "@agentprint/canonical-json";
import { skeletonOf } from "../signals/look-alikes.ts";
import { LAYERS, type Layer } from "../tool/tool-layers.ts";
import type { Judge } from "./judge.ts";
import { type MatchRenames, withLikely } from "./match-renames.ts";
import {
  type AddedTool,
  type ChangedTool,
  type CommonHash,
  type FingerprintedTool,
  nameOfTool,
  type ToolChange,
  type ToolDrift,
} from "./tool-drift.ts";

const COMMON_HASHES: readonly CommonHash[] = ["name+description", "name+inputSchema", "name+description+inputSchema"];

/** The maximum number of listed names that look like a new tool's name. */
const MAX_ALIKE = 8;

/**
 * Returns the differences between two sets of tools, which are paired and sorted by name.
 *
 * @param known - Pairs the tools that are known to be renamed
 */
export function diffTools(
  before: ReadonlyMap<string, FingerprintedTool>,
  after: ReadonlyMap<string, FingerprintedTool>,
  judge: Pick<Judge, "expect" | "changes">,
  known: MatchRenames,
): ToolDrift[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const only = (tools: typeof before, others: typeof before): FingerprintedTool[] =>
    names.flatMap((name) => (others.has(name) ? [] : (tools.get(name) ?? [])));
  const added = only(after, before);
  const removed = only(before, after);
  const renames = withLikely(known(removed, added), removed, added);
  const renamedFrom = new Set(renames.map(({ before }) => before));
  const renamedTo = new Map(renames.map((rename) => [rename.after, rename]));
  const changed = [...after].filter(([name, tool]) => {
    const old = before.get(name);
    return old !== undefined && hasOtherContract(old, tool);
  });
  judge.expect(changed.length + renames.filter(({ isEqual }) => !isEqual).length);
  let alike: ReadonlyMap<string, readonly string[]> | undefined;
  return names.flatMap((name): ToolDrift[] => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old !== undefined && now !== undefined)
      return old.digests.wire === now.digests.wire ? [] : [changedTool(name, old, now, judge)];
    if (old !== undefined)
      return renamedFrom.has(old) ? [] : [{ type: "item-removed", kind: "tool", name, before: old.definition }];
    if (now === undefined) return [];
    const rename = renamedTo.get(now);
    if (rename === undefined) {
      alike ??= namesBySkeleton(names.filter((other) => after.has(other)));
      return [addedTool(name, now, alike)];
    }
    return [
      {
        type: "tool-renamed",
        name,
        previousName: nameOfTool(rename.before),
        similarity: rename.similarity,
        ...(rename.isDeclared && { isDeclared: true }),
        ...(rename.isEqual
          ? { layers: ["contract"], changes: [changeOfName(nameOfTool(rename.before), name)] }
          : { layers: changedLayers(rename.before, now), ...judge.changes(rename.before, now) }),
      },
    ];
  });
}

function changeOfName(before: string, after: string): ToolChange {
  return { layer: "contract", pointer: "/name", before, after };
}

function namesBySkeleton(names: Iterable<string>): Map<string, string[]> {
  const bySkeleton = new Map<string, string[]>();
  for (const name of names) {
    const skeleton = skeletonOf(name);
    const alike = bySkeleton.get(skeleton) ?? [];
    bySkeleton.set(skeleton, alike);
    if (alike.length <= MAX_ALIKE) alike.push(name);
  }
  return bySkeleton;
}

function addedTool(
  name: string,
  { definition }: FingerprintedTool,
  alike: ReadonlyMap<string, readonly string[]>,
): AddedTool {
  const others = (alike.get(skeletonOf(name)) ?? []).filter((other) => other !== name);
  const looksLike = others.slice(0, MAX_ALIKE);
  return { type: "item-added", kind: "tool", name, after: definition, ...(looksLike.length > 0 && { looksLike }) };
}

/** Returns whether the contracts of two versions of a tool differ. */
export function hasOtherContract(before: FingerprintedTool, after: FingerprintedTool): boolean {
  return before.digests.contract !== after.digests.contract;
}

function changedTool(
  name: string,
  before: FingerprintedTool,
  after: FingerprintedTool,
  judge: Pick<Judge, "changes">,
): ChangedTool {
  return {
    type: "tool-changed",
    name,
    layers: changedLayers(before, after),
    ...judge.changes(before, after),
    missedBy: COMMON_HASHES.filter((hash) =>
      hash.split("+").every((key) => isSameJson(before.definition[key], after.definition[key])),
    ),
  };
}

function changedLayers(before: FingerprintedTool, after: FingerprintedTool): Layer[] {
  return LAYERS.filter((layer) => before.digests[layer] !== after.digests[layer]);
}
