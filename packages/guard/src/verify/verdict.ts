import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { GuardDecision } from "@agentprint/policy";
import type { Locked } from "./baseline.ts";

/** What is known and decided about one item of a server. */
export interface ItemVerdict {
  readonly name: string;
  /** The definition as the server gave it. */
  readonly live: JsonObject;
  /** What it was compared with: of the lock, or what the client was first given where the policy lets new items through. */
  readonly locked?: Locked;
  /** What happens to it and to its calls. `freeze` was proven. */
  readonly decision: GuardDecision;
  /** The definition that clients are given; absent where the item is taken out. */
  readonly shown?: JsonObject;
  /** The ids of the rules of what was found, each once. */
  readonly findings: readonly string[];
}
