import { compareCodeUnits, type JsonObject } from "@agentprint/canonical-json";
import { type ItemKind, itemName } from "@agentprint/mcp";
import { diffTools, equalRenames, type ToolDrift } from "@agentprint/tool-pins/judgement";
import type { LockedItem } from "../lock/lock.ts";
import { byName } from "../lock/session-state.ts";
import type { ComparedState } from "./compared-state.ts";
import { contentChanges, readableContent } from "./content-changes.ts";
import { declaredRenames, type Renames } from "./declared-renames.ts";
import { diffNumbers } from "./diff-numbers.ts";
import { type Drift, PARTS } from "./drift.ts";
import { type ItemChange, itemChanges } from "./item-changes.ts";
import type { Judge } from "./judge.ts";
import { diffPart } from "./part-changed.ts";
import { comparing } from "./tool-changes.ts";

/** Returns the differences between two states of a server, in the order in which they are reported. */
export function diffStates(before: ComparedState, after: ComparedState, judge: Judge, declared?: Renames): Drift[] {
  const tools = diffTools(
    byName("tool", before.tools),
    byName("tool", after.tools),
    comparing(judge),
    declared ? declaredRenames(declared) : equalRenames,
  );
  return [
    ...PARTS.flatMap((part) => diffPart(part, before.parts, after.parts)),
    ...tools,
    ...numbersOfTools(before, after, tools),
    ...diffListed("prompt", before.prompts, after.prompts),
    ...diffListed("resource", before.resources, after.resources),
    ...diffListed("resourceTemplate", before.resourceTemplates, after.resourceTemplates),
    ...diffItems("content", before.contents, after.contents, readableContent, contentChanges),
  ];
}

/**
 * Returns the differences between the number texts of the tools that both states have; a renamed tool is listed by its
 * earlier name.
 */
function numbersOfTools(before: ComparedState, after: ComparedState, drifts: readonly ToolDrift[]): Drift[] {
  const earlier = byName("tool", before.tools);
  const previous = new Map(
    drifts.flatMap((drift) => (drift.type === "tool-renamed" ? [[drift.name, drift.previousName] as const] : [])),
  );
  return after.tools.flatMap((tool): Drift[] => {
    const name = itemName("tool", tool.definition);
    const old = earlier.get(previous.get(name) ?? name);
    return old === undefined ? [] : diffNumbers("tool", name, old, tool);
  });
}

function diffListed(
  kind: Exclude<ItemKind, "tool" | "content">,
  before: readonly LockedItem[],
  after: readonly LockedItem[],
): Drift[] {
  const changesOf = (old: LockedItem, now: LockedItem) => itemChanges(kind, old.definition, now.definition);
  return diffItems(kind, before, after, ({ definition }) => definition, changesOf);
}

/**
 * @param shown Returns the form in which to report an item that only one state has
 * @param changesOf Returns the changes to an item whose digest changed
 */
function diffItems<T extends LockedItem>(
  kind: Exclude<ItemKind, "tool">,
  itemsBefore: readonly T[],
  itemsAfter: readonly T[],
  shown: (item: T) => JsonObject,
  changesOf: (before: T, after: T) => readonly ItemChange[],
): Drift[] {
  const [old, now] = [byName(kind, itemsBefore), byName(kind, itemsAfter)];
  return [...new Set([...old.keys(), ...now.keys()])].sort(compareCodeUnits).flatMap((name): Drift[] => {
    const [before, after] = [old.get(name), now.get(name)];
    if (before === undefined) return after ? [{ type: "item-added", kind, name, after: shown(after) }] : [];
    if (after === undefined) return [{ type: "item-removed", kind, name, before: shown(before) }];
    const changes = before.digest === after.digest ? [] : changesOf(before, after);
    const changed: Drift[] = changes.length === 0 ? [] : [{ type: "item-changed", kind, name, changes }];
    return [...changed, ...diffNumbers(kind, name, before, after)];
  });
}
