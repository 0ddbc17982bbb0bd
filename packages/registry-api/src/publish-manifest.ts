import { randomUUID } from "node:crypto";
import { type CapabilityManifest, hashManifest } from "@agentprint/manifest";
import { PublishAnswerSchema } from "./answers/answer-schemas.ts";
import type { PublishAnswer, VersionName } from "./answers/answers.ts";
import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { agentPath, asAsked, checked, nameOf, tagOf } from "./names.ts";
import type { Published, PublishOptions, RegistryClient } from "./registry-client.ts";
import { checkBetween, recall, rememberVersion } from "./remember-version.ts";
import { send } from "./request.ts";

/** How often another publisher may come first. */
const MAX_ROUNDS = 20;

/**
 * Publishes a manifest as the successor of the version that was read (`If-Match`). The request has its own
 * `Idempotency-Key`, so it can be repeated and is accepted at most once. If it is not accepted, another version came
 * first, or the registry does not support such keys and the answer was lost.
 */
export async function publishManifest(
  client: RegistryClient,
  connection: Connection,
  agentId: string,
  manifest: CapabilityManifest,
  { create = false, review }: PublishOptions,
): Promise<Published> {
  const hash = hashManifest(manifest);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const known = await recall(connection);
    const present = await readPresent(client, agentId, create);
    // Never publish a successor of a version other than the remembered one.
    if (present) await rememberVersion(connection, present, known);
    if (present?.capability_manifest_hash === hash) {
      return { outcome: "unchanged", answer: { ...nameOf(present), breaking_changes: [] } };
    }
    try {
      if (present && review) {
        const preview = await client.preview(agentId, manifest, present);
        if (!(await review(preview))) return { outcome: "declined", answer: preview };
      }
      const answer = await sendManifest(connection, agentId, manifest, present);
      await rememberVersion(connection, await checkedNextOf(connection, answer, agentId, hash, present), known);
      return { outcome: "published", answer };
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
    const after = present?.capability_manifest_version ?? 0;
    const { value: listed } = await client.listVersions(agentId, after).next();
    const next = listed ?? (await client.readVersion(agentId, after + 1));
    if (next.capability_manifest_hash === hash) {
      await rememberVersion(connection, next, known);
      return { outcome: "published", answer: { ...nameOf(next), breaking_changes: next.breaking_changes } };
    }
  }
  throw new RegistryClientError("conflict", `${MAX_ROUNDS} other versions of ${agentId} came first`);
}

/**
 * Returns `answer` if it is about the version that follows `present`: the next number, or one after numbers that a
 * rollback lost.
 */
export async function checkedNextOf<T extends VersionName>(
  connection: Connection,
  answer: T,
  agentId: string,
  hash: string,
  present: VersionName | undefined,
): Promise<T> {
  const before = present?.capability_manifest_version ?? 0;
  const { capability_manifest_version: version } = answer;
  const isNext = version === before + 1;
  const expected = { agent_id: agentId, capability_manifest_hash: hash };
  asAsked<VersionName>(answer, version > before ? expected : { ...expected, capability_manifest_version: before + 1 });
  if (!isNext) await checkBetween(connection, agentId, before, version);
  return answer;
}

/** Returns the current version, or `undefined` if there is no agent and one may be added. */
async function readPresent(client: RegistryClient, agentId: string, create: boolean): Promise<VersionName | undefined> {
  try {
    return await client.readAgent(agentId);
  } catch (error) {
    if (create && error instanceof RegistryClientError && error.problem?.code === "AGENT_NOT_FOUND") return undefined;
    throw error;
  }
}

async function sendManifest(
  connection: Connection,
  agentId: string,
  manifest: CapabilityManifest,
  present: VersionName | undefined,
): Promise<PublishAnswer> {
  // Every attempt of this request has the same key, so a repetition gets the first answer.
  const headers = { "idempotency-key": randomUUID() };
  const request = present
    ? {
        method: "PATCH" as const,
        path: agentPath(agentId),
        headers: { ...headers, "if-match": tagOf(present) },
        body: JSON.stringify(manifest),
      }
    : { method: "POST" as const, path: "agents", headers, body: JSON.stringify({ agent_id: agentId, manifest }) };
  return checked(PublishAnswerSchema, await send(connection, request));
}

function isOvertaken(error: unknown): boolean {
  const code = error instanceof RegistryClientError ? error.problem?.code : undefined;
  return code === "PRECONDITION_FAILED" || code === "AGENT_EXISTS";
}
