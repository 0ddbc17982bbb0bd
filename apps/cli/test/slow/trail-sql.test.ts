import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import {
  expectedOf,
  KINDS,
  keyOf,
  reportsOf,
  reportsOfOneTask,
  rowsOf,
  type Trail,
  taskIn,
  taskOfFirst,
  trailsOf,
  type Verdicts,
} from "../support/trail-verdicts.ts";

const COUNT = Number(process.env["DAMAGED_TRAILS"] ?? 100);
/** The number of trails in a batch, which DuckDB reads at once. */
const TRAILS = Math.min(COUNT, 500);
const BATCHES = Array.from({ length: COUNT / TRAILS }, (_, i) => i);
const QUERY = readFileSync(new URL("../../../../fixtures/spec/verify-trail.sql", import.meta.url), "utf8");

const COLUMNS = "{store: 'varchar', task: 'varchar', position: 'bigint', line: 'varchar'}";

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

/** The query's verdicts, and the tasks that have a line that is not canonical. */
interface Answer extends Verdicts {
  readonly unjudged: ReadonlySet<string>;
}

async function query(trails: readonly Trail[], taskOf: (line: string, trail: Trail) => string | null): Promise<Answer> {
  const file = join(directory, "rows.ndjson");
  writeFileSync(file, rowsOf(trails, taskOf));
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

const kinds = new Set<string>();

test.each(BATCHES)(`the query reports the same as trail verify on ${TRAILS} damaged trails (%s)`, async (batch) => {
  const trails = trailsOf(TRAILS, batch);
  const { unjudged, ...found } = await query(trails, taskIn);
  const expected = expectedOf(await reportsOf(trails), unjudged);
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
    const { unjudged, ...found } = await query(trails, (_, trail) => taskOfFirst(trail));
    const expected = expectedOf(await reportsOfOneTask(trails), unjudged);
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
