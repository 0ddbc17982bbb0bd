import { DatabaseSync } from "node:sqlite";

/** Runs SQL on a trail's file, bypassing the store. */
export function changeDatabase(path: string, sql: string): void {
  withDatabase(path, (database) => database.exec(sql));
}

/** Does the same with the store's triggers removed, and restores them afterwards. */
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

function withDatabase(path: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  try {
    database.exec("pragma synchronous = off");
    change(database);
  } finally {
    database.close();
  }
}
