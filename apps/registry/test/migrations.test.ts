import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isMigrated, MIGRATIONS, migrate } from "../src/store/migrations.ts";
import { openStore } from "../src/store/open-store.ts";
import type { RegistryTables } from "../src/store/schema.ts";
import { scopesOfAll } from "../src/store/scope-runs.ts";

const SCOPES = ["a:a", "b:b", "c:c"];
let folder = "";
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "registry-migrations-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The tables as the registry's first version created them. */
async function migrateFirst(db: Kysely<RegistryTables>): Promise<void> {
  const [first = ""] = Object.keys(MIGRATIONS);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: "registry_migration",
    migrationLockTableName: "registry_migration_lock",
  });
  expect((await migrator.migrateTo(first)).error).toBeUndefined();
}

interface OldVersion {
  readonly scopes: readonly string[];
  readonly isBreaking: boolean;
}

async function insertOld(db: Kysely<RegistryTables>, agent: string, versions: readonly OldVersion[]): Promise<void> {
  await sql`insert into agents values (${agent}, ${versions.length}, 'h', 't', 't')`.execute(db);
  for (const [index, { scopes, isBreaking }] of versions.entries()) {
    await sql`insert into versions (agent_id, version, hash, breaking_changes, weakens_consent, warnings, scopes, key_id, created_at)
      values (${agent}, ${index + 1}, 'h', ${isBreaking ? "[1]" : "[]"}, 0, '[]', ${JSON.stringify(scopes)}, 'k', 't')`.execute(
      db,
    );
  }
}

const version = fc.record({ scopes: fc.subarray(SCOPES), isBreaking: fc.boolean() });

test("a registry of the first version keeps which versions declare a scope, and which are breaking", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(version, { minLength: 1, maxLength: 12 }), async (versions) => {
      const store = await openStore(`file:${join(folder, `${count++}.db`)}`);
      try {
        await migrateFirst(store.db);
        await sql`insert into manifests values ('h', '{}')`.execute(store.db);
        await insertOld(store.db, "one", versions);
        await insertOld(store.db, "other", versions.toReversed());
        expect(await isMigrated(store.db)).toBe(false);
        expect((await migrate(store.db)).length).toBeGreaterThan(0);
        for (let from = 1; from <= versions.length; from++) {
          const between = versions.slice(from - 1);
          const all = SCOPES.filter((scope) => between.every(({ scopes }) => scopes.includes(scope)));
          expect([...(await scopesOfAll(store.db, "one", from, versions.length))].sort()).toEqual(all);
        }
        const rows = await store.db
          .selectFrom("versions")
          .select("breaking_version")
          .where("agent_id", "=", "one")
          .orderBy("version")
          .execute();
        expect(rows.map(({ breaking_version }) => breaking_version)).toEqual(
          versions.map((_, index) => versions.slice(0, index + 1).findLastIndex(({ isBreaking }) => isBreaking) + 1),
        );
      } finally {
        await store.close();
      }
    }),
    { numRuns: 20 },
  );
});
