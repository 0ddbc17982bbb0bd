import { AsyncLocalStorage } from "node:async_hooks";
import type { Hold } from "@agentprint/http-bounds";
import { McpServerError } from "./errors.ts";
import { Queue } from "./queue.ts";

/** The bytes that an answer needs in addition to its long texts. */
export const ANSWER_BYTES: number = 64 * 1024;
/** The message to a client for whose answer there is no memory left. */
export const NO_ROOM = "answers that wait for clients take all the memory: try again";
/** The most bytes that one UTF-16 unit of text takes in an answer encoded in UTF-8. */
const UNIT_BYTES = 3;

/** The memory reserved for the answer to one request. */
export interface AnswerHold {
  readonly hold: Hold;
  /** Whether the answer did not fit; HTTP then answers with status 503 instead of the call's result. */
  isRefused: boolean;
  /** Whether no client is waiting for the answer any more. */
  isOver: boolean;
}

const HOLDS = new AsyncLocalStorage<AnswerHold>();
const LONG_TEXTS = new Queue();

/** Runs the handler of a request; its long texts reserve their memory in `answer`. */
export function withHold<T>(answer: AnswerHold, handle: () => T): T {
  return HOLDS.run(answer, handle);
}

/**
 * Reserves memory for an answer's texts before they are created; a request without a transport, as in tests, needs
 * none.
 *
 * @param units The UTF-16 units of these texts, at most
 * @throws {@link McpServerError} `ANSWERS_WAIT`.
 */
export function holdTexts(units: number): void {
  const answer = HOLDS.getStore();
  if (answer === undefined || answer.isOver || answer.hold.resize(ANSWER_BYTES + units * UNIT_BYTES)) return;
  answer.isRefused = true;
  throw new McpServerError("ANSWERS_WAIT", NO_ROOM);
}

/** Creates a long text after earlier ones are done, because creating one takes many times its length in memory. */
export function makeLong<T>(make: () => Promise<T>): Promise<T> {
  return LONG_TEXTS.run(make);
}
