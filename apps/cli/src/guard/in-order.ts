import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Outgoing, Step } from "@agentprint/guard";
import type { Recording } from "./record.ts";

/** What a full sink is to a pump. */
export interface Gate {
  readonly isFull: boolean;
  whenEmpty(call: () => void): void;
}

/** Of an error about a call; outside of the codes of JSON-RPC. */
const NOT_RECORDED = 4001;

/**
 * Lets messages go on in their order where some of them wait until they are recorded. While one waits, no more are read.
 */
export class InOrder implements Gate {
  readonly #recording: Recording;
  #last: Promise<void> | undefined;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  get isFull(): boolean {
    return this.#last !== undefined;
  }

  whenEmpty(call: () => void): void {
    if (this.#last === undefined) call();
    else void this.#last.then(() => this.whenEmpty(call));
  }

  /** Goes on now, or when what was recorded just now is durable; `lost` is called where it will never be. */
  run(goOn: () => void, lost: () => void): void {
    const wait = this.#recording.takeWait();
    if (wait === undefined && this.#last === undefined) {
      goOn();
      return;
    }
    const last = (this.#last ?? Promise.resolve()).then(() => wait).then(goOn, lost);
    this.#last = last;
    void last.then(() => {
      if (this.#last === last) this.#last = undefined;
    });
  }
}

/** What comes of a message of a client, when it may go on. */
export async function judged(connection: Connection, message: Uint8Array, recording: Recording): Promise<Step> {
  const step = connection.fromClient(message);
  const wait = recording.takeWait();
  return wait === undefined
    ? step
    : wait.then(
        () => step,
        () => notRecorded(step),
      );
}

/** A step in which the requests to the server are answered: what happens without a record does not happen. */
export function notRecorded({ toServer, toClient }: Step): Step {
  const answers = toServer.flatMap(({ value }): Outgoing[] => {
    if (!isJsonObject(value) || value["id"] === undefined || typeof value["method"] !== "string") return [];
    const error: Record<string, JsonValue> = { code: NOT_RECORDED, message: "The call could not be recorded" };
    const answer = { jsonrpc: "2.0", id: value["id"], error };
    return [{ message: JSON.stringify(answer), value: answer, origin: "guard" }];
  });
  return { action: "answer", toServer: [], toClient: [...toClient, ...answers] };
}
