import { type ChainReport, ChainVerifier, parseThoughtLines, TrailError } from "@agentprint/trail/chain";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";
import type { Backend, BulkInsert } from "../database/backend.ts";
import { keyOf, RECORD_COLUMNS, type StoredThought } from "../database/schema.ts";
import { TrailStoreError } from "../errors.ts";
import { checkInput, checkSame } from "./plan-append.ts";
import { type Spool, withSpool } from "./spool.ts";

/** The maximum number of rows in one INSERT. */
const BATCH = 500;

/** The result of an import. */
export interface ImportResult {
  /** The number of records that were added. */
  readonly added: number;
  /** The number of records that were already stored. */
  readonly known: number;
}

/** Limits of an import. */
export interface ImportOptions {
  /** How many tasks the text may contain; each task takes about 8 KB of memory. Default 10,000. */
  readonly maxTasks?: number;
}

type Counts = { -readonly [Key in keyof ImportResult]: ImportResult[Key] };

/**
 * Adds the records of JSON Lines text in one transaction. The transaction begins only after all of the text has been
 * received and every chain verified, so that no other writer waits for the input.
 */
export async function importTrail(
  backend: Backend,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxTasks = 10_000 }: ImportOptions,
): Promise<ImportResult> {
  return withSpool(async (spool) => {
    await verifyInput(copying(chunks, spool), maxTasks);
    let result: Counts = { added: 0, known: 0 };
    await backend.bulk(async (bulk) => {
      result = { added: 0, known: 0 };
      await insertAll(bulk, parseThoughtLines(spool.read()), result);
    });
    return result;
  });
}

async function* copying(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  spool: Spool,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    await spool.write(chunk);
    yield chunk;
  }
}

async function verifyInput(chunks: AsyncIterable<Uint8Array>, maxTasks: number): Promise<void> {
  const verifiers = new Map<string, ChainVerifier>();
  for await (const value of parseThoughtLines(chunks)) {
    const taskId = taskIdOf(value);
    const verifier = verifiers.get(taskId) ?? new ChainVerifier();
    if (!verifiers.has(taskId) && verifiers.size >= maxTasks) {
      throw new TrailError("too-many-tasks", `more than ${maxTasks} tasks: import them in parts, or allow more`);
    }
    verifiers.set(taskId, verifier);
    verifier.push(value);
    if (verifier.problemCount > 0) throw refusal(verifier.finish());
    checkInput(value as ThoughtRecord);
  }
}

/** Inserts verified records, each with its position in its chain. */
async function insertAll(bulk: BulkInsert, records: AsyncIterable<unknown>, result: Counts): Promise<void> {
  const positions = new Map<string, number>();
  let batch: StoredThought[] = [];
  for await (const record of records as AsyncIterable<ThoughtRecord>) {
    const position = positions.get(record.task_id) ?? 0;
    positions.set(record.task_id, position + 1);
    batch.push(toRow(record, position));
    if (batch.length === BATCH) {
      await insertNew(bulk, batch, result);
      batch = [];
    }
  }
  await insertNew(bulk, batch, result);
}

function taskIdOf(value: unknown): string {
  const taskId = (value as { task_id?: unknown } | null)?.task_id;
  return typeof taskId === "string" ? taskId : "";
}

function toRow(record: ThoughtRecord, position: number): StoredThought {
  return {
    ...(Object.fromEntries(RECORD_COLUMNS.map((column) => [column, record[column]])) as ThoughtRecord),
    position,
  };
}

async function insertNew(bulk: BulkInsert, rows: readonly StoredThought[], result: Counts): Promise<void> {
  const known = new Map((await bulk.existing(rows)).map((row) => [keyOf(row), row]));
  const added: StoredThought[] = [];
  for (const row of rows) {
    const other = known.get(keyOf(row));
    if (other) checkSame(row, other, RECORD_COLUMNS);
    else added.push(row);
    known.set(keyOf(row), row);
  }
  const checked = new Set<string>();
  for (const row of added) {
    if (!checked.has(row.task_id)) await checkContinues(bulk, row);
    checked.add(row.task_id);
  }
  await bulk.insert(added);
  result.added += added.length;
  result.known += rows.length - added.length;
}

async function checkContinues(bulk: BulkInsert, row: StoredThought): Promise<void> {
  const head = await bulk.head(row.task_id);
  if (row.position === (head?.position ?? -1) + 1 && row.prev_hash === (head?.hash ?? ZERO_HASH)) return;
  const message = `record ${JSON.stringify(row.id)} does not follow the ${(head?.position ?? -1) + 1} records of its task in the store`;
  throw new TrailStoreError("diverged", message, { path: "/prev_hash" });
}

function refusal(report: ChainReport): TrailStoreError {
  const [problem] = report.problems;
  return new TrailStoreError("invalid-trail", `nothing was imported: ${problem?.message}`, { report });
}
