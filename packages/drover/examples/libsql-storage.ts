// A storage for runs and checkpoints in libSQL or SQLite, with the strong fingerprint in its own column.
import type { RunRow, RunStorage } from "@agentprint/drover";
import { createClient, type Row } from "@libsql/client";

export interface Run extends RunRow {
  readonly id: string;
  readonly input: string;
  readonly startedAt: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costUsd: number;
}

export interface Checkpoint {
  readonly runId: string;
  readonly seq: number;
  readonly messages: readonly string[];
}

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, spec_hash TEXT NOT NULL,
    spec_fingerprint TEXT, status TEXT NOT NULL, input TEXT NOT NULL, started_at INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, cost_usd REAL NOT NULL) STRICT`,
  `CREATE TABLE IF NOT EXISTS checkpoints (run_id TEXT NOT NULL REFERENCES runs(id), seq INTEGER NOT NULL,
    messages TEXT NOT NULL, PRIMARY KEY (run_id, seq)) STRICT`,
];

export interface LibsqlStorage extends RunStorage<Run, Checkpoint> {
  close(): void;
}

/** Opens a storage such as `file:runs.db`. */
export async function openLibsqlStorage(url: string): Promise<LibsqlStorage> {
  const client = createClient({ url });
  await client.batch(SCHEMA, "write");
  return {
    async loadRun(runId) {
      const { rows } = await client.execute({ sql: "SELECT * FROM runs WHERE id = ?", args: [runId] });
      return rows[0] === undefined ? null : toRun(rows[0]);
    },
    async loadLatestCheckpoint(runId) {
      const sql = "SELECT * FROM checkpoints WHERE run_id = ? ORDER BY seq DESC LIMIT 1";
      const { rows } = await client.execute({ sql, args: [runId] });
      return rows[0] === undefined ? null : toCheckpoint(rows[0]);
    },
    async createRun(run) {
      const fingerprint = run.specFingerprint ? JSON.stringify(run.specFingerprint) : null;
      const { id, agentId, specHash, status, input, startedAt, tokensIn, tokensOut, costUsd } = run;
      await client.execute({
        sql: "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        args: [id, agentId, specHash, fingerprint, status, input, startedAt, tokensIn, tokensOut, costUsd],
      });
    },
    async saveCheckpoint({ runId, seq, messages }) {
      const sql = "INSERT INTO checkpoints VALUES (?, ?, ?)";
      await client.execute({ sql, args: [runId, seq, JSON.stringify(messages)] });
    },
    close: () => client.close(),
  };
}

function toRun(row: Row): Run {
  return {
    id: String(row["id"]),
    agentId: String(row["agent_id"]),
    specHash: String(row["spec_hash"]),
    specFingerprint: row["spec_fingerprint"] === null ? null : JSON.parse(String(row["spec_fingerprint"])),
    status: String(row["status"]),
    input: String(row["input"]),
    startedAt: Number(row["started_at"]),
    tokensIn: Number(row["tokens_in"]),
    tokensOut: Number(row["tokens_out"]),
    costUsd: Number(row["cost_usd"]),
  };
}

function toCheckpoint(row: Row): Checkpoint {
  return { runId: String(row["run_id"]), seq: Number(row["seq"]), messages: JSON.parse(String(row["messages"])) };
}
