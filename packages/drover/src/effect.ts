import { type Context, Effect } from "effect";
import { type CheckResumeOptions, checkResume, type ResumableRun } from "./check-resume.ts";
import type { ResumeError } from "./errors.ts";
import { handled, type ResumedAgent } from "./resume-agent.ts";
import type { AgentSpec } from "./spec.ts";
import type { ResumeStorage, RunRow, RunStorage } from "./storage.ts";

/** {@link ResumeStorage} whose functions return effects. */
export interface EffectResumeStorage<Run extends RunRow = RunRow, Checkpoint = unknown, E = unknown, R = never> {
  loadRun(runId: string): Effect.Effect<Run | null | undefined, E, R>;
  loadLatestCheckpoint(runId: string): Effect.Effect<Checkpoint | null | undefined, E, R>;
}

/**
 * {@link RunStorage} whose functions return effects.
 *
 * @see Spec hash & drift, "Recovery from intentional drift"
 */
export interface EffectRunStorage<Run extends RunRow = RunRow, Checkpoint = unknown, E = unknown, R = never>
  extends EffectResumeStorage<Run, Checkpoint, E, R> {
  createRun(run: Run): Effect.Effect<void, E, R>;
  saveCheckpoint(checkpoint: Checkpoint): Effect.Effect<void, E, R>;
}

/**
 * Returns the same storage with functions that return promises. If an effect fails, the promise rejects with the
 * effect's error; if it dies, with the defect.
 *
 * @example
 * ```ts
 * import { checkResume } from "@agentprint/drover";
 * import { fromEffectStorage } from "@agentprint/drover/effect";
 * import { Effect } from "effect";
 *
 * const storage = fromEffectStorage({
 *   loadRun: () => Effect.succeed(null),
 *   loadLatestCheckpoint: () => Effect.succeed(null),
 *   createRun: () => Effect.void,
 *   saveCheckpoint: () => Effect.void,
 * });
 * console.log((await checkResume({ id: "writer", systemPrompt: "Write." }, "run_1", { storage })).ok); // false
 * ```
 */
export function fromEffectStorage<Run extends RunRow, Checkpoint, E>(
  storage: EffectRunStorage<Run, Checkpoint, E>,
): RunStorage<Run, Checkpoint> {
  return {
    loadRun: (runId) => Effect.runPromise(storage.loadRun(runId)),
    loadLatestCheckpoint: (runId) => Effect.runPromise(storage.loadLatestCheckpoint(runId)),
    createRun: (run) => Effect.runPromise(storage.createRun(run)),
    saveCheckpoint: (checkpoint) => Effect.runPromise(storage.saveCheckpoint(checkpoint)),
  };
}

/** Options of {@link checkResumeEffect}. */
export interface CheckResumeEffectOptions<Run extends RunRow, Checkpoint, E, R>
  extends Omit<CheckResumeOptions<Run, Checkpoint>, "storage"> {
  readonly storage: EffectResumeStorage<Run, Checkpoint, E, R>;
}

/**
 * Returns {@link checkResume} as an effect, which succeeds with the run, its checkpoint and the warnings, or fails with
 * the {@link ResumeError}.
 *
 * @example
 * ```ts
 * import { checkResumeEffect } from "@agentprint/drover/effect";
 * import { Effect } from "effect";
 *
 * const storage = { loadRun: () => Effect.succeed(null), loadLatestCheckpoint: () => Effect.succeed(null) };
 * const check = checkResumeEffect({ id: "writer", systemPrompt: "Write." }, "run_1", { storage });
 * const message = check.pipe(Effect.catchTag("ResumeError", (error) => Effect.succeed(error.message)));
 * console.log(await Effect.runPromise(message)); // "run run_1 not found in storage"
 * ```
 */
export function checkResumeEffect<Run extends RunRow, Checkpoint, E, R = never>(
  spec: AgentSpec,
  runId: string,
  options: CheckResumeEffectOptions<Run, Checkpoint, E, R>,
): Effect.Effect<ResumableRun<Run, Checkpoint>, ResumeError, R> {
  return Effect.gen(function* () {
    const context = yield* Effect.context<R>();
    const storage = withContext(options.storage, context);
    const result = yield* Effect.promise(() => checkResume(spec, runId, { ...options, storage }));
    if (!result.ok) return yield* Effect.fail(result.error);
    return { run: result.run, checkpoint: result.checkpoint, warnings: result.warnings };
  });
}

/**
 * Resumes or refuses a paused run from a storage whose functions return effects: `result` rejects with the {@link
 * ResumeError}. {@link checkResumeEffect} does the same as an effect.
 *
 * @see Spec hash & drift, "Recovery from intentional drift"
 * @example
 * ```ts
 * import { hashSpec } from "@agentprint/drover";
 * import { resumeAgent } from "@agentprint/drover/effect";
 * import { Effect } from "effect";
 *
 * const spec = { id: "writer", systemPrompt: "Write." };
 * const run = { agentId: "writer", status: "paused", specHash: hashSpec(spec) };
 * const storage = {
 *   loadRun: () => Effect.succeed(run),
 *   loadLatestCheckpoint: () => Effect.succeed({ messages: ["Hello."] }),
 * };
 * const result = await resumeAgent(spec, "run_1", { storage }).result;
 * console.log(result.checkpoint.messages); // ["Hello."]
 * ```
 */
export function resumeAgent<Run extends RunRow, Checkpoint, E>(
  spec: AgentSpec,
  runId: string,
  options: CheckResumeEffectOptions<Run, Checkpoint, E, never>,
): ResumedAgent<Run, Checkpoint> {
  return { result: handled(Effect.runPromise(checkResumeEffect(spec, runId, options))) };
}

function withContext<Run extends RunRow, Checkpoint, E, R>(
  storage: EffectResumeStorage<Run, Checkpoint, E, R>,
  context: Context.Context<R>,
): ResumeStorage<Run, Checkpoint> {
  const run = Effect.runPromiseWith(context);
  return {
    loadRun: (runId) => run(storage.loadRun(runId)),
    loadLatestCheckpoint: (runId) => run(storage.loadLatestCheckpoint(runId)),
  };
}
