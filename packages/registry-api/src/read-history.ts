import { computeHash, type ThoughtRecord, ThoughtRecordSchema } from "@agentprint/trail";
import { type InclusionProof, type TreeHead, verifyInclusionProof } from "@agentprint/trail/checkpoint";
import { HistorySchema } from "./answers/answer-schemas.ts";
import type { History, HistoryEntry, VersionName } from "./answers/answers.ts";
import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { agentPath, asAsked, checked, nameOf } from "./names.ts";
import { readJson } from "./read-body.ts";
import { send } from "./request.ts";

/**
 * Returns the records of an agent after version `after`; at most `limit`.
 *
 * @throws {@link RegistryClientError} as `send` does; `invalid-answer` when the records belong to another agent or do
 * not follow `after`.
 */
export async function readHistory(
  connection: Connection,
  agentId: string,
  after: number,
  limit?: number,
): Promise<History> {
  const path = `${agentPath(agentId)}/history?after=${after}${limit === undefined ? "" : `&limit=${limit}`}`;
  const history = checked(HistorySchema, await send(connection, { method: "GET", path }));
  asAsked(history, { agent_id: agentId, task_id: `agents/${agentId}` });
  history.entries.forEach(({ version }, index) => {
    if (version === after + index + 1) return;
    const message = `expected the record of version ${after + index + 1} of ${agentId}, received version ${version}`;
    throw new RegistryClientError("invalid-answer", message);
  });
  return history;
}

/** Returns whether the record says that the number was lost in a rollback. */
export function isLost(entry: HistoryEntry): boolean {
  return contentOf(asRecord(entry))["lost"] === true;
}

/** Returns the record of the version, which must confirm the answer. */
export function recordOf({ entries }: History, present: VersionName): ThoughtRecord {
  const [entry] = entries;
  if (!entry) throw invalid(`expected the record of version ${present.capability_manifest_version}`);
  const record = asRecord(entry);
  const content = contentOf(record);
  for (const [name, value] of Object.entries(nameOf(present))) {
    if (content[name] !== value)
      throw invalid(`the record of ${present.agent_id} has a different ${name} from the answer`);
  }
  return record;
}

export function asRecord({ record }: HistoryEntry): ThoughtRecord {
  const parsed = ThoughtRecordSchema.safeParse(record);
  if (!parsed.success || computeHash(parsed.data) !== parsed.data.hash)
    throw invalid("a record does not match its hash");
  return parsed.data;
}

export function contentOf({ content }: ThoughtRecord): Readonly<Record<string, unknown>> {
  const value = readJson(content);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Returns whether the proof of an entry shows that its record is in the tree at the place of its version. */
export function isProven(entry: HistoryEntry | undefined, head: TreeHead): boolean {
  if (!entry) return false;
  const { proof, record, version } = entry;
  return isIncluded(proof, record.hash, head) && proof?.index === version - 1;
}

export function isIncluded(proof: InclusionProof | null, hash: string, head: TreeHead): boolean {
  try {
    return proof !== null && verifyInclusionProof(proof, hash, head);
  } catch {
    return false;
  }
}

/**
 * Returns the proof that a record is the last one of the tree that ends with it. The nodes to its left are the same in
 * every tree that continues from that tree (RFC 6962 §2.1.1).
 */
export function proofOfEnd({ index, size, hashes }: InclusionProof): InclusionProof {
  const onLeft: string[] = [];
  let used = 0;
  for (
    let position = index, last = size - 1;
    last > 0;
    position = Math.floor(position / 2), last = Math.floor(last / 2)
  ) {
    const isAlone = position % 2 === 0 && position === last;
    if (position % 2 === 1) onLeft.push(...hashes.slice(used, used + 1));
    if (!isAlone) used++;
  }
  return { index, size: index + 1, hashes: onLeft };
}

export const invalid = (message: string): RegistryClientError => new RegistryClientError("invalid-answer", message);
