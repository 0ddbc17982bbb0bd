import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { openTrailStore, type ThoughtInput, type TrailStore } from "@agentprint/trail-store";
import Database from "better-sqlite3";
import pg from "pg";
import { v7 } from "uuid";
import { record } from "./corpora.ts";
import type { Comparison, Suite } from "./measure.ts";

type Values = readonly [string, number, string, string, string, string, string, string, string];

/**
 * Inserts rows into a table with the trail store's keys and durability, in transactions of the given number of rows.
 */
type BareInsert = (rows: readonly Values[]) => unknown;

const COLUMNS = ["task_id", "position", "id", "type", "agent_id", "content", "timestamp", "prev_hash", "hash"];
const KEYS = "primary key (task_id, position), unique (id), unique (task_id, prev_hash)";
const BARE_TABLE = `create table bare (${COLUMNS.map((name) => `${name} ${name === "position" ? "bigint" : "text"} not null`).join(", ")}, ${KEYS})`;

let written = 0;
const samples = Array.from({ length: 200 }, (_, index) => record(index + 1));
const sample = (field: string): string => samples[written % samples.length]?.[field] as string;

function thoughts(count: number): ThoughtInput[] {
  return Array.from({ length: count }, () => {
    written++;
    return { type: "decision", task_id: "task-42", agent_id: "planner", content: sample("content") };
  });
}

/** Returns precomputed rows of the same size. */
function rows(count: number): Values[] {
  return thoughts(count).map(({ task_id, type, agent_id, content }) => {
    const position = ++written;
    const hash = `${randomUUID()}${randomUUID()}`.replaceAll("-", "");
    return [task_id, position, v7(), type, agent_id, content, sample("timestamp"), hash, hash];
  });
}

interface Opened {
  readonly store: TrailStore;
  readonly bare: BareInsert;
}

interface Row {
  readonly name: string;
  /** Rows of one transaction. */
  readonly size: number;
  readonly bar: number;
  readonly append: (store: TrailStore, inputs: readonly ThoughtInput[]) => Promise<unknown>;
}

const appendAll: Row["append"] = (store, inputs) => store.appendAll(inputs);
const appendEach: Row["append"] = (store, inputs) => Promise.all(inputs.map((input) => store.append(input)));

const ROWS: readonly Row[] = Object.freeze([
  { name: "one by one", size: 1, bar: 0.5, append: appendAll },
  { name: "batches of 100", size: 100, bar: 0.6, append: appendAll },
  { name: "64 appends together", size: 64, bar: 0.4, append: appendEach },
]);

function rowsOf(database: string, open: () => Promise<Opened | undefined>): (() => Promise<Comparison | undefined>)[] {
  return ROWS.map(({ name, size, bar, append }) => async () => {
    const opened = await open();
    return (
      opened && {
        name: `${database}, ${name}`,
        reference: "bare INSERT",
        ours: "agentprint",
        bar,
        contenders: {
          agentprint: () => append(opened.store, thoughts(size)),
          "bare INSERT": () => opened.bare(rows(size)),
        },
      }
    );
  });
}

async function openSqlite(): Promise<Opened> {
  const directory = mkdtempSync(join(tmpdir(), "trail-bench-"));
  cleaning.push(() => rmSync(directory, { recursive: true }));
  const database = new Database(join(directory, "bare.db"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec(BARE_TABLE);
  const insert = database.prepare(`insert into bare values (${COLUMNS.map(() => "?").join(", ")})`);
  const insertAll = database.transaction((batch: readonly Values[]) => {
    for (const row of batch) insert.run(row);
  });
  const store = await openTrailStore(`file:${join(directory, "trail.db")}`);
  cleaning.push(
    () => database.close(),
    () => store.close(),
  );
  return { store, bare: (batch) => insertAll.immediate(batch) };
}

async function openPostgres(server: PostgresServer): Promise<Opened> {
  const url = await server.createDatabase("bench");
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {}); // the server may be stopped before a connection of the pool is gone
  await pool.query(BARE_TABLE);
  const store = await openTrailStore(url);
  // The parameters are arrays, because a statement with one parameter per value takes longer.
  const arrays = COLUMNS.map((name, column) => `$${column + 1}::${name === "position" ? "bigint" : "text"}[]`);
  const statement = `insert into bare select * from unnest(${arrays.join(", ")})`;
  const insert = (batch: readonly Values[]): Promise<unknown> =>
    pool.query(
      statement,
      COLUMNS.map((_, column) => batch.map((row) => row[column])),
    );
  cleaning.push(
    () => pool.end(),
    () => store.close(),
  );
  return { store, bare: insert };
}

const cleaning: (() => unknown)[] = [];

export const appendSuite: Suite = {
  title: "Appending to a trail (a bare INSERT of precomputed rows, with the same keys and transactions = 1)",
  comparisons: () => [...rowsOf("SQLite", openSqlite), ...rowsOf("PostgreSQL", openPostgresIfItStarts)],
  close: async () => {
    for (const clean of cleaning.splice(0).reverse()) await clean();
  },
};

async function openPostgresIfItStarts(): Promise<Opened | undefined> {
  try {
    const server = await startPostgres({ durable: true });
    cleaning.push(() => server.stop());
    return await openPostgres(server);
  } catch (error) {
    console.log(`skipped: PostgreSQL, which did not start: ${(error as Error).message}\n`);
    return undefined;
  }
}
