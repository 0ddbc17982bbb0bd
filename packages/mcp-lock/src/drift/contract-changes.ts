import type { JsonChange, JsonObject } from "@agentprint/canonical-json";
import { layerChanges } from "@agentprint/tool-pins/judgement";
import { joinChoices } from "./join-choices.ts";
import { joinLists } from "./join-lists.ts";

/**
 * Returns the changes between the contracts of two versions of a tool, grouped as a reader sees them: applied together,
 * they turn one contract into the other.
 */
export function contractChanges(before: JsonObject, after: JsonObject): JsonChange[] {
  return joinLists(joinChoices(layerChanges("contract", before, after), before, after), before, after);
}
