import Database from "better-sqlite3";
import { keepStatements } from "./kept-statements.ts";

/** Reads from a SQLite file that share a transaction if they happen in one turn of the event loop. */
export interface TurnReads {
  readonly all: <Row>(sql: string, parameters: readonly unknown[]) => readonly Row[];
  /** Makes the next read see what was written in the meantime. */
  readonly endTurn: () => void;
  readonly close: () => void;
}

/**
 * Opens the file at `path` for such reads. The reads share a transaction because locking the file takes longer than the
 * read itself. Requests that arrive in one turn were all sent before the turn began, so one state of the database can
 * answer all of them.
 */
export function openTurnReads(path: string, timeoutMs: number): TurnReads {
  const connection = new Database(path, { readonly: true, timeout: timeoutMs });
  const prepare = keepStatements(connection);
  const begin = connection.prepare("begin");
  const commit = connection.prepare("commit");
  const endTurn = (): void => {
    // A failed read may have already ended the transaction.
    if (connection.inTransaction) commit.run();
  };
  return {
    all: <Row>(sql: string, parameters: readonly unknown[]) => {
      if (!connection.inTransaction) {
        begin.run();
        setImmediate(endTurn);
      }
      return prepare(sql).all(parameters) as Row[];
    },
    endTurn,
    close: () => {
      connection.close();
    },
  };
}
