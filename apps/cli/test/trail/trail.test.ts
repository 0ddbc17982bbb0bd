import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-trail-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("agentprint trail export", () => {
  test("writes rows with columns, and a Parquet file completely or not at all", async () => {
    const trail = (...args: string[]) => runCli(["trail", ...args], { cwd: directory });
    const thought = ["--task", "t", "--agent", "a", "--type", "plan"];
    for (const id of ["r1", "r2"]) await trail("append", "file:rows.db", "c", ...thought, "--id", id);
    const lines = (await trail("export", "file:rows.db")).stdout.trimEnd().split("\n");
    const rows = (await trail("export", "file:rows.db", "--columns")).stdout.trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row))).toEqual(
      lines.map((line, position) => ({ store: "file:rows.db", task: "t", position, line })),
    );
    expect(await trail("export", "file:rows.db", "--parquet", "rows.parquet")).toMatchObject({ code: 0, stdout: "" });
    const written = readFileSync(join(directory, "rows.parquet"));
    expect([written.subarray(0, 4), written.subarray(-4)].map(String)).toEqual(["PAR1", "PAR1"]);
    expect(written.includes(lines[1] ?? "?")).toBe(false); // compressed
    const elsewhere = await trail("export", "file:rows.db", "--parquet", "nowhere/rows.parquet");
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot write nowhere/rows.parquet") });
    const both = await trail("export", "file:rows.db", "--columns", "--parquet", "rows.parquet");
    expect(both).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("agentprint trail", () => {
  test("appends, shows, exports, imports, signs, proves and verifies", async () => {
    const trail = (...args: string[]) => runCli(["trail", ...args], { cwd: directory });
    const thought = ["--task", "t1", "--agent", "planner", "--type", "plan"];
    const first = await trail("append", "file:trail.db", "Migrate.", ...thought, "--id", "r1");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(await trail("append", "file:trail.db", "Migrate.", ...thought, "--id", "r1")).toEqual(first);
    await trail("append", "file:trail.db", "At night.", ...thought, "--id", "r2");
    expect((await trail("show", "file:trail.db", "r1")).stdout).toBe(first.stdout);
    expect((await trail("list", "file:trail.db")).stdout).toBe('{"taskId":"t1","length":2}\n');
    const exported = (await trail("export", "file:trail.db")).stdout;
    expect((await trail("list", "file:trail.db", "--task", "t1")).stdout).toBe(exported);
    writeFileSync(join(directory, "trail.jsonl"), exported);
    expect((await trail("import", "file:copy.db", "trail.jsonl")).stdout).toBe("2 records added, 0 already there\n");
    expect(await trail("verify", "file:copy.db")).toMatchObject({ code: 0 });

    const keys = (await trail("keygen", "example.com/log", "secret.key")).stdout.split("\n");
    const again = await trail("keygen", "example.com/log", "secret.key");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("a key that exists is never replaced") });
    const signed = ["--task", "t1", "--origin", "example.com/trail"];
    const note = await trail("checkpoint", "file:trail.db", ...signed, "--key-file", "secret.key", "-o", "note");
    expect(note).toMatchObject({ code: 0, stderr: "" });
    const checked = ["--checkpoint", "note", "--key", keys[0] ?? "", ...signed];
    expect(await trail("verify", "file:copy.db", ...checked)).toMatchObject({ code: 0 });
    writeFileSync(join(directory, "cut.jsonl"), exported.slice(0, exported.indexOf("\n") + 1));
    expect(await trail("verify", "cut.jsonl")).toMatchObject({ code: 0 });
    expect((await trail("import", "file:cut.db", "cut.jsonl")).stdout).toBe("1 record added, 0 already there\n");
    const cut = await trail("verify", "cut.jsonl", ...checked);
    expect(cut).toMatchObject({ code: 1 });
    expect(cut.stdout).toContain("cut off");
    const proof = JSON.parse((await trail("prove", "file:trail.db", "r2")).stdout);
    expect(proof).toMatchObject({ index: 1, size: 2 });
  });

  test("names the altered record of standard input, in every format", async () => {
    const text = readFileSync(join(directory, "trail.jsonl"), "utf8").replace("At night", "At noon!");
    const run = await runCli(["trail", "verify", "--format", "json"], { stdin: text });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("altered");
    for (const format of ["text", "markdown", "sarif", "junit", "github"]) {
      expect(await runCli(["trail", "verify", "--format", format], { stdin: text })).toMatchObject({
        code: 1,
        stderr: "",
      });
    }
  });

  test.each([
    [["verify", "file:nothing.db"], "there is no trail store"],
    [["verify", "nothing.jsonl"], "cannot read"],
    [["show", "trail.db", "r1"], "not the URL of a store"],
    [["show", "file:trail.db", "nobody"], "there is no record"],
    [["list", "file:trail.db", "--task", "nobody"], "there is no record of task nobody"],
    [["export", "file:trail.db", "--task", "nobody"], "there is no record of task nobody"],
    [["verify", "trail.jsonl", "--checkpoint", "note"], "one task of one log"],
    [
      ["verify", "trail.jsonl", "--task", "t1", "--origin", "o", "--key", "x", "--checkpoint", "note"],
      "expected <name>",
    ],
  ])("could not tell: %j", async (args, message) => {
    const run = await runCli(["trail", ...args], { cwd: directory });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });

  test("has no verdict on an empty input, or on a damaged database", async () => {
    expect(await runCli(["trail", "verify"], { stdin: "" })).toMatchObject({ code: 2 });
    truncateSync(join(directory, "copy.db"), 8192);
    expect(await runCli(["trail", "verify", "file:copy.db"], { cwd: directory })).toMatchObject({ code: 2 });
  });
});

test("names the members of a line that no hash covers, and finds the chain intact, in every format", async () => {
  const NOW = "2026-04-01T00:00:00.000Z";
  const record = createThought({ task_id: "t1", agent_id: "a", type: "plan", content: "x" }, null, {
    id: "r1",
    now: NOW,
  });
  const lines = [
    formatThoughtLine(record),
    formatThoughtLine(createThought({ ...record, content: "y" }, record, { id: "r2", now: NOW })).replace(
      "{",
      '{"__proto__":{"hash":"x"},"a/b":1,',
    ),
    "{}\n",
  ];
  const whole = lines.slice(0, 2).join("");
  const run = await runCli(["trail", "verify"], { stdin: whole });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout).toContain("2 records in 1 chain, all intact; 1 record with members that no hash covers");
  expect(run.stdout).toContain("line 2: no hash covers /__proto__, /a~1b");
  for (const options of [[], ["--workers", "2"]]) {
    const { stdout } = await runCli(["trail", "verify", "--format", "json", ...options], { stdin: whole });
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "same",
      uncovered: [{ taskId: "t1", line: 2, paths: ["/__proto__", "/a~1b"], count: 2 }],
    });
  }
  for (const format of ["markdown", "sarif", "junit", "github", "gitlab"]) {
    expect(await runCli(["trail", "verify", "--format", format], { stdin: whole })).toMatchObject({ code: 0 });
  }
  writeFileSync(join(directory, "open.jsonl"), whole);
  const shown = await runCli(["trail", "show", "open.jsonl", "--html", "open.html"], { cwd: directory });
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("line 2: no hash covers /__proto__, /a~1b") });
  expect(readFileSync(join(directory, "open.html"), "utf8")).toContain("1 record with members that no hash covers");
  // A line that is not a record is a single problem.
  const broken = await runCli(["trail", "verify"], { stdin: lines.join("") });
  expect(broken).toMatchObject({ code: 1 });
  expect(broken.stdout).not.toContain("line 3: no hash");
});
