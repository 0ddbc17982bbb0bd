import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf } from "@agentprint/testing/programs";
import { formatThoughtLine } from "@agentprint/trail/chain";
import type { ThoughtRecord } from "@agentprint/trail/record";
import { afterAll, describe, expect, test } from "vitest";
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
} from "../support/trail-verdicts.ts";
import { chainOf, headsOf } from "../support/tree-heads.ts";

/** A Python interpreter in which the port is installed with its extra `spark`. */
const PYTHON = process.env["SPARK_PYTHON"];
const COUNT = Number(process.env["DAMAGED_TRAILS"] ?? 300);
/** The number of trails in a batch, which Spark reads at once. */
const TRAILS = Math.min(COUNT, 1000);
const BATCHES = Array.from({ length: COUNT / TRAILS }, (_, i) => i);
const SCRIPT = fileURLToPath(new URL("../../../../fixtures/ports/python/tests/spark_verdicts.py", import.meta.url));

const directory = mkdtempSync(join(tmpdir(), "agentprint-spark-"));
afterAll(() => rmSync(directory, { recursive: true }));

interface SparkVerdicts {
  readonly findings: readonly [store: string, task: string, index: number, kind: string][];
  readonly heads: readonly [store: string, task: string, records: number, notCanonical: number, head: string | null][];
  readonly roots: readonly [store: string, task: string, size: number, outcome: string][];
}

/** Has Spark judge rows and checkpoints in JSON Lines. */
function askSpark(rows: string, checkpoints: readonly object[]): SparkVerdicts {
  const files = [join(directory, "rows.ndjson"), join(directory, "checkpoints.ndjson")] as const;
  writeFileSync(files[0], rows);
  writeFileSync(files[1], checkpoints.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const output = outputOf(PYTHON ?? "", [SCRIPT, ...files], {
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output);
}

/** Returns a trail of 700 records in the store of this name, with checkpoints at sizes around full and half trees. */
function trailWithCheckpoints(store: string): { trail: Trail; checkpoints: object[]; sizes: number[] } {
  const records = chainOf(700);
  const heads = headsOf(records).filter(({ size }) => size <= 33 || (size + 1) % 64 < 3);
  const cut = store === "cut" ? records.slice(0, 300) : records;
  const changed = { ...records[200], hash: "f".repeat(64) } as ThoughtRecord;
  const lines = (store === "damaged" ? cut.with(200, changed) : cut).map((record) =>
    formatThoughtLine(record).trimEnd(),
  );
  const checkpoints = heads.map(({ size, rootHash }) => ({ store, task: "t", size, root: rootHash }));
  return { trail: { store, lines }, checkpoints, sizes: heads.map(({ size }) => size) };
}

describe.skipIf(PYTHON === undefined)("Spark (skipped where SPARK_PYTHON names no Python with pyspark)", () => {
  test.each(BATCHES)(
    `reports the same as trail verify on ${TRAILS} damaged trails and on checkpoints (%s)`,
    async (batch) => {
      const trails = trailsOf(TRAILS, batch);
      const ofOneTask = trailsOf(TRAILS, -1 - batch)
        .filter(({ lines }) => lines[0] !== undefined && taskIn(lines[0]) !== null)
        .map((trail) => ({ ...trail, store: `one task, ${trail.store}` }));
      const stores = ["whole", "damaged", "cut"].map(trailWithCheckpoints);
      const rows = [
        rowsOf(trails, taskIn),
        rowsOf(ofOneTask, (_, trail) => taskOfFirst(trail)),
        rowsOf(
          stores.map(({ trail }) => trail),
          taskIn,
        ),
      ].join("");
      const answer = askSpark(
        rows,
        stores.flatMap(({ checkpoints }) => checkpoints),
      );

      const unjudged = new Set(
        answer.heads.filter(([, , , bad]) => bad > 0).map(([store, task]) => keyOf(store, task)),
      );
      const reports = [...(await reportsOf(trails)), ...(await reportsOfOneTask(ofOneTask))];
      const expected = expectedOf(reports, unjudged);
      const isCompared = ([store, task]: readonly unknown[]): boolean =>
        task !== null && !stores.some(({ trail }) => trail.store === store);
      const findings = answer.findings.filter((row) => row[3] !== "not-canonical" && isCompared(row));
      const heads = answer.heads.filter((row) => row[3] === 0 && isCompared(row));
      expect(findings.map((row) => JSON.stringify(row)).sort()).toEqual(expected.findings.sort());
      expect(
        heads.map(([store, task, records, , head]) => JSON.stringify([store, task, records, head])).sort(),
      ).toEqual(expected.heads.sort());
      expect([...new Set(findings.map((row) => row[3]))].sort()).toEqual(KINDS);
      expect(unjudged.size).toBeGreaterThan(TRAILS / 20);

      const outcomes = Object.fromEntries(
        answer.roots.map(([store, , size, outcome]) => [`${store} ${size}`, outcome]),
      );
      const wanted = stores.flatMap(({ trail: { store }, sizes }) =>
        sizes.map((size): [string, string] => {
          if (store === "cut" && size > 300) return [`${store} ${size}`, "truncated"];
          return [`${store} ${size}`, store === "damaged" && size > 200 ? "rewritten" : "same"];
        }),
      );
      expect(outcomes).toEqual(Object.fromEntries(wanted));
    },
    3_600_000,
  );
});
