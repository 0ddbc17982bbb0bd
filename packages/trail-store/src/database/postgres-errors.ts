import pg from "pg";
import { TrailStoreError, type TrailStoreErrorCode } from "../errors.ts";
import type { Classified } from "./backend.ts";

const SOCKET_ERRORS = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;
// Messages from the driver and from Kysely about a lost connection, which have no code; the second and third appear
// when a transaction is ended or a lock is released.
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;
// All other driver messages without a code, which are about passwords, TLS and time limits in the URL.
const REFUSED_CONNECTION = /^(SASL|The server does not support SSL|timeout |Query read timeout|Unknown authentication)/;
const TLS_ERRORS = /CERT|SSL|TLS|^(EPROTO|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

interface Meaning {
  readonly states: RegExp;
  readonly code: TrailStoreErrorCode;
  readonly text: string;
  readonly retry?: boolean;
}

/** The meanings of SQLSTATEs; the first that matches counts. */
const MEANINGS: readonly Meaning[] = Object.freeze([
  { states: /^(23505|40...|55P03)$/, code: "busy", text: "other writers kept the task busy", retry: true },
  {
    states: /^(08...|25P0[34]|57P0[123]|53300)$/,
    code: "unavailable",
    text: "the database cannot be reached",
    retry: true,
  },
  { states: /^53100$/, code: "disk-full", text: "the disk is full; nothing was written" },
  { states: /^(XX00[12]|58P01)$/, code: "corrupt", text: "the database is damaged" },
  { states: /^(TR001|0A000|23...)$/, code: "append-only", text: "the database refused the change" },
  { states: /^22012$/, code: "not-stored", text: "a trigger on the tables kept rows out; nothing was written" },
  { states: /^(22021|22P05)$/, code: "unsupported-text", text: "the database cannot hold the text" },
  { states: /^54000$/, code: "too-large", text: "the database has no room for a text of this length" },
  { states: /^42(P01|703)$/, code: "not-a-trail-store", text: "the database has no usable trails" },
  { states: /^25006$/, code: "unavailable", text: "the database can only be read" },
  { states: /^42501$/, code: "unavailable", text: "the role in the URL may not do this" },
  { states: /^57014$/, code: "unavailable", text: "the database gave up before it had a result" },
  { states: /^(28...|3D000)$/, code: "unavailable", text: "the database refused the connection" },
] as const);

/** Returns whether `error` came from the server with this SQLSTATE. */
export function hasState(error: unknown, state: string): boolean {
  return error instanceof pg.DatabaseError && error.code === state;
}

/** Classifies an error from the driver, its socket or the server. */
export function classifyPostgres(error: unknown): Classified | undefined {
  if (error instanceof TrailStoreError || !(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const classified = (name: TrailStoreErrorCode, text: string, retry = false): Classified => ({
    error: new TrailStoreError(name, `${text} (${code || error.name}: ${error.message})`, { cause: error }),
    retry,
  });
  if (error instanceof pg.DatabaseError) {
    const meaning = MEANINGS.find(({ states }) => states.test(code));
    if (!meaning) return classified("database-error", "the database did not accept a query");
    return classified(meaning.code, meaning.text, meaning.retry);
  }
  if (SOCKET_ERRORS.test(code) || LOST_CONNECTION.test(error.message)) {
    return classified("unavailable", "the database cannot be reached", true);
  }
  if (code === "ENOTFOUND" || TLS_ERRORS.test(code) || REFUSED_CONNECTION.test(error.message)) {
    return classified("unavailable", "the database refused the connection");
  }
  return undefined;
}
