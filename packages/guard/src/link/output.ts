import type { Outgoing, Step } from "../step.ts";

/** One of the two sides of a connection. */
export type Side = "client" | "server";

/** A step while it is made: the messages to write, after an incoming message or without one. */
export class Output implements Step {
  /** The action taken on the incoming message. */
  action: Step["action"] = "answer";
  readonly toServer: Outgoing[] = [];
  readonly toClient: Outgoing[] = [];
}
