import { type JsonObject, printable } from "@agentprint/canonical-json";
import type { Place } from "@agentprint/findings";
import { type FaultOfTool, findingOfFault } from "./fault-findings.ts";
import { schemaFaults } from "./schema-faults.ts";
import { type KnownNames, signalNote, signalsOfItem } from "./signals-of.ts";
import type { ToolFinding } from "./tool-place.ts";
import { toolFinding } from "./tool-rules.ts";

/** A new item with its kind, such as `tool`, and the other tools' names that look like its own. */
export interface NewItem {
  readonly words: string;
  readonly name: string;
  readonly after: JsonObject;
  readonly looksLike?: readonly string[];
}

/**
 * Returns the findings for a new item's signals other than new words, and for a tool whose name resembles another
 * tool's.
 */
export function findingsOfNewTexts(
  place: Place,
  { words, name, after, looksLike = [] }: NewItem,
  names: KnownNames,
): ToolFinding[] {
  const alike = looksLike.map((other) => `Looks like the tool ${printable(other)}`);
  const note = [...alike, ...signalNote(signalsOfItem(after, name, names))].join(". ");
  if (note === "") return [];
  const message = alike.length > 0 ? "new tool has a name like another tool's" : `new ${words} has signals`;
  return [{ ...toolFinding("mcp/prose-signal", message), place, note }];
}

/** Returns the findings for schemas of a new tool that MCP does not allow. */
export function findingsOfNewSchemas(place: Place, definition: JsonObject): ToolFinding[] {
  return schemaFaults(definition).map(({ schema, pointer, reason }): ToolFinding => {
    const fault: FaultOfTool = { pointer: `/${schema}${pointer}`, reason };
    return findingOfFault(place, fault);
  });
}
