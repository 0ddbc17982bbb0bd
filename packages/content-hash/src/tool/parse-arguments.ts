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
  const names = memberNames(argumentsJson);
  if (names === undefined) return undefined;
  let root: unknown;
  try {
    root = JSON.parse(argumentsJson);
  } catch {
    return undefined;
  }
  if (typeof root !== "object" || Array.isArray(root)) return undefined;
  const members = new Map<string, unknown>();
  for (const written of names) {
    const name = JSON.parse(written) as string;
    members.set(name.toLowerCase(), (root as { readonly [name: string]: unknown })[name]);
  }
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
const COMMA = 0x2c;
const REVERSE_SOLIDUS = 0x5c;

/**
 * The names of the members of JSON text that is an object, as they are written, each where it stands last; a parsed object
 * has lost that order. `undefined` where the text nests too deep: brackets alone would make the parser take fifty times
 * the memory of the text.
 */
function memberNames(json: string): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  let depth = 0;
  let start = -1;
  let isName = false;
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index);
    if (start !== -1) {
      if (unit === REVERSE_SOLIDUS) index++;
      if (unit !== QUOTE) continue;
      if (isName) moveToEnd(names, json.slice(start, index + 1));
      isName = false;
      start = -1;
    } else if (unit === QUOTE) start = index;
    else if (unit === COMMA) isName = depth === 1;
    // "[" and "{", and the closing ones, which are two further.
    else if ((unit | 0x20) === 0x7b) {
      isName = depth === 0;
      if (++depth > MOST_NESTED) return undefined;
    } else if ((unit | 0x20) === 0x7d) depth--;
  }
  return names;
}

function moveToEnd(names: Set<string>, name: string): void {
  names.delete(name);
  names.add(name);
}
