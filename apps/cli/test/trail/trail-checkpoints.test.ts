import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wordsWithoutRoot } from "@agentprint/testing/other-accounts";
import { computeTreeHead, createCheckpoint, createNoteSigner } from "@agentprint/trail/checkpoint";
import { openTrailStore } from "@agentprint/trail-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeDatabase, changeWithoutTriggers } from "../support/change-database.ts";
import { type RunResult, runCli } from "../support/run-cli.ts";
import { spawnCli } from "../support/spawn-cli.ts";

let directory = "";
let keys: readonly string[] = [];
const trail = (...args: string[]): Promise<RunResult> => runCli(["trail", ...args], { cwd: directory });
const url = (name: string): string => `file:${join(directory, name)}`;

/**
 * Returns a copy of the signed store after `sql`, as an attacker with full access to the file and its triggers leaves
 * it.
 */
function damaged(name: string, sql: string): string {
  copyFileSync(join(directory, "trail.db"), join(directory, name));
  changeWithoutTriggers(join(directory, name), sql);
  return `file:${name}`;
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-checkpoints-"));
  const store = await openTrailStore(url("trail.db"));
  for (const task_id of ["t1", "t2"]) {
    const thought = { type: "plan", task_id, agent_id: "a", content: "c" } as const;
    await store.appendAll([thought, thought, thought]);
  }
  await store.close();
  const made = (await trail("keygen", "example.com/log", "secret.key")).stdout.trim().split("\n");
  keys = ["--key", made[0] ?? "", "--origin", "o"];
  for (const task of ["t1", "t2"]) {
    const signed = await trail(
      "checkpoint",
      "file:trail.db",
      "--task",
      task,
      "--origin",
      "o",
      "--key-file",
      "secret.key",
    );
    expect(signed).toMatchObject({ code: 0, stderr: "" });
  }
  writeFileSync(join(directory, "trail.jsonl"), (await trail("export", "file:trail.db")).stdout);
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("agentprint trail verify with a key", () => {
  test.each([[], ["--workers", "2"], ["--task", "t2"]])("uses the checkpoints in the store: %j", async (...args) => {
    expect(await trail("verify", "file:trail.db", ...keys, ...args)).toMatchObject({ code: 0, stderr: "" });
    const cut = damaged("cut.db", "delete from thoughts where task_id = 't2' and position = 2");
    expect(await trail("verify", cut, ...args)).toMatchObject({ code: 0 });
    const run = await trail("verify", cut, ...keys, ...args);
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("cut off") });
  });

  test("shows who signed, and how much the signatures cover", async () => {
    const whole = await trail("verify", "file:trail.db", ...keys);
    expect(whole.stdout).toContain(
      "6 records in 2 chains, all intact; checkpoints signed by example.com/log cover 6 records",
    );
    const shown = await trail("show", "file:trail.db", "--task", "t2", ...keys);
    expect(shown.stdout).toContain("all intact; checkpoints signed by example.com/log cover 3 records");
  });

  test("finds a chain that was deleted completely", async () => {
    const gone = damaged("gone.db", "delete from thoughts where task_id = 't2'");
    for (const workers of ["1", "2"]) {
      const run = await trail("verify", gone, ...keys, "--workers", workers);
      expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("ends after 0 records") });
    }
  });

  test("cannot tell if no checkpoint is left, or none is accepted", async () => {
    const bare = damaged("bare.db", "delete from checkpoints where task_id = 't2'");
    const run = await trail("verify", bare, ...keys);
    expect(run).toMatchObject({ code: 2, stdout: expect.stringContaining("no checkpoint of task t2") });
    const witnessed = await trail("verify", "file:trail.db", ...keys, "--threshold", "1");
    expect(witnessed).toMatchObject({ code: 2, stdout: expect.stringContaining("too-few-witnesses") });
  });

  test("is refused where it would have no effect", async () => {
    const [key = "", value = "", origin = "", name = ""] = keys;
    for (const args of [
      [key, value],
      [origin, name],
      ["--threshold", "1"],
      ["--witness", value],
    ]) {
      const run = await trail("verify", "file:trail.db", ...args);
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("one task of one log") });
    }
    const run = await trail("verify", "trail.jsonl", "--task", "t1", ...keys);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("no checkpoint to verify against") });
  });
});

