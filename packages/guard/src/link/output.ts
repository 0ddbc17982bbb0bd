import { canonicalize } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import type { RequestId } from "@agentprint/mcp";
import type { Message, Outgoing, Step } from "../step.ts";

/** One of the two sides of a connection. */
export type Side = "client" | "server";

/** The messages that a step writes, after an incoming message or without one. */
export class Output {
  /** The action taken on the incoming message. */
  action: Step["action"] = "answer";
  readonly #toServer: Outgoing[] = [];
  readonly #toClient: Outgoing[] = [];
  readonly #isText: boolean;

  /** @param isText Whether the transport writes text; otherwise it writes parsed values. */
  constructor(isText: boolean) {
    this.#isText = isText;
  }

  get isEmpty(): boolean {
    return this.#toServer.length === 0 && this.#toClient.length === 0;
  }

  /** Writes a message as it came. */
  forward(to: Side, message: Message, value: JsonObject | JsonValue[]): void {
    this.#side(to).push({ message, value, origin: "forwarded" });
  }

  /** Writes a message that the guard made or changed. `because` is the id of the request that waits for it. */
  write(to: Side, value: JsonObject, because?: RequestId): void {
    const message = this.#isText ? canonicalize(value) : value;
    this.#side(to).push({ message, value, origin: "guard", ...(because !== undefined && { because }) });
  }

  /** Appends the output of another step. */
  add({ toServer, toClient }: Step): void {
    this.#toServer.push(...toServer);
    this.#toClient.push(...toClient);
  }

  step(): Step {
    return { action: this.action, toServer: this.#toServer, toClient: this.#toClient };
  }

  #side(to: Side): Outgoing[] {
    return to === "server" ? this.#toServer : this.#toClient;
  }
}
