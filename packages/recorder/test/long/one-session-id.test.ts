import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { startProgram } from "@agentprint/testing/programs";
import { parseThoughtLines, verifyThoughtLines } from "@agentprint/trail/chain";
import { openTrailStore } from "@agentprint/trail-store";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readEvents, type TrailEntry } from "../../src/index.ts";
import { fileNameOf } from "../../src/sink/file-name.ts";
import { collect, SECRET, temporaryFolder } from "../support.ts";

const WRITER = fileURLToPath(new URL("record-as-model.ts", import.meta.url));
const LIMIT = { timeout: 60_000, interval: 10 };
/** Ids that read like other names, or like each other. */
const IDS = ["s", "S", "s.open", "s.1-0000000a-0.open", "s.jsonl", "con", "S.told", "s.00000001"] as const;

/** The number of runs of each test, in addition to the examples. */
const RUNS = Number(process.env["RECORDER_MODEL_RUNS"] ?? 2);
/**
 * The ways in which a process that was not killed may end. A process that is suspended within a transaction keeps other
 * processes out of its database.
 */
const ENDS: (string | undefined)[] = ["session-exists", "taken-over"];
const ENDS_AT_DATABASE: (string | undefined)[] = [...ENDS, "unavailable"];

type Id = (typeof IDS)[number];
type Step =
  | { readonly does: "start"; readonly slot: number; readonly id: Id }
  | { readonly does: "kill" | "stop" | "continue" | "record"; readonly slot: number }
  | { readonly does: "age" };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("start"), slot: fc.nat(2), id: fc.constantFrom(...IDS) }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constantFrom("kill", "stop", "continue", "record"), slot: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("age") }) },
) as fc.Arbitrary<Step>;

/** The running processes. */
const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** A process that records one session. */
class Writer {
  readonly #child: ChildProcess;
  readonly id: Id;
  #text = "";
  isStopped = false;
  isOver = false;

  private constructor(child: ChildProcess, id: Id) {
    this.#child = child;
    this.id = id;
    this.#child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      this.#text += chunk;
    });
    running.add(this.#child);
    this.#child.once("close", () => {
      this.isOver = true;
      running.delete(this.#child);
    });
  }

  static async start(store: string, id: Id, slot: number): Promise<Writer> {
    // The third process is on another machine.
    const args = ["--conditions=@agentprint/source", WRITER, store, id, slot === 2 ? "elsewhere" : ""];
    return new Writer(await startProgram(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] }), id);
  }

  /** Returns the complete lines that the process printed; the last line may be partial. */
  get lines(): string[] {
    return this.#text.split("\n").slice(0, -1);
  }

  get error(): string | undefined {
    return this.lines.find((line) => line.startsWith("error "))?.slice("error ".length);
  }

  /** Returns the acknowledged records: id and tool. */
  get acknowledged(): (readonly [string, string])[] {
    return this.lines
      .filter((line) => line.includes(" ") && !line.startsWith("error "))
      .map((line) => line.split(" ") as [string, string]);
  }

  /** Waits until the process has recorded more, or has ended. */
  async recordMore(): Promise<void> {
    if (this.isStopped) return;
    const wanted = this.lines.length + 20;
    await expect.poll(() => this.isOver || this.lines.length >= wanted, LIMIT).toBe(true);
  }

  stop(): void {
    if (!this.isOver) this.isStopped = this.#child.kill("SIGSTOP");
  }

  continue(): void {
    this.#child.kill("SIGCONT");
    this.isStopped = false;
  }

  async kill(): Promise<void> {
    if (this.isOver) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "close");
  }
}

/**
 * Runs the steps; returns all started processes, with the last ones killed. In a database, a process that is suspended
 * within a transaction keeps the others from writing, so nothing waits for their records until it continues.
 */
async function walk(store: string, steps: readonly Step[], age?: () => void): Promise<readonly Writer[]> {
  const isDatabase = age === undefined;
  const all: Writer[] = [];
  const slots: (Writer | undefined)[] = [];
  for (const step of steps) {
    if (step.does === "age") age?.();
    else if (step.does === "start") {
      await slots[step.slot]?.kill();
      const writer = await Writer.start(store, step.id, step.slot);
      slots[step.slot] = writer;
      all.push(writer);
      await expect.poll(() => writer.isOver || writer.lines.length > 0, LIMIT).toBe(true);
    } else if (step.does === "record") {
      if (!isDatabase || !slots.some((writer) => writer?.isStopped)) await slots[step.slot]?.recordMore();
    } else await slots[step.slot]?.[step.does]();
  }
  for (const writer of slots) writer?.continue();
  for (const writer of slots) await writer?.recordMore();
  for (const writer of slots) await writer?.kill();
  return all;
}

