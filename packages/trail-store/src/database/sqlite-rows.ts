import { type RawBuilder, sql } from "kysely";
import { MAX_KEY_LENGTH, RECORD_COLUMNS } from "./schema.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

// The types are checked, because an SQLite file may hold values of any type in any column.
export const IN_CHAIN: RawBuilder<boolean> = sql<boolean>`typeof(position) = 'integer' and position between 0 and ${sql.lit(Number.MAX_SAFE_INTEGER)}
  and typeof(task_id) = 'text' and task_id <> ''`;
const TEXTS = sql.join(RECORD_COLUMNS.map((column) => sql.ref(column)));
/**
 * Whether none of a record's texts contains U+0000. The store never writes U+0000, but anyone who can write to the file
 * can add it, with other text after it.
 */
export const IS_WHOLE: RawBuilder<boolean> = sql<boolean>`concat(${TEXTS}) = printf(${sql.lit("%s".repeat(RECORD_COLUMNS.length))}, ${TEXTS})`;
/** A checkpoint's note; a note with U+0000 is cut there and ends in U+FFFD, which no note contains. */
export const WHOLE_NOTE: RawBuilder<string> = sql<string>`printf('%s', note) || iif(note = printf('%s', note), '', char(65533))`;
/** Longer than any suffix of a task's name, and after every such suffix in byte order. */
const BEHIND_EVERY_NAME = "\u{10ffff}".repeat(MAX_KEY_LENGTH / 2);

/** Returns the condition for a range of the primary key, so that other tasks are not read. */
export function taskStartsWith(start: string): RawBuilder<boolean> {
  return sql<boolean>`task_id >= ${start} and task_id <= ${start + BEHIND_EVERY_NAME}`;
}

/** Returns whether texts are read only up to U+0000, as Node 22's SQLite reads them. */
export function cutsTexts(connection: SqliteConnection): boolean {
  return connection.prepare<{ text: string }>("select cast(x'610062' as text) as text").get()?.text.length !== 3;
}
