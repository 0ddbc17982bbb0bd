import { type Context, Effect } from "effect";
import { type CheckResumeOptions, checkResume } from "./check-resume.ts";
import type { ResumeError } from "./resume-error.ts";
import type { AgentSpec } from "./spec.ts";
import type { SpecWarning } from "./spec-warnings.ts";
import type { ResumeStorage, RunRow, RunStorage } from "./storage.ts";

/** {@link ResumeStorage} whose functions return effects. */
export interface EffectResumeStorage<Run extends RunRow = RunRow, Checkpoint = unknown, E = unknown, R = never> {
  loadRun(runId: string): Effect.Effect<Run | null | undefined, E, R>;
  loadLatestCheckpoint(runId: string): Effect.Effect<Checkpoint | null | undefined, E, R>;
}

/** {@link RunStorage} whose functions return effects. Specification: "Recovery from intentional drift". */
export interface EffectRunStorage<Run extends RunRow = RunRow, Checkpoint = unknown, E = unknown, R = never>
  extends EffectResumeStorage<Run, Checkpoint, E, R> {
  createRun(run: Run): Effect.Effect<void, E, R>;
  saveCheckpoint(checkpoint: Checkpoint): Effect.Effect<void, E, R>;
}

/**
 * The same storage with promises. A failure rejects with the error of the effect; a defect with what was thrown.
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

/** How to check a resume from an Effect-returning storage. */
export interface CheckResumeEffectOptions<Run extends RunRow, Checkpoint, E, R>
  extends Omit<CheckResumeOptions<Run, Checkpoint>, "storage"> {
  readonly storage: EffectResumeStorage<Run, Checkpoint, E, R>;
}

/**
 * {@link checkResume} as an effect: it succeeds with the run, its checkpoint and what no hash of the spec sees, or fails
 * with the `ResumeError`.
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
): Effect.Effect<
  { readonly run: Run; readonly checkpoint: Checkpoint; readonly warnings: readonly SpecWarning[] },
  ResumeError,
  R
> {
  return Effect.gen(function* () {
    const context = yield* Effect.context<R>();
    const storage = withContext(options.storage, context);
    const result = yield* Effect.promise(() => checkResume(spec, runId, { ...options, storage }));
    if (!result.ok) return yield* Effect.fail(result.error);
    return { run: result.run, checkpoint: result.checkpoint, warnings: result.warnings };
  });
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
