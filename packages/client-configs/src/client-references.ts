import type { Client } from "./client.ts";
import type { ServerEntry } from "./server-entry.ts";

/** The rewriting of each client's references to `${env:NAME}`, the only form in the texts of a launch. */
const REFERENCES: Readonly<Record<NonNullable<Client["references"]>, readonly [from: RegExp, to: string]>> = {
  continue: [/\$\{\{\s*(?:secrets|inputs)\.([A-Za-z_]\w*)\s*\}\}/g, "$${env:$1}"],
  gemini: [/\$([A-Za-z_]\w*)/g, "$${env:$1}"],
  // A file can only be read by opencode itself: `${file:…}` is refused with its name.
  opencode: [/(?<!\$)\{(env|file):([^{}]+)\}/g, "$${$1:$2}"],
};

/** The entry with the references of its client as references that a launch knows. */
export function withKnownReferences(entry: ServerEntry, references: Client["references"]): ServerEntry {
  if (references === undefined) return entry;
  const [from, to] = REFERENCES[references];
  const known = (text: string): string => text.replace(from, to);
  if (entry.type === "http") return { ...entry, url: known(entry.url), headers: mapValues(entry.headers, known) };
  return {
    ...entry,
    command: known(entry.command),
    args: entry.args.map(known),
    cwd: entry.cwd && known(entry.cwd),
    env: mapValues(entry.env, (value) => value && known(value)),
  };
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
