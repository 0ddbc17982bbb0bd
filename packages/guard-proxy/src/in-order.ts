import type { Connection, Step } from "@agentprint/guard";
import { isRequest } from "@agentprint/mcp";
import type { Recording } from "./recording.ts";
import { errorText } from "./rpc.ts";

/** A sink as a pump sees it: a gate that may be full. */
export interface Gate {
  readonly isFull: boolean;
  whenEmpty(call: () => void): void;
}

/** The error code for an unrecorded call, outside the range that JSON-RPC reserves. */
const NOT_RECORDED = 4001;

/**
 * Lets messages continue in order when some of them wait until they are recorded. While one waits, no others are
 * read.
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

  /** Calls `goOn` now, or when the latest events are durable; calls `lost` if they will never be durable. */
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

/** Resolves with a new step when its events are durable, or with error responses if they cannot be recorded. */
export async function recorded(step: Step, connection: Connection, recording: Recording): Promise<Step> {
  try {
    await recording.takeWait();
    return step;
  } catch {
    const answers = notRecorded(step).map((answer) => connection.fromServer(answer));
    return {
      action: "answer",
      toServer: [],
      toClient: [...step.toClient, ...answers.flatMap(({ toClient }) => toClient)],
    };
  }
}

/**
 * Returns error responses to the requests of a step that could not be recorded, because an unrecorded call is never
 * sent.
 */
export function notRecorded({ toServer }: Step): string[] {
  return toServer.flatMap(({ value }) =>
    (Array.isArray(value) ? value : [value])
      .filter(isRequest)
      .map(({ id }) => errorText(id, NOT_RECORDED, "The call could not be recorded")),
  );
}
