import { type CapabilityManifest, hashManifest, parseManifest } from "@agentprint/manifest";
import * as z from "zod";
import {
  AgentPageSchema,
  AgentSchema,
  ConsentSchema,
  DiffSchema,
  HistorySchema,
  PreviewSchema,
  VersionPageSchema,
  versionAnswerSchema,
} from "./answers/answer-schemas.ts";
import type { VersionAnswer } from "./answers/answers.ts";
import { type Connection, connectionOf, type RegistryClientOptions } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { hearVersions } from "./hear-versions.ts";
import { agentPath, checked, nameOf, tagOf } from "./names.ts";
import { publishManifest } from "./publish-manifest.ts";
import type { RegistryClient } from "./registry-client.ts";
import { send } from "./request.ts";

// The manifest is parsed by its own package, which also computes its hash.
const Version = versionAnswerSchema(z.unknown());

/**
 * Makes a client of a registry.
 *
 * @throws {@link RegistryClientError} `invalid-option`.
 *
 * @example
 * ```ts
 * import { createRegistryClient } from "@agentprint/registry-client";
 *
 * const client = createRegistryClient({ url, token });
 * const { outcome, answer } = await client.publish("demo", manifest, { create: true });
 * console.log(outcome, answer.capability_manifest_version); // published 1
 * const again = await client.publish("demo", manifest);
 * console.log(again.outcome); // unchanged
 * ```
 */
export function createRegistryClient(options: RegistryClientOptions): RegistryClient {
  const connection = connectionOf(options);
  const client: RegistryClient = {
    listAgents: () =>
      pages(async (after: string | undefined) => {
        const path = after === undefined ? "agents" : `agents?after=${after}`;
        const { agents, next } = await read(connection, path, AgentPageSchema);
        return { items: agents, next };
      }),
    readAgent: async (agentId) => read(connection, agentPath(agentId), AgentSchema),
    readManifest: async (agentId, version) => {
      const answer = await client.readVersion(
        agentId,
        version ?? (await client.readAgent(agentId)).capability_manifest_version,
      );
      return { ...nameOf(answer), manifest: checkedManifest(answer) };
    },
    readVersion: async (agentId, version) => read(connection, `${agentPath(agentId)}/versions/${version}`, Version),
    listVersions: (agentId, first = 0) =>
      pages(async (after: number = first) => {
        const path = `${agentPath(agentId)}/versions?after=${after}`;
        const { versions, next } = await read(connection, path, VersionPageSchema);
        return { items: versions, next };
      }),
    diff: async (agentId, from, to) => read(connection, `${agentPath(agentId)}/diff?from=${from}&to=${to}`, DiffSchema),
    consent: async (agentId, accepted) =>
      read(connection, `${agentPath(agentId)}/consent?accepted=${accepted}`, ConsentSchema),
    history: (agentId) =>
      pages(async (after = 0) => {
        const { entries, next } = await read(connection, `${agentPath(agentId)}/history?after=${after}`, HistorySchema);
        return { items: entries, next };
      }),
    checkpoint: async (agentId) =>
      checked(z.string(), await send(connection, { method: "GET", path: `${agentPath(agentId)}/checkpoint` })),
    preview: async (agentId, manifest, onto) => {
      const answer = await send(connection, {
        method: "PATCH",
        path: `${agentPath(agentId)}?dry_run=true`,
        headers: { "if-match": tagOf(onto) },
        body: JSON.stringify(manifest),
      });
      return checked(PreviewSchema, answer);
    },
    publish: (agentId, manifest, publishing = {}) => publishManifest(client, connection, agentId, manifest, publishing),
    hear: (agentIds, hearing = {}) => hearVersions(connection, agentIds, hearing),
  };
  return client;
}

async function read<T>(connection: Connection, path: string, schema: z.ZodType<T>): Promise<T> {
  return checked(schema, await send(connection, { method: "GET", path }));
}

async function* pages<T, Next>(
  read: (after: Next | undefined) => Promise<{ readonly items: readonly T[]; readonly next: Next | null }>,
): AsyncGenerator<T, void> {
  let after: Next | undefined;
  do {
    const { items, next } = await read(after);
    yield* items;
    // After a page without items the same one would come again and again.
    after = items.length > 0 && next !== null ? next : undefined;
  } while (after !== undefined);
}

function checkedManifest({ manifest, capability_manifest_hash: hash }: VersionAnswer): CapabilityManifest {
  const parsed = parseManifest(manifest);
  if (parsed.ok && hashManifest(parsed.manifest) === hash) return parsed.manifest;
  throw new RegistryClientError("invalid-answer", `the registry sent a manifest that has not the hash ${hash}`);
}
