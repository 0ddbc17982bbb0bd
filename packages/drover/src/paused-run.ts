import { type CanonicalJsonError, canonicalize, isObject, parseJson } from "@agentprint/canonical-json";
import { SpecError } from "./errors.ts";
import { recordSpec } from "./record-spec.ts";
import { resumeAgent } from "./resume-agent.ts";
import type { AgentSpec } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import type { RunRow } from "./storage.ts";

/** The state of a run that may resume. */
export interface ResumedRun {
  /** The state that {@link pauseRun} received, as JSON sees it. */
  readonly state: unknown;
  /**
   * The parts of the agent that may have changed although the run may resume. Read these warnings before the run
   * continues.
   */
  readonly warnings: readonly SpecWarning[];
}

/** 64 MiB, the longest text of a paused run that is accepted. */
const MAX_BYTES = 67_108_864;

/**
 * Returns one JSON text of a paused run for any store, which contains its state and the record of the spec that
 * produced it. The framework's own function cannot read this text, so no run resumes unchecked by accident.
 *
 * @param state - The text or JSON value that the framework needs to continue the run.
 * @throws {@link SpecError} the codes of {@link fingerprintSpec} when the spec cannot be hashed
 * @throws {@link SpecError} `cycle`, `bigint`, `opaque-object` or another code for a value without JSON text when the
 * state has no JSON text
 * @example
 * ```ts
 * import { pauseRun, ResumeError, resumeRun } from "@agentprint/drover";
 *
 * const spec = { id: "writer", systemPrompt: "Write.", tools: [{ name: "read", maxBytes: 10 }] };
 * const text = pauseRun(spec, "run_1", { messages: ["Hello."] });
 *
 * const { state } = await resumeRun(spec, "run_1", text);
 * console.log(state); // { messages: ["Hello."] }
 *
 * const edited = { ...spec, tools: [{ name: "read", maxBytes: 20 }] };
 * const refusal = await resumeRun(edited, "run_1", text).catch((error) => error);
 * console.log(refusal instanceof ResumeError && refusal.pointers); // ["/tools/0/maxBytes"]
 * ```
 */
export function pauseRun(spec: AgentSpec, runId: string, state: unknown): string {
  const run = { ...recordSpec(spec), status: "paused" };
  try {
    return canonicalize({ runId, run, state }, { profile: "ecmascript" });
  } catch (cause) {
    const { code, path, message } = cause as CanonicalJsonError;
    throw new SpecError(code, path, `the run cannot be written: ${message}`, { cause });
  }
}

/**
 * Returns the state in a text from {@link pauseRun} if the run may resume under this spec.
 *
 * @param text - The stored text; white space and the order of members do not matter. It may have at most 64 MiB of
 * UTF-8.
 * @returns A promise that rejects with the {@link ResumeError} from {@link checkResume} when the run must not resume,
 * such as `load-run-failed` for text that does not describe a paused run, or `run-not-found` for another run's text.
 */
export async function resumeRun(spec: AgentSpec, runId: string, text: string): Promise<ResumedRun> {
  let paused: PausedRun | undefined;
  const storage = {
    loadRun: async () => {
      paused = readPausedRun(text);
      return paused.runId === runId ? paused.run : null;
    },
    loadLatestCheckpoint: async () => paused,
  };
  const { checkpoint, warnings } = await resumeAgent(spec, runId, { storage }).result;
  return { state: checkpoint.state, warnings };
}

interface PausedRun {
  readonly runId: unknown;
  readonly run: RunRow;
  readonly state: unknown;
}

function readPausedRun(text: string): PausedRun {
  const paused: unknown = parseJson(text, { maxBytes: MAX_BYTES, tolerate: () => true });
  if (isObject(paused) && isObject(paused["run"])) return paused as unknown as PausedRun;
  const message = "expected the text of a paused run: an object whose member run is an object";
  throw new SpecError("invalid-spec", "/run", message);
}
