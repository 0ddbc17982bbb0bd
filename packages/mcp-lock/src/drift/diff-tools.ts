import {
  compareCodeUnits,
  fromPointer,
  isSameJson,
  type JsonChange,
  type JsonObject,
  type JsonValue,
} from "@agentprint/canonical-json";
import { itemName } from "@agentprint/mcp";
import { LAYERS, type Layer, layerChanges, toolLayers } from "@agentprint/tool-pins";
import type { LockedTool } from "../lock/lock.ts";
import { skeletonOf } from "../signals/look-alikes.ts";
import { type AppliedChanges, appliedChanges } from "./applied-changes.ts";
import { contractChanges } from "./contract-changes.ts";
import { diffNumbers } from "./diff-numbers.ts";
import type { CommonHash, Drift, ToolChange } from "./drift.ts";
import { isIntegerBound } from "./integer-bounds.ts";
import { isOtherOrder } from "./join-lists.ts";
import type { Judge } from "./judge.ts";
import { matchRenames, type Renames } from "./match-renames.ts";
import { pairByName } from "./pair-by-name.ts";
import { newSchemaTexts, type SchemaText } from "./schema-texts.ts";
import type { SchemaVerdict } from "./schema-verdict.ts";
import { valueAt } from "./value-at.ts";

const COMMON_HASHES: readonly (readonly [CommonHash, readonly string[]])[] = [
  ["name+description", ["name", "description"]],
  ["name+inputSchema", ["name", "inputSchema"]],
  ["name+description+inputSchema", ["name", "description", "inputSchema"]],
];

/**
 * The differences of two sets of tools, sorted by name; another order of the list is no difference.
 *
 * @param declared The renames that the author of the server declares
 */
export function diffTools(
  toolsBefore: readonly LockedTool[],
  toolsAfter: readonly LockedTool[],
  judge: Judge,
  declared?: Renames,
): Drift[] {
  const pairs = pairByName(toolsBefore, toolsAfter, "tool");
  const renames = matchRenames(
    pairs.flatMap(({ before, after }) => (before && !after ? [before] : [])),
    pairs.flatMap(({ before, after }) => (after && !before ? [after] : [])),
    declared,
  );
  const renamedFrom = new Set(renames.map(({ before }) => before));
  const renamedTo = new Map(renames.map((rename) => [rename.after, rename]));
  const changed = pairs.filter(({ before, after }) => before && after && contractDiffers(before, after)).length;
  judge.expect(changed + renames.length);
  const hasNew = pairs.some(({ before }) => before === undefined);
  const alike = hasNew ? namesBySkeleton(toolsAfter) : new Map<string, string[]>();
  return pairs.flatMap(({ name, before, after }): Drift[] => {
    if (before !== undefined && after !== undefined) {
      const changed = before.digests.wire === after.digests.wire ? [] : [changedTool(name, before, after, judge)];
      return [...changed, ...diffNumbers("tool", name, before, after)];
    }
    if (before !== undefined) {
      return renamedFrom.has(before) ? [] : [{ type: "item-removed", kind: "tool", name, before: before.definition }];
    }
    if (after === undefined) return [];
    const rename = renamedTo.get(after);
    if (rename === undefined) {
      const looksLike = (alike.get(skeletonOf(name)) ?? []).filter((other) => other !== name);
      const values = { name, after: after.definition, ...(looksLike.length > 0 && { looksLike }) };
      return [{ type: "item-added", kind: "tool", ...values }];
    }
    return [
      {
        type: "tool-renamed",
        name,
        previousName: itemName("tool", rename.before.definition),
        similarity: rename.similarity,
        ...(rename.isDeclared && { isDeclared: true }),
        layers: changedLayers(rename.before, after),
        ...toolChanges(rename.before, after, judge),
      },
      ...diffNumbers("tool", name, rename.before, after),
    ];
  });
}

function namesBySkeleton(tools: readonly LockedTool[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { definition } of tools) {
    const name = itemName("tool", definition);
    const skeleton = skeletonOf(name);
    names.set(skeleton, [...(names.get(skeleton) ?? []), name]);
  }
  return names;
}

function contractDiffers(before: LockedTool, after: LockedTool): boolean {
  return before.digests.contract !== after.digests.contract;
}

function changedTool(name: string, before: LockedTool, after: LockedTool, judge: Judge): Drift {
  return {
    type: "tool-changed",
    name,
    layers: changedLayers(before, after),
    ...toolChanges(before, after, judge),
    missedBy: COMMON_HASHES.filter(([, keys]) =>
      keys.every((key) => isSameJson(before.definition[key], after.definition[key])),
    ).map(([hash]) => hash),
  };
}

