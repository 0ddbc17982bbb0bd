import { diffJson } from "@agentprint/canonical-json";
import type { ItemKind } from "@agentprint/mcp";
import type { LockedItem } from "../lock/lock.ts";
import type { ComparedState } from "./compared-state.ts";
import { diffTools } from "./diff-tools.ts";
import { type Drift, PART_WORDS, type ServerPart } from "./drift.ts";
import { itemChanges } from "./item-changes.ts";
import type { Judge } from "./judge.ts";
import type { Renames } from "./match-renames.ts";
import { pairByName } from "./pair-by-name.ts";

const PARTS = Object.keys(PART_WORDS) as ServerPart[];

/** The differences of two states of a server, in the order in which they are reported. */
export function diffStates(before: ComparedState, after: ComparedState, judge: Judge, declared?: Renames): Drift[] {
  return [
    ...PARTS.flatMap((part) => diffPart(part, before, after)),
    ...diffTools(before.tools, after.tools, judge, declared),
    ...diffItems("prompt", before.prompts, after.prompts),
    ...diffItems("resource", before.resources, after.resources),
    ...diffItems("resourceTemplate", before.resourceTemplates, after.resourceTemplates),
    ...diffItems("content", before.contents, after.contents),
  ];
}

function diffPart(part: ServerPart, before: ComparedState, after: ComparedState): Drift[] {
  const changes = diffJson(before.parts[part], after.parts[part]);
  return changes.length > 0 ? [{ type: "part-changed", part, changes }] : [];
}

function diffItems(
  kind: Exclude<ItemKind, "tool">,
  itemsBefore: readonly LockedItem[],
  itemsAfter: readonly LockedItem[],
): Drift[] {
  return pairByName(itemsBefore, itemsAfter, kind).flatMap(({ name, before, after }): Drift[] => {
    if (before === undefined) return after ? [{ type: "item-added", kind, name, after: after.definition }] : [];
    if (after === undefined) return [{ type: "item-removed", kind, name, before: before.definition }];
    if (before.digest === after.digest) return [];
    return [{ type: "item-changed", kind, name, changes: itemChanges(kind, before.definition, after.definition) }];
  });
}
