import { signNote } from "@agentprint/trail/checkpoint";
import type { SignerKey } from "@agentprint/trail-store";
import { type Kysely, sql } from "kysely";
import { findLost, lengthOf } from "../rollback/find-lost.ts";
import { listSuccessions } from "../signer/rotate-signer.ts";
import type { RegistryTables } from "../store/schema.ts";
import { OWN_CHAIN, taskOf } from "../trail/change-record.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { keyListText, readKept } from "./kept-notes.ts";

/** Sends a database's newest checkpoints elsewhere, each only once. */
export class CheckpointSender {
  readonly #elsewhere: Elsewhere;
  readonly #signing: SignerKey;
  /**
   * The chains whose newest checkpoint was not sent; `undefined` until the checkpoints kept elsewhere have been read.
   */
  #unsent: Set<string> | undefined;

  constructor(elsewhere: Elsewhere, signing: SignerKey) {
    this.#elsewhere = elsewhere;
    this.#signing = signing;
  }

  /**
   * Sends the unsent checkpoints after the chains in `signed` have been signed. If the place has checkpoints of records
   * that the database has lost, it sends nothing that would replace them.
   *
   * @returns why some checkpoints were not sent, or `undefined`
   */
  async send(db: Kysely<RegistryTables>, signed: readonly string[]): Promise<string | undefined> {
    for (const agentId of signed) this.#unsent?.add(agentId);
    try {
      this.#unsent ??= await this.#compare(db);
      for (const agentId of this.#unsent) {
        await this.#sendOne(db, agentId);
        this.#unsent.delete(agentId);
      }
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : "no reason given";
    }
  }

  /** The number of chains with an unsent checkpoint. */
  get unsent(): number {
    return this.#unsent?.size ?? 0;
  }

  /** Returns the chains whose newest checkpoint is not kept elsewhere. */
  async #compare(db: Kysely<RegistryTables>): Promise<Set<string>> {
    // If the place is empty or the folder does not exist yet, every checkpoint is unsent.
    const notes = await this.#elsewhere.read().catch(emptyIfMissing);
    const { heads } = readKept(notes, this.#signing, await listSuccessions(db));
    const [lost] = await findLost(db, heads);
    if (lost) throw new Error(`the database is older than the checkpoints kept elsewhere: restart the registry`);
    const there = new Set(heads.map(({ note }) => note));
    const { rows } = await sql<{ task_id: string; note: string }>`select task_id, note from checkpoints where size =
      (select max(size) from checkpoints as others where others.task_id = checkpoints.task_id)`.execute(db);
    return new Set(rows.filter(({ note }) => !there.has(note)).map(({ task_id }) => chainOf(task_id)));
  }

  async #sendOne(db: Kysely<RegistryTables>, agentId: string): Promise<void> {
    const newest = await db
      .selectFrom("checkpoints")
      .select("note")
      .where("task_id", "=", taskOf(agentId))
      .orderBy("size", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!newest) return;
    // The list of keys is written first, so that it is never older than the checkpoint next to it.
    if (agentId === OWN_CHAIN) await this.#sendKeys(db);
    const lost = await db.selectFrom("lost_heads").select("note").where("agent_id", "=", agentId).execute();
    await this.#elsewhere.send(
      newest.note,
      lost.map(({ note }) => note),
    );
  }

  async #sendKeys(db: Kysely<RegistryTables>): Promise<void> {
    const { signer } = this.#signing;
    const size = await lengthOf(db, taskOf(OWN_CHAIN));
    const rows = await db
      .selectFrom("api_keys")
      .select(["id", "expires_at"])
      .where("revoked_at", "is", null)
      .where("suspended_at", "is", null)
      .orderBy("id")
      .execute();
    const keys = new Map(rows.map(({ id, expires_at }) => [id, expires_at]));
    await this.#elsewhere.send(signNote(keyListText(signer.name, { size, keys }), [signer]));
    for (const { note } of await listSuccessions(db)) await this.#elsewhere.send(note);
  }
}

function chainOf(taskId: string): string {
  return taskId === taskOf(OWN_CHAIN) ? OWN_CHAIN : taskId.replace(/^agents\//, "");
}

function emptyIfMissing(error: unknown): readonly string[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}
