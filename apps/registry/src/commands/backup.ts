import type { Command } from "commander";
import { type BackupReport, backupDatabase, restoreDatabase } from "../backup/backup.ts";
import type { Surroundings } from "../surroundings.ts";

/** `backup` and `restore`: make a checked copy of the database and restore it. */
export function addBackupCommands(program: Command, { stdout, config }: Surroundings): void {
  const report = (text: string, { chains, records }: BackupReport): void => {
    stdout.write(`${text}: ${records} records in ${chains} chains, all intact\n`);
  };
  program
    .command("backup")
    .description("copy the live database and check the copy; the signer key is not included")
    .argument("<file>", "where to write the copy; an existing file is an error")
    .action(async (file: string) => report(`Wrote ${file}`, await backupDatabase(config(), file)));
  program
    .command("restore")
    .description("restore the database from a backup; it must not exist yet, or in PostgreSQL must be empty")
    .argument("<file>", "the file that `backup` wrote")
    .action(async (file: string) => report(`Restored ${file}`, await restoreDatabase(config(), file, new Date())));
}
