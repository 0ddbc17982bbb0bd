import { compareFingerprints, refusedSinceFirstRule } from "./compare-fingerprints.ts";
import { readCoveredFields, type SpecFields, type SpecHashOptions } from "./covered-fields.ts";
import { valuesByField } from "./diff-specs.ts";
import { messageOf, ResumeError, toSpecError } from "./errors.ts";
import {
  FINGERPRINT_VERSION,
  type FingerprintedSpec,
  fingerprintFields,
  isFingerprint,
  isPayloadOf,
  type SpecFingerprint,
} from "./fingerprint-spec.ts";
import { hashFields } from "./hash-spec.ts";
import type { AgentSpec, SpecPlugin } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import { addRecordedWarnings, specWarnings, validationWarnings } from "./spec-warnings.ts";
import type { ResumeStorage, RunRow } from "./storage.ts";

/** Options of {@link checkResume}. */
export interface CheckResumeOptions<Run extends RunRow, Checkpoint> extends SpecHashOptions {
  readonly storage: ResumeStorage<Run, Checkpoint>;
  /** Plugins that are passed when the run resumes. They are appended to the spec's own. */
  readonly plugins?: readonly SpecPlugin[] | undefined;
}

/** A run that may resume. */
export interface ResumableRun<Run extends RunRow = RunRow, Checkpoint = unknown> {
  readonly run: Run;
  readonly checkpoint: Checkpoint;
  /**
   * The parts of the agent that may have changed although the run may resume, because the spec's hash does not cover
   * them or did not cover them when the run was recorded. Read these warnings before the run continues.
   */
  readonly warnings: readonly SpecWarning[];
}

/** A run that may resume, or the reason why it must not. */
export type ResumeCheck<Run extends RunRow = RunRow, Checkpoint = unknown> =
  | ({ readonly ok: true } & ResumableRun<Run, Checkpoint>)
  | { readonly ok: false; readonly error: ResumeError };

/**
 * Checks whether a paused run may resume under this spec. The promise never rejects: if a check cannot be carried out,
 * the run is refused.
 *
 * The checks, in this order: the run loads, exists, is paused, belongs to this agent, was recorded under an equal spec, and
 * has a checkpoint that loads.
 *
 * @see Spec hash & drift, "What's covered" and "Recovery from intentional drift"
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
    const warnings = checkDrift(spec, runId, run, options);
    return { ok: true, run, checkpoint: await loadCheckpoint(runId, options.storage), warnings };
  } catch (error) {
    if (error instanceof ResumeError) return { ok: false, error };
    const { message } = toSpecError(error);
    return { ok: false, error: new ResumeError("spec-unhashable", runId, message, { cause: error }) };
  }
}

/** The key under which each effect from the library `effect` describes itself. */
const EFFECT_KEYS = ["~effect/Effect", Symbol.for("effect/Effect")];

/** Returns a storage's answer, and refuses an effect, because nothing has run it. */
async function answerOf<T>(answer: Promise<T>): Promise<T> {
  const value = await answer;
  if (typeof value !== "object" || value === null || !EFFECT_KEYS.some((key) => key in value)) return value;
  throw new TypeError("expected a promise from the storage, received an effect: use @agentprint/drover/effect");
}

