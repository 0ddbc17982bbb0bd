import {
  computeTreeHead,
  createCheckpoint,
  createNoteKeys,
  createNoteSigner,
  signNote,
} from "@agentprint/trail/checkpoint";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { successionText } from "../../../apps/registry/src/elsewhere/kept-notes.ts";
import { HostileServer, inMemory } from "./hostile-server.ts";

const server = new HostileServer();
beforeAll(() => server.start());
beforeEach(() => server.begin());
afterAll(() => server.close());

const NAME = "localhost/agentprint-registry";
const keyOf = (seed: number, name = NAME) => createNoteKeys(name, new Uint8Array(32).fill(seed));
const [first, second, third] = [keyOf(1), keyOf(2), keyOf(3)];
type Keys = typeof first;

/** Returns the note about a succession, signed by `signers`. */
function succession(from: Keys, to: Keys, signers: readonly Keys[] = [from, to], name = NAME): string {
  const signing = signers.map(({ signerKey }) => createNoteSigner(signerKey));
  return signNote(successionText(name, 1, from.verifierKey, to.verifierKey), signing);
}

/** Makes the registry answer with `key`, `successions` and, if given, `checkpoint`. */
function answerWith(key: Keys, successions: readonly string[] = [], checkpoint: string | null = null): void {
  server.lie = (body, path) => {
    if (path === "GET /signer") return { ...body, verifier_key: key.verifierKey, successions };
    if (!path.includes("/history")) return body;
    const proof = checkpoint === null ? null : { index: 0, size: 1, hashes: [] };
    const entries = body.entries.map((entry: object) => ({ ...entry, proof }));
    return { ...body, verifier_key: key.verifierKey, checkpoint, entries };
  };
}

async function checkpointBy({ signerKey }: Keys): Promise<string> {
  const { entries } = (await server.registry.get(`/agents/${server.agent}/history`)).body;
  const head = await computeTreeHead([entries[0].record]);
  return createCheckpoint({ origin: `${NAME}/agents/${server.agent}`, ...head }, [createNoteSigner(signerKey)]);
}

/** Returns a memory of the registry with its first key. */
async function memoryOfFirst(): Promise<ReturnType<typeof inMemory>> {
  const memory = inMemory();
  answerWith(first);
  await server.client(memory).readManifest(server.agent);
  return memory;
}

const keyIn = (memory: ReturnType<typeof inMemory>): string =>
  JSON.parse(memory.text()).registries[`${server.url}/`].verifier_key;

describe("another key of the registry", () => {
  test.each<[string, Keys, readonly string[]]>([
    ["the remembered one signed", second, [succession(first, second)]],
    ["follows over two successions", third, [succession(first, second), succession(second, third)]],
  ])("that %s is followed and remembered", async (_name, key, successions) => {
    const memory = await memoryOfFirst();
    answerWith(key, successions);
    await server.client(memory).readManifest(server.agent);
    expect(keyIn(memory)).toBe(key.verifierKey);
  });

  test.each<[string, readonly string[]]>([
    ["without a succession", []],
    ["that only the new key signed", [succession(first, second, [second])]],
    ["that only the remembered key signed", [succession(first, second, [first])]],
    ["of another registry", [succession(first, second, [first, second], "other/signer")]],
    ["to another key", [succession(first, third)]],
    ["from another key", [succession(third, second)]],
    ["changed after it was signed", [succession(third, second).replace(third.verifierKey, first.verifierKey)]],
    ["that is no note", ["x"]],
  ])("%s is refused, and the memory stays", async (_name, successions) => {
    const memory = await memoryOfFirst();
    const before = memory.text();
    answerWith(second, successions);
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "forked" });
    expect(memory.text()).toBe(before);
  });

  test("takes the checkpoint that the key before it signed, and no one else's", async () => {
    answerWith(second, [succession(first, second)], await checkpointBy(first));
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    expect(keyIn(memory)).toBe(second.verifierKey);
    answerWith(second, [succession(first, second)], await checkpointBy(third));
    await expect(server.client(inMemory()).readManifest(server.agent)).rejects.toMatchObject({
      code: "invalid-answer",
    });
  });
});
