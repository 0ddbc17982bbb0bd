import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTurnReads, type TurnReads } from "../src/store/turn-reads.ts";

let folder: string;
let writer: Database.Database;
let reads: TurnReads;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turn-reads-"));
  const path = join(folder, "some.db");
  writer = new Database(path);
  writer.pragma("journal_mode = WAL");
  writer.exec("create table numbers (value integer); insert into numbers values (1)");
  reads = openTurnReads(path, 2000);
});

afterEach(() => {
  reads.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

const read = (): readonly { value: number }[] => reads.all("select value from numbers where value <> ?", [0]);

test("all reads of a turn see one state, and those of the next turn see later writes", async () => {
  expect(read()).toEqual([{ value: 1 }]);
  writer.exec("update numbers set value = 2");
  expect(read()).toEqual([{ value: 1 }]);
  await nextTurn();
  expect(read()).toEqual([{ value: 2 }]);
});

test("an ended turn holds no lock: the log can be emptied", async () => {
  read();
  await nextTurn();
  writer.exec("update numbers set value = 3");
  expect(writer.pragma("wal_checkpoint(TRUNCATE)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
});

test("failing reads do not end the turn of others, and a closed file ends the turn", async () => {
  read();
  expect(() => reads.all("select missing from numbers", [])).toThrow("no such column");
  expect(read()).toEqual([{ value: 1 }]);
  reads.close();
  await nextTurn();
});
