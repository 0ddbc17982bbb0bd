import { changedGuard, type StoreProblem } from "../store-problem.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Returns how a file's tables, keys and triggers differ from those in a new store, `reference`. Anyone who can write to
 * the file can change them.
 */
export function compareGuards(connection: SqliteConnection, reference: SqliteConnection): StoreProblem[] {
  const found = readSchema(connection);
  const problems: StoreProblem[] = [];
  for (const [name, definition] of readSchema(reference)) {
    const actual = found.get(name);
    if (actual !== definition)
      problems.push(changedGuard(`${name} ${actual === undefined ? "is gone" : "was changed"}`));
    found.delete(name);
  }
  return [...problems, ...[...found.keys()].map((name) => changedGuard(`${name} was added`))];
}

function readSchema(connection: SqliteConnection): Map<string, string> {
  const rows = connection
    .prepare<{ name: string; sql: string }>(
      `select type || ' ' || name as name, coalesce(sql, '') as sql from sqlite_schema
      where lower(tbl_name) in ('thoughts', 'checkpoints') and (type in ('table', 'trigger', 'view') or sql is null) order by name`,
    )
    .all([]);
  return new Map(rows.map((row) => [row.name, row.sql]));
}