/** Expects each acknowledged record in its session's chain, in the form in which the process recorded it. */
function checkAll(
  writers: readonly Writer[],
  entriesOf: ReadonlyMap<string, readonly TrailEntry[]>,
  ends: readonly (string | undefined)[] = ENDS,
): void {
  for (const { id, error, acknowledged } of writers) {
    if (error !== undefined) expect(ends).toContain(error);
    const tools = new Map<string, unknown>();
    for (const entry of entriesOf.get(id) ?? []) {
      // A chain has only one writer, so nothing in it is repeated, missing, or from another process.
      expect(["event", "not-ended"]).toContain(entry.is);
      if (entry.is === "event") tools.set(entry.record.id, entry.event.tool);
    }
    expect(acknowledged.filter(([record, tool]) => tools.get(record) !== tool)).toEqual([]);
  }
  // A name is accepted once, and refused only if it was taken.
  const taken = writers
    .filter(({ error, lines }) => lines[0] === "begun" || error === "taken-over")
    .map(({ id }) => id);
  expect(new Set(taken).size).toBe(taken.length);
  for (const { id, error } of writers) if (error === "session-exists") expect(taken).toContain(id);
}

const STEPS = fc
  .array(STEP, { minLength: 4, maxLength: 14 })
  .map((steps): Step[] => [{ does: "start", slot: 0, id: "s" }, { does: "record", slot: 0 }, ...steps]);
/** The steps that every run includes: a session taken over while suspended, and a process killed and started again. */
const EXAMPLES: [Step[]][] = [
  [
    [
      { does: "start", slot: 0, id: "s" },
      { does: "start", slot: 1, id: "s" },
      { does: "record", slot: 0 },
      { does: "stop", slot: 0 },
      { does: "age" },
      { does: "start", slot: 2, id: "S" },
      { does: "continue", slot: 0 },
      { does: "record", slot: 0 },
      { does: "start", slot: 1, id: "s" },
    ],
  ],
  [
    [
      { does: "start", slot: 0, id: "s" },
      { does: "record", slot: 0 },
      { does: "start", slot: 2, id: "S" },
      { does: "record", slot: 0 },
      { does: "kill", slot: 0 },
      { does: "start", slot: 0, id: "s" },
      { does: "start", slot: 1, id: "s.1-0000000a-0.open" },
      { does: "start", slot: 2, id: "s" },
    ],
  ],
];

test("three processes, whatever their sessions are called, replace no record in a folder that one was acknowledged", async () => {
  let takenOver = 0;
  const run = async (steps: readonly Step[]): Promise<void> => {
    const store = temporaryFolder();
    const inodes = new Map<string, number>();
    const age = (): void => {
      for (const name of readdirSync(store)) {
        if (name.endsWith(".jsonl")) inodes.set(name, statSync(join(store, name)).ino);
        if (name.endsWith(".open")) utimesSync(join(store, name), new Date(), new Date(Date.now() - 600_000));
      }
    };
    const writers = await walk(store, steps, age);
    const entries = new Map<string, TrailEntry[]>();
    for (const id of new Set(writers.map((writer) => writer.id))) {
      const path = join(store, `${fileNameOf(id)}.jsonl`);
      // After the acknowledged records, there may be a partial line, which the next start removes.
      const text = readFileSync(path);
      const whole = [text.subarray(0, text.lastIndexOf(0x0a) + 1)];
      expect((await verifyThoughtLines(whole)).problems).toEqual([]);
      entries.set(id, await collect(readEvents(parseThoughtLines(whole), { keys: [SECRET] })));
    }
    for (const [name, inode] of inodes) expect(statSync(join(store, name)).ino).toBe(inode);
    checkAll(writers, entries);
    takenOver += writers.filter(({ error }) => error === "taken-over").length;
  };
  await fc.assert(fc.asyncProperty(STEPS, run), {
    numRuns: RUNS + EXAMPLES.length,
    examples: EXAMPLES,
    endOnFailure: true,
  });
  expect(takenOver).toBeGreaterThan(0);
});

describe.each(["SQLite", "PostgreSQL"])("in %s", (dialect) => {
  let server: PostgresServer | undefined;
  let databases = 0;
  beforeAll(async () => {
    if (dialect === "PostgreSQL") server = await startPostgres({ durable: false });
  });
  afterAll(() => server?.stop());

  test("three processes, whatever their sessions are called, replace no record that one was acknowledged", async () => {
    let acknowledged = 0;
    const run = async (steps: readonly Step[]): Promise<void> => {
      const store =
        (await server?.createDatabase(`model_${databases++}`)) ?? `file:${join(temporaryFolder(), "trail.db")}`;
      const writers = await walk(store, steps);
      const trails = await openTrailStore(store);
      expect((await trails.verify()).ok).toBe(true);
      const entries = new Map<string, TrailEntry[]>();
      for (const { id } of writers) {
        entries.set(id, await collect(readEvents(trails.read(id), { keys: [SECRET] })));
      }
      await trails.close();
      checkAll(writers, entries, ENDS_AT_DATABASE);
      for (const writer of writers) acknowledged += writer.acknowledged.length;
    };
    await fc.assert(fc.asyncProperty(STEPS, run), {
      numRuns: RUNS + EXAMPLES.length,
      examples: EXAMPLES,
      endOnFailure: true,
    });
    expect(acknowledged).toBeGreaterThan(0);
  });
});
