import type { ThoughtRecord } from "@agentprint/trail";
import {
  createNoteVerifier,
  parseNote,
  TrailError,
  type TreeHead,
  verifyCheckpoint,
} from "@agentprint/trail/checkpoint";
import type { History, HistoryEntry, VersionName } from "./answers/answers.ts";
import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { type RememberedAgent, type RememberedRegistry, readMemory, writeMemory } from "./memory.ts";
import { nameOf } from "./names.ts";
import {
  asRecord,
  contentOf,
  invalid,
  isIncluded,
  isLost,
  isProven,
  proofOfEnd,
  readHistory,
  recordOf,
} from "./read-history.ts";
import { readSignerKeys } from "./signer-keys.ts";

/**
 * How often an answer is compared again if, in the meantime, the registry signed a checkpoint or another client wrote
 * to the memory.
 */
const MAX_ROUNDS = 10;

/**
 * Returns what the client remembers of the registry; `undefined` without a memory. The memory is read before the
 * request is sent, because a version that another client with the same memory remembers in the meantime may be newer
 * than the answer.
 *
 * @throws {@link RegistryClientError} `invalid-option` when the memory is not in its format.
 */
export async function recall({ memory, base }: Connection): Promise<RememberedRegistry | undefined> {
  return memory && readMemory(memory, base);
}

/**
 * Compares a present version with what the client remembered before its request, and remembers the version. Requires
 * that the version's record is in the chain, the chain is in the signed checkpoint, the remembered version is in both,
 * and the new checkpoint begins with the records of the remembered one. A version that another client has remembered in
 * the meantime is also compared. Without a memory nothing is read.
 *
 * @throws {@link RegistryClientError} `rolled-back` when the registry lacks a remembered version, `forked` when it has
 * a different record there or another key, `invalid-answer` when a record or a checkpoint is not valid, `conflict` when
 * the checkpoint changes each time that the history is read, or the memory each time that it is written.
 */
export async function rememberVersion(
  connection: Connection,
  present: VersionName,
  known: RememberedRegistry | undefined,
): Promise<void> {
  const { agent_id: agentId, capability_manifest_version: version } = present;
  for (let round = 0, before = known; before; round++) {
    if (round === MAX_ROUNDS)
      throw new RegistryClientError(
        "conflict",
        `another client changed the memory of ${agentId} each of the ${MAX_ROUNDS} times that it was compared`,
      );
    if (await compareAndWrite(connection, present, before)) return;
    before = await recall(connection);
    // The newer version was compared by the client that remembers it.
    if ((before?.agents.get(agentId)?.version ?? 0) > version) return;
  }
}

/** Returns whether the version was remembered. It is not if the agent's memory has changed since the comparison. */
async function compareAndWrite(
  connection: Connection,
  present: VersionName,
  known: RememberedRegistry,
): Promise<boolean> {
  const { memory, base, acceptRollback } = connection;
  if (!memory) return true;
  const { agent_id: agentId, capability_manifest_version: version } = present;
  const before = acceptRollback ? undefined : known.agents.get(agentId);
  const { history, entries } = await readEntries(connection, agentId, version, before);
  const record = recordOf(history, present);
  const { head, keys } = await headOf(connection, history, known);
  if (!acceptRollback) checkKey(known, keys);
  if (before) compare(before, { name: nameOf(present), record, head, entries });
  checkProof(history.entries[0], head);
  const checkpoint = head ? { size: head.size, root: head.rootHash } : null;
  const hash = present.capability_manifest_hash;
  const agent = { version, hash, record: record.hash, checkpoint };
  return writeMemory(memory, base, history.verifier_key, agentId, agent, acceptRollback ? undefined : known);
}

/**
 * Compares a version that a stream names with what the client remembers. A version newer than the remembered one is
 * remembered. The record of an older one, which appeared while no client listened, must be in the chain and in the
 * signed checkpoint. `heard` is the last version of the agent that was heard.
 *
 * @throws {@link RegistryClientError} as {@link rememberVersion} does.
 */
export async function followVersion(connection: Connection, named: VersionName, heard: number): Promise<void> {
  const known = await recall(connection);
  if (!known) return;
  const { agent_id: agentId, capability_manifest_version: version } = named;
  const before = known.agents.get(agentId);
  if (!before || version >= before.version || version <= heard) return rememberVersion(connection, named, known);
  const history = await readHistory(connection, agentId, version - 1, 1);
  recordOf(history, named);
  const { head, keys } = await headOf(connection, history, known);
  if (!connection.acceptRollback) checkKey(known, keys);
  checkProof(history.entries[0], head);
}

/**
 * @throws {@link RegistryClientError} `rolled-back` when the client remembers an agent that the registry does not know.
 */
export function checkUnknown(
  { acceptRollback }: Connection,
  agentId: string,
  known: RememberedRegistry | undefined,
): void {
  const before = acceptRollback ? undefined : known?.agents.get(agentId);
  if (before) throw rolledBack(`there is no agent ${agentId}, but it was at version ${before.version}`);
}

/** Entries of a history by version, with proofs for one checkpoint. */
type Entries = ReadonlyMap<number, HistoryEntry | undefined>;

