import type { ItemKind, NumberTexts } from "@agentprint/mcp";
import type { Drift } from "./drift.ts";
import { textChanges } from "./text-changes.ts";

/** An item with its number texts. */
interface Numbered {
  readonly numbers?: NumberTexts;
}

/** Returns the difference between the number texts of two versions of an item; their digests can be the same. */
export function diffNumbers(kind: ItemKind, name: string, before: Numbered, after: Numbered): Drift[] {
  const changes = textChanges(before.numbers, after.numbers);
  return changes.length > 0 ? [{ type: "numbers-changed", kind, name, changes }] : [];
}
