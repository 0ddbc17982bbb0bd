import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chainOf, HOSTILE_TEXTS, linesIn, recordRun, SECRET } from "@agentprint/testing/trail/recorded-run";
import { createNoteKeys } from "@agentprint/trail/checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

let directory = "";
const show = (...args: string[]) => runCli(["trail", "show", ...args], { cwd: directory });
const KEY = ["--event-key", "secret"];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-show-"));
  writeFileSync(join(directory, "secret"), Buffer.from(SECRET).toString("hex"));
  await recordRun(directory, "s1");
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("agentprint trail show, as text", () => {
  test("has a row for each event, with a call's end in the row of its start", async () => {
    const { code, stdout, stderr } = await show("s1.jsonl", ...KEY);
    expect([code, stderr]).toEqual([0, ""]);
    const rows = stdout.replaceAll(/20\d\d-[\dT:.-]+Z/g, "<time>").replaceAll(/\d+ ms/g, "<ms>");
    expect(rows).toBe(`task s1
  <time>   session-start
  <time> · plan          Read the file, then delete it.
  <time> · link          capabilities abababababab
  <time> · call          files › read_file ok · <ms>
  <time> ! call          files › stat error · code -32000 · <ms>
  <time> ✗ refused       files › delete_file block · mcp/unpinned-tool
  <time> ! fault         3 events lost · queue-full
  <time> · model-call    example-1 ok · <ms>
  <time> · call          files › never_ends
  <time>   session-end
Trail verification: 13 records in 1 chain, all intact; only --key shows whether its end was cut off
`);
  });

  test("without a key, shows sealed events as text and reports it", async () => {
    const { code, stdout, stderr } = await show("s1.jsonl");
    expect(code).toBe(0);
    expect(stdout).toMatch(/! text +\{"agentprint":"event\/1".*whose key was not given/);
    expect(stdout).toContain("plan          Read the file");
    expect(stderr).toContain("--event-key");
  });

  test("marks the record that was altered, in an altered file", async () => {
    const text = readFileSync(join(directory, "s1.jsonl"), "utf8");
    writeFileSync(join(directory, "altered.jsonl"), text.replace("then delete it", "then keep it"));
    const { code, stdout } = await show("altered.jsonl", ...KEY);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ plan +Read the file, then keep it\. the record has a problem/);
    expect(stdout).toContain('record "s1.t0" was altered');
    const lines = text.split("\n");
    writeFileSync(join(directory, "cut.jsonl"), [...lines.slice(0, 2), "{", ...lines.slice(3)].join("\n"));
    const cut = await show("cut.jsonl", ...KEY);
    expect(cut.code).toBe(1);
    expect(cut.stdout).toMatch(/✗ unreadable +a line that is not a record/);
    expect(cut.stdout).toMatch(/✗ missing +1 event of session s1 no gap accounts for that/);
  });

  test("names the anchor of the run, and the checkpoint that is not accepted", async () => {
    const { signerKey, verifierKey } = createNoteKeys("example.com/log", SECRET);
    writeFileSync(join(directory, "log.key"), signerKey);
    const store = "file:anchored.db";
    const append = (text: string) =>
      runCli(["trail", "append", store, "--task", "t1", "--agent", "a", "--type", "plan", text], { cwd: directory });
    const sign = (origin: string) =>
      runCli(
        ["trail", "checkpoint", store, "--task", "t1", "--origin", origin, "--key-file", "log.key", "-o", "note"],
        {
          cwd: directory,
        },
      );
    await append("one");
    await sign("example.com/other");
    await append("two");
    await sign("example.com/log");
    await append("three");
    const trust = ["--key", verifierKey, "--origin", "example.com/log"];
    const trusted = await show(store, ...trust);
    expect(trusted.code).toBe(0);
    expect(trusted.stdout.split("\n").map((line) => line.replace(/\S+Z /, "").trim())).toMatchObject([
      "task t1",
      "· plan          one",
      expect.stringMatching(/^! checkpoint {4}the first 1 record does not count: /),
      "· plan          two",
      "✓ checkpoint    the first 2 records signed by example.com/log",
      "· plan          three",
      expect.stringContaining("3 records in 1 chain, all intact"),
      "",
    ]);
    expect((await show(store)).stdout).toContain("of example.com/log; its signature was not checked");
    const exported = await runCli(["trail", "export", store, "--task", "t1"], { cwd: directory });
    writeFileSync(join(directory, "t1.jsonl"), `${exported.stdout.split("\n")[0]}\n`);
    const cut = await show("t1.jsonl", "--task", "t1", "--checkpoint", "note", ...trust);
    expect(cut.code).toBe(1);
    expect(cut.stdout).toMatch(/✓ checkpoint +the first 2 records/);
    expect(cut.stdout).toContain("the end was cut off");
    const uncovered = await show("s1.jsonl", "--task", "s1", "--checkpoint", "note", ...trust);
    expect(uncovered.code).toBe(1);
  });

  test("shows several tasks one after the other, and only one of them with --task", async () => {
    await recordRun(directory, "s2");
    const both = linesIn(directory, "s1").concat(linesIn(directory, "s2")).join("");
    writeFileSync(join(directory, "both.jsonl"), both);
    expect((await show("both.jsonl", ...KEY)).stdout.match(/^task s\d$/gm)).toEqual(["task s1", "task s2"]);
    const one = await show("both.jsonl", "--task", "s2", ...KEY);
    expect(one.stdout.match(/^task s\d$/gm)).toEqual(["task s2"]);
    expect((await show("both.jsonl", "--task", "s3", ...KEY)).code).toBe(2);
  });

  test("writes no escape of a hostile text to the terminal", async () => {
    const chains = HOSTILE_TEXTS.map((content) => chainOf(content || "t", [content]));
    writeFileSync(join(directory, "hostile.jsonl"), chains.join(""));
    for (const format of ["text", "json"]) {
      const { stdout, stderr } = await show("hostile.jsonl", "--format", format);
      expect(stdout + stderr).not.toMatch(/[^\P{C}\n]/u);
    }
  });

  test.each([
    ["nothing.jsonl"],
    ["https://example.com/trail"],
    ["s1.jsonl", "s1.00000001"],
    ["s1.jsonl", "--event-key", "nothing"],
    ["s1.jsonl", "--html", "no/such/folder/run.html"],
    ["s1.jsonl", "--task", "s1", "--checkpoint", "secret", "--key", "x", "--origin", "y"],
  ])("could not read: %j %j %j", async (...args) => {
    expect(await show(...args)).toMatchObject({ code: 2, stdout: "" });
  });
});

test("as JSON, each line is an entry of the reader, and the last one is the report", async () => {
  const { code, stdout } = await show("s1.jsonl", "--format", "json", ...KEY);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines).toHaveLength(14);
  expect(lines[1]).toMatchObject({ is: "text", why: "no-envelope" });
  expect(lines.at(-1)).toMatchObject({ command: "agentprint trail show", outcome: "same" });
});