/**
 * Reads the records of a version and of the remembered version, and the last record of the remembered checkpoint. If
 * the registry signs a checkpoint between two answers, all are read again.
 */
async function readEntries(
  connection: Connection,
  agentId: string,
  version: number,
  before: RememberedAgent | undefined,
): Promise<{ readonly history: History; readonly entries: Entries }> {
  for (let reading = 0; reading < MAX_ROUNDS; reading++) {
    const history = await readHistory(connection, agentId, version - 1, 1);
    const entries = new Map([[version, history.entries[0]]]);
    let isOne = true;
    for (const other of [before?.version ?? 0, before?.checkpoint?.size ?? 0]) {
      if (other === 0 || entries.has(other)) continue;
      const page = await readHistory(connection, agentId, other - 1, 1);
      entries.set(other, page.entries[0]);
      isOne &&= page.checkpoint === history.checkpoint;
    }
    if (isOne) return { history, entries };
  }
  throw new RegistryClientError(
    "conflict",
    `the registry signed another checkpoint of ${agentId} each of the ${MAX_ROUNDS} times that its history was read`,
  );
}

/** The present version, its record, the newest checkpoint, and the entries from {@link readEntries}. */
interface Present {
  readonly name: VersionName;
  readonly record: ThoughtRecord;
  readonly head: TreeHead | undefined;
  readonly entries: Entries;
}

function compare(before: RememberedAgent, present: Present): void {
  const { name, record, head, entries } = present;
  const { agent_id: agentId, capability_manifest_version: version } = name;
  if (version < before.version) {
    throw rolledBack(`${agentId} is at version ${version}, but was at ${before.version}`);
  }
  if (before.checkpoint && (head?.size ?? 0) < before.checkpoint.size) {
    throw rolledBack(`the checkpoint of ${agentId} has ${head?.size ?? 0} records, but had ${before.checkpoint.size}`);
  }
  const entry = entries.get(before.version);
  const old = version === before.version ? record : entry && asRecord(entry);
  if (entry && isLost(entry)) throw rolledBack(`version ${before.version} of ${agentId} was lost`);
  if (!old || contentOf(old)["capability_manifest_hash"] !== before.hash) {
    throw forked(`version ${before.version} of ${agentId} has a different manifest than before`);
  }
  // A version that was lost and published again has the same manifest but a different record.
  if (old.hash !== before.record) throw rolledBack(`version ${before.version} of ${agentId} was recorded again`);
  if (head && before.version <= head.size && !isProven(entry, head)) {
    throw forked(`version ${before.version} of ${agentId} is not in the checkpoint of size ${head.size}`);
  }
  if (head && before.checkpoint) compareHeads(agentId, before.checkpoint, head, entries);
}

/** Checks that the new checkpoint begins with the records of the remembered one. */
function compareHeads(
  agentId: string,
  { size, root: rootHash }: NonNullable<RememberedAgent["checkpoint"]>,
  head: TreeHead,
  entries: Entries,
): void {
  if (size === head.size && rootHash !== head.rootHash) {
    throw forked(`two checkpoints of ${agentId} have ${size} records, but differ`);
  }
  if (size === 0 || size === head.size) return;
  const last = entries.get(size);
  const isInBoth =
    last?.proof && isProven(last, head) && isIncluded(proofOfEnd(last.proof), asRecord(last).hash, { size, rootHash });
  if (!isInBoth) {
    throw forked(`the checkpoint of ${agentId} with ${head.size} records does not continue from the one with ${size}`);
  }
}

/** Returns the history's checkpoint and the registry's keys. */
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

/** Checks that a record is in the signed tree, unless the record is newer. */
function checkProof(entry: HistoryEntry | undefined, head: TreeHead | undefined): void {
  if (!entry || !head || entry.version > head.size || isProven(entry, head)) return;
  throw invalid(`version ${entry.version} is not in the signed checkpoint`);
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
    throw new RegistryClientError("invalid-answer", `the checkpoint of the registry is not valid: ${cause.message}`, {
      cause,
    });
  }
}

/**
 * Checks that no version was left out between two consecutive versions: all numbers between them must be recorded as
 * lost in a rollback.
 *
 * @throws {@link RegistryClientError} `invalid-answer` when one of the numbers is not recorded as lost; others as
 * `readHistory` does.
 */
export async function checkBetween(
  connection: Connection,
  agentId: string,
  before: number,
  next: number,
): Promise<void> {
  for (let after = before; after < next - 1; ) {
    const { entries } = await readHistory(connection, agentId, after);
    if (entries.length === 0) throw leftOut(agentId, before, next);
    for (const entry of entries) {
      if (entry.version < next && !isLost(entry)) throw leftOut(agentId, before, next);
      after = entry.version;
    }
  }
}

function leftOut(agentId: string, before: number, next: number): RegistryClientError {
  return invalid(`expected version ${before + 1} of ${agentId} after version ${before}, received version ${next}`);
}

const forked = (message: string): RegistryClientError => new RegistryClientError("forked", `forked: ${message}`);
const rolledBack = (message: string): RegistryClientError =>
  new RegistryClientError("rolled-back", `rolled back: ${message}`);
