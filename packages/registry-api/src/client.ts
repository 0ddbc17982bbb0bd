import { hashManifest } from "@agentprint/manifest";
import * as z from "zod";
import {
  AgentPageSchema,
  AgentSchema,
  ConsentSchema,
  DiffSchema,
  PreviewSchema,
  VersionPageSchema,
} from "./answers/answer-schemas.ts";
import type { Agent } from "./answers/answers.ts";
import { verifiedManifest, versionAnswerOf } from "./answers/read-version-answer.ts";
import { type Connection, connectionOf, type RegistryClientOptions } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { hearVersions } from "./hear-versions.ts";
import { agentPath, asAsked, checked, nameOf, tagOf } from "./names.ts";
import { checkedNextOf, publishManifest } from "./publish-manifest.ts";
import { readHistory } from "./read-history.ts";
import type { RegistryClient } from "./registry-client.ts";
import { checkBetween, checkUnknown, recall, rememberVersion } from "./remember-version.ts";
import { send } from "./request.ts";

/**
 * Makes a client for a registry.
 *
 * @throws {@link RegistryClientError} `invalid-option`.
 *
 * @example
 * ```ts
 * import { createRegistryClient } from "@agentprint/registry-api";
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
        const ids = agents.map(({ agent_id }) => agent_id);
        checkOrder([after ?? "", ...ids], (a, b) => a < b);
        return { items: agents, next: checkedNext(next, ids) };
      }),
    readAgent: (agentId) => readAgent(connection, agentId),
    readManifest: async (agentId, version) => {
      const known = await recall(connection);
      const present = version === undefined ? await client.readAgent(agentId) : undefined;
      const answer = await client.readVersion(agentId, version ?? present?.capability_manifest_version ?? 1);
      if (present) asAsked(answer, nameOf(present));
      const read = verifiedManifest(answer);
      await rememberVersion(connection, version === undefined ? read : await client.readAgent(agentId), known);
      return read;
    },
    readVersion: async (agentId, version) =>
      versionAnswerOf(await send(connection, { method: "GET", path: `${agentPath(agentId)}/versions/${version}` }), {
        agent_id: agentId,
        capability_manifest_version: version,
      }),
    listVersions: (agentId, first = 0) =>
      pages(async (after: number = first) => {
        const path = `${agentPath(agentId)}/versions?after=${after}`;
        const { versions, next } = await read(connection, path, VersionPageSchema);
        for (const one of versions) asAsked(one, { agent_id: agentId });
        const numbers = versions.map((one) => one.capability_manifest_version);
        checkOrder([after, ...numbers], (a, b) => a < b);
        for (const [index, version] of numbers.entries()) {
          await checkBetween(connection, agentId, numbers[index - 1] ?? after, version);
        }
        return { items: versions, next: checkedNext(next, numbers) };
      }),
    diff: async (agentId, from, to) => {
      const answer = await read(connection, `${agentPath(agentId)}/diff?from=${from}&to=${to}`, DiffSchema);
      return asAsked(answer, { agent_id: agentId, from, to });
    },
    consent: async (agentId, accepted) => {
      const query = accepted === undefined ? "" : `?accepted=${accepted}`;
      const answer = await read(connection, `${agentPath(agentId)}/consent${query}`, ConsentSchema);
      return asAsked(answer, { agent_id: agentId, accepted: accepted ?? null });
    },
    history: (agentId) =>
      pages(async (after: number = 0) => {
        const { entries, next } = await readHistory(connection, agentId, after);
        const numbers = entries.map(({ version }) => version);
        return { items: entries, next: checkedNext(next, numbers) };
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
      return checkedNextOf(connection, checked(PreviewSchema, answer), agentId, hashManifest(manifest), onto);
    },
    publish: (agentId, manifest, publishing = {}) => publishManifest(client, connection, agentId, manifest, publishing),
    hear: (agentIds, hearing = {}) => hearVersions(client, connection, agentIds, hearing),
  };
  return client;
}

/**
 * @throws {@link RegistryClientError} `rolled-back` when there is no such agent although the client remembers it;
 * others as `send` does.
 */
async function readAgent(connection: Connection, agentId: string): Promise<Agent> {
  const known = await recall(connection);
  try {
    return asAsked(await read(connection, agentPath(agentId), AgentSchema), { agent_id: agentId });
  } catch (error) {
    const isMissing = error instanceof RegistryClientError && error.problem?.code === "AGENT_NOT_FOUND";
    if (isMissing) checkUnknown(connection, agentId, known);
    throw error;
  }
}

/** @throws {@link RegistryClientError} `invalid-answer` when a page does not continue where the previous one ended. */
function checkOrder<T>(all: readonly T[], follows: (before: T, after: T) => boolean): void {
  const index = all.findIndex((one, at) => at > 0 && !follows(all[at - 1] as T, one));
  if (index < 0) return;
  const message = `expected a list in order, received ${JSON.stringify(all[index])} after ${JSON.stringify(all[index - 1])}`;
  throw new RegistryClientError("invalid-answer", message);
}

/** Returns the item after which a list continues: the last one on the page. */
function checkedNext<T>(next: T | null, page: readonly T[]): T | null {
  if (next === null || page.length === 0 || next === page.at(-1)) return next;
  const message = `expected a list that continues after ${JSON.stringify(page.at(-1))}, received ${JSON.stringify(next)}`;
  throw new RegistryClientError("invalid-answer", message);
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
    // After a page without items, the same page would be requested forever.
    after = items.length > 0 && next !== null ? next : undefined;
  } while (after !== undefined);
}
