import { join } from "node:path";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backupDatabase } from "../src/backup/backup.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
let path = "";
beforeAll(async () => {
  registry = await openRegistry();
  path = registry.services.config.database.slice("file:".length);
  await registry.create("demo", EMPTY);
  await registry.publish("demo", { ...EMPTY, agent_version: "1.0.1" });
});
afterAll(() => registry.close());

const backup = (name: string): Promise<unknown> =>
  backupDatabase(registry.services.config, join(path, "..", `${name}.db`));

/** Runs SQL on the file and undoes it after `run`. */
async function changed(sql: string, undo: string, run: () => Promise<void>): Promise<void> {
  const intruder = new Database(path);
  try {
    expect(intruder.prepare(sql).run().changes).toBe(1);
    await run();
    expect(intruder.prepare(undo).run().changes).toBe(1);
  } finally {
    intruder.close();
  }
}

test("a backup is refused if a manifest is not the one that was published", async () => {
  const where = "where hash = (select hash from versions where version = 1)";
  await changed(
    `update manifests set body = replace(body, '1.0.0', '6.6.6') ${where}`,
    `update manifests set body = replace(body, '6.6.6', '1.0.0') ${where}`,
    () =>
      expect(backup("body")).rejects.toMatchObject({
        code: "BACKUP_FAILED",
        message: expect.stringContaining("damaged manifest"),
      }),
  );
  expect(await backup("whole")).toMatchObject({ chains: 2 });
});

test("a backup is refused if an earlier version has another version's manifest", async () => {
  const second = "(select hash from agents where id = 'demo')";
  const { hash } = await registry.services.store.db
    .selectFrom("versions")
    .select("hash")
    .where("version", "=", 1)
    .executeTakeFirstOrThrow();
  await changed(
    `update versions set hash = ${second} where version = 1`,
    `update versions set hash = '${hash}' where version = 1`,
    () =>
      expect(backup("swapped")).rejects.toMatchObject({
        code: "BACKUP_FAILED",
        message: expect.stringContaining("versions of demo, or has others than were recorded"),
      }),
  );
});
