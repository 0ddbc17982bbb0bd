import { compareCodeUnits, type JsonChange } from "@agentprint/canonical-json";
import type { ItemKind, NumberTexts } from "@agentprint/mcp";
import type { Drift } from "./drift.ts";

/** An item with its number texts. */
interface Numbered {
  readonly numbers?: NumberTexts;
}

/** Returns the difference between the number texts of two versions of an item; their digests can be the same. */
export function diffNumbers(kind: ItemKind, name: string, before: Numbered, after: Numbered): Drift[] {
  const [old, now] = [before.numbers ?? {}, after.numbers ?? {}];
  const pointers = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort(compareCodeUnits);
  const changes = pointers.flatMap((pointer): JsonChange[] => {
    const [was, is] = [old[pointer], now[pointer]];
    if (was === is) return [];
    return [{ pointer, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
  return changes.length > 0 ? [{ type: "numbers-changed", kind, name, changes }] : [];
}
