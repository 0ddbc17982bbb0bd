import type { Metadata } from "./result.ts";

/** Arguments as they were sent. */
export interface ToolArguments extends Metadata {
  readonly content: unknown;
}

/**
 * Reads the arguments, or returns `undefined` where they are not an object of usable members. Names match in any case
 * and the last of equal ones wins, as in the original; `null` stands for no arguments; other members are ignored.
 */
export function parseArguments(argumentsJson: string): ToolArguments | undefined {
  let root: unknown;
  try {
    root = JSON.parse(argumentsJson);
  } catch {
    return undefined;
  }
  if (typeof root !== "object" || Array.isArray(root)) return undefined;
  const members = new Map(Object.entries(root ?? {}).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  const docPath = toText(members.get("docpath"));
  const label = toText(members.get("label"));
  if (docPath === undefined || label === undefined) return undefined;
  return { content: members.get("content") ?? null, docPath, label };
}

/** Metadata as text; `undefined` for an array or an object. */
function toText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? undefined : String(value);
}
