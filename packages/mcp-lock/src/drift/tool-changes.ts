import {
  compareCodeUnits,
  fromPointer,
  isSameJson,
  type JsonChange,
  type JsonObject,
  type JsonValue,
} from "@agentprint/canonical-json";
import { LAYERS, type Layer, toolLayers } from "@agentprint/tool-pins";
import {
  type FingerprintedTool,
  hasOtherContract,
  layerChanges,
  newContractTexts,
  type SchemaVerdict,
  type ToolChange,
  type ToolChanges,
  type Judge as ToolJudge,
} from "@agentprint/tool-pins/judgement";
import { type AppliedChanges, appliedChanges } from "./applied-changes.ts";
import { contractChanges } from "./contract-changes.ts";
import { isIntegerBound } from "./integer-bounds.ts";
import { isOtherOrder } from "./join-lists.ts";
import type { Judge } from "./judge.ts";
import { valueAt } from "./value-at.ts";

/** Returns the functions that compare tools, using a judge's verdicts. */
export function comparing(judge: Judge): Pick<ToolJudge, "expect" | "changes"> {
  return {
    expect: (tools) => judge.expect(tools),
    changes: (before, after) => toolChanges(before, after, judge),
  };
}

/**
 * Returns the differences between two versions of a tool as a reader sees them, and the judge's verdicts on its
 * schemas.
 */
function toolChanges(before: FingerprintedTool, after: FingerprintedTool, judge: Judge): ToolChanges {
  const [layersBefore, layersAfter] = [toolLayers(before.definition), toolLayers(after.definition)];
  const isOther = hasOtherContract(before, after);
  const [from, to] = [layersBefore.contract, layersAfter.contract];
  const contract = { before: from, after: to, changes: isOther ? contractChanges(from, to) : [] };
  const schemas = isOther ? judge.judge(before, after, contract) : [];
  const applied = new Map(
    schemas.flatMap(({ schema }): [string, AppliedChanges][] => {
      const changes = appliedChanges(before.definition[schema], after.definition[schema]);
      return changes === undefined ? [] : [[schema, changes]];
    }),
  );
  const renoted = schemas.filter((verdict) => isCompatible(verdict) && applied.get(verdict.schema)?.isSame);
  const changesOf = (layer: Layer): Omit<ToolChange, "layer">[] => {
    const [was, is] = [layersBefore[layer], layersAfter[layer]];
    if (layer === "prose") return proseChanges(was, is, applied);
    if (layer !== "contract") return layerChanges(layer, was, is);
    const changes = contract.changes.map((change) => withAddition(change, after.definition));
    return renoted.reduce((all, { schema }) => asOne(all, schema, from, to), changes);
  };
  const changes = LAYERS.flatMap((layer) => changesOf(layer).map((change) => ({ ...change, layer })));
  const newTexts = isOther ? newContractTexts(from, to) : [];
  return { changes, ...(schemas.length > 0 && { schemas }), ...(newTexts.length > 0 && { newTexts }) };
}

/** Returns whether no caller notices a change. */
function isCompatible({ verdict, isWider, unjudged }: SchemaVerdict): boolean {
  return verdict === "compatible" && !isWider && !unjudged;
}

/**
 * Returns the changes to prose. For a schema that changed in more than its prose, these are the changes to the texts
 * that apply, following references.
 */
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

/**
 * Returns the changes, with all changes to one schema combined into one, because a change of notation is read as a
 * whole.
 */
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

/**
 * Returns a change. If it added a part to the input schema, the part is shown as the model reads it; a bound that zod 4
 * writes is only marked.
 */
function withAddition(change: JsonChange, definition: JsonObject): Omit<ToolChange, "layer"> {
  const path = fromPointer(change.pointer);
  if (change.before !== undefined || path[0] !== "inputSchema") return change;
  if (isIntegerBound(change, definition)) return { ...change, isIntegerBound: true };
  const value = valueAt(definition, path);
  return value === undefined || isSameJson(value, change.after) ? change : { ...change, afterWithProse: value };
}
