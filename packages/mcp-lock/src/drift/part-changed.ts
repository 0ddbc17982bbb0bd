import type { JsonChange } from "@agentprint/canonical-json";
import type { Drift, ServerPart } from "./drift.ts";

/** A changed part of an entry. */
export type PartChanged = Extract<Drift, { readonly type: "part-changed" }>;

/** Returns the changes to a part as one difference, if there are any. */
export function partChanged(part: ServerPart, changes: readonly JsonChange[]): PartChanged[] {
  return changes.length > 0 ? [{ type: "part-changed", part, changes }] : [];
}
