import type { JsonChange } from "@agentprint/canonical-json";
import type { Finding, Place } from "@agentprint/findings";
import type { ToolRuleId } from "./tool-rules.ts";

/** A finding on a tool, or on all tools of a server. */
export type ToolFinding = Finding<ToolRuleId>;

/** Returns the place of a tool; `server` is the name of its server, if it is known. */
export function placeOfTool(server: string | undefined, name: string): Place {
  if (server === undefined) return { subject: name, tool: name };
  return { subject: `${server} › ${name}`, server, tool: name };
}

/** Returns the place and the values of a change at a pointer below `place`; the empty pointer means `place` itself. */
export function located(
  place: Place,
  { pointer, before, after }: JsonChange,
): Pick<Finding, "place" | "before" | "after"> {
  return {
    place: pointer === "" ? place : { ...place, pointer },
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}
