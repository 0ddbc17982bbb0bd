import { computeHash, type ThoughtRecord, ThoughtRecordSchema } from "@agentprint/trail";
import {
  createNoteVerifier,
  type InclusionProof,
  parseNote,
  TrailError,
  type TreeHead,
  verifyCheckpoint,
  verifyInclusionProof,
} from "@agentprint/trail/checkpoint";
import type { History, HistoryEntry, VersionName } from "./answers/answers.ts";
import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { type RememberedAgent, type RememberedRegistry, readMemory, writeMemory } from "./memory.ts";
import { nameOf } from "./names.ts";
import { readJson } from "./read-body.ts";
import { readHistory } from "./read-history.ts";
import { readSignerKeys } from "./signer-keys.ts";

/**
 * Compares a present version with what the client remembers, and remembers it: the record of the version is in the chain, the chain in
 * the signed checkpoint, and the remembered version in both. Without a memory nothing is read.
 *
 * @throws {@link RegistryClientError} `rolled-back` when the registry lacks what is remembered, `forked` when it has something else in
 * its place or another key, `invalid-answer` when a record or a checkpoint does not hold.
 */
export async function rememberVersion(connection: Connection, present: VersionName): Promise<void> {
  const { memory, base, acceptRollback } = connection;
  if (!memory) return;
  const { agent_id: agentId, capability_manifest_version: version } = present;
  const known = await readMemory(memory, base);
  const before = known.agents.get(agentId);
  const history = await readHistory(connection, agentId, version - 1, 1);
  const record = recordOf(history, present);
  const { head, keys } = await headOf(connection, history, known);
  checkProof(history.entries[0], head);
  if (!acceptRollback) {
    checkKey(known, keys);
    if (before) await compare(connection, before, nameOf(present), record, head);
  }
  const checkpoint = head ? { size: head.size, root: head.rootHash } : null;
  const hash = present.capability_manifest_hash;
  await writeMemory(memory, base, history.verifier_key, agentId, { version, hash, record: record.hash, checkpoint });
}

/** @throws {@link RegistryClientError} `rolled-back` when an agent is remembered that the registry does not know. */
export async function checkUnknown({ memory, base, acceptRollback }: Connection, agentId: string): Promise<void> {
  if (!memory || acceptRollback) return;
  const before = (await readMemory(memory, base)).agents.get(agentId);
  if (before) throw rolledBack(`there is no agent ${agentId}, and it was at version ${before.version}`);
}

async function compare(
  connection: Connection,
  before: RememberedAgent,
  present: VersionName,
  record: ThoughtRecord,
  head: TreeHead | undefined,
): Promise<void> {
  const { agent_id: agentId, capability_manifest_version: version } = present;
  if (version < before.version) {
    throw rolledBack(`${agentId} is at version ${version}, and was at ${before.version}`);
  }
  if (before.checkpoint && (head?.size ?? 0) < before.checkpoint.size) {
    throw rolledBack(`the checkpoint of ${agentId} has ${head?.size ?? 0} records, and had ${before.checkpoint.size}`);
  }
  const old = version === before.version ? undefined : await readHistory(connection, agentId, before.version - 1, 1);
  const entry = old?.entries[0];
  const [manifest, hash] = entry
    ? [contentOf(asRecord(entry))["capability_manifest_hash"], asRecord(entry).hash]
    : [present.capability_manifest_hash, old ? "" : record.hash];
  if (manifest !== before.hash) {
    throw forked(`version ${before.version} of ${agentId} has another manifest than it had`);
  }
  // A version that was lost and given back has the same manifest, and a record of its own.
  if (hash !== before.record) throw rolledBack(`version ${before.version} of ${agentId} was recorded anew`);
  if (before.checkpoint && head?.size === before.checkpoint.size && head.rootHash !== before.checkpoint.root) {
    throw forked(`two checkpoints of ${agentId} have ${head.size} records, and are not the same`);
  }
  if (entry?.proof && head && entry.proof.size === head.size) checkProof(entry, head);
}

/** The record of the version, which says what was answered. */
function recordOf({ entries }: History, present: VersionName): ThoughtRecord {
  const [entry] = entries;
  if (!entry) throw invalid(`expected the record of version ${present.capability_manifest_version}`);
  const record = asRecord(entry);
  const content = contentOf(record);
  for (const [name, value] of Object.entries(nameOf(present))) {
    if (content[name] !== value) throw invalid(`the record of ${present.agent_id} has another ${name} than the answer`);
  }
  return record;
}

function asRecord({ record }: HistoryEntry): ThoughtRecord {
  const parsed = ThoughtRecordSchema.safeParse(record);
  if (!parsed.success || computeHash(parsed.data) !== parsed.data.hash) throw invalid("a record has not its hash");
  return parsed.data;
}

function contentOf({ content }: ThoughtRecord): Readonly<Record<string, unknown>> {
  const value = readJson(content);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** The checkpoint of the history, and the keys of the registry. */
async function headOf(
  connection: Connection,
  { agent_id, checkpoint, verifier_key, origin }: History,
  { verifierKey = verifier_key }: RememberedRegistry,
): Promise<{ readonly head: TreeHead | undefined; readonly keys: ReadonlySet<string> }> {
  const name = verifier_key.split("+")[0] ?? "";
  const own = `${name}/agents/${agent_id}`;
  if (origin !== own) throw invalid(`expected the origin ${own}, received ${origin}`);
  return asInvalid(async () => {
    const { keyId } = createNoteVerifier(verifier_key);
    const isSigned = checkpoint === null || parseNote(checkpoint).signatures.some((one) => one.keyId === keyId);
    const isSame = isSigned && verifierKey === verifier_key;
    const keys = isSame ? new Set([verifier_key]) : await readSignerKeys(connection, verifier_key);
    if (checkpoint === null) return { head: undefined, keys };
    const signed = parseNote(checkpoint).signatures;
    const verifiers = [...keys].map(createNoteVerifier);
    const log = verifiers.find((one) => signed.some((signature) => signature.keyId === one.keyId)) ?? verifiers[0];
    if (!log) throw invalid("the registry has no key");
    return { head: verifyCheckpoint(checkpoint, { origin: own, log }), keys };
  });
}

/** Checks that a record is in the signed tree, unless it is newer. */
function checkProof(entry: HistoryEntry | undefined, head: TreeHead | undefined): void {
  if (!entry || !head || entry.version > head.size) return;
  const { proof, record, version } = entry;
  const holds = isIncluded(proof, record.hash, head) && proof?.index === version - 1;
  if (!holds) throw invalid(`version ${version} is not in the signed checkpoint`);
}

function isIncluded(proof: InclusionProof | null, hash: string, head: TreeHead): boolean {
  try {
    return proof !== null && verifyInclusionProof(proof, hash, head);
  } catch {
    return false;
  }
}

function checkKey({ verifierKey }: RememberedRegistry, keys: ReadonlySet<string>): void {
  if (verifierKey === undefined || keys.has(verifierKey)) return;
  throw forked("the registry has another key, which the remembered one did not sign");
}

async function asInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof TrailError)) throw cause;
    throw new RegistryClientError("invalid-answer", `the checkpoint of the registry does not hold: ${cause.message}`, {
      cause,
    });
  }
}

const invalid = (message: string): RegistryClientError => new RegistryClientError("invalid-answer", message);
const forked = (message: string): RegistryClientError => new RegistryClientError("forked", `forked: ${message}`);
const rolledBack = (message: string): RegistryClientError =>
  new RegistryClientError("rolled-back", `rolled back: ${message}`);
