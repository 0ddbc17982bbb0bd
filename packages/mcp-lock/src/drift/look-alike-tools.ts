import { compareCodeUnits } from "@agentprint/canonical-json";
import { skeletonOf } from "@agentprint/tool-pins/judgement";
import { groupEntries } from "../group-entries.ts";
import type { LookAlike } from "./drift.ts";

/**
 * Finds tools on one or several servers whose names look alike. Equal names are a collision, and are not reported here
 * again.
 */
export function findLookAlikes(toolsOf: ReadonlyMap<string, ReadonlySet<string>>): LookAlike[] {
  const tools = [...toolsOf].flatMap(([server, names]) => [...names].map((name) => ({ server, name })));
  return [...groupEntries(tools.map((tool) => [skeletonOf(tool.name), tool])).values()]
    .filter((tools) => tools.some(({ name }) => name !== tools[0]?.name))
    .map((tools) => ({
      tools: tools.sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.server, b.server)),
    }))
    .sort((a, b) => compareCodeUnits(a.tools[0]?.name ?? "", b.tools[0]?.name ?? ""));
}
