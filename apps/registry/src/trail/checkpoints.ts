import type { SignerKey, TrailStore } from "@agentprint/trail-store";
import { type Kysely, sql } from "kysely";
import type { RegistryTables } from "../store/schema.ts";
import { OWN_CHAIN, taskOf } from "./change-record.ts";

/** The number of chains that are verified at the same time, so that a long chain does not delay the others. */
const AT_ONCE = 4;
/** The errors that concern the database; all other errors concern a single chain. */
const NOT_THE_CHAIN: readonly unknown[] = ["busy", "unavailable", "disk-full", "database-error"];

/** An agent whose newest versions are not in a checkpoint. */
export interface UnsignedAgent {
  readonly agentId: string;
  /** The time when the oldest of these versions was accepted, in ISO 8601. */
  readonly since: string;
}

/** An agent whose chain could not be signed, and the reason. */
export interface UnsignableAgent extends UnsignedAgent {
  readonly reason: string;
}

/** The result of one round of signing. */
export interface SigningRound {
  readonly signed: readonly string[];
  readonly failed: readonly UnsignableAgent[];
}

/**
 * Returns the origin of an agent's checkpoints. Each agent has its own origin, so that no checkpoint can pass for
 * another agent's.
 */
export function originOf({ signer }: SignerKey, agentId: string): string {
  return `${signer.name}/${taskOf(agentId)}`;
}

/** Returns whether the database contains a checkpoint of any chain. */
export async function hasCheckpoints(db: Kysely<RegistryTables>): Promise<boolean> {
  return (await db.selectFrom("checkpoints").select("size").limit(1).execute()).length > 0;
}

/** Returns the agents that have versions after their newest checkpoint, in the order of how long they have waited. */
export async function unsignedAgents(db: Kysely<RegistryTables>): Promise<UnsignedAgent[]> {
  const { rows } = await sql<{ id: string; since: string | null; updated_at: string }>`
    select id, updated_at, (select created_at from versions where agent_id = id and versions.version = size + 1) as since
    from (select id, version, updated_at, coalesce((select max(size) from checkpoints
      where checkpoints.task_id = 'agents/' || agents.id), 0) as size from agents) as heads
    where version > size order by updated_at, id`.execute(db);
  return [...rows, ...(await unsignedOwn(db))]
    .map(({ id, since, updated_at }) => ({ agentId: id, since: since ?? updated_at }))
    .sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0));
}

/** Returns the registry's own chain if it has records after its newest checkpoint. */
async function unsignedOwn(db: Kysely<RegistryTables>): Promise<{ id: string; since: string; updated_at: string }[]> {
  const task = taskOf(OWN_CHAIN);
  const { rows } = await sql<{
    timestamp: string;
  }>`select timestamp from thoughts where task_id = ${task} and position =
    coalesce((select max(size) from checkpoints where task_id = ${task}), 0)`.execute(db);
  return rows.map(({ timestamp }) => ({ id: OWN_CHAIN, since: timestamp, updated_at: timestamp }));
}

/**
 * Signs a checkpoint for each of `agents`, and calls `onDone` with each agent whose chain was signed or cannot be
 * signed. A chain that cannot be signed does not delay the others.
 *
 * @throws {@link TrailStoreError} `busy`, `unavailable`, `disk-full`, `database-error` when the database cannot be used.
 */
export async function signCheckpoints(
  trail: TrailStore,
  signing: SignerKey,
  agents: readonly UnsignedAgent[],
  onDone: (agent: UnsignedAgent) => void,
): Promise<SigningRound> {
  const signed: string[] = [];
  const failed: UnsignableAgent[] = [];
  const waiting = agents.values();
  const signAll = async (): Promise<void> => {
    for (const agent of waiting) {
      const { agentId } = agent;
      try {
        await trail.checkpoint(taskOf(agentId), { origin: originOf(signing, agentId), signers: [signing.signer] });
        signed.push(agentId);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if ("code" in error && NOT_THE_CHAIN.includes(error.code)) throw error;
        failed.push({ ...agent, reason: error.message });
      }
      onDone(agent);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, signAll));
  return { signed, failed };
}
