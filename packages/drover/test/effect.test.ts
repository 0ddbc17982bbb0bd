import { type AgentSpec, checkResume, hashSpec, type RunRow } from "@agentprint/drover";
import { checkResumeEffect, type EffectRunStorage, fromEffectStorage, resumeAgent } from "@agentprint/drover/effect";
import { Context, Data, Effect } from "effect";
import { describe, expect, test } from "vitest";
import type { Checkpoint, Run } from "../examples/libsql-storage.ts";
import { resumeUnderNewSpec } from "../examples/new-run-row.ts";

const spec: AgentSpec = { id: "writer", systemPrompt: "Write." };
const paused: RunRow = { agentId: "writer", status: "paused", specHash: hashSpec(spec) };

class StorageError extends Data.TaggedError("StorageError")<{ readonly message: string }> {}

function memory<Row extends RunRow & { id: string }, Saved extends { runId: string }>(): EffectRunStorage<
  Row,
  Saved,
  StorageError
> {
  const runs = new Map<string, Row>();
  const checkpoints = new Map<string, Saved>();
  return {
    loadRun: (runId) =>
      runId === "locked" ? Effect.fail(new StorageError({ message: "locked" })) : Effect.succeed(runs.get(runId)),
    loadLatestCheckpoint: (runId) => Effect.succeed(checkpoints.get(runId)),
    createRun: (run) => Effect.sync(() => void runs.set(run.id, run)),
    saveCheckpoint: (checkpoint) => Effect.sync(() => void checkpoints.set(checkpoint.runId, checkpoint)),
  };
}

describe("fromEffectStorage", () => {
  test("returns the same storage with promises", async () => {
    const storage = fromEffectStorage(memory<RunRow & { id: string }, { runId: string }>());
    await storage.createRun({ ...paused, id: "run_1" });
    expect(await checkResume(spec, "run_1", { storage })).toMatchObject({ error: { code: "checkpoint-not-found" } });
    await storage.saveCheckpoint({ runId: "run_1" });
    expect(await checkResume(spec, "run_1", { storage })).toMatchObject({ ok: true, checkpoint: { runId: "run_1" } });
  });

  test("has the message of a failure", async () => {
    const result = await checkResume(spec, "locked", { storage: fromEffectStorage(memory()) });
    expect(result).toMatchObject({ error: { message: "loadRun failed for locked: locked" } });
  });

  test("has the message of a failure that is not an error, and of a defect", async () => {
    const failing = (effect: Effect.Effect<never, unknown>) =>
      checkResume(spec, "r", { storage: fromEffectStorage({ ...memory(), loadRun: () => effect }) });
    expect(await failing(Effect.fail({ _tag: "StorageError", message: "gone" }))).toMatchObject({
      error: { message: "loadRun failed for r: gone" },
    });
    expect(await failing(Effect.die("broken"))).toMatchObject({ error: { message: "loadRun failed for r: broken" } });
  });
});

describe("checkResumeEffect", () => {
  class Runs extends Context.Service<Runs, ReadonlyMap<string, RunRow>>()("Runs") {}
  const storage = {
    loadRun: (runId: string) => Effect.map(Runs, (runs) => runs.get(runId)),
    loadLatestCheckpoint: () => Effect.succeed({ messages: [] }),
  };
  const runs = new Map([["run_1", paused]]);

  test("succeeds with the run and its checkpoint, in the context of the storage", async () => {
    const check = checkResumeEffect(spec, "run_1", { storage }).pipe(Effect.provideService(Runs, runs));
    expect(await Effect.runPromise(check)).toEqual({
      run: paused,
      checkpoint: { messages: [] },
      warnings: [expect.objectContaining({ code: "limited-record" })],
    });
  });

  test("fails with a ResumeError that can be caught by its tag", async () => {
    const check = checkResumeEffect({ ...spec, systemPrompt: "Edited." }, "run_1", { storage }).pipe(
      Effect.provideService(Runs, runs),
      Effect.catchTag("ResumeError", (error) => Effect.succeed(error.code)),
    );
    expect(await Effect.runPromise(check)).toBe("spec-drift");
  });
});

describe("resumeAgent", () => {
  const edited = { ...spec, systemPrompt: "Write well." };
  const oldRun: Run = {
    ...paused,
    id: "run_1",
    input: "An essay",
    startedAt: 1,
    tokensIn: 10,
    tokensOut: 20,
    costUsd: 0.01,
  };

  test("refuses the old run, and resumes the new run row that code made under the new spec", async () => {
    const storage = memory<Run, Checkpoint>();
    await Effect.runPromise(storage.createRun(oldRun));
    await Effect.runPromise(storage.saveCheckpoint({ runId: "run_1", seq: 2, messages: ["Hello."] }));
    await expect(resumeAgent(edited, "run_1", { storage }).result).rejects.toMatchObject({
      _tag: "ResumeError",
      code: "spec-drift",
    });
    const { run, checkpoint } = await resumeUnderNewSpec(storage, "run_1", edited);
    expect(run).toMatchObject({ specHash: hashSpec(edited), input: "An essay", tokensIn: 10 });
    expect(checkpoint).toEqual({ runId: run.id, seq: 2, messages: ["Hello."] });
    await expect(resumeAgent(edited, "run_1", { storage }).result).rejects.toMatchObject({ code: "spec-drift" });
  });

  test("counts the plugins that are passed at resume", async () => {
    const storage = memory<Run, Checkpoint>();
    await Effect.runPromise(storage.createRun(oldRun));
    const { result } = resumeAgent(spec, "run_1", { storage, plugins: [{ id: "audit" }] });
    await expect(result).rejects.toMatchObject({ code: "spec-drift" });
  });
});
