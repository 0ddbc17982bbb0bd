import { diffJson, type JsonChange, type JsonValue } from "@agentprint/canonical-json";
import type { Drift, ServerPart } from "./drift.ts";

/** A changed part of an entry. */
export type PartChanged = Extract<Drift, { readonly type: "part-changed" }>;

/** Returns the changes to a part as one difference, if there are any. */
export function partChanged(part: ServerPart, changes: readonly JsonChange[]): PartChanged[] {
  return changes.length > 0 ? [{ type: "part-changed", part, changes }] : [];
}

/** Returns the differences between two values of a part as one difference, if there are any. */
export function diffPart<P extends ServerPart>(
  part: P,
  before: { readonly [name in P]?: JsonValue },
  after: { readonly [name in P]?: JsonValue },
): PartChanged[] {
  return partChanged(part, diffJson(before[part], after[part]));
}
