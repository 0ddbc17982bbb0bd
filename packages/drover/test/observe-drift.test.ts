import { type AgentSpec, hashSpec, recordSpec } from "@agentprint/drover";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as z45 } from "zod-4.5";
import { openLibsqlStorage } from "../examples/libsql-storage.ts";
import { type Observation, resumeObserved } from "../examples/observe-drift.ts";

const spec = (library: Pick<typeof z, "object" | "string">, systemPrompt = "Write."): AgentSpec => ({
  id: "writer",
  systemPrompt,
  tools: [{ name: "read", inputSchema: library.object({ path: library.string() }) }],
});

/** Resumes a run that was paused under zod 4.5 with a resume function that checks nothing. */
async function observe(current: AgentSpec, runId = "run_1") {
  const storage = await openLibsqlStorage(":memory:");
  const { specPayload: _payload, ...record } = recordSpec(spec(z45 as never));
  const usage = { input: "An essay", startedAt: 0, tokensIn: 0, tokensOut: 0, costUsd: 0 };
  await storage.createRun({ ...record, ...usage, id: "run_1", status: "paused" });
  await storage.saveCheckpoint({ runId: "run_1", seq: 1, messages: ["Hello."] });
  const reports: Observation[] = [];
  const resume = async () => (await storage.loadLatestCheckpoint("run_1"))?.messages;
  const messages = await resumeObserved(runId, current, { storage, report: (report) => reports.push(report), resume });
  storage.close();
  return { messages, reports };
}

test("a newer library is no drift, and the report names the tool whose validation may have changed", async () => {
  const { messages, reports } = await observe(spec(z));
  expect(messages).toEqual(["Hello."]);
  expect(reports).toMatchObject([{ drift: "none", warnings: [{ code: "schema-validation" }, {}] }]);
  expect(reports).toMatchObject([{ warnings: [{ message: expect.stringMatching(/^tool "read": /) }, {}] }]);
});

test("an edited agent and a run that is not there are reported, and the program resumes as it did", async () => {
  const edited = await observe(spec(z, "Never ask."));
  expect(edited.messages).toEqual(["Hello."]);
  expect(edited.reports).toMatchObject([
    {
      drift: "spec-drift",
      error: { fields: ["systemPrompt"], message: expect.stringContaining(hashSpec(spec(z, "Never ask."))) },
    },
  ]);
  expect((await observe(spec(z), "run_2")).reports).toMatchObject([{ drift: "run-not-found" }]);
});
