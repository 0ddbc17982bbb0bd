import { type ConfigNode, lineAt, nodeAt, type ParsedConfig, plainValue } from "@agentprint/client-configs";
import type { EditablePlace } from "../launch/editable-place.ts";

/**
 * Returns the line, counted from 1, of the first of these words that an entry contains as a string or as a member name;
 * otherwise the entry's line.
 */
export function lineOfWords(
  { config, entry }: Pick<EditablePlace, "config" | "entry">,
  words: readonly string[],
): number {
  const node = nodeAt(config, entry);
  if (node === undefined) return 1;
  const starts = words.flatMap((word) => startOf(config, node, word) ?? []);
  return lineAt(config, starts[0] ?? startOfEntry(config, entry, node));
}

/** Returns where an entry starts: at its name, if it has one. */
function startOfEntry(config: ParsedConfig, entry: EditablePlace["entry"], node: ConfigNode): number {
  const parent = nodeAt(config, entry.slice(0, -1));
  const member = parent?.kind === "table" ? parent.members.find(({ name }) => name === entry.at(-1)) : undefined;
  return member?.start ?? node.start;
}

function startOf(config: ParsedConfig, node: ConfigNode, word: string): number | undefined {
  if (node.kind === "scalar") return String(plainValue(config, node)) === word ? node.start : undefined;
  if (node.kind === "list") return firstOf(node.items.map((item) => startOf(config, item, word)));
  return firstOf(node.members.map(({ name, start, value }) => (name === word ? start : startOf(config, value, word))));
}

function firstOf(starts: readonly (number | undefined)[]): number | undefined {
  return starts.find((start) => start !== undefined);
}
