import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecorder } from "@agentprint/recorder";
import { SECRET } from "@agentprint/testing/trail/recorded-run";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

const KEYS = createNoteKeys("example.com/recorder", SECRET);

describe("agentprint trail show --event-key", () => {
  let directory = "";
  const show = (...args: string[]) => runCli(["trail", "show", ...args], { cwd: directory });
  /** Returns the lines with events: all except the last line, which is the report. */
  const linesOf = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "agentprint-events-"));
    const files = {
      secret: Buffer.from(SECRET).toString("hex"),
      short: "00ff",
      public: KEYS.verifierKey,
      private: KEYS.signerKey,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), `${text}\n`);
    const store = `file:${join(directory, "trail.db")}`;
    for (const [sessionId, key] of [
      ["s1", SECRET],
      ["s2", createNoteSigner(KEYS.signerKey)],
    ] as const) {
      const recorder = await createRecorder({ store, key, agentId: "planner", sessionId });
      recorder.record({ kind: "call", call: "c1", tool: "read\u001b[2J" });
      recorder.think({ type: "plan", content: "Read on." });
      await recorder.close();
    }
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test("shows the events of a task, with the secret", async () => {
    const { code, stdout } = await show("file:trail.db", "--task", "s1", "--event-key", "secret", "--format", "json");
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b");
    const entries = linesOf(stdout);
    expect(entries.map(({ is, event, why }) => event?.kind ?? `${is} ${why}`)).toEqual([
      "session-start",
      "call",
      "text no-envelope",
      "session-end",
    ]);
  });

  test("shows the events of a file, and those removed from it", async () => {
    const store = join(directory, "trails");
    const recorder = await createRecorder({ store, key: SECRET, agentId: "planner", sessionId: "s3" });
    recorder.record({ kind: "call", call: "c1" });
    await recorder.close();
    const lines = readFileSync(join(store, "s3.jsonl"), "utf8").split("\n");
    const stdin = [lines[0], ...lines.slice(2)].join("\n");
    const run = await runCli(["trail", "show", "-", "--event-key", "secret", "--format", "json"], {
      cwd: directory,
      stdin,
    });
    const entries = linesOf(run.stdout);
    expect(entries).toMatchObject([{ is: "event" }, { is: "missing", session: "s3", count: 1 }, { is: "event" }]);
    expect((await show("trails/s3.jsonl", "--event-key", "secret")).stdout).not.toContain("missing");
  });

  test.each(["public", "private"])("shows one event, with the %s key of a recorder that signs", async (key) => {
    const { stdout } = await show("file:trail.db", "s2.00000001", "--event-key", key);
    expect(JSON.parse(stdout)).toMatchObject({ is: "event", event: { kind: "call", agent: "planner" } });
  });

  test("shows an event that another key sealed as text", async () => {
    const { stdout } = await show("file:trail.db", "s1.00000001", "--event-key", "public");
    expect(JSON.parse(stdout)).toMatchObject({ is: "text", why: "unknown-key" });
  });

  test.each([
    [["s1.00000001", "--task", "s2"], "there is no record s1.00000001 of task s2"],
    [["s1.00000001", "--html", "run.html"], "an id names one record"],
    [["--task", "none", "--event-key", "secret"], "there is no record of task none"],
    [["--task", "s1", "--event-key", "short"], "at least 32 bytes"],
    [["--task", "s1", "--event-key", "nothing"], "cannot read nothing"],
  ])("could not tell: %j", async (args, message) => {
    const run = await show("file:trail.db", ...args);
    expect(run.code).toBe(2);
    expect(run.stderr.replace(/\s+/g, " ")).toContain(message);
  });

  const verify = (...args: string[]) =>
    runCli(["trail", "verify", ...args, "--event-key", "secret"], { cwd: directory });

  /** Rebuilds one session's chain with some lines removed or replaced, so that every hash is correct. */
  function rechained(texts: readonly string[]): string {
    let previous: ThoughtRecord | null = null;
    return texts
      .map((text) => {
        const { id, timestamp, ...fields } = JSON.parse(text) as ThoughtRecord;
        previous = createThought(fields, previous, { id, now: timestamp });
        return formatThoughtLine(previous);
      })
      .join("");
  }

  test("verifies events next to the chain", async () => {
    expect(await verify("file:trail.db")).toMatchObject({ code: 0 });
    expect(await verify("file:trail.db", "--task", "s1")).toMatchObject({ code: 0 });
    const recorder = await createRecorder({ store: directory, key: SECRET, agentId: "planner", sessionId: "s4" });
    recorder.record({ kind: "call", call: "c1", tool: "delete_file" });
    recorder.record({ kind: "result", call: "c1", outcome: "ok" });
    await recorder.close();
    const lines = readFileSync(join(directory, "s4.jsonl"), "utf8").trimEnd().split("\n");
    const [start = "", call = "", result = "", end = ""] = lines;
    const cases: [rule: string, texts: string[]][] = [
      ["missing-events", [start, result, end]],
      ["wrong-seal", [start, call.replace("delete_file", "read_file"), result, end]],
      ["wrong-seal", [start, call, result, result.replace("s4.00000002", "s4.00000004"), end]],
    ];
    for (const [rule, texts] of cases) {
      writeFileSync(join(directory, "s4.jsonl"), rechained(texts));
      expect(await runCli(["trail", "verify", "s4.jsonl"], { cwd: directory })).toMatchObject({ code: 0 });
      const run = await verify("s4.jsonl", "--format", "json");
      expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining(`trail/${rule}`) });
    }
  });

  test("cannot read events of standard input a second time", async () => {
    expect(await verify("-")).toMatchObject({ code: 2 });
  });
});
