import { createRequire } from "node:module";

interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): { all(): unknown[] };
  close(): void;
}

const require = createRequire(new URL("../../../../packages/trail-store/package.json", import.meta.url));

/** Runs SQL on the file of a trail, past the store. */
export function changeDatabase(path: string, sql: string): void {
  withDatabase(path, (database) => database.exec(sql));
}

/** The same without the triggers of the store, which are there again afterwards. */
export function changeWithoutTriggers(path: string, sql: string): void {
  withDatabase(path, (database) => {
    const triggers = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all() as {
      readonly name: string;
      readonly sql: string;
    }[];
    for (const { name } of triggers) database.exec(`drop trigger ${name}`);
    database.exec(sql);
    for (const trigger of triggers) database.exec(trigger.sql);
  });
}

function withDatabase(path: string, change: (database: Database) => void): void {
  const Sqlite = require("better-sqlite3") as new (path: string) => Database;
  const database = new Sqlite(path);
  try {
    change(database);
  } finally {
    database.close();
  }
}
