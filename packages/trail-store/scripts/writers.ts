// Measures the records per second that many writers store in one PostgreSQL server, compared with a bare INSERT of the
// same rows through the same driver. After each run, verifies every chain and checks that every acknowledged record is
// there. Usage: writers.ts [--writers 1,2,…] [--seconds <n>] [--rounds <n>] [--write]: --write puts the table into
// README.md.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type pg from "pg";
import { openPool } from "../src/database/postgres-pool.ts";
import { THOUGHT_COLUMNS } from "../src/database/schema.ts";
import { openTrailStore, type TrailStore } from "../src/index.ts";
import { step, withDatabases } from "./harness.ts";

const README = fileURLToPath(new URL("../README.md", import.meta.url));
/** The fraction of the highest rate above which more writers add little. */
const MOST = 0.8;
const CONTENT = "The migration needs a lock on the table of orders; it is planned for the night. ".repeat(3);
const BARE = `create table bare (task_id text, position bigint, id text, type text, agent_id text, content text, timestamp text,
  prev_hash text, hash text, primary key (task_id, position), unique (id, task_id), unique (task_id, prev_hash))`;
const INSERT = `insert into bare (${THOUGHT_COLUMNS.join()}) select * from unnest(${THOUGHT_COLUMNS.map(
  (column, index) => `$${index + 1}::${column === "position" ? "bigint" : "text"}[]`,
).join()})`;

const { values } = parseArgs({
  options: {
    writers: { type: "string", default: "1,2,4,8,16,32,64" },
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "3" },
    write: { type: "boolean", default: false },
  },
});

interface Setting {
  readonly name: string;
  readonly tasks: 1 | "each";
  readonly stores: 1 | "each";
  readonly partitioned?: boolean;
}

/** How the writers are arranged: several stores, each with its own connection, or several callers of one store. */
const SETTINGS: readonly Setting[] = [
  { name: "a store each, one task", tasks: 1, stores: "each" },
  { name: "a store each, a task each", tasks: "each", stores: "each" },
  { name: "the same, partitioned", tasks: "each", stores: "each", partitioned: true },
  { name: "one store, one task", tasks: 1, stores: 1 },
  { name: "one store, a task each", tasks: "each", stores: 1 },
];
type Row = Readonly<Record<(typeof THOUGHT_COLUMNS)[number], string | number>>;

/** Appends in `writers` loops until the time is over; returns the acknowledged ids and the time taken. */
async function append(
  url: string,
  { tasks, stores, partitioned = false }: Setting,
  writers: number,
): Promise<[string[], number]> {
  const opened: TrailStore[] = [];
  for (let count = stores === "each" ? writers : stores; count > 0; count--)
    opened.push(await openTrailStore(url, { partitioned }));
  const acknowledged: string[] = [];
  const [start, end] = [performance.now(), performance.now() + Number(values.seconds) * 1000];
  const loops = Array.from({ length: writers }, async (_, writer) => {
    const store = opened[writer % opened.length] as TrailStore;
    const task_id = `task-${tasks === "each" ? writer : 0}`;
    while (performance.now() < end) {
      acknowledged.push(
        (await store.append({ type: "plan", task_id, agent_id: `writer-${writer}`, content: CONTENT })).id,
      );
    }
  });
  await Promise.all(loops);
  const took = performance.now() - start;
  await Promise.all(opened.map((store) => store.close()));
  return [acknowledged, took];
}

/** Asserts that no chain forks and no acknowledged record is lost. */
async function check(url: string, acknowledged: readonly string[]): Promise<void> {
  const store = await openTrailStore(url, { create: false });
  const { ok, length } = await store.verify();
  assert.ok(ok, "a chain is broken");
  assert.equal(length, acknowledged.length);
  const ids = new Set<string>();
  for await (const { taskId } of store.tasks()) for await (const { id } of store.read(taskId)) ids.add(id);
  await store.close();
  assert.deepEqual(
    acknowledged.filter((id) => !ids.has(id)),
    [],
    "acknowledged records are lost",
  );
}

/** Inserts the store's rows again, one by one from `writers` connections; returns how long that took. */
async function insertBare(url: string, writers: number): Promise<number> {
  const pool = openPool(url, { max: writers, application_name: "bare" });
  await pool.query(BARE);
  const { rows } = await pool.query<Row>(`select ${THOUGHT_COLUMNS.join()} from thoughts order by position`);
  const clients: pg.PoolClient[] = [];
  for (let count = 0; count < writers; count++) clients.push(await pool.connect());
  const start = performance.now();
  let next = 0;
  const loops = clients.map(async (client) => {
    for (let row = rows[next++]; row !== undefined; row = rows[next++]) {
      await client.query(
        INSERT,
        THOUGHT_COLUMNS.map((column) => [row?.[column]]),
      );
    }
    client.release();
  });
  await Promise.all(loops);
  const took = performance.now() - start;
  await pool.end();
  return took;
}

/** Returns the smallest number of writers that reaches most of the highest rate. */
function bendOf(counts: readonly number[], rates: readonly number[]): string {
  return String(counts[rates.findIndex((rate) => rate >= MOST * Math.max(...rates))]);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

const load = loadavg()[0]?.toFixed(0);
const counts = values.writers.split(",").map(Number);
const runs: { readonly setting: Setting; readonly writers: number; readonly rate: number; readonly share: number }[] =
  [];

await withDatabases(async ({ server }) => {
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, setting] of SETTINGS.entries()) {
      for (const writers of counts) {
        await step(`${setting.name}, ${writers} writers`, async () => {
          const url = await server.createDatabase(`writers_${round}_${index}_${writers}`);
          const [acknowledged, took] = await append(url, setting, writers);
          await check(url, acknowledged);
          const [rate, share] = [(acknowledged.length / took) * 1000, (await insertBare(url, writers)) / took];
          runs.push({ setting, writers, rate, share });
          return `${acknowledged.length} records, ${rate.toFixed(0)} a second, ${share.toFixed(2)} of a bare INSERT`;
        });
      }
    }
  }
});

const table = SETTINGS.map((setting) => {
  const middles = counts.map((count) => {
    const own = runs.filter((run) => run.setting === setting && run.writers === count);
    return { rate: median(own.map(({ rate }) => rate)), share: median(own.map(({ share }) => share)) };
  });
  const cells = middles.map(({ rate, share }) => `${rate.toFixed(0)} (${share.toFixed(2)})`);
  return [
    setting.name,
    ...cells,
    bendOf(
      counts,
      middles.map(({ rate }) => rate),
    ),
  ];
});
const rows = [["records a second", ...counts.map(String), "bends at"], ...table];
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
const [head, ...lines] = rows.map(
  (cells) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`,
);
const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
const text = [head, `| ${rule.join(" | ")} |`, ...lines].join("\n");
const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores with a load of ${load}, Node ${process.versions.node}`;
const how = `medians of ${values.rounds} interleaved rounds of ${values.seconds} s`;
const said = `${text}\n\nMeasured on ${new Date().toISOString().slice(0, 10)} (${machine}; ${how}); \`pnpm test:long writers\` writes this table.`;
console.log(said);
if (values.write) {
  const readme = readFileSync(README, "utf8");
  writeFileSync(README, readme.replace(/(?<=<!-- writers -->\n).*?(?=<!-- end of writers -->)/s, `\n${said}\n\n`));
}
