import { fileURLToPath } from "node:url";
import { RegistryError } from "../errors.ts";

/**
 * Returns a SQLite database's path; `undefined` for PostgreSQL.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when the URL does not name a file on this machine.
 */
export function sqlitePath(database: string): string | undefined {
  if (!database.startsWith("file:")) return undefined;
  if (!database.startsWith("file://")) return database.slice("file:".length);
  try {
    return fileURLToPath(database);
  } catch (cause) {
    const message = "the database is not a file on this machine: expected file:<path> or postgres://…";
    throw new RegistryError("INVALID_CONFIGURATION", message, { cause });
  }
}
