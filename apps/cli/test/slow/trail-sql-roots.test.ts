import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createThought, formatThoughtLine, verifyChain } from "@agentprint/trail/chain";
import type { TreeHead } from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chainOf, headsOf } from "../support/tree-heads.ts";

const LEAVES = Number(process.env["TRAIL_LEAVES"] ?? 5_003);
const QUERIES = ["verify-trail.sql", "verify-checkpoints.sql"].map((name) =>
  readFileSync(new URL(`../../../../fixtures/spec/${name}`, import.meta.url), "utf8"),
);

let directory = "";
let duckdb: DuckDBConnection;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-roots-"));
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => {
  duckdb.closeSync();
  rmSync(directory, { recursive: true });
});

async function load(table: string, columns: string, rows: readonly object[]): Promise<void> {
  const file = join(directory, `${table}.ndjson`);
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await duckdb.run(
    `create or replace table ${table} as from read_json('${file}', format = 'newline_delimited', columns = {store: 'varchar', task: 'varchar', ${columns}})`,
  );
}

/** Returns the outcomes of the checkpoints, by size, as one character each. */
async function outcomes(lines: readonly string[], heads: readonly TreeHead[]): Promise<string[]> {
  const place = { store: "s", task: "t" };
  await load(
    "trail_lines",
    "position: 'bigint', line: 'varchar'",
    lines.map((line, position) => ({ ...place, position, line })),
  );
  const checkpoints = heads.map(({ size, rootHash }) => ({ ...place, size, root: rootHash }));
  await load("trail_checkpoints", "size: 'bigint', root: 'varchar'", checkpoints);
  for (const query of QUERIES) await duckdb.run(query);
  const rows = await duckdb.runAndReadAll("select outcome from trail_roots order by size");
  return rows.getRowsJson().map(([outcome]) => String(outcome));
}

const linesOf = (records: readonly ThoughtRecord[]): string[] =>
  records.map((record) => formatThoughtLine(record).trimEnd());

/** Returns the kinds of problem that a verifier finds if only the checkpoints are wrong. */
async function kindsOf(records: readonly ThoughtRecord[], checkpoints: readonly TreeHead[]): Promise<string[]> {
  const { problems } = await verifyChain(records, { taskId: "t", checkpoints });
  return problems.map(({ kind }) => kind);
}

const RECORDS = chainOf(1_025);
const HEADS = headsOf(RECORDS);

test("the query returns the root of each size from 0 to 1,025, or of the sizes around full and half trees", async () => {
  const heads = HEADS.filter(({ size }) => LEAVES > 100_000 || size <= 65 || (size + 1) % 64 < 3);
  expect(await outcomes(linesOf(RECORDS), heads)).toEqual(heads.map(() => "same"));
});

test("the query finds a damaged leaf, a history that was rewritten and a cut end", async () => {
  const heads = HEADS.filter(({ size }) => size % 41 === 0);
  const damaged = RECORDS.with(700, { ...RECORDS[700], hash: "f".repeat(64) } as ThoughtRecord);
  const expected = heads.map(({ size }) => (size > 700 ? "rewritten" : "same"));
  expect(await outcomes(linesOf(damaged), heads)).toEqual(expected);
  expect(await kindsOf(damaged, heads)).toContain("rewritten");

  const fields = { type: "plan", task_id: "t", agent_id: "a", content: "new" } as const;
  const anew = RECORDS.slice(0, 400);
  while (anew.length < 900)
    anew.push(createThought(fields, anew.at(-1) ?? null, { now: "2026-01-01", id: `n${anew.length}` }));
  expect(await outcomes(linesOf(anew), heads)).toEqual(
    heads.map(({ size }) => (size > 900 ? "truncated" : size > 400 ? "rewritten" : "same")),
  );
  expect((await kindsOf(anew, heads)).sort()).toEqual(["rewritten", "truncated"]);
});

test("the query leaves a task with a line that is not canonical to the command", async () => {
  const lines = linesOf(RECORDS.slice(0, 3)).with(1, "{}");
  expect(await outcomes(lines, HEADS.slice(0, 4))).toEqual(Array(4).fill("not-canonical"));
});

test(`the query returns the root of ${LEAVES} records, and finds a changed one`, async () => {
  const records = chainOf(LEAVES);
  const head = headsOf(records).slice(-1);
  const lines = linesOf(records);
  expect(await outcomes(lines, head)).toEqual(["same"]);
  const at = LEAVES >> 1;
  const changed = { ...records[at], hash: "0".repeat(64) } as ThoughtRecord;
  expect(await outcomes(lines.with(at, formatThoughtLine(changed).trimEnd()), head)).toEqual(["rewritten"]);
});
