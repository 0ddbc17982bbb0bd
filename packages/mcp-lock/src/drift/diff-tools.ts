import { diffJson, isSameJson, type JsonObject } from "@agentprint/canonical-json";
import type { LockedTool } from "../lock/lock.ts";
import { LAYERS, type Layer, toolLayers } from "../tool/tool-layers.ts";
import { itemName } from "../visit/item-kinds.ts";
import type { CommonHash, Drift, ToolChange } from "./drift.ts";
import type { Judge } from "./judge.ts";
import type { SchemaVerdict } from "./judge-schemas.ts";
import { matchRenames } from "./match-renames.ts";
import { pairByName } from "./pair-by-name.ts";

const COMMON_HASHES: readonly (readonly [CommonHash, readonly string[]])[] = [
  ["name+description", ["name", "description"]],
  ["name+inputSchema", ["name", "inputSchema"]],
  ["name+description+inputSchema", ["name", "description", "inputSchema"]],
];

/** The differences of two sets of tools, sorted by name; another order of the list is no difference. */
export function diffTools(
  toolsBefore: readonly LockedTool[],
  toolsAfter: readonly LockedTool[],
  judge: Judge,
): Drift[] {
  const pairs = pairByName(toolsBefore, toolsAfter, "tool");
  const renames = matchRenames(
    pairs.flatMap(({ before, after }) => (before && !after ? [before] : [])),
    pairs.flatMap(({ before, after }) => (after && !before ? [after] : [])),
  );
  const renamedFrom = new Set(renames.map(({ before }) => before));
  const renamedTo = new Map(renames.map((rename) => [rename.after, rename]));
  const changed = pairs.filter(({ before, after }) => before && after && contractDiffers(before, after)).length;
  judge.expect(changed + renames.length);
  return pairs.flatMap(({ name, before, after }): Drift[] => {
    if (before !== undefined && after !== undefined) {
      return before.digests.wire === after.digests.wire ? [] : [changedTool(name, before, after, judge)];
    }
    if (before !== undefined) {
      return renamedFrom.has(before) ? [] : [{ type: "item-removed", kind: "tool", name, before: before.definition }];
    }
    if (after === undefined) return [];
    const rename = renamedTo.get(after);
    if (rename === undefined) return [{ type: "item-added", kind: "tool", name, after: after.definition }];
    return [
      {
        type: "tool-renamed",
        name,
        previousName: itemName("tool", rename.before.definition),
        similarity: rename.similarity,
        layers: changedLayers(rename.before, after),
        changes: toolChanges(rename.before.definition, after.definition),
        ...schemaVerdicts(rename.before, after, judge),
      },
    ];
  });
}

function contractDiffers(before: LockedTool, after: LockedTool): boolean {
  return before.digests.contract !== after.digests.contract;
}

function schemaVerdicts(before: LockedTool, after: LockedTool, judge: Judge): { schemas?: SchemaVerdict[] } {
  if (!contractDiffers(before, after)) return {};
  const schemas = judge.judge(before, after);
  return schemas.length > 0 ? { schemas } : {};
}

function changedTool(name: string, before: LockedTool, after: LockedTool, judge: Judge): Drift {
  return {
    type: "tool-changed",
    name,
    layers: changedLayers(before, after),
    changes: toolChanges(before.definition, after.definition),
    ...schemaVerdicts(before, after, judge),
    missedBy: COMMON_HASHES.filter(([, keys]) =>
      keys.every((key) => isSameJson(before.definition[key], after.definition[key])),
    ).map(([hash]) => hash),
  };
}

function changedLayers(before: LockedTool, after: LockedTool): Layer[] {
  return LAYERS.filter((layer) => before.digests[layer] !== after.digests[layer]);
}

function toolChanges(before: JsonObject, after: JsonObject): ToolChange[] {
  const [layersBefore, layersAfter] = [toolLayers(before), toolLayers(after)];
  return LAYERS.flatMap((layer) =>
    diffJson(layersBefore[layer], layersAfter[layer], { expandObjects: layer === "prose" }).map((change) => ({
      ...change,
      layer,
    })),
  );
}
