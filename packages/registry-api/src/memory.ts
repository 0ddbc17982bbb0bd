import { isJsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import * as z from "zod";
import type { ClientMemory } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

const Agent = z.strictObject({
  version: z.int().min(1),
  hash: Hash,
  record: Hash,
  checkpoint: z.strictObject({ size: z.int().min(0), root: Hash }).nullable(),
});

const Registry = z.strictObject({ verifier_key: z.string(), agents: z.record(z.string(), Agent) });

const Memory = z.strictObject({ format: z.literal(1), registries: z.record(z.string(), Registry) });

/** The remembered state of an agent: its last version, the hash of its record, and the checkpoint that was seen with it. */
export type RememberedAgent = z.output<typeof Agent>;

/** The remembered state of a registry: its verifier key and its agents. */
export interface RememberedRegistry {
  readonly verifierKey: string | undefined;
  readonly agents: ReadonlyMap<string, RememberedAgent>;
}

/**
 * Returns the remembered state of the registry at `base`.
 *
 * @throws {@link RegistryClientError} `invalid-option` when the memory is not in its format, so that nothing can be compared with it.
 */
export async function readMemory(memory: ClientMemory, base: string): Promise<RememberedRegistry> {
  const { registries } = await parse(memory);
  const known = Object.hasOwn(registries, base) ? registries[base] : undefined;
  return { verifierKey: known?.verifier_key, agents: new Map(Object.entries(known?.agents ?? {})) };
}

/**
 * Remembers an agent of the registry at `base`; everything else stays as it is. Where another client has remembered a later version meanwhile,
 * that one stays, unless the memory may go back.
 */
export async function writeMemory(memory: ClientMemory, ...rest: Remembered): Promise<void> {
  const { exclusive = (run) => run() } = memory;
  await exclusive(() => writeNow(memory, ...rest));
}

type Remembered = [base: string, verifierKey: string, agentId: string, agent: RememberedAgent, mayGoBack: boolean];

async function writeNow(
  memory: ClientMemory,
  ...[base, verifierKey, agentId, agent, mayGoBack]: Remembered
): Promise<void> {
  const before = await parse(memory);
  const known = Object.hasOwn(before.registries, base) ? before.registries[base]?.agents : undefined;
  const last = known && Object.hasOwn(known, agentId) ? known[agentId]?.version : undefined;
  if (!mayGoBack && last !== undefined && last > agent.version) return;
  const registries = new Map(Object.entries(before.registries));
  const agents = new Map(Object.entries(registries.get(base)?.agents ?? {})).set(agentId, agent);
  registries.set(base, { verifier_key: verifierKey, agents: sorted(agents) });
  const text = `${JSON.stringify({ format: 1, registries: sorted(registries) }, null, 2)}\n`;
  if (text !== (await memory.read())) await memory.write(text);
}

/** An object whose members are in their order, so that two versions of a file are easy to compare. */
function sorted<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function parse(memory: ClientMemory): Promise<z.output<typeof Memory>> {
  const text = await memory.read();
  if (text === undefined) return { format: 1, registries: {} };
  const parsed = Memory.safeParse(readObject(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `the memory of the client is not as it wrote it: ${issue?.path.join("/") ?? ""}: ${issue?.message}`;
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
