import {
  type AgentSpec,
  checkResume,
  diffSpecs,
  fingerprintSpec,
  hashSpec,
  type ResumeStorage,
  type RunRow,
  type SpecFingerprint,
} from "@agentprint/drover";
import * as v from "valibot";
import { describe, expect, test } from "vitest";

const spec: AgentSpec = { id: "writer", systemPrompt: "Mode: Aa." };
const paused: RunRow = { agentId: "writer", status: "paused", specHash: hashSpec(spec) };
const checkpoint = { messages: ["hi"] };

const storageOf = (run: RunRow | null | undefined, saved: unknown = checkpoint): ResumeStorage => ({
  loadRun: async () => run,
  loadLatestCheckpoint: async () => saved,
});

async function refusal(current: unknown, storage: ResumeStorage, runId = "run_1") {
  const result = await checkResume(current as AgentSpec, runId, { storage });
  if (result.ok) throw new Error("the resume was not refused");
  return result.error;
}

describe("the checks, in order", () => {
  test("an unchanged spec resumes with the run and its checkpoint", async () => {
    expect(await checkResume(spec, "run_1", { storage: storageOf(paused) })).toEqual({
      ok: true,
      run: paused,
      checkpoint,
      warnings: [expect.objectContaining({ code: "limited-record", path: "" })],
    });
  });

  test("loadRun fails", async () => {
    const cause = new Error("disk is gone");
    const storage = { ...storageOf(paused), loadRun: () => Promise.reject(cause) };
    const error = await refusal(spec, storage);
    expect(error).toMatchObject({
      name: "ResumeError",
      _tag: "ResumeError",
      code: "load-run-failed",
      runId: "run_1",
      cause,
    });
    expect(error.message).toBe("loadRun failed for run_1: disk is gone");
  });

  test("loadRun throws a value that is not an error", async () => {
    const storage: ResumeStorage = {
      ...storageOf(paused),
      loadRun: () => {
        throw "locked";
      },
    };
    expect((await refusal(spec, storage)).message).toBe("loadRun failed for run_1: locked");
  });

  test.each<[string, unknown]>([
    ["has no text", Object.create(null)],
    [
      "throws its message",
      {
        get message() {
          throw new Error("again");
        },
      },
    ],
    ["is a symbol", Symbol("s")],
  ])("an error of a storage %s", async (_name, thrown) => {
    const fail = () => Promise.reject(thrown);
    const load = await refusal(spec, { ...storageOf(paused), loadRun: fail });
    expect(load).toMatchObject({
      code: "load-run-failed",
      message: expect.stringMatching(/^loadRun failed for run_1: ./),
    });
    const checkpoints = await refusal(spec, { ...storageOf(paused), loadLatestCheckpoint: fail });
    expect(checkpoints.message).toMatch(/^loadLatestCheckpoint failed: ./);
    const blocked = {
      id: "writer",
      get systemPrompt(): string {
        throw thrown;
      },
    };
    expect(await refusal(blocked, storageOf(paused))).toMatchObject({ code: "spec-unhashable" });
  });

  test.each([[null], [undefined]])("no run (%s)", async (run) => {
    expect((await refusal(spec, storageOf(run))).message).toBe("run run_1 not found in storage");
  });

  test("a run that is not paused", async () => {
    const error = await refusal({ ...spec, id: "other" }, storageOf({ ...paused, status: "completed" }));
    expect(error.message).toBe("run run_1 is completed, not paused — only paused runs can resume");
  });

  test("another agent's run, even under a drifted spec", async () => {
    const error = await refusal({ ...spec, id: "other" }, storageOf(paused));
    expect(error.message).toBe(
      'spec mismatch: run run_1 was recorded under agent "writer" but resume was called with "other"',
    );
  });

  test("a drifted spec, even without a checkpoint", async () => {
    const current = { ...spec, systemPrompt: "Edited." };
    const error = await refusal(current, storageOf(paused, null));
    expect(error).toMatchObject({ code: "spec-drift", fields: [] });
    expect(error.message).toBe(
      `spec drift on agent "writer": recorded hash ${paused.specHash}, current hash ${hashSpec(current)}. The agent definition ` +
        "changed since the run was paused — resuming would replay old messages under a different policy.",
    );
  });

  test("a spec that cannot be hashed is refused", async () => {
    const error = await refusal({ ...spec, quota: { tokens: 1n } }, storageOf(paused));
    expect(error).toMatchObject({ code: "spec-unhashable", message: expect.stringContaining("/quota/tokens") });
    expect(await refusal(null, storageOf(paused))).toMatchObject({ code: "spec-unhashable" });
  });

  test("loadLatestCheckpoint fails", async () => {
    const storage = { ...storageOf(paused), loadLatestCheckpoint: () => Promise.reject(new Error("locked")) };
    expect((await refusal(spec, storage)).message).toBe("loadLatestCheckpoint failed: locked");
  });

  test.each([[null], [undefined]])("no checkpoint (%s)", async (saved) => {
    const storage = { ...storageOf(paused), loadLatestCheckpoint: async () => saved };
    expect((await refusal(spec, storage)).message).toBe("run run_1 is paused but has no checkpoint — storage anomaly");
  });
});

