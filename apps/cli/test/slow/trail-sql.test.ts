import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChainReport, parseThoughtLines, verifyChain } from "@agentprint/trail/chain";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { damagedLines } from "../support/damaged-trails.ts";
import { runCli } from "../support/run-cli.ts";

const COUNT = Number(process.env["DAMAGED_TRAILS"] ?? 100);
/** The trails of one batch, which DuckDB reads at once. */
const TRAILS = Math.min(COUNT, 500);
const BATCHES = Array.from({ length: COUNT / TRAILS }, (_, i) => i);
const QUERY = readFileSync(new URL("../../../../fixtures/spec/verify-trail.sql", import.meta.url), "utf8");

const COLUMNS = "{store: 'varchar', task: 'varchar', position: 'bigint', line: 'varchar'}";
const KINDS = ["altered", "broken-link", "duplicate", "foreign-task", "fork", "missing-genesis", "second-genesis"];

let directory = "";
let duckdb: DuckDBConnection;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-sql-"));
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => {
  duckdb.closeSync();
  rmSync(directory, { recursive: true });
});

interface Trail {
  /** The column `store` of its rows. */
  readonly store: string;
  readonly lines: readonly string[];
}

/** The findings and the heads of the query, each as one text, and the tasks with a line that is not canonical. */
interface Answer {
  readonly findings: string[];
  readonly heads: string[];
  readonly unjudged: ReadonlySet<string>;
}

const keyOf = (store: unknown, task: unknown): string => JSON.stringify([store, task]);

async function query(trails: readonly Trail[], taskOf: (line: string, trail: Trail) => string | null): Promise<Answer> {
  const file = join(directory, "rows.ndjson");
  const rows = trails.flatMap((trail) =>
    trail.lines.map((line, position) => ({ store: trail.store, task: taskOf(line, trail), position, line })),
  );
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await duckdb.run(`create or replace table trail_lines as from read_json('${file}', columns = ${COLUMNS})`);
  await duckdb.run(QUERY);
  const all = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowsJson();
  const findings = await all("select store, task, index::int, kind from trail_findings");
  const heads = await all("select store, task, records::int, head from trail_heads where not_canonical = 0");
  const unjudged = await all("select store, task from trail_heads where not_canonical > 0");
  return {
    findings: findings.filter(([, , , kind]) => kind !== "not-canonical").map((row) => JSON.stringify(row)),
    heads: heads.map((row) => JSON.stringify(row)),
    unjudged: new Set(unjudged.map(([store, task]) => keyOf(store, task))),
  };
}

type Chain = Pick<ChainReport, "taskId" | "length" | "head" | "problems">;

/** The reports of a verifier in the form of the query's rows, without the tasks that the query leaves to it. */
function expectedOf(
  reports: readonly (readonly [string, readonly Chain[]])[],
  unjudged: ReadonlySet<string>,
): Pick<Answer, "findings" | "heads"> {
  const judged = reports.flatMap(([store, chains]) =>
    chains
      .filter(({ taskId }) => taskId !== null && !unjudged.has(keyOf(store, taskId)))
      .map((chain) => ({ store, ...chain })),
  );
  return {
    findings: judged.flatMap(({ store, taskId, problems }) =>
      problems.map(({ index, kind }) => JSON.stringify([store, taskId, index, kind])),
    ),
    heads: judged.map(({ store, taskId, length, head }) => JSON.stringify([store, taskId, length, head])),
  };
}

function taskIn(line: string): string | null {
  try {
    return JSON.parse(line).task_id ?? null;
  } catch {
    return null;
  }
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const trailsOf = (count: number, seed: number): Trail[] =>
  fc.sample(damagedLines, { numRuns: count, seed }).map((lines, i) => ({ lines, store: String(i) }));

const kinds = new Set<string>();

test.each(BATCHES)(`the query says of ${TRAILS} damaged trails what trail verify says (%s)`, async (batch) => {
  const trails = trailsOf(TRAILS, batch);
  const { unjudged, ...found } = await query(trails, taskIn);
  const reports: [string, Chain[]][] = [];
  for (const { store, lines } of trails) {
    const { stdout } = await runCli(["trail", "verify", "--format", "json"], { stdin: textOf(lines) });
    reports.push([store, JSON.parse(stdout).chains]);
  }
  const expected = expectedOf(reports, unjudged);
  expect(found.findings.sort()).toEqual(expected.findings.sort());
  expect(found.heads.sort()).toEqual(expected.heads.sort());
  for (const finding of found.findings) kinds.add(JSON.parse(finding)[3]);
  expect(unjudged.size).toBeGreaterThan(TRAILS / 20);
});

test.each(BATCHES.slice(0, 2))(
  "records of another task are foreign where the column names the task (%s)",
  async (batch) => {
    const trails = trailsOf(TRAILS, -1 - batch).filter(
      ({ lines }) => lines[0] !== undefined && taskIn(lines[0]) !== null,
    );
    const taskOf = (trail: Trail): string => taskIn(trail.lines[0] ?? "") ?? "";
    const { unjudged, ...found } = await query(trails, (_, trail) => taskOf(trail));
    const reports = trails.map(async (trail): Promise<[string, Chain[]]> => {
      const lines = parseThoughtLines([Buffer.from(textOf(trail.lines))]);
      return [trail.store, [await verifyChain(lines, { taskId: taskOf(trail) })]];
    });
    const expected = expectedOf(await Promise.all(reports), unjudged);
    expect(found.findings.sort()).toEqual(expected.findings.sort());
    expect(found.heads.sort()).toEqual(expected.heads.sort());
    for (const finding of found.findings) kinds.add(JSON.parse(finding)[3]);
  },
);

test("every kind of finding was compared", () => {
  expect([...kinds].sort()).toEqual(KINDS);
});

test("the query reads what trail export writes, as rows and as Parquet", async () => {
  const url = `file:${join(directory, "trail.db")}`;
  const trail = (...args: string[]) => runCli(["trail", ...args], { cwd: directory });
  const thought = ["--task", 'a"\\é', "--agent", "planner", "--type", "plan"];
  for (const content of ["Migrate.", '\u0001"😀'.repeat(200_000), ""]) await trail("append", url, content, ...thought);
  const rows = await trail("export", url, "--columns");
  writeFileSync(join(directory, "trail.ndjson"), rows.stdout);
  expect(await trail("export", url, "--parquet", "trail.parquet")).toEqual({ code: 0, stdout: "", stderr: "" });
  const text = `read_json('${directory}/trail.ndjson', columns = ${COLUMNS})`;
  for (const source of [text, `'${directory}/trail.parquet'`]) {
    await duckdb.run(`create or replace table trail_lines as from ${source}`);
    await duckdb.run(QUERY);
    expect((await duckdb.runAndReadAll("from trail_findings")).getRowsJson()).toEqual([]);
    const heads = await duckdb.runAndReadAll(
      "select store, task, records::int, not_canonical::int, head from trail_heads",
    );
    const lines = (await trail("export", url)).stdout.trimEnd().split("\n");
    const head = JSON.parse(lines.at(-1) ?? "").hash;
    expect(heads.getRowsJson()).toEqual([[url, 'a"\\é', 3, 0, head]]);
    const stored = await duckdb.runAndReadAll("select line from trail_lines order by position");
    expect(stored.getRowsJson().flat()).toEqual(lines);
  }
});
