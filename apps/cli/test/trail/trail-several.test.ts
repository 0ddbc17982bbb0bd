import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FORMATS } from "@agentprint/report/formats";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

const sources = { id: "r1", now: "2026-04-01T00:00:00.000Z" };
const thought = createThought({ task_id: "t1", agent_id: "a", type: "plan", content: "yes" }, null, sources);
const line = formatThoughtLine(thought);

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-several-"));
  writeFileSync(join(directory, "whole.jsonl"), line);
  writeFileSync(join(directory, "also.jsonl"), line);
  writeFileSync(join(directory, "altered.jsonl"), line.replace("yes", "no"));
  writeFileSync(join(directory, "empty.jsonl"), "");
});
afterAll(() => rmSync(directory, { recursive: true }));

const verify = (args: readonly string[], stdin?: string) =>
  runCli(["trail", "verify", ...args], { cwd: directory, ...(stdin !== undefined && { stdin }) });

describe("agentprint trail verify with several sources", () => {
  test.each([
    [["whole.jsonl", "also.jsonl"], 0, "2 of 2 sources intact"],
    [["whole.jsonl", "altered.jsonl"], 1, "1 of 2 sources intact; altered.jsonl: 1 record in 1 chain, 1 problem"],
    [
      ["empty.jsonl", "altered.jsonl", "whole.jsonl"],
      2,
      "1 of 3 sources intact; empty.jsonl: no record in empty.jsonl",
    ],
    [["missing.jsonl", "altered.jsonl"], 2, "0 of 2 sources intact; missing.jsonl: cannot read missing.jsonl"],
    [["file:missing.db", "whole.jsonl"], 2, "1 of 2 sources intact; file:missing.db: there is no trail store"],
  ])("%j exits with %i", async (args, code, summary) => {
    const run = await verify([...args, "--format", "json"]);
    expect(run).toMatchObject({ code, stderr: "" });
    expect(JSON.parse(run.stdout).summary).toContain(summary);
  });

  test("names the altered file in every format", async () => {
    for (const format of FORMATS) {
      const run = await verify(["whole.jsonl", "altered.jsonl", "--format", format]);
      expect(run, format).toMatchObject({ code: 1, stderr: "" });
      expect(run.stdout, format).toContain("altered.jsonl");
    }
  });

  test("prints as JSON the result of each source, the same as in a report on that source alone", async () => {
    const { stdout } = await verify(["-", "altered.jsonl", "missing.jsonl", "--format", "json"], line);
    const alone = JSON.parse((await verify(["altered.jsonl", "--format", "json"])).stdout);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      outcome: "unknown",
      findings: [{ rule: "trail/altered", place: { subject: "altered.jsonl › task t1" } }],
      sources: [
        { source: "-", outcome: "same" },
        { source: "altered.jsonl", outcome: "drift", chains: alone.chains },
        { source: "missing.jsonl", outcome: "unknown", error: { code: "unreadable-input" } },
      ],
    });
    expect(alone).toMatchObject({ source: "altered.jsonl", findings: [{ place: { subject: "task t1" } }] });
    expect(alone).not.toHaveProperty("sources");
  });

  test.each([
    [["-", "-"], "standard input can be read once"],
    [["whole.jsonl", "-", "--event-key", "k"], "standard input can be read once, and events"],
    [["whole.jsonl", "https://example.com/t"], "not the URL of a store"],
    [["whole.jsonl", "also.jsonl", "--checkpoint", "note"], "one task of one log"],
  ])("refuses %j before it reads one", async (args, message) => {
    expect(await verify(args, "")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });
});