describe("the effective spec", () => {
  test("is refused if its plugins are not an array, also with plugins passed at resume", async () => {
    const bad = { ...spec, plugins: "ab" as never };
    const result = await checkResume(bad, "run_1", { storage: storageOf(paused), plugins: [{ id: "b" }] });
    expect(result).toMatchObject({ ok: false, error: { code: "spec-unhashable" } });
  });

  test("has its own plugins before those passed at resume", async () => {
    const own = { ...spec, plugins: [{ id: "a" }] };
    const run = { ...paused, specHash: hashSpec({ ...spec, plugins: [{ id: "a" }, { id: "b" }] }) };
    expect((await checkResume(own, "run_1", { storage: storageOf(run), plugins: [{ id: "b" }] })).ok).toBe(true);
    expect((await checkResume(own, "run_1", { storage: storageOf(run) })).ok).toBe(false);
  });

  test("returns the storage's objects with inherited and private fields, also if they are frozen", async () => {
    class Writer {
      readonly #mode = "Aa";
      readonly id = "writer";
      readonly plugins = [];
      get systemPrompt(): string {
        return `Mode: ${this.#mode}.`;
      }
    }
    const run = { ...paused, specHash: hashSpec({ ...spec, plugins: [{ id: "b" }] }) };
    const result = await checkResume(Object.freeze(new Writer()), "run_1", {
      storage: storageOf(run),
      plugins: [{ id: "b" }],
    });
    expect(result.ok).toBe(true);
  });

  test("is hashed with the field list of the version that recorded the run", async () => {
    const run = { ...paused, specHash: hashSpec(spec, { coverage: "codeV5" }) };
    expect((await checkResume(spec, "run_1", { storage: storageOf(run), coverage: "codeV5" })).ok).toBe(true);
    expect((await checkResume(spec, "run_1", { storage: storageOf(run) })).ok).toBe(false);
  });
});

describe("a recorded strong fingerprint decides", () => {
  const recorded = { ...paused, specFingerprint: fingerprintSpec(spec) };

  test("it catches drift behind a 32-bit collision and names the fields", async () => {
    const collision = { ...spec, systemPrompt: "Mode: BB." };
    expect(hashSpec(collision)).toBe(paused.specHash);
    expect((await checkResume(collision, "run_1", { storage: storageOf(paused) })).ok).toBe(true);
    const error = await refusal(collision, storageOf(recorded));
    expect(error).toMatchObject({ code: "spec-drift", fields: ["systemPrompt"] });
    expect(error.message).toMatch(/different policy\. Changed fields: systemPrompt\.$/);
  });

  test("it is equal for a schema with reordered keys", async () => {
    const before = { ...spec, inputSchema: { type: "object", required: [] } };
    const after = { ...spec, inputSchema: { required: [], type: "object" } };
    const run = { ...paused, specHash: hashSpec(before), specFingerprint: fingerprintSpec(before) };
    expect((await checkResume(after, "run_1", { storage: storageOf(run) })).ok).toBe(true);
  });

  test("it survives JSON", async () => {
    const run = { ...paused, specFingerprint: JSON.parse(JSON.stringify(recorded.specFingerprint)) };
    expect((await checkResume(spec, "run_1", { storage: storageOf(run) })).ok).toBe(true);
  });

  test("drift without a differing field is still drift", async () => {
    const specFingerprint = { ...recorded.specFingerprint, sha256: "0".repeat(64) };
    expect(await refusal(spec, storageOf({ ...recorded, specFingerprint }))).toMatchObject({
      code: "spec-drift",
      fields: [],
    });
  });

  const zeros = "0".repeat(64);
  test.each([
    ["text"],
    [{}],
    [{ spec32: "0", sha256: "AB", fields: {} }],
    [{ spec32: "0", sha256: zeros, fields: null }],
    [{ spec32: "0", sha256: zeros, fields: [] }],
    [{ spec32: "0", sha256: zeros, fields: { id: "1" } }],
    [{ spec32: "ZZ", sha256: zeros, fields: {} }],
    [{ sha256: zeros, fields: {} }],
  ])("a malformed one is never treated as absent: %j", async (malformed) => {
    const run = { ...paused, specFingerprint: malformed as unknown as SpecFingerprint };
    const error = await refusal(spec, storageOf(run));
    expect(error.message).toBe("run run_1 has a malformed spec fingerprint — storage anomaly");
  });
});

