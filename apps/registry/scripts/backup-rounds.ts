// Makes backups under load, restores them and checks them, on SQLite and on PostgreSQL. Usage: backup-rounds.ts
// [--rounds <n>]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeSignerKey } from "@agentprint/trail-store";
import { loadConfig } from "../src/config/config.ts";
import { backupRounds, type NewDatabase } from "../test/support/backup-rounds.ts";
import { startInstalledPostgres } from "../test/support/installed-postgres.ts";
import { prepare } from "../test/support/storm.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const folder = mkdtempSync(join(tmpdir(), "registry-backups-"));
const signer_key_file = join(folder, "signer.key");
makeSignerKey(signer_key_file, loadConfig({}).name);
const server = await startInstalledPostgres();
try {
  await rounds(
    "SQLite",
    `file:${join(folder, "registry.db")}`,
    async (round) => `file:${join(folder, `copy-${round}.db`)}`,
  );
  await rounds("PostgreSQL", await server.createDatabase("loaded"), (round) => server.createDatabase(`copy_${round}`));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function rounds(dialect: string, database: string, newDatabase: NewDatabase): Promise<void> {
  const settings = { database, signer_key_file, checkpoint_to: join(folder, `elsewhere-${dialect}`) };
  const token = await prepare(settings);
  const versions = await backupRounds(settings, token, folder, Number(values.rounds), newDatabase);
  console.log(
    `${dialect}: ${values.rounds} backups under load restored, each complete; ${versions} versions at the end`,
  );
}
