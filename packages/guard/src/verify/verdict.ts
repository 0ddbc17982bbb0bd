import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { NumberTexts } from "@agentprint/mcp";
import type { GuardDecision } from "@agentprint/policy";
import type { Locked } from "./baseline.ts";

/** The verdict on one of a server's items. */
export interface ItemVerdict {
  readonly name: string;
  /** The definition as the server sent it. */
  readonly live: JsonObject;
  /** The texts of the definition's numbers that a double changes; absent if there are none, and for a parsed value. */
  readonly numbers?: NumberTexts | undefined;
  /**
   * The definition with which it was compared: the locked definition or, for a new item, the first definition that the
   * policy passed.
   */
  readonly locked?: Locked;
  /** The decision on the item and its calls. `freeze` is proven safe. */
  readonly decision: GuardDecision;
  /** The definition that clients receive; absent if the item is removed. */
  readonly shown?: JsonObject;
  /** The ids of the rules that matched, each once. */
  readonly findings: readonly string[];
}
