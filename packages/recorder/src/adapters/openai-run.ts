import { AsyncLocalStorage } from "node:async_hooks";
import type { RunResult } from "@openai/agents";
import type { CallJournal } from "./call-journal.ts";

/** A recorded run of the OpenAI Agents SDK, or a tool call in it. */
export interface Run {
  readonly journal: CallJournal;
  /** The results of the runs that a tool call has started. */
  readonly below?: Pick<RunResult<never, never>, "agentToolInvocation" | "interruptions">[];
}

/** The active run. */
export const runs: AsyncLocalStorage<Run> = new AsyncLocalStorage();

/** Returns the journal that records the calls of the active run, if there is one. */
export function currentJournal(): CallJournal | undefined {
  return runs.getStore()?.journal;
}
