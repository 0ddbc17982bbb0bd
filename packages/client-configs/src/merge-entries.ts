import type { EntryMerge } from "./client.ts";
import { type ConfiguredEntry, stateOf } from "./configured-servers.ts";

/**
 * Returns the entry that a client starts, given several entries with the same name: the place of the first one, and the
 * values that take effect.
 *
 * @param entries The entries with this name, at least one, beginning with the file that takes precedence
 */
export function mergedEntry(
  { by }: EntryMerge,
  entries: readonly [ConfiguredEntry, ...ConfiguredEntry[]],
): ConfiguredEntry {
  const [first, ...others] = entries;
  if (by === "entry" || others.length === 0) return first;
  const value = entries.map((entry) => entry.value).reduceRight((below, above) => mergedValue(below, above));
  const { name, path } = first;
  return { name, path, value, ...stateOf(value) };
}

function mergedValue(below: unknown, above: unknown): unknown {
  if (!isTable(below) || !isTable(above)) return above;
  const members = Object.entries(above).map(([name, value]) => {
    const merged = Object.hasOwn(below, name) ? mergedValue(below[name], value) : value;
    return [name, merged];
  });
  return { ...below, ...Object.fromEntries(members) };
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
