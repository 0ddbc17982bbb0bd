// The entry of the thread that looks for damage in a database.
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { CHECKS, findDamage, type StructureAnswer } from "./sqlite-structure.ts";

/** Looks for damage in the database of a file; an error of SQLite is an answer, too. */
export function answerAbout(name: string): StructureAnswer {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(name, { readonly: true, fileMustExist: true });
    return { damage: findDamage(connection) };
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return { code: error.code, message: error.message };
  } finally {
    connection?.close();
  }
}

const name: unknown = workerData?.[CHECKS];
if (typeof name === "string") parentPort?.postMessage(answerAbout(name));
