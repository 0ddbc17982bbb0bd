import { changedFields } from "./diff-specs.ts";
import { messageOf, toSpecError } from "./errors.ts";
import { fingerprintSpec } from "./fingerprint-spec.ts";
import { hashSpec } from "./hash-spec.ts";
import { isFingerprint } from "./is-fingerprint.ts";
import type { SpecHashOptions } from "./payload.ts";
import { ResumeError } from "./resume-error.ts";
import type { AgentSpec, SpecPlugin } from "./spec.ts";
import type { ResumeStorage, RunRow } from "./storage.ts";

/** How to check a resume. */
export interface CheckResumeOptions<Run extends RunRow, Checkpoint> extends SpecHashOptions {
  readonly storage: ResumeStorage<Run, Checkpoint>;
  /** Plugins passed at resume; they follow the spec's own. */
  readonly plugins?: readonly SpecPlugin[] | undefined;
}

/** A run that may resume, or the reason why it must not. */
export type ResumeCheck<Run extends RunRow = RunRow, Checkpoint = unknown> =
  | { readonly ok: true; readonly run: Run; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly error: ResumeError };

/**
 * Whether a paused run may resume under this spec. It never rejects: whatever cannot be established is a refusal.
 *
 * Checked in order: the run loads, exists, is paused, belongs to this agent, was recorded under this very spec,
 * and has a checkpoint that loads.
 *
 * @example
 * ```ts
 * import { checkResume, hashSpec } from "@agentprint/drover";
 *
 * const spec = { id: "writer", systemPrompt: "Write." };
 * const run = { agentId: "writer", status: "paused", specHash: hashSpec(spec) };
 * const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({ messages: [] }) };
 * console.log((await checkResume(spec, "run_1", { storage })).ok); // true
 * ```
 */
export async function checkResume<Run extends RunRow, Checkpoint>(
  spec: AgentSpec,
  runId: string,
  options: CheckResumeOptions<Run, Checkpoint>,
): Promise<ResumeCheck<Run, Checkpoint>> {
  try {
    const run = await loadRun(runId, options.storage);
    checkRun(spec, runId, run);
    checkDrift(spec, runId, run, options);
    return { ok: true, run, checkpoint: await loadCheckpoint(runId, options.storage) };
  } catch (error) {
    if (error instanceof ResumeError) return { ok: false, error };
    const { message } = toSpecError(error);
    return { ok: false, error: new ResumeError("spec-unhashable", runId, message, { cause: error }) };
  }
}

async function loadRun<Run extends RunRow>(runId: string, storage: ResumeStorage<Run>): Promise<Run> {
  let run: Run | null | undefined;
  try {
    run = await storage.loadRun(runId);
  } catch (cause) {
    throw new ResumeError("load-run-failed", runId, `loadRun failed for ${runId}: ${messageOf(cause)}`, { cause });
  }
  if (run === null || run === undefined) {
    throw new ResumeError("run-not-found", runId, `run ${runId} not found in storage`);
  }
  return run;
}

function checkRun(spec: AgentSpec, runId: string, run: RunRow): void {
  if (run.status !== "paused") {
    const message = `run ${runId} is ${run.status}, not paused — only paused runs can resume`;
    throw new ResumeError("run-not-paused", runId, message);
  }
  if (run.agentId !== spec.id) {
    const message = `spec mismatch: run ${runId} was recorded under agent "${run.agentId}" but resume was called with "${spec.id}"`;
    throw new ResumeError("agent-mismatch", runId, message);
  }
}

function checkDrift(
  spec: AgentSpec,
  runId: string,
  run: RunRow,
  { coverage, plugins = [] }: CheckResumeOptions<RunRow, unknown>,
): void {
  const effective = withPlugins(spec, plugins);
  const recorded = run.specFingerprint;
  if (recorded === null || recorded === undefined) {
    const current = hashSpec(effective, { coverage });
    if (run.specHash !== current) throw drift(spec, runId, run, current, []);
    return;
  }
  if (!isFingerprint(recorded)) {
    const message = `run ${runId} has a malformed spec fingerprint — storage anomaly`;
    throw new ResumeError("malformed-fingerprint", runId, message);
  }
  const current = fingerprintSpec(effective, { coverage });
  if (recorded.sha256 === current.sha256) return;
  const fields = changedFields(recorded, current).map((change) => change.field);
  throw drift(spec, runId, run, current.spec32, fields);
}

function drift(spec: AgentSpec, runId: string, run: RunRow, current: string, fields: readonly string[]): ResumeError {
  const message =
    `spec drift on agent "${spec.id}": recorded hash ${run.specHash}, current hash ${current}. ` +
    "The agent definition changed since the run was paused — resuming would replay old messages under a different policy.";
  const named = fields.length === 0 ? "" : ` Changed fields: ${fields.join(", ")}.`;
  return new ResumeError("spec-drift", runId, message + named, { fields });
}

async function loadCheckpoint<Checkpoint>(
  runId: string,
  storage: ResumeStorage<RunRow, Checkpoint>,
): Promise<Checkpoint> {
  let checkpoint: Checkpoint | null | undefined;
  try {
    checkpoint = await storage.loadLatestCheckpoint(runId);
  } catch (cause) {
    const message = `loadLatestCheckpoint failed: ${messageOf(cause)}`;
    throw new ResumeError("load-checkpoint-failed", runId, message, { cause });
  }
  if (checkpoint === null || checkpoint === undefined) {
    const message = `run ${runId} is paused but has no checkpoint — storage anomaly`;
    throw new ResumeError("checkpoint-not-found", runId, message);
  }
  return checkpoint;
}

/**
 * The spec as it runs. Everything else is read of the spec itself, so that getters, inherited and private fields stay
 * what they are. Plugins that are no array are left for the hash to refuse.
 */
function withPlugins(spec: AgentSpec, plugins: readonly SpecPlugin[]): AgentSpec {
  const own = spec.plugins ?? [];
  if (plugins.length === 0 || !Array.isArray(own)) return spec;
  const all = [...own, ...plugins];
  return new Proxy({} as AgentSpec, { get: (_, key) => (key === "plugins" ? all : Reflect.get(spec, key)) });
}
