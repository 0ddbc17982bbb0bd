import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { openStore } from "../../src/store/open-store.ts";

/** Returns the texts of the notes in a folder; none if the folder does not exist. */
export function notesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".note"));
  return files.map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Returns whether each chain in a database has a note over all its records, signed by the registry of that name. */
export async function isWhollyKept(database: string, name: string, notes: readonly string[]): Promise<boolean> {
  const store = await openStore(database);
  const { rows } = await sql<{ task: string; size: number }>`
    select task_id as task, count(*) as size from thoughts group by task_id`.execute(store.db);
  await store.close();
  return rows.every(({ task, size }) => notes.some((note) => note.startsWith(`${name}/${task}\n${size}\n`)));
}