async function loadRun<Run extends RunRow>(runId: string, storage: ResumeStorage<Run>): Promise<Run> {
  let run: Run | null | undefined;
  try {
    run = await answerOf(storage.loadRun(runId));
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

/**
 * Refuses a spec that has drifted, including the plugins that are passed when the run resumes. Returns the warnings
 * from both fingerprints.
 */
function checkDrift(
  spec: AgentSpec,
  runId: string,
  run: RunRow,
  { coverage, plugins = [] }: CheckResumeOptions<RunRow, unknown>,
): readonly SpecWarning[] {
  const fields = readCoveredFields(spec, { coverage }, plugins);
  const recorded = run.specFingerprint;
  if (recorded === null || recorded === undefined) {
    if (typeof run.specHash !== "string" || run.specHash === "") {
      const message = `cannot tell whether agent "${spec.id}" drifted: nothing of its spec was recorded with run ${runId}`;
      throw new ResumeError("fingerprint-not-found", runId, message);
    }
    const current = hashFields(fields);
    if (run.specHash !== current) throw drift(spec, runId, run, current, NOTHING_NAMED);
    return addRecordedWarnings(specWarnings(spec, fields), null);
  }
  const payload = run.specPayload ?? undefined;
  if (!isFingerprint(recorded) || (payload !== undefined && !isPayloadOf(payload, recorded))) {
    const message = `run ${runId} has a malformed spec fingerprint — storage anomaly`;
    throw new ResumeError("malformed-fingerprint", runId, message);
  }
  const current = currentFingerprint(spec, fields, runId, recorded);
  const { drifted, changes, undecided, revalidated } = compareFingerprints(recorded, current);
  if (drifted === "unknown") throw undecidable(spec, runId, recorded, undecided);
  if (!drifted) {
    const warnings = [...validationWarnings(revalidated, current.payload), ...current.fingerprint.warnings];
    return addRecordedWarnings(warnings, recorded);
  }
  const changed = changes.map((change) => change.field);
  const values = payload === undefined ? () => [] : valuesByField(payload, current.payload);
  const pointers = changed.flatMap((field) => values(field).map(({ pointer }) => pointer));
  throw drift(spec, runId, run, current.fingerprint.spec32, { changed, undecided, pointers });
}

function currentFingerprint(
  spec: AgentSpec,
  fields: SpecFields,
  runId: string,
  recorded: SpecFingerprint,
): FingerprintedSpec {
  try {
    return fingerprintFields(spec, fields);
  } catch (refusal) {
    const field = refusedSinceFirstRule(recorded, fields, refusal);
    if (field === undefined) throw refusal;
    throw undecidable(spec, runId, recorded, [field], refusal);
  }
}

/** The drift that a refusal describes. */
interface NamedDrift {
  readonly changed: readonly string[];
  readonly undecided: readonly string[];
  readonly pointers: readonly string[];
}

const NOTHING_NAMED: NamedDrift = { changed: [], undecided: [], pointers: [] };

/** The maximum number of JSON Pointers in a message. */
const MAX_LISTED = 5;

function drift(
  spec: AgentSpec,
  runId: string,
  run: RunRow,
  current: string,
  { changed, undecided, pointers }: NamedDrift,
): ResumeError {
  const message =
    `spec drift on agent "${spec.id}": recorded hash ${run.specHash}, current hash ${current}. ` +
    "The agent definition changed since the run was paused — resuming would replay old messages under a different policy.";
  const named = changed.length === 0 ? "" : ` Changed fields: ${changed.join(", ")}.`;
  const unknown = undecided.length === 0 ? "" : ` Undecided fields: ${undecided.join(", ")}.`;
  const more = pointers.length > MAX_LISTED ? ` and ${pointers.length - MAX_LISTED} more` : "";
  const values = pointers.length === 0 ? "" : ` Changed values: ${pointers.slice(0, MAX_LISTED).join(", ")}${more}.`;
  return new ResumeError("spec-drift", runId, message + named + values + unknown, { fields: changed, pointers });
}

function undecidable(
  spec: AgentSpec,
  runId: string,
  { version = 1 }: SpecFingerprint,
  fields: readonly string[],
  cause?: unknown,
): ResumeError {
  const message =
    `cannot tell whether agent "${spec.id}" drifted: the fingerprint of run ${runId} is of version ${version}, ` +
    `which hashes some fields otherwise than version ${FINGERPRINT_VERSION}. Undecided fields: ${fields.join(", ")}.`;
  return new ResumeError("spec-undecided", runId, message, { fields, cause });
}

async function loadCheckpoint<Checkpoint>(
  runId: string,
  storage: ResumeStorage<RunRow, Checkpoint>,
): Promise<Checkpoint> {
  let checkpoint: Checkpoint | null | undefined;
  try {
    checkpoint = await answerOf(storage.loadLatestCheckpoint(runId));
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
