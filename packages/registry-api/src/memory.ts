import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import * as z from "zod";
import type { ClientMemory } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";

/** The key among the heard versions that holds the number of rollbacks, as in the id of an event. */
export const GENERATION = "*";

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

const Agent = z.strictObject({
  version: z.int().min(1),
  hash: Hash,
  record: Hash,
  checkpoint: z.strictObject({ size: z.int().min(0), root: Hash }).nullable(),
});

const Registry = z.strictObject({ verifier_key: z.string(), agents: z.record(z.string(), Agent) });

const Memory = z.strictObject({
  format: z.literal(1),
  registries: z.record(z.string(), Registry),
  /** The last version of each agent that a reader of events took, by the registry's address; 0 before the first one. */
  heard: z.record(z.string(), z.record(z.string(), z.int().min(0))).optional(),
});

/** The remembered state of an agent: its last version, the hash of its record, and the checkpoint that was seen with it. */
export interface RememberedAgent {
  readonly version: number;
  readonly hash: string;
  readonly record: string;
  readonly checkpoint: { readonly size: number; readonly root: string } | null;
}

/** The remembered state of a registry: its verifier key and its agents. */
export interface RememberedRegistry {
  readonly verifierKey: string | undefined;
  readonly agents: ReadonlyMap<string, RememberedAgent>;
}

/**
 * Returns the remembered state of the registry at `base`.
 *
 * @throws {@link RegistryClientError} `invalid-option` when the memory is not in its format, so that it cannot be
 * compared.
 */
export async function readMemory(memory: ClientMemory, base: string): Promise<RememberedRegistry> {
  const { registries } = await parse(memory);
  const known = ownOf(registries, base);
  return { verifierKey: known?.verifier_key, agents: new Map(Object.entries(known?.agents ?? {})) };
}

/**
 * Returns the versions after which a stream of the registry at `base` begins: the heard ones, and for agents that were
 * never heard of, the remembered ones.
 *
 * @throws {@link RegistryClientError} `invalid-option` as {@link readMemory} does.
 */
export async function readHeard(memory: ClientMemory, base: string): Promise<ReadonlyMap<string, number>> {
  const { agents } = await readMemory(memory, base);
  const { heard = {} } = await parse(memory);
  const known = new Map([...agents].map(([agentId, { version }]) => [agentId, version]));
  for (const [agentId, version] of Object.entries(ownOf(heard, base) ?? {})) known.set(agentId, version);
  return known;
}

/**
 * Returns the highest version of each agent that a memory names, for the registries whose remembered key is one of
 * `keys`. Versions that were heard count like those that were read.
 *
 * @param text - the text that a {@link ClientMemory} wrote
 * @param keys - the registry's present and earlier public keys, in the signed-note format
 * @throws {@link RegistryClientError} `invalid-option` when the text is not a valid memory.
 *
 * @example
 * ```ts
 * import { readReached } from "@agentprint/registry-api";
 *
 * console.log((await readReached('{"format":1,"registries":{}}', new Set())).size); // 0
 * ```
 */
export async function readReached(text: string, keys: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const { registries, heard = {} } = await parse({ read: async () => text, write: async () => {} });
  const reached = new Map<string, number>();
  const note = (agentId: string, version: number): void => {
    if (version > 0) reached.set(agentId, Math.max(version, reached.get(agentId) ?? 0));
  };
  for (const [base, { verifier_key, agents }] of Object.entries(registries)) {
    if (!keys.has(verifier_key)) continue;
    for (const [agentId, { version }] of Object.entries(agents)) note(agentId, version);
    for (const [agentId, version] of Object.entries(ownOf(heard, base) ?? {}))
      if (agentId !== GENERATION) note(agentId, version);
  }
  return reached;
}

/** Stores the versions that were heard; everything else is unchanged. */
export async function writeHeard(
  memory: ClientMemory,
  base: string,
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  const { exclusive = (run) => run() } = memory;
  await exclusive(() => writeHeardNow(memory, base, versions));
}

async function writeHeardNow(memory: ClientMemory, base: string, versions: ReadonlyMap<string, number>): Promise<void> {
  const before = await parse(memory);
  const known = new Map([...Object.entries(ownOf(before.heard ?? {}, base) ?? {}), ...versions]);
  const heard = new Map(Object.entries(before.heard ?? {})).set(base, sorted(known));
  await write(memory, { ...before, heard: sorted(heard) });
}

/**
 * Remembers an agent of the registry at `base`; everything else is unchanged. Returns whether it did. It does not if
 * the remembered key or agent is no longer the one in `known`, because another client has written in the meantime.
 * Without `known`, it always does.
 */
export async function writeMemory(memory: ClientMemory, ...rest: Remembered): Promise<boolean> {
  const { exclusive = (run) => run() } = memory;
  return exclusive(() => writeNow(memory, ...rest));
}

type Remembered = [
  base: string,
  verifierKey: string,
  agentId: string,
  agent: RememberedAgent,
  known: RememberedRegistry | undefined,
];

async function writeNow(
  memory: ClientMemory,
  ...[base, verifierKey, agentId, agent, known]: Remembered
): Promise<boolean> {
  const all = await parse(memory);
  const last = ownOf(all.registries, base);
  const isSame =
    known?.verifierKey === last?.verifier_key &&
    isDeepStrictEqual(known?.agents.get(agentId), ownOf(last?.agents ?? {}, agentId));
  if (known && !isSame) return false;
  const registries = new Map(Object.entries(all.registries));
  const agents = new Map(Object.entries(registries.get(base)?.agents ?? {})).set(agentId, agent);
  registries.set(base, { verifier_key: verifierKey, agents: sorted(agents) });
  await write(memory, { ...all, registries: sorted(registries) });
  return true;
}

async function write(memory: ClientMemory, { format, registries, heard }: z.output<typeof Memory>): Promise<void> {
  const text = `${JSON.stringify({ format, registries, ...(heard && { heard }) }, null, 2)}\n`;
  if (text !== (await memory.read())) await memory.write(text);
}

function ownOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns an object with its members in order, so that two versions of a file are easy to compare. */
function sorted<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function parse(memory: ClientMemory): Promise<z.output<typeof Memory>> {
  const text = await memory.read();
  if (text === undefined) return { format: 1, registries: {} };
  const parsed = Memory.safeParse(readObject(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `the client's memory was changed or damaged: ${issue?.path.join("/") ?? ""}: ${issue?.message}`;
  throw new RegistryClientError("invalid-option", message);
}

function readObject(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
