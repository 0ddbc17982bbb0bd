import { diffJson } from "@agentprint/canonical-json";
import { type ItemKind, itemName } from "@agentprint/mcp";
import { diffTools, type ToolDrift } from "@agentprint/tool-pins/judgement";
import type { LockedItem } from "../lock/lock.ts";
import type { ComparedState } from "./compared-state.ts";
import { declaredRenames, type Renames } from "./declared-renames.ts";
import { diffNumbers } from "./diff-numbers.ts";
import { type Drift, PART_WORDS, type ServerPart } from "./drift.ts";
import { itemChanges } from "./item-changes.ts";
import type { Judge } from "./judge.ts";
import { pairByName } from "./pair-by-name.ts";
import { comparing } from "./tool-changes.ts";

const PARTS = Object.keys(PART_WORDS) as ServerPart[];

/** The differences of two states of a server, in the order in which they are reported. */
export function diffStates(before: ComparedState, after: ComparedState, judge: Judge, declared?: Renames): Drift[] {
  const tools = diffTools(
    byName(before.tools),
    byName(after.tools),
    comparing(judge),
    declared && declaredRenames(declared),
  );
  return [
    ...PARTS.flatMap((part) => diffPart(part, before, after)),
    ...tools,
    ...numbersOfTools(before, after, tools),
    ...diffItems("prompt", before.prompts, after.prompts),
    ...diffItems("resource", before.resources, after.resources),
    ...diffItems("resourceTemplate", before.resourceTemplates, after.resourceTemplates),
    ...diffItems("content", before.contents, after.contents),
  ];
}

function byName(tools: ComparedState["tools"]): Map<string, ComparedState["tools"][number]> {
  return new Map(tools.map((tool) => [itemName("tool", tool.definition), tool]));
}

function diffPart(part: ServerPart, before: ComparedState, after: ComparedState): Drift[] {
  const changes = diffJson(before.parts[part], after.parts[part]);
  return changes.length > 0 ? [{ type: "part-changed", part, changes }] : [];
}

/** The differences in the texts of numbers of the tools that both states have, a renamed one by its earlier name. */
function numbersOfTools(before: ComparedState, after: ComparedState, drifts: readonly ToolDrift[]): Drift[] {
  const earlier = byName(before.tools);
  const previous = new Map(
    drifts.flatMap((drift) => (drift.type === "tool-renamed" ? [[drift.name, drift.previousName] as const] : [])),
  );
  return after.tools.flatMap((tool): Drift[] => {
    const name = itemName("tool", tool.definition);
    const old = earlier.get(previous.get(name) ?? name);
    return old === undefined ? [] : diffNumbers("tool", name, old, tool);
  });
}

function diffItems(
  kind: Exclude<ItemKind, "tool">,
  itemsBefore: readonly LockedItem[],
  itemsAfter: readonly LockedItem[],
): Drift[] {
  return pairByName(itemsBefore, itemsAfter, kind).flatMap(({ name, before, after }): Drift[] => {
    if (before === undefined) return after ? [{ type: "item-added", kind, name, after: after.definition }] : [];
    if (after === undefined) return [{ type: "item-removed", kind, name, before: before.definition }];
    const changes = before.digest === after.digest ? [] : itemChanges(kind, before.definition, after.definition);
    const changed: Drift[] = changes.length === 0 ? [] : [{ type: "item-changed", kind, name, changes }];
    return [...changed, ...diffNumbers(kind, name, before, after)];
  });
}
