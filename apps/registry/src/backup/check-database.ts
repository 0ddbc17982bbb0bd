import { sha256Hex } from "@agentprint/canonical-json";
import type { ChainProblem } from "@agentprint/trail/chain";
import { createNoteVerifier, type TreeHead } from "@agentprint/trail/checkpoint";
import type { SignerKey, StoreProblem } from "@agentprint/trail-store";
import { sql } from "kysely";
import { type KeptHead, predecessorsOf } from "../elsewhere/kept-notes.ts";
import { RegistryError } from "../errors.ts";
import { openStore, type RegistryStore } from "../store/open-store.ts";
import { taskOf } from "../trail/change-record.ts";

/** A manifest has at most 128 KiB. */
const MANIFESTS_PAGE = 50;

/** The number of chains and the number of records in a database that was found intact. */
export interface CheckedDatabase {
  readonly chains: number;
  readonly records: number;
}

/** The key and the checkpoints against which a database is checked. */
export interface Expected {
  readonly signing: SignerKey;
  /** Checkpoints that the database must contain. */
  readonly heads: readonly KeptHead[];
}

/**
 * Checks that every chain in a database is intact and matches its checkpoints and `heads`, that each agent has as many
 * versions as records, and that each version and manifest has the hash in its record.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED` with the first problem.
 */
export async function checkDatabase(url: string, expected: Expected): Promise<CheckedDatabase> {
  const store = await openStore(url);
  try {
    await checkVersions(store);
    await checkManifests(store);
    return await checkChains(store, expected);
  } finally {
    await store.close();
  }
}

async function checkChains({ db, trail }: RegistryStore, { signing, heads }: Expected): Promise<CheckedDatabase> {
  const { name } = signing.signer;
  const successions = await db.selectFrom("signer_successions").select("note").execute();
  const keys = predecessorsOf(
    successions.map(({ note }) => note),
    name,
    signing.verifierKey,
  );
  let first: TreeHead[] | undefined;
  for (const key of keys) {
    const log = createNoteVerifier(key);
    const report = await trail.verify(undefined, {
      trust: (taskId) => ({ origin: `${name}/${taskId}`, log }),
      checkpoints: (taskId) => heads.filter(({ agentId }) => taskOf(agentId) === taskId),
      structure: first === undefined,
    });
    first = [];
    const problems = [
      ...report.storeProblems,
      ...report.tasks.flatMap((task) => [...task.problems, ...task.storeProblems]),
    ];
    // Checkpoints signed before a rotation are checked against the key that signed them.
    const problem = problems.find(({ kind }) => keys.size === 1 || kind !== "untrusted-checkpoints");
    if (problem) throw new RegistryError("BACKUP_FAILED", failure(problem));
    const missing = heads.find(({ agentId }) => !report.tasks.some(({ taskId }) => taskId === taskOf(agentId)));
    if (missing) throw new RegistryError("BACKUP_FAILED", `the copy lacks the chain of ${missing.origin}`);
    if (key === [...keys].at(-1)) return { chains: report.tasks.length, records: report.length };
  }
  throw new RegistryError("BACKUP_FAILED", "the copy was not checked");
}

/**
 * Returns the message for a problem. A chain whose checkpoints were signed by another key is not necessarily damaged.
 */
function failure({ kind, message }: ChainProblem | StoreProblem): string {
  if (kind !== "untrusted-checkpoints") return `the copy is not intact: ${message}`;
  return `the signer key is not the one that signed the checkpoints: first copy the <database>.signer-key of the registry that was backed up (${message})`;
}

/**
 * The canonical JSON text that marks the record of a lost number. No id can contain this text, because its quotation
 * marks would be escaped.
 */
const LOST = '%,"lost":true}';

async function checkVersions({ db }: RegistryStore): Promise<void> {
  // Numbers lost in a rollback have a record and no version.
  const { rows } = await sql<{ id: string }>`select id from agents where
      (select count(*) from thoughts where task_id = 'agents/' || agents.id) <>
        case when reached > version then reached else version end
    or (select count(*) from versions where agent_id = agents.id) <>
      (select count(*) from thoughts where task_id = 'agents/' || agents.id and content not like ${LOST})
    or hash <> (select hash from versions where agent_id = agents.id and versions.version = agents.version)
    or exists (select 1 from versions join thoughts on task_id = 'agents/' || versions.agent_id and position = version - 1
      where versions.agent_id = agents.id
        and content not like '%"capability_manifest_hash":"' || versions.hash || '"%')
    limit 1`.execute(db);
  if (rows[0] === undefined) return;
  const message = `the copy lacks versions of ${rows[0].id}, or has others than were recorded`;
  throw new RegistryError("BACKUP_FAILED", message);
}

/** Reads the manifests page by page, because together they may not fit into memory. */
async function checkManifests({ db }: RegistryStore): Promise<void> {
  const manifests = db.selectFrom("manifests").selectAll().orderBy("hash").limit(MANIFESTS_PAGE);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page = await manifests.where("hash", ">", after).execute();
    const damaged = page.find(({ hash, body }) => sha256Hex(body) !== hash);
    if (damaged) throw new RegistryError("BACKUP_FAILED", `the copy has a damaged manifest: ${damaged.hash}`);
    after = page.at(-1)?.hash;
  }
}
