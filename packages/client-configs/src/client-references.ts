import type { Client } from "./client.ts";
import type { ServerEntry } from "./server-entry.ts";

/**
 * opencode's reference, rewritten as a launch writes it. Only the client itself can read a file, so `${file:…}` is
 * refused by name.
 */
const FILLED_IN = "$${$1:$2}";

/** Rewrites each client's references as `${env:NAME}`, the only form that a launch's texts allow. */
const REFERENCES: Readonly<Record<NonNullable<Client["references"]>, (text: string) => string>> = {
  continue: (text) => text.replace(/\$\{\{\s*(?:secrets|inputs)\.([A-Za-z_]\w*)\s*\}\}/g, "$${env:$1}"),
  crush: (text) => withShellReference(withBareReferences(text)),
  gemini: withBareReferences,
  // Files of Kilo Code use opencode's references, or those of the editor, which begin with `$`.
  kilo: (text) => text.replace(/(?<!\$)\{(env|file):([^{}]+)\}/g, FILLED_IN),
  // opencode keeps a `$` before a reference; https://opencode.ai/docs/config/ ("Variables") gives it no meaning.
  opencode: (text) => text.replace(/\{(env|file):([^{}]+)\}/g, FILLED_IN),
};

function withBareReferences(text: string): string {
  return text.replace(/\$([A-Za-z_]\w*)/g, "$${env:$1}");
}

/**
 * Returns the text with Crush's shell expressions as `${shell:…}`, which is refused by name, because only Crush runs
 * them.
 */
function withShellReference(text: string): string {
  const start = text.search(SHELL);
  return start === -1 ? text : `${text.slice(0, start)}\${shell:${text.slice(start).replace(/^\$/, "")}}`;
}

/** The beginning of a command that a shell replaces with its output. */
export const SHELL: RegExp = /\$\(|`/;

/**
 * Returns the text with which a client refers to a variable in a launch argument, or `undefined` if the client is not
 * known to expand variables there.
 */
export function referenceTo(variable: string, { variables }: Pick<Client, "variables">): string | undefined {
  return variables?.form.replace("NAME", () => variable);
}

/** Returns the entry with its client's references rewritten in the form that a launch uses. */
export function withKnownReferences(entry: ServerEntry, references: Client["references"]): ServerEntry {
  if (references === undefined) return entry;
  const known = REFERENCES[references];
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
