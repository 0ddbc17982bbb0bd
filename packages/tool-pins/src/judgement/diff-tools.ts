import { compareCodeUnits, isSameJson } from "@agentprint/canonical-json";
import { skeletonOf } from "../signals/look-alikes.ts";
import { LAYERS, type Layer } from "../tool/tool-layers.ts";
import type { Judge } from "./judge.ts";
import { matchRenames, type Renames } from "./match-renames.ts";
import {
  type AddedTool,
  type ChangedTool,
  type CommonHash,
  type FingerprintedTool,
  nameOfTool,
  type ToolDrift,
} from "./tool-drift.ts";

const COMMON_HASHES: readonly (readonly [CommonHash, readonly string[]])[] = [
  ["name+description", ["name", "description"]],
  ["name+inputSchema", ["name", "inputSchema"]],
  ["name+description+inputSchema", ["name", "description", "inputSchema"]],
];

/** Names of tools that look like the name of a new one, as far as they are listed. */
const MAX_ALIKE = 8;

/**
 * The differences of two sets of tools, sorted by name; another order of the list is no difference.
 *
 * @param declared The renames that the author of the server declares
 */
export function diffTools(
  toolsBefore: readonly FingerprintedTool[],
  toolsAfter: readonly FingerprintedTool[],
  judge: Pick<Judge, "expect" | "changes">,
  declared?: Renames,
): ToolDrift[] {
  const before = new Map(toolsBefore.map((tool) => [nameOfTool(tool), tool]));
  const after = new Map(toolsAfter.map((tool) => [nameOfTool(tool), tool]));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(compareCodeUnits);
  const only = (tools: typeof before, others: typeof before): FingerprintedTool[] =>
    names.flatMap((name) => (others.has(name) ? [] : (tools.get(name) ?? [])));
  const added = only(after, before);
  const renames = matchRenames(only(before, after), added, declared);
  const renamedFrom = new Set(renames.map(({ before }) => before));
  const renamedTo = new Map(renames.map((rename) => [rename.after, rename]));
  const changed = toolsAfter.filter((tool) => {
    const old = before.get(nameOfTool(tool));
    return old !== undefined && hasOtherContract(old, tool);
  });
  judge.expect(changed.length + renames.length);
  const alike =
    added.length > 0 ? namesBySkeleton(names.filter((name) => after.has(name))) : new Map<string, string[]>();
  return names.flatMap((name): ToolDrift[] => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old !== undefined && now !== undefined)
      return old.digests.wire === now.digests.wire ? [] : [changedTool(name, old, now, judge)];
    if (old !== undefined)
      return renamedFrom.has(old) ? [] : [{ type: "item-removed", kind: "tool", name, before: old.definition }];
    if (now === undefined) return [];
    const rename = renamedTo.get(now);
    if (rename === undefined) return [addedTool(name, now, alike)];
    return [
      {
        type: "tool-renamed",
        name,
        previousName: nameOfTool(rename.before),
        similarity: rename.similarity,
        ...(rename.isDeclared && { isDeclared: true }),
        layers: changedLayers(rename.before, now),
        ...judge.changes(rename.before, now),
      },
    ];
  });
}

function namesBySkeleton(names: Iterable<string>): Map<string, string[]> {
  const bySkeleton = new Map<string, string[]>();
  for (const name of names) {
    const skeleton = skeletonOf(name);
    const alike = bySkeleton.get(skeleton);
    if (alike === undefined) bySkeleton.set(skeleton, [name]);
    else if (alike.length <= MAX_ALIKE) alike.push(name);
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

/** Whether the contracts of two versions of a tool differ. */
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
    missedBy: COMMON_HASHES.filter(([, keys]) =>
      keys.every((key) => isSameJson(before.definition[key], after.definition[key])),
    ).map(([hash]) => hash),
  };
}

function changedLayers(before: FingerprintedTool, after: FingerprintedTool): Layer[] {
  return LAYERS.filter((layer) => before.digests[layer] !== after.digests[layer]);
}
