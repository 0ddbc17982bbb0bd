import type { ThoughtRecord } from "@agentprint/trail";
import type { ThoughtInput, TrailStore, TrailTransaction } from "@agentprint/trail-store";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../config.ts";
import { McpServerError } from "../errors.ts";
import type { Principal } from "./principal.ts";

const MINUTE = 60;

/** The usage of a token since it was issued; `local` also has a row. */
interface UsageRow {
  token_id: string;
  records: number;
  /** The UTF-8 bytes of these records' texts. */
  bytes: number;
  /** Tasks that it began. */
  tasks: number;
}

interface Tables {
  mcp_usage: UsageRow;
  thoughts: { task_id: string; id: string };
}

type Db = TrailTransaction<Tables>["db"];
type Limits = Pick<Config, "token_byte_limit" | "token_minute_limit" | "token_record_limit" | "token_task_limit">;

/** Limits what one token may store and how often it may call, so that no token uses up another's space. */
export class Quotas {
  readonly #trail: TrailStore;
  readonly #limits: Limits;
  readonly #calls: RateLimiterMemory;
  #isTableMade = false;

  constructor(trail: TrailStore, limits: Limits) {
    this.#trail = trail;
    this.#limits = limits;
    this.#calls = new RateLimiterMemory({ points: limits.token_minute_limit, duration: MINUTE });
  }

  /**
   * Counts a call that records, verifies or signs. Each process keeps its own count.
   *
   * @throws {@link McpServerError} `TOO_MANY_CALLS`.
   */
  async count({ id }: Principal): Promise<void> {
    try {
      await this.#calls.consume(id);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      const limit = `at most ${this.#calls.points} calls a minute record, verify or sign with one token`;
      throw new McpServerError("TOO_MANY_CALLS", `${limit}: try again in ${seconds} s`);
    }
  }

  /**
   * Appends a thought and counts it in one transaction, across all servers that use the database. A thought that the
   * task already has is not counted again.
   *
   * @param check - is called in the transaction before anything is written
   * @throws {@link McpServerError} `QUOTA_EXCEEDED`.
   */
  async append({ id }: Principal, thought: ThoughtInput, check: () => void): Promise<ThoughtRecord> {
    const record = await this.#trail.transact<Tables, ThoughtRecord>(async ({ db, append }) => {
      check();
      if (!this.#isTableMade) await makeTable(db);
      if (thought.id !== undefined && (await hasRecord(db, thought.task_id, thought.id))) return append(thought);
      const tasks = (await hasRecord(db, thought.task_id)) ? 0 : 1;
      const usage = await addUsage(db, { token_id: id, records: 1, bytes: bytesOf(thought), tasks });
      this.#check(usage);
      return append(thought);
    });
    this.#isTableMade = true;
    return record;
  }

  #check({ records, bytes, tasks }: UsageRow): void {
    const { token_record_limit, token_byte_limit, token_task_limit } = this.#limits;
    const [what, limit] =
      records > token_record_limit
        ? ["records", token_record_limit]
        : bytes > token_byte_limit
          ? ["bytes of records", token_byte_limit]
          : tasks > token_task_limit
            ? ["tasks", token_task_limit]
            : [];
    if (what === undefined) return;
    throw new McpServerError("QUOTA_EXCEEDED", `nothing was recorded: this token may store at most ${limit} ${what}`);
  }
}

async function makeTable(db: Db): Promise<void> {
  const count = "bigint";
  await db.schema
    .createTable("mcp_usage")
    .ifNotExists()
    .addColumn("token_id", "text", (column) => column.primaryKey())
    .addColumn("records", count, (column) => column.notNull())
    .addColumn("bytes", count, (column) => column.notNull())
    .addColumn("tasks", count, (column) => column.notNull())
    .execute();
}

async function hasRecord(db: Db, task: string, id?: string): Promise<boolean> {
  const rows = db.selectFrom("thoughts").select("id").where("task_id", "=", task).limit(1);
  return (await (id === undefined ? rows : rows.where("id", "=", id)).execute()).length > 0;
}

async function addUsage(db: Db, more: UsageRow): Promise<UsageRow> {
  return db
    .insertInto("mcp_usage")
    .values(more)
    .onConflict((conflict) =>
      conflict.column("token_id").doUpdateSet((row) => ({
        records: row("mcp_usage.records", "+", row.ref("excluded.records")),
        bytes: row("mcp_usage.bytes", "+", row.ref("excluded.bytes")),
        tasks: row("mcp_usage.tasks", "+", row.ref("excluded.tasks")),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

function bytesOf({ id = "", task_id, agent_id, content }: ThoughtInput): number {
  return [id, task_id, agent_id, content].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
