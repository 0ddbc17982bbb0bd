import { readMembers } from "./read-members.ts";
import type { Metadata } from "./result.ts";

const NAMES: ReadonlySet<string> = new Set(["content", "docpath", "label"]);

/** Arguments as they were sent. */
export interface ToolArguments extends Metadata {
  /** The JSON of the content; `undefined` where there is none. It is not parsed yet, because it may be too large. */
  readonly contentJson: string | undefined;
}

/**
 * Reads the arguments, or returns `undefined` where they are not an object of usable members. The case of
 * names does not matter, and of several equal names the last one counts, as in the original. `null` stands for no arguments.
 * Other members are ignored.
 */
export function parseArguments(argumentsJson: string): ToolArguments | undefined {
  const members = readMembers(argumentsJson, NAMES);
  if (members === undefined) return undefined;
  const docPath = toText(members.get("docpath"));
  const label = toText(members.get("label"));
  if (docPath === undefined || label === undefined) return undefined;
  return { contentJson: members.get("content"), docPath, label };
}

/** Metadata as text; `undefined` for an array or an object. */
function toText(json = "null"): string | null | undefined {
  if (json === "null") return null;
  return json.startsWith("[") || json.startsWith("{") ? undefined : String(JSON.parse(json));
}
