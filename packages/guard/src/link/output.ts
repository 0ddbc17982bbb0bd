import type { NumberTexts, RequestId } from "@agentprint/mcp";
import type { Outgoing, Step } from "../step.ts";

/** One of the two sides of a connection. */
export type Side = "client" | "server";

/** What is known of a message that the guard writes. */
export interface Written {
  /** The id of the request that waits for it. */
  readonly because?: RequestId | undefined;
  /** The texts of its numbers that a double changes, by their pointers. */
  readonly numbers?: NumberTexts | undefined;
}

/** A step while it is made: the messages to write, after an incoming message or without one. */
export class Output implements Step {
  /** The action taken on the incoming message. */
  action: Step["action"] = "answer";
  readonly toServer: Outgoing[] = [];
  readonly toClient: Outgoing[] = [];
}
