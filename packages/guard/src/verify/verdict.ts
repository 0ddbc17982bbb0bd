import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { NumberTexts } from "@agentprint/mcp";
import type { GuardDecision } from "@agentprint/policy";
import type { Locked } from "./baseline.ts";

/** The verdict on one item of a server. */
export interface ItemVerdict {
  readonly name: string;
  /** The definition as the server gave it. */
  readonly live: JsonObject;
  /** The texts of its numbers that a double changes; absent if there are none, and for a parsed value. */
  readonly numbers?: NumberTexts | undefined;
  /**
   * The definition that it was compared with: the locked one, or the first one of a new item that the policy passed.
   */
  readonly locked?: Locked;
  /** The decision about the item and its calls. `freeze` is proven safe. */
  readonly decision: GuardDecision;
  /** The definition that clients receive; absent if the item is removed. */
  readonly shown?: JsonObject;
  /** The ids of the rules that matched, each once. */
  readonly findings: readonly string[];
}
