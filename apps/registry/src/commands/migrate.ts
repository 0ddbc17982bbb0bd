import type { Command } from "commander";
import { migrate } from "../store/migrations.ts";
import type { Surroundings } from "../surroundings.ts";
import { withStore } from "./with-store.ts";

/** `migrate`: creates the tables, or brings them up to date. */
export function addMigrateCommand(program: Command, surroundings: Surroundings): void {
  program
    .command("migrate")
    .description("create the database's tables or bring them up to date")
    .action(() =>
      withStore(
        surroundings,
        async ({ db }) => {
          const names = await migrate(db);
          surroundings.stdout.write(names.length > 0 ? `Migrated: ${names.join(", ")}\n` : "Nothing to migrate\n");
        },
        async () => {},
      ),
    );
}
