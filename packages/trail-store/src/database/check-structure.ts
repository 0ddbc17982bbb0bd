// The entry point of the thread that looks for damage in a database.
import { parentPort, workerData } from "node:worker_threads";
import { connectSqlite } from "#sqlite";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { codeOf } from "./sqlite-errors.ts";
import { CHECKS, findDamage, type StructureAnswer } from "./sqlite-structure.ts";

/** Looks for damage in a database file; an SQLite error is an answer, too. */
export function answerAbout(name: string): StructureAnswer {
  let connection: SqliteConnection | undefined;
  try {
    connection = connectSqlite(name, { readonly: true, fileMustExist: true });
    return { damage: findDamage(connection) };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { code, message: (error as Error).message };
  } finally {
    connection?.close();
  }
}

const name: unknown = workerData?.[CHECKS];
if (typeof name === "string") parentPort?.postMessage(answerAbout(name));
