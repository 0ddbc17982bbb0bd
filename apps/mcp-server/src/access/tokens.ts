import { createHash, randomBytes } from "node:crypto";
import type { TrailStore, TrailTransaction } from "@agentprint/trail-store";
import { McpServerError } from "../errors.ts";
import type { Principal } from "./principal.ts";

/** `amt_` and 256 random bits. A plain SHA-256 is enough to store, because the bits cannot be guessed. */
const TOKEN = /^amt_[A-Za-z0-9_-]{43}$/;
/** The time in milliseconds for which an instance accepts a token after another instance has revoked it. */
const KEPT_MS = 5000;
const MAX_KEPT = 10_000;

interface TokenRow {
  /** SHA-256 of the token, 64 lowercase hex digits. */
  hash: string;
  id: string;
  agent_id: string | null;
  /** A JSON array, see {@link Principal}. */
  tasks: string;
  created_at: string;
  revoked_at: string | null;
}

interface TokenTables {
  mcp_tokens: TokenRow;
}

type Db = TrailTransaction<TokenTables>["db"];

/** A token without its secret. */
export type TokenEntry = Omit<TokenRow, "hash">;

/** A server's bearer tokens, stored as hashes next to the trail. */
export class Tokens {
  readonly #trail: TrailStore;
  readonly #kept = new Map<string, { readonly principal: Principal; readonly until: number }>();
  readonly #keptMs: number;
  readonly #maxKept: number;
  #isTableMade = false;

  /**
   * @param keptMs - the time in milliseconds for which a known token is not looked up again
   * @param maxKept - how many known tokens are cached at most
   */
  constructor(trail: TrailStore, keptMs: number = KEPT_MS, maxKept: number = MAX_KEPT) {
    this.#trail = trail;
    this.#keptMs = keptMs;
    this.#maxKept = maxKept;
  }

  /** Issues a token, which exists only in the return value. */
  async issue(grant: Pick<Principal, "agentId" | "tasks">, now: Date): Promise<{ id: string; token: string }> {
    const token = `amt_${randomBytes(32).toString("base64url")}`;
    const id = randomBytes(8).toString("hex");
    await this.#transact((db) =>
      db
        .insertInto("mcp_tokens")
        .values({
          hash: hashOf(token),
          id,
          agent_id: grant.agentId ?? null,
          tasks: JSON.stringify(grant.tasks),
          created_at: now.toISOString(),
          revoked_at: null,
        })
        .execute(),
    );
    return { id, token };
  }

  /** Returns every token, oldest first. */
  async list(): Promise<TokenEntry[]> {
    return this.#transact((db) =>
      db
        .selectFrom("mcp_tokens")
        .select(["id", "agent_id", "tasks", "created_at", "revoked_at"])
        .orderBy("created_at")
        .orderBy("id")
        .execute(),
    );
  }

  /**
   * Revokes a token. Instances that have just looked the token up accept it for five more seconds.
   *
   * @throws {@link McpServerError} `TOKEN_NOT_FOUND` when there is no such token or it is already revoked.
   */
  async revoke(id: string, now: Date): Promise<void> {
    const rows = await this.#transact((db) =>
      db
        .updateTable("mcp_tokens")
        .set({ revoked_at: now.toISOString() })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .returning("hash")
        .execute(),
    );
    if (rows.length === 0)
      throw new McpServerError("TOKEN_NOT_FOUND", `there is no token ${JSON.stringify(id)} in use`);
  }

  /** Returns the principal for a token that was looked up in the last few seconds. */
  #recall(token: string): Principal | undefined {
    const kept = this.#kept.get(hashOf(token));
    return kept && kept.until > performance.now() ? kept.principal : undefined;
  }

  /** Returns the principal for a token; `undefined` if the token is unknown or was revoked. */
  async find(token: string): Promise<Principal | undefined> {
    const recalled = this.#recall(token);
    if (recalled || !TOKEN.test(token)) return recalled;
    const hash = hashOf(token);
    this.#kept.delete(hash);
    const row = await this.#transact((db) =>
      db
        .selectFrom("mcp_tokens")
        .selectAll()
        .where("hash", "=", hash)
        .where("revoked_at", "is", null)
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    const principal = { id: row.id, agentId: row.agent_id ?? undefined, tasks: JSON.parse(row.tasks) as string[] };
    if (this.#kept.size >= this.#maxKept) this.#kept.clear();
    this.#kept.set(hash, { principal, until: performance.now() + this.#keptMs });
    return principal;
  }

  /** Runs statements on the table of tokens, which it creates if necessary. */
  async #transact<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const result = await this.#trail.transact<TokenTables, T>(async ({ db }) => {
      if (!this.#isTableMade) await makeTable(db);
      return work(db);
    });
    this.#isTableMade = true;
    return result;
  }
}

async function makeTable(db: Db): Promise<void> {
  await db.schema
    .createTable("mcp_tokens")
    .ifNotExists()
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("agent_id", "text")
    .addColumn("tasks", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("revoked_at", "text")
    .execute();
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
