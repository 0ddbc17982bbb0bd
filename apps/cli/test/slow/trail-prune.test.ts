import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "@agentprint/testing/programs";
import { postgresDatabases } from "@agentprint/testing/trail/backends";
import {
  log,
  openPartitioned,
  other,
  type PartitionedStore,
  thought,
} from "@agentprint/testing/trail/partitioned-store";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunResult, runCli } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";

const databases = postgresDatabases();
const SIGN = ["--origin", "example.com/trail", "--key-file", "secret.key"];
const KEYS = ["--origin", "example.com/trail", "--key", log.verifierKey];

let directory = "";
let url: string;
let open: PartitionedStore;
let before: string;

const trail = (...args: string[]): Promise<RunResult> => runCli(["trail", ...args], { cwd: directory });
const prune = (...args: string[]): Promise<RunResult> => trail("prune", url, "--before", before, ...SIGN, ...args);

async function partitions(): Promise<number> {
  const { rowCount } = await open.owner.query("select from pg_inherits where inhparent = 'thoughts'::regclass");
  return Number(rowCount);
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-prune-"));
  writeFileSync(join(directory, "secret.key"), `${log.signerKey}\n`);
  writeFileSync(join(directory, "other.key"), `${other.signerKey}\n`);
  await databases.start();
});
afterAll(async () => {
  await databases.stop();
  rmSync(directory, { recursive: true });
});

beforeEach(async () => {
  url = await databases.create();
  open = await openPartitioned(url);
  await open.endPartition({ t1: 5, t2: 3 });
  await open.store.append({ ...thought, task_id: "t1" });
  // The command accepts only whole seconds.
  await open.owner.query("select pg_sleep_until(date_trunc('second', clock_timestamp()) + interval '1 s')");
  before = `${(await open.clock()).toISOString().slice(0, 19)}Z`;
});
afterEach(() => open.close());

test("prints and signs the planned drop, and drops records only with --drop", async () => {
  const planned = await prune("--dry-run");
  expect(planned.stdout).toMatch(/^thoughts_old: 8 records, stored from the beginning to 2\S+\nnothing was signed/);
  expect(planned.code).toBe(1);
  expect(await open.store.checkpoints("t1")).toEqual([]);
  const signed = await prune("--format", "json");
  expect(signed.code).toBe(1);
  const report = JSON.parse(signed.stdout);
  expect(report).toMatchObject({
    state: "signed",
    before,
    partitions: [{ name: "thoughts_old", from: null, records: 8 }],
    checkpoints: [{ taskId: "t1" }, { taskId: "t2" }],
  });
  expect(await open.store.checkpoints("t1")).toEqual([report.checkpoints[0].note]);
  expect(await partitions()).toBe(2);
  const dropped = await prune("--drop");
  expect(dropped).toMatchObject({ code: 0, stderr: "" });
  expect(dropped.stdout).toMatch(/\n2 tasks signed up to there; 1 partition dropped\n$/);
  expect(await partitions()).toBe(1);
  expect(await prune("--drop")).toMatchObject({
    code: 0,
    stdout: `no partition ends at or before ${before}: nothing to drop\n`,
  });
  expect(await trail("verify", url, ...KEYS)).toMatchObject({ code: 0 });
  expect((await trail("verify", url, "--origin", "example.com/trail", "--key", other.verifierKey)).code).toBe(1);
});

test("continues where it was killed between the checkpoint and the drop", async () => {
  const reader = await openPartitioned(url);
  await reader.owner.query("begin; lock table thoughts in access share mode");
  const [command, ...prefix] = AGENTPRINT;
  const args = [...prefix, "trail", "prune", url, "--before", before, ...SIGN, "--drop"];
  const child = await startProgram(command, args, { cwd: directory, stdio: "ignore" });
  const waiting = "select from pg_locks where mode = 'AccessExclusiveLock' and not granted";
  while ((await open.owner.query(waiting)).rowCount === 0);
  child.kill("SIGKILL");
  await once(child, "close");
  await reader.close();
  expect(await partitions()).toBe(2);
  expect(await open.store.checkpoints("t1")).toHaveLength(1);
  await open.store.append({ ...thought, task_id: "t1" });
  expect((await trail("verify", url, ...KEYS)).code).toBe(0);
  expect((await prune("--drop")).code).toBe(0);
  expect(await open.store.checkpoints("t1")).toHaveLength(1);
  expect(await open.store.verify()).toMatchObject({ length: 2 });
  expect((await trail("verify", url, ...KEYS)).code).toBe(0);
});

test("accepts an earlier key for the dropped records", async () => {
  expect((await prune("--drop")).code).toBe(0);
  await open.endPartition({ t1: 1 });
  await open.owner.query("select pg_sleep_until(date_trunc('second', clock_timestamp()) + interval '1 s')");
  before = `${(await open.clock()).toISOString().slice(0, 19)}Z`;
  const changed = ["--origin", "example.com/trail", "--key-file", "other.key", "--drop"];
  const again = (...args: string[]): Promise<RunResult> => trail("prune", url, "--before", before, ...changed, ...args);
  expect(await again()).toMatchObject({ code: 2, stderr: expect.stringContaining("not signed") });
  expect(await partitions()).toBe(2);
  expect((await again("--earlier-key", log.verifierKey)).code).toBe(0);
  const keys = ["--origin", "example.com/trail", "--key", other.verifierKey];
  expect((await trail("verify", url, "--task", "t1", ...keys)).code).toBe(0);
});

test.each([
  ["a time in no zone", ["--before", "2026-08-01 00:00:00"], "expected a time in UTC"],
  ["a time of another zone", ["--before", "2026-08-01T00:00:00+02:00"], "expected a time in UTC"],
  ["a day that is none", ["--before", "2026-02-30"], "expected a time in UTC"],
  ["a time that is not over", ["--before", "2999-01-01"], "later than the database's clock"],
  ["both options", ["--drop", "--dry-run"], "cannot be used with"],
  ["no key", ["--key-file", "none.key"], "none.key"],
])("refuses %s, and writes nothing", async (_name, args, message) => {
  const { code, stderr, stdout } = await prune(...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect([await partitions(), await open.store.checkpoints("t1")]).toEqual([2, []]);
});

test("partitions a store that was made without, once", async () => {
  url = await databases.create();
  expect((await trail("append", url, "--task", "t", "--agent", "a", "--type", "plan", "c")).code).toBe(0);
  expect(await prune()).toMatchObject({ code: 2, stderr: expect.stringContaining("agentprint trail partition") });
  const made = await trail("partition", url);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toMatch(/^thoughts_before_partitions: 1 record, which count as stored before 2\S+\n$/);
  expect((await trail("partition", url)).stdout).toBe("the tables are partitioned already\n");
  expect((await trail("partition", url, "--format", "json")).stdout).toBe('{"partition":null}\n');
  expect((await trail("verify", url)).code).toBe(0);
  expect(await trail("partition", "file:none.db")).toMatchObject({ code: 2, stdout: "" });
});

test("reports that a store has no partitions", async () => {
  url = "file:trail.db";
  expect((await trail("append", url, "--task", "t", "--agent", "a", "--type", "plan", "c")).code).toBe(0);
  const bytes = readFileSync(join(directory, "trail.db"));
  expect(await prune("--drop")).toMatchObject({ code: 2, stderr: expect.stringContaining("not partitioned") });
  expect(readFileSync(join(directory, "trail.db"))).toEqual(bytes);
});
