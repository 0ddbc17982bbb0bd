import type Database from "better-sqlite3";
import { LRUCache } from "lru-cache";

/** The most SQL texts whose prepared statements are kept; inserts differ by their number of rows. */
const MAX_STATEMENTS = 200;

/** Prepares each SQL text once, because preparing takes longer than most queries. */
export function keepStatements(connection: Database.Database): (sql: string) => Database.Statement<unknown[]> {
  const kept = new LRUCache<string, Database.Statement<unknown[]>>({ max: MAX_STATEMENTS });
  return (sql) => {
    let statement = kept.get(sql);
    if (!statement) {
      statement = connection.prepare<unknown[]>(sql);
      kept.set(sql, statement);
    }
    return statement;
  };
}
