import type { JsonObject } from "@agentprint/canonical-json";
import { withoutName } from "../tool/read-definition.ts";

/** A tool whose definition was read. */
interface Defined {
  readonly definition: JsonObject;
  /** The definition without its name, from {@link withoutName}, if it is known. */
  readonly nameless?: string;
}

/**
 * Pairs removed and added tools that differ only in their names. If several are alike, the first removed tool is paired
 * with the first added one.
 *
 * @param removed - Sorted by name.
 * @param added - Sorted by name.
 */
export function pairEqual<Removed extends Defined, Added extends Defined>(
  removed: readonly Removed[],
  added: readonly Added[],
): (readonly [Removed, Added])[] {
  /** The added tools by text; for each text, the last tool comes first. */
  const open = new Map<string, Added[]>();
  for (const tool of removed.length > 0 ? added.toReversed() : []) {
    const text = textOf(tool);
    const others = open.get(text) ?? [];
    open.set(text, others);
    others.push(tool);
  }
  return removed.flatMap((tool) => {
    const equal = open.size > 0 && open.get(textOf(tool))?.pop();
    return equal ? [[tool, equal] as const] : [];
  });
}

function textOf(tool: Defined): string {
  return tool.nameless ?? withoutName(tool.definition);
}