describe("parts that no hash covers are warnings before the run continues", () => {
  const tools = [{ name: "read", execute: () => 1 }];
  const valibot = v.object({ a: v.string() });

  test.each<[name: string, spec: AgentSpec, isStrong: boolean, paths: string[]]>([
    ["nothing, of plain JSON", { ...spec, tools: ["read"] }, true, []],
    ["by a strong fingerprint", { ...spec, tools }, true, ["/tools/0/execute"]],
    ["by the 32-bit hash", { ...spec, tools }, false, ["/tools/0/execute", ""]],
    [
      "by the 32-bit hash, of a schema that cannot be shown",
      { ...spec, inputSchema: valibot },
      false,
      ["/inputSchema", ""],
    ],
    ["of a Map, which the 32-bit hash takes", { ...spec, memory: new Map() }, false, ["/memory", ""]],
  ])("%s", async (_name, current, isStrong, paths) => {
    const specFingerprint = isStrong ? fingerprintSpec(current) : null;
    const run = { ...paused, specHash: hashSpec(current), specFingerprint };
    const result = await checkResume(current, "run_1", { storage: storageOf(run) });
    expect(result.ok && result.warnings.map(({ path }) => path)).toEqual(paths);
  });
});

describe("a part that no hash covered when the run was recorded", () => {
  const withTool = { ...spec, tools: [{ execute: () => 1 }] };
  const without = { ...spec, tools: [{}] };
  const resume = async (specFingerprint: unknown) => {
    const run = { ...paused, specFingerprint: specFingerprint as SpecFingerprint };
    const result = await checkResume(without, "run_1", { storage: storageOf(run) });
    return result.ok ? result.warnings : [];
  };

  test("is a warning even if the part is missing now", async () => {
    const message = "when it was recorded: a function is not hashed";
    expect(await resume(fingerprintSpec(withTool))).toEqual([
      { code: "unhashed-function", path: "/tools/0/execute", message },
    ]);
    expect(diffSpecs(withTool, without)).toMatchObject({ drifted: false, warnings: [{ message }] });
    expect(diffSpecs(withTool, withTool).warnings).toHaveLength(1);
  });

  test("is shown without line breaks and control characters", async () => {
    const warnings = [{ code: "unseen-part", path: "/a\n", message: "\u001b[2J" }];
    expect(await resume({ ...fingerprintSpec(without), warnings })).toEqual([
      { code: "unseen-part", path: "/a\\u{a}", message: "when it was recorded: \\u{1b}[2J" },
    ]);
  });

  test.each<[name: string, record: object]>([
    ["no warnings", { warnings: undefined }],
    ["warnings of another form", { warnings: [{ path: "/a" }] }],
    ["warnings without a code", { warnings: [{ path: "/a", message: "m" }] }],
    ["no version, because that rule warned of less", { version: undefined }],
  ])("is unknown where the record has %s", async (_name, record) => {
    expect(await resume({ ...fingerprintSpec(withTool), ...record })).toMatchObject([
      { code: "limited-record", path: "" },
    ]);
  });
});

test("nothing from a storage breaks the line or reaches the terminal as a control character", async () => {
  const storage = {
    ...storageOf(paused),
    loadRun: () => Promise.reject(new Error("a\nb\u001b[31m\u009b\u2028\u202e\u3164")),
  };
  const { message } = await refusal(spec, storage, "run\r1");
  expect(message).toBe("loadRun failed for run\\u000d1: a\\u000ab\\u001b[31m\\u009b\\u2028\\u202e\\u3164");
});
