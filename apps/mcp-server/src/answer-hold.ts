import { AsyncLocalStorage } from "node:async_hooks";
import type { Hold } from "@agentprint/http-bounds";
import { McpServerError } from "./errors.ts";

/** Bytes that an answer takes beside its long texts. */
export const ANSWER_BYTES: number = 64 * 1024;
/** Bytes that a UTF-16 unit of a text takes at most in an answer in UTF-8. */
const UNIT_BYTES = 3;

/** The memory of the answer to one request over HTTP. */
export interface AnswerHold {
  readonly hold: Hold;
  /** Whether the answer had no room: it is 503 in place of what the call returned. */
  isRefused: boolean;
}

const HOLDS = new AsyncLocalStorage<AnswerHold>();
/** The end of the long texts that are being made, one after the other. */
let made: Promise<unknown> = Promise.resolve();

/** Runs the handler of a request, whose long texts take their memory from `answer`. */
export function withHold<T>(answer: AnswerHold, handle: () => Promise<T>): Promise<T> {
  return HOLDS.run(answer, handle);
}

/**
 * Takes memory for the texts of an answer before they are made; a request that came over no network needs none.
 *
 * @param units The UTF-16 units of these texts, at most
 * @throws {@link McpServerError} `ANSWERS_WAIT`.
 */
export function holdTexts(units: number): void {
  const answer = HOLDS.getStore();
  if (answer === undefined || answer.hold.resize(ANSWER_BYTES + units * UNIT_BYTES)) return;
  answer.isRefused = true;
  throw new McpServerError("ANSWERS_WAIT", "answers that wait for other clients take all memory: try again");
}

/** Makes a long text when those before it were made: what it takes meanwhile is many times its length. */
export function makeLong<T>(make: () => Promise<T>): Promise<T> {
  const result = made.then(make);
  made = result.catch(() => undefined);
  return result;
}
