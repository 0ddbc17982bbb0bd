import { AsyncLocalStorage } from "node:async_hooks";
import type { Hold } from "@agentprint/http-bounds";
import { McpServerError } from "./errors.ts";
import { Queue } from "./queue.ts";

/** The bytes that an answer takes in addition to its long texts. */
export const ANSWER_BYTES: number = 64 * 1024;
/** The text for a client whose answer has no room. */
export const NO_ROOM = "answers that wait for clients take all memory: try again";
/** The most bytes that a UTF-16 unit of a text takes in an answer in UTF-8. */
const UNIT_BYTES = 3;

/** The memory reserved for the answer to one request. */
export interface AnswerHold {
  readonly hold: Hold;
  /** Whether the answer did not fit: over HTTP the status is then 503 instead of the call's result. */
  isRefused: boolean;
  /** Whether nobody waits for the answer any more. */
  isOver: boolean;
}

const HOLDS = new AsyncLocalStorage<AnswerHold>();
const LONG_TEXTS = new Queue();

/** Runs the handler of a request; its long texts reserve their memory in `answer`. */
export function withHold<T>(answer: AnswerHold, handle: () => T): T {
  return HOLDS.run(answer, handle);
}

/**
 * Reserves memory for the texts of an answer before they are made; a request without a transport, as in tests, needs
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

/** Makes a long text after earlier ones are done: making one takes many times its length in memory. */
export function makeLong<T>(make: () => Promise<T>): Promise<T> {
  return LONG_TEXTS.run(make);
}