describe("agentprint trail", () => {
  test.each(["1", "2"])("verify with %s workers compares the triggers of a store", async (workers) => {
    const bare = damaged("guards.db", "");
    changeDatabase(join(directory, "guards.db"), "drop trigger thoughts_no_update");
    const run = await trail("verify", bare, "--workers", workers);
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("trigger thoughts_no_update is gone") });
  });

  test.skipIf(process.platform === "win32")("verifies a store in a folder that cannot be written", async ({ skip }) => {
    const through = wordsWithoutRoot();
    if (through === undefined) skip("root cannot give up its right to write everywhere");
    const sealed = mkdtempSync(join(directory, "sealed-"));
    copyFileSync(join(directory, "trail.db"), join(sealed, "trail.db"));
    chmodSync(sealed, 0o555);
    const run = await spawnCli(["trail", "verify", `file:${join(sealed, "trail.db")}`], { through });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(sealed)).toEqual(["trail.db"]);
    chmodSync(sealed, 0o755);
  });

  test("does not sign a task without records", async () => {
    const run = await trail(
      "checkpoint",
      "file:trail.db",
      "--task",
      "typo",
      "--origin",
      "o",
      "--key-file",
      "secret.key",
    );
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("no record of task typo") });
  });

  test.each(["abc", "0.5", "-1", "1e1"])("refuses to list the records behind %s", async (index) => {
    const run = await trail("list", "file:trail.db", "--task", "t1", `--after=${index}`);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("whole number") });
  });

  test("lists the records behind an index", async () => {
    const run = await trail("list", "file:trail.db", "--task", "t1", "--after", "0");
    expect(run.stdout.trim().split("\n")).toHaveLength(2);
  });

  test("records standard input byte for byte, and states its limit", async () => {
    const append = ["trail", "append", "file:stdin.db", "--task", "t", "--agent", "a", "--type", "plan"];
    const run = await runCli(append, { cwd: directory, stdin: "\ufeffthought" });
    expect(JSON.parse(run.stdout)).toMatchObject({ content: "\ufeffthought" });
    const binary = await runCli(append, { cwd: directory, stdin: Buffer.of(0x61, 0xff) });
    expect(binary.code).toBe(2);
    expect(binary.stderr).toContain("standard input is not text");
    const long = await runCli(append, { cwd: directory, stdin: "x".repeat(4 * 2 ** 20 + 1) });
    expect(long).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("at most 4194304 bytes") });
    expect(long.stderr).not.toContain("--max-bytes");
  });

  test("shows no password", async () => {
    const server = await trail("show", "postgresql://user:p@ss:w/rd@[bad", "r1");
    expect(server).toMatchObject({ code: 2, stderr: expect.stringContaining("unsupported-url") });
    const other = await trail("show", "mysql://user:p@ss:w/rd@localhost/x", "r1");
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("not the URL of a store") });
    for (const { stdout, stderr } of [server, other]) expect(stdout + stderr).not.toContain("ss:w");
  });
});

test("records that were dropped behind a signed checkpoint are a remark with their root", async () => {
  const lines = (await trail("export", "file:trail.db", "--task", "t1")).stdout.trimEnd().split("\n");
  const head = await computeTreeHead(
    lines.slice(0, 2).map((line) => JSON.parse(line)),
    { range: true },
  );
  const signer = createNoteSigner(readFileSync(join(directory, "secret.key"), "utf8").trim());
  writeFileSync(join(directory, "range"), createCheckpoint({ origin: "o", ...head }, [signer]));
  writeFileSync(join(directory, "rest.jsonl"), `${lines[2]}\n`);
  const signed = ["--task", "t1", "--checkpoint", "range", ...keys];
  const { code, stdout } = await trail("verify", "rest.jsonl", ...signed);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`records 0 to 1 were dropped; a checkpoint has the root ${head.rootHash}`),
  ]);
  expect(await trail("verify", "rest.jsonl")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("is the first"),
  });
});
