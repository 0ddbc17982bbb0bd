import type { Metadata } from "./result.ts";

const MOST_NESTED = 1000;

/** Arguments as they were sent. */
export interface ToolArguments extends Metadata {
  readonly content: unknown;
}

/**
 * Reads the arguments, or returns `undefined` where they are not an object of usable members. Names match in any case
 * and the last of equal ones wins, as in the original; `null` stands for no arguments; other members are ignored.
 */
export function parseArguments(argumentsJson: string): ToolArguments | undefined {
  if (nestsTooDeep(argumentsJson)) return undefined;
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

const QUOTE = 0x22;
const REVERSE_SOLIDUS = 0x5c;

/** Brackets alone would make the parser take fifty times the memory of the text. */
function nestsTooDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length && depth <= MOST_NESTED; index++) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE) inString = !inString;
    else if (inString) index += unit === REVERSE_SOLIDUS ? 1 : 0;
    // "[" and "{", and the closing ones, which are two further.
    else if ((unit | 0x20) === 0x7b) depth++;
    else if ((unit | 0x20) === 0x7d) depth--;
  }
  return depth > MOST_NESTED;
}
