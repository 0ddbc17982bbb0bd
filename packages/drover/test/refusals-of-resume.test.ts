import { fileURLToPath } from "node:url";
import { outputOf } from "@agentprint/testing/programs";
import { Effect } from "effect";
import { expect, test } from "vitest";
import { resumeAgent as resumeWithEffects } from "../src/effect.ts";
import { hashSpec, resumeAgent } from "../src/index.ts";

const SPEC = { id: "writer", systemPrompt: "Write." };
const RUN = { agentId: "writer", status: "paused", specHash: hashSpec(SPEC) };
const storageOf = (run: object) => ({ loadRun: async () => run as never, loadLatestCheckpoint: async () => ({}) });

test.each([{}, { specHash: undefined }, { specHash: null }, { specHash: "" }])(
  "a run row with %j says that nothing was recorded, and not that the spec drifted",
  async (recorded) => {
    const { specHash: _hash, ...row } = RUN;
    await expect(
      resumeAgent(SPEC, "run_1", { storage: storageOf({ ...row, ...recorded }) }).result,
    ).rejects.toMatchObject({
      code: "fingerprint-not-found",
      message: 'cannot tell whether agent "writer" drifted: nothing of its spec was recorded with run run_1',
    });
  },
);

test.each<[string, object, string]>([
  ["loadRun", { loadRun: () => Effect.succeed(RUN), loadLatestCheckpoint: async () => ({}) }, "load-run-failed"],
  [
    "loadLatestCheckpoint",
    { loadRun: async () => RUN, loadLatestCheckpoint: () => Effect.succeed({}) },
    "load-checkpoint-failed",
  ],
  ["an effect of version 3", { loadRun: () => ({ [Symbol.for("effect/Effect")]: {} }) }, "load-run-failed"],
])("a storage of effects, by %s, is refused with what was expected", async (_name, storage, code) => {
  await expect(resumeAgent(SPEC, "run_1", { storage: storage as never }).result).rejects.toMatchObject({
    code,
    message: expect.stringContaining(
      "expected a promise from the storage, received an effect: use @agentprint/drover/effect",
    ),
  });
});

test.each(["index", "effect"])(
  "a refusal does not end a process whose caller awaits something else first: %s",
  (entry) => {
    const source = fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url));
    const storage =
      entry === "index"
        ? "{ loadRun: async () => null, loadLatestCheckpoint: async () => null }"
        : "{ loadRun: () => Effect.succeed(null), loadLatestCheckpoint: () => Effect.succeed(null) }";
    const program = `
    import { resumeAgent } from ${JSON.stringify(source)};
    ${entry === "effect" ? 'import { Effect } from "effect";' : ""}
    const { result } = resumeAgent(${JSON.stringify(SPEC)}, "run_1", { storage: ${storage} });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await result.catch((error) => console.log(error.code));
  `;
    const args = ["--conditions=@agentprint/source", "--input-type=module", "--eval", program];
    const out = outputOf(process.execPath, args, {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
    });
    expect(out.trim()).toBe("run-not-found");
  },
);

test("resumes still work with both kinds of storage", async () => {
  expect((await resumeAgent(SPEC, "run_1", { storage: storageOf(RUN) }).result).run).toEqual(RUN);
  const storage = { loadRun: () => Effect.succeed(RUN), loadLatestCheckpoint: () => Effect.succeed({}) };
  expect((await resumeWithEffects(SPEC, "run_1", { storage }).result).run).toEqual(RUN);
});
