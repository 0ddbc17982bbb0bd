import { type AgentSpec, checkResume, pauseRun, recordSpec, resumeRun } from "@agentprint/drover";
import { expect, test } from "vitest";

const spec: AgentSpec = { id: "writer", systemPrompt: "Write.", tools: [{ name: "read", maxBytes: 10 }] };
const text = pauseRun(spec, "run_1", { messages: ["Hello."], half: "\ud800" });

test("a run resumes from its text, however a store formatted it", async () => {
  const { run, ...others } = JSON.parse(text);
  const laidOut = JSON.stringify({ ...others, run }, null, 2);
  for (const kept of [text, laidOut]) {
    expect(await resumeRun(spec, "run_1", kept)).toEqual({
      state: { messages: ["Hello."], half: "\ud800" },
      warnings: [],
    });
  }
});

test.each<[name: string, runId: string, text: string, code: string]>([
  ["the text of another run", "run_2", text, "run-not-found"],
  ["no text of a run", "run_1", "[]", "load-run-failed"],
  ["a text without its run", "run_1", '{"runId":"run_1","state":{}}', "load-run-failed"],
  ["a text with a run that is no object", "run_1", '{"runId":"run_1","run":1}', "load-run-failed"],
  ["no JSON", "run_1", text.slice(1), "load-run-failed"],
  ["a text with a member twice", "run_1", text.replace("{", '{"runId":"run_2",'), "load-run-failed"],
  ["a run with nothing in it", "run_1", '{"runId":"run_1","run":{}}', "run-not-paused"],
  ["a payload that is not the fingerprint's", "run_1", text.replace('"Write."', '"Rewrite."'), "malformed-fingerprint"],
])("%s is refused", async (_name, runId, kept, code) => {
  await expect(resumeRun(spec, runId, kept)).rejects.toMatchObject({ name: "ResumeError", code });
});

test.each<[name: string, payload: unknown]>([
  ["no object", "tools"],
  ["without JSON", { tools: 1n }],
])("a recorded payload that is %s is refused", async (_name, specPayload) => {
  const run = { ...recordSpec(spec), status: "paused", specPayload } as {
    agentId: string;
    status: string;
    specHash: string;
  };
  const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({}) };
  expect(await checkResume(spec, "run_1", { storage })).toMatchObject({ error: { code: "malformed-fingerprint" } });
});

test("a state without JSON text is refused before the run is kept", () => {
  expect(() => pauseRun(spec, "run_1", { tokens: 1n })).toThrow(
    expect.objectContaining({ name: "SpecError", code: "bigint", path: "/state/tokens" }),
  );
  const unreadable = {
    get tokens() {
      throw new Error("not now");
    },
  };
  expect(() => pauseRun(spec, "run_1", unreadable)).toThrow("not now");
});

test("a refusal lists the first five values, and says how many more there are", async () => {
  const tools = Array.from({ length: 7 }, (_, index) => ({ name: `tool_${index}` }));
  const kept = pauseRun({ ...spec, tools }, "run_1", {});
  const edited = { ...spec, systemPrompt: "Edited.", tools: tools.map(({ name }) => ({ name, strict: true })) };
  const refusal = await resumeRun(edited, "run_1", kept).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    pointers: [0, 1, 2, 3, 4, 5, 6].map((index) => `/tools/${index}/strict`).concat("/systemPrompt"),
    message: expect.stringMatching(/Changed values: \/tools\/0\/strict, .*\/tools\/4\/strict and 3 more\.$/),
  });
});
