import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLock, formatLock } from "@agentprint/mcp-lock";
import { collect, postgresDatabases } from "@agentprint/testing/trail/backends";
import {
  log,
  openPartitioned,
  options,
  type PartitionedStore,
  thought,
  trust,
} from "@agentprint/testing/trail/partitioned-store";
import { parseCheckpoint, parseNote, verifyInclusionProof } from "@agentprint/trail/checkpoint";
import { TrailStore } from "@agentprint/trail-store";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type RunResult, runCli } from "../support/run-cli.ts";

const databases = postgresDatabases();
const ORIGIN = "t";
const TRUST = ["--origin", ORIGIN, "--key", log.verifierKey];
/** More than a page. */
const DROPPED = 250;
const LEFT = 25;

let directory = "";
let url: string;
let open: PartitionedStore;
let before: Date;

const run = (...args: string[]): Promise<RunResult> => runCli(args, { cwd: directory });

beforeAll(() => databases.start());
afterAll(() => databases.stop());

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-overtaken-"));
  writeFileSync(join(directory, "agentprint.lock"), formatLock(createLock({})));
  writeFileSync(join(directory, "recorder.key"), "11".repeat(32));
  url = await databases.create();
  open = await openPartitioned(url);
  before = await open.endPartition({ [ORIGIN]: DROPPED });
  await collect(open.store.checkpointBefore(before, options));
  await open.store.appendAll(Array.from({ length: LEFT }, (_, nth) => ({ ...thought, id: `left-${nth}` })));
  await open.store.checkpoint(ORIGIN, options(ORIGIN));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await open.close();
  rmSync(directory, { recursive: true });
});

/** Drops the records as soon as a command has read the first page. */
function dropAfterFirstPage(): { readonly times: () => number } {
  let times = 0;
  for (const name of ["read", "exportRows"] as const) {
    const original = TrailStore.prototype[name] as (...args: unknown[]) => AsyncGenerator<never, void>;
    vi.spyOn(TrailStore.prototype, name).mockImplementation(async function* (this: TrailStore, ...args: unknown[]) {
      times++;
      let read = 0;
      for await (const record of original.apply(this, args)) {
        yield record;
        if (++read === 50 && times === 1) await open.store.dropBefore(before, trust);
      }
    });
  }
  return { times: () => times };
}

const RESTARTED: readonly [string, () => string[]][] = [
  ["trail show", () => ["trail", "show", url, ...TRUST]],
  ["trail show --html", () => ["trail", "show", url, ...TRUST, "--html", "run.html"]],
  ["guard log", () => ["guard", "log", "--record", url, "--record-key", "recorder.key"]],
  ["trail export --parquet", () => ["trail", "export", url, "--parquet", "out.parquet"]],
  ["trail prove", () => ["trail", "prove", url, "left-20"]],
  ["evidence", () => ["evidence", "audit.intoto.jsonl", "--trail", url]],
];

test.each(RESTARTED)("%s starts again if a prune overtakes it", async (_command, args) => {
  const reading = dropAfterFirstPage();
  const overtaken = await run(...args());
  expect(reading.times()).toBeGreaterThanOrEqual(2);
  vi.restoreAllMocks();
  const expected = await run(...args());
  expect({ ...overtaken, stderr: "" }).toEqual({ ...expected, stderr: "" });
  expect(overtaken.stderr).not.toContain("overtaken");
});

test("trail verify --event-key reads the events again if a prune overtakes it", async () => {
  const reading = dropAfterFirstPage();
  const { code, stderr } = await run("trail", "verify", url, ...TRUST, "--event-key", "recorder.key");
  expect([code, reading.times(), stderr]).toEqual([0, 2, ""]);
});

const ENDED: readonly [string, () => string[]][] = [
  ["trail export", () => ["trail", "export", url]],
  ["trail export --columns", () => ["trail", "export", url, "--columns"]],
  ["trail show --format json", () => ["trail", "show", url, ...TRUST, "--format", "json"]],
  [
    "guard log --format json",
    () => ["guard", "log", "--record", url, "--record-key", "recorder.key", "--format", "json"],
  ],
];

test.each(ENDED)("%s has written, and ends with overtaken", async (_command, args) => {
  dropAfterFirstPage();
  const { code, stdout, stderr } = await run(...args());
  expect([code, stderr]).toEqual([2, expect.stringContaining("overtaken")]);
  expect(stdout).not.toContain("left-");
});

describe("of a pruned store", () => {
  beforeEach(() => open.store.dropBefore(before, trust));

  test("every record that is left is proven in the tree that was signed", async () => {
    const head = parseCheckpoint(parseNote((await open.store.checkpoints(ORIGIN)).at(-1) ?? "").text);
    const { code, stdout } = await run("trail", "prove", url, "left-20");
    const { recordHash, ...proof } = JSON.parse(stdout);
    expect([code, proof.index, proof.size]).toEqual([0, DROPPED + 20, DROPPED + LEFT]);
    expect(verifyInclusionProof(proof, recordHash, head)).toBe(true);
    const early = await run("trail", "prove", url, "left-20", "--size", String(DROPPED));
    expect(early).toMatchObject({ code: 2, stdout: "" });
  });

  test("evidence is made, and lists the records that it cannot contain", async () => {
    const made = await run("evidence", "audit.intoto.jsonl", "--trail", url);
    expect(made).toMatchObject({ code: 0, stdout: "" });
    expect(made.stderr).toMatch(/^wrote audit\.intoto\.jsonl: 4 parts, not signed\n$/);
    const text = readFileSync(join(directory, "audit.intoto.jsonl"), "utf8");
    const { predicate } = JSON.parse(Buffer.from(JSON.parse(text).payload, "base64").toString());
    expect(predicate.trails).toMatchObject([{ task: ORIGIN, first: DROPPED, checkpoints: [{}, { consistency: {} }] }]);
    const verified = await run(
      "evidence",
      "verify",
      "audit.intoto.jsonl",
      "--log",
      log.verifierKey,
      "--origin",
      ORIGIN,
    );
    expect(verified.code).toBe(2);
    expect(verified.stdout).toContain(`records 0 to ${DROPPED - 1} of task t were dropped, as a checkpoint says`);
    expect(verified.stdout).not.toContain("records-altered");
    expect(verified.stdout).not.toContain("period-cut");
  });

  test("unproven parts are reported", async () => {
    await open.owner.query("alter table checkpoints disable trigger user; delete from checkpoints");
    const proven = await run("trail", "prove", url, "left-20");
    expect(proven).toMatchObject({ code: 2, stdout: "" });
    expect(proven.stderr).toContain(
      `${DROPPED} records of the task were dropped, and no stored checkpoint covers exactly these`,
    );
    const made = await run("evidence", "audit.intoto.jsonl", "--trail", url);
    expect(made.code).toBe(2);
    expect(made.stderr).toContain(`no checkpoint covers the ${DROPPED} dropped records of task t`);
    expect(existsSync(join(directory, "audit.intoto.jsonl"))).toBe(false);
  });

  test("the other commands read it as a complete trail", async () => {
    for (const command of [
      ["trail", "verify", url, ...TRUST, "--event-key", "recorder.key"],
      ["trail", "show", url, ...TRUST, "--event-key", "recorder.key"],
      ["guard", "log", "--record", url, "--record-key", "recorder.key"],
      ["trail", "export", url],
      ["trail", "list", url, "--task", ORIGIN],
    ]) {
      expect(await run(...command)).toMatchObject({ code: 0 });
    }
  });
});