function changedLayers(before: LockedTool, after: LockedTool): Layer[] {
  return LAYERS.filter((layer) => before.digests[layer] !== after.digests[layer]);
}

interface ToolChanges {
  readonly changes: readonly ToolChange[];
  readonly schemas?: readonly SchemaVerdict[];
  readonly newTexts?: readonly SchemaText[];
}

function toolChanges(before: LockedTool, after: LockedTool, judge: Judge): ToolChanges {
  const schemas = contractDiffers(before, after) ? judge.judge(before, after) : [];
  const [layersBefore, layersAfter] = [toolLayers(before.definition), toolLayers(after.definition)];
  const applied = new Map(
    schemas.flatMap(({ schema }): [string, AppliedChanges][] => {
      const changes = appliedChanges(before.definition[schema], after.definition[schema]);
      return changes === undefined ? [] : [[schema, changes]];
    }),
  );
  const renoted = schemas.filter((verdict) => isCompatible(verdict) && applied.get(verdict.schema)?.isSame);
  const changesOf = (layer: Layer): Omit<ToolChange, "layer">[] => {
    const [from, to] = [layersBefore[layer], layersAfter[layer]];
    if (layer === "prose") return proseChanges(from, to, applied);
    if (layer !== "contract") return layerChanges(layer, from, to);
    const changes = contractChanges(from, to).map((change) => withAddition(change, after.definition));
    return renoted.reduce(
      (all, { schema }) => asOne(all, schema, layersBefore.contract, layersAfter.contract),
      changes,
    );
  };
  const changes = LAYERS.flatMap((layer) => changesOf(layer).map((change) => ({ ...change, layer })));
  const newTexts = contractDiffers(before, after) ? textsOf(layersBefore.contract, layersAfter.contract) : [];
  return { changes, ...(schemas.length > 0 && { schemas }), ...(newTexts.length > 0 && { newTexts }) };
}

/** Whether callers notice nothing of a change. */
function isCompatible({ verdict, isWider, unjudged }: SchemaVerdict): boolean {
  return verdict === "compatible" && !isWider && !unjudged;
}

/** The changes of prose: where a schema changed more than its prose, of the texts where they apply, with references followed. */
function proseChanges(
  before: JsonObject,
  after: JsonObject,
  applied: ReadonlyMap<string, AppliedChanges>,
): Omit<ToolChange, "layer">[] {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...members].sort(compareCodeUnits).flatMap((member) => {
    const texts = applied.get(member)?.texts;
    if (texts !== undefined) return texts.map((text) => ({ ...text, pointer: `/${member}${text.pointer}` }));
    const [from, to] = [pick(before, member), pick(after, member)];
    return layerChanges("prose", from, to);
  });
}

function pick(layer: JsonObject, name: string): JsonObject {
  return Object.hasOwn(layer, name) ? { [name]: layer[name] as JsonValue } : {};
}

/** The changes with those of one schema as one: a change of notation is read as a whole. */
function asOne(
  changes: readonly Omit<ToolChange, "layer">[],
  schema: string,
  before: JsonObject,
  after: JsonObject,
): Omit<ToolChange, "layer">[] {
  const isOwn = ({ pointer }: JsonChange) => `${pointer}/`.startsWith(`/${schema}/`);
  const [first, ...others] = changes.filter(isOwn);
  if (first === undefined || others.length === 0 || changes.filter(isOwn).every(isOtherOrder)) return [...changes];
  const whole = { pointer: `/${schema}`, before: before[schema] as JsonValue, after: after[schema] as JsonValue };
  return changes.flatMap((change) => (change === first ? [whole] : isOwn(change) ? [] : [change]));
}

function textsOf(before: JsonObject, after: JsonObject): SchemaText[] {
  return ["inputSchema", "outputSchema"].flatMap((schema) =>
    newSchemaTexts(before[schema], after[schema]).map(({ pointer, text }) => ({
      pointer: `/${schema}${pointer}`,
      text,
    })),
  );
}

/** A change with what it added to the input schema as the model reads it, and whether that is a bound that zod 4 writes. */
function withAddition(change: JsonChange, definition: JsonObject): Omit<ToolChange, "layer"> {
  const path = fromPointer(change.pointer);
  if (change.before !== undefined || path[0] !== "inputSchema") return change;
  if (isIntegerBound(change, definition)) return { ...change, isIntegerBound: true };
  const value = valueAt(definition, path);
  return value === undefined || isSameJson(value, change.after) ? change : { ...change, afterWithProse: value };
}
