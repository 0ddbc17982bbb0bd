import { hashManifest } from "@agentprint/manifest";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { computeHash } from "@agentprint/trail";
import { computeTreeHead, createCheckpoint, createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestRegistry } from "../../../apps/registry/test/support/registry.ts";
import type { RegistryClient } from "../src/index.ts";
import { HostileServer, inMemory, type Lie, next, voice } from "./hostile-server.ts";

const server = new HostileServer();
beforeAll(() => server.start());
beforeEach(() => server.begin());
afterAll(() => server.close());

describe("a client that remembers", () => {
  /** Returns another registry with the first one's key, as after a restore. */
  function restored(): Promise<TestRegistry> {
    const { config } = server.registry.services;
    const signer_key_file = config.signer_key_file ?? `${config.database.replace("file:", "")}.signer-key`;
    return server.replace({ signer_key_file });
  }

  test("continues while the history does, and writes only changes", async () => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    await server.registry.sign();
    await server.client(memory).publish(server.agent, next);
    const before = memory.text();
    expect(JSON.parse(before).registries[`${server.url}/`].agents[server.agent]).toMatchObject({
      version: 2,
      hash: hashManifest(next),
      checkpoint: { size: 1 },
    });
    await server.client(memory).readManifest(server.agent, 1);
    expect(memory.text()).toBe(before);
    await server.registry.sign();
    await server.client(memory).readManifest(server.agent);
    expect(JSON.parse(memory.text()).registries[`${server.url}/`].agents[server.agent].checkpoint.size).toBe(2);
  });

  test("says that versions are gone, until that is accepted", async () => {
    const memory = inMemory();
    await server.client(memory).publish(server.agent, next);
    await restored();
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "rolled-back" });
    await server.registry.create(server.agent, EMPTY);
    for (const ask of [
      (client: RegistryClient) => client.readManifest(server.agent),
      (client: RegistryClient) => client.readManifest(server.agent, 1),
      (client: RegistryClient) => client.publish(server.agent, voice),
    ]) {
      await expect(ask(server.client(memory))).rejects.toMatchObject({ code: "rolled-back" });
    }
    expect((await server.registry.get(`/agents/${server.agent}`)).body.capability_manifest_version).toBe(1);
    await server.client(memory, true).readManifest(server.agent);
    expect((await server.client(memory).readManifest(server.agent)).capability_manifest_version).toBe(1);
  });

  test("says that a number was used for something else", async () => {
    const memory = inMemory();
    await server.client(memory).publish(server.agent, next);
    await restored();
    await server.registry.create(server.agent, EMPTY);
    await server.registry.publish(server.agent, voice);
    await server.registry.publish(server.agent, EMPTY);
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "forked" });
  });

  test("says that the same manifests were recorded again", async () => {
    const memory = inMemory();
    await server.client(memory).publish(server.agent, next);
    await restored();
    await server.registry.create(server.agent, EMPTY);
    await server.registry.publish(server.agent, next);
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "rolled-back" });
  });

  const number = (patch: number) => ({ ...EMPTY, agent_version: `3.0.${patch}` });

  /** Reads the present manifest; `versions` more versions are accepted and signed before the history is read. */
  async function readMeanwhile(memory: ReturnType<typeof inMemory>, versions: number): Promise<void> {
    server.lie = async (body, path) => {
      if (path !== `GET /agents/${server.agent}`) return body;
      server.lie = (same) => same;
      for (let count = 0; count < versions; count++) await server.registry.publish(server.agent, number(count));
      await server.registry.sign();
      return body;
    };
    await server.client(memory).readManifest(server.agent);
  }

  test.each([
    [1, 1],
    [1, 3],
    [2, 5],
    [5, 6],
    [6, 12],
  ])("says that %i signed versions were replaced by %i others", async (signed, others) => {
    const memory = inMemory();
    const first = server.registry;
    const forked = await server.fork();
    server.registry = first;
    await readMeanwhile(memory, signed);
    expect(JSON.parse(memory.text()).registries[`${server.url}/`].agents[server.agent]).toMatchObject({
      version: 1,
      checkpoint: { size: signed + 1 },
    });
    server.registry = forked;
    for (let count = 0; count < others; count++) await forked.publish(server.agent, number(100 + count));
    await forked.sign();
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "forked" });
    server.registry = first;
    for (let count = 0; count < others; count++) await first.publish(server.agent, number(200 + count));
    await first.sign();
    await server.client(memory).readManifest(server.agent);
  });

  test.each<[string, (body: { entries: { proof: unknown }[] }) => void]>([
    [
      "its proof",
      ({ entries }) => {
        for (const entry of entries) entry.proof = null;
      },
    ],
    ["its record", ({ entries }) => void entries.splice(0)],
  ])("says that the remembered version is not in the checkpoint, without %s", async (_name, leaveOut) => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    await server.registry.publish(server.agent, next);
    await server.registry.sign();
    server.lie = (body, path) => {
      if (path.includes("/history?after=0")) leaveOut(body);
      return body;
    };
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "forked" });
  });

  test("continues from a checkpoint without records", async () => {
    const memory = inMemory();
    await server.registry.sign();
    await server.client(memory).readManifest(server.agent);
    const text = memory.text().replace(/"size": 1/, '"size": 0');
    await server.client(inMemory(text)).readManifest(server.agent);
  });

  test("says that the registry has another key", async () => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    await server.replace();
    await server.registry.create(server.agent, EMPTY);
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "forked" });
  });

  test.each<[string, Lie]>([
    [
      "a record of other content",
      (body) => edit(body, (record) => Object.assign(record, { content: `${record.content} ` })),
    ],
    ["a record of another version, hashed again", (body) => edit(body, (record) => rehash(record, server.agent, 7))],
    ["a record of another server.agent, hashed again", (body) => edit(body, (record) => rehash(record, "other", 1))],
    ["no record", (body) => ({ ...body, entries: [] })],
    ["no proof", (body) => ({ ...body, entries: body.entries.map((entry: object) => ({ ...entry, proof: null })) })],
    [
      "a proof that is none",
      (body) => {
        for (const entry of body.entries) entry.proof.index = entry.proof.size;
        return body;
      },
    ],
    ["another checkpoint", (body) => ({ ...body, checkpoint: body.checkpoint.replace("\n1\n", "\n2\n") })],
    ["another origin", (body) => ({ ...body, origin: `${body.origin}2` })],
    ["no key", (body) => ({ ...body, verifier_key: "x" })],
    ["a checkpoint without signature", (body) => ({ ...body, checkpoint: "x" })],
  ])("takes no history with %s", async (_name, change) => {
    await server.registry.sign();
    await server.client(inMemory()).readManifest(server.agent);
    server.lie = (body, path) => (path.includes("/history") ? change(body, path) : body);
    await expect(server.client(inMemory()).readManifest(server.agent)).rejects.toMatchObject({
      code: "invalid-answer",
    });
  });

  test("finds a second checkpoint of the same size", async () => {
    const memory = inMemory();
    const { verifierKey, signerKey } = createNoteKeys("localhost/agentprint-registry", new Uint8Array(32));
    const signed = async (hash: string) => {
      const head = await computeTreeHead([{ hash } as Parameters<typeof rehash>[0]]);
      return createCheckpoint({ origin: `localhost/agentprint-registry/agents/${server.agent}`, ...head }, [
        createNoteSigner(signerKey),
      ]);
    };
    const forge = (body: Awaited<ReturnType<Lie>>, checkpoint: string, size: number) => ({
      ...(body as object),
      verifier_key: verifierKey,
      checkpoint,
      entries: (body as { entries: object[] }).entries.map((entry) => ({
        ...entry,
        proof: { index: 0, size, hashes: [] },
      })),
    });
    const { hash } = (await server.registry.get(`/agents/${server.agent}/history`)).body.entries[0].record;
    const first = await signed(hash);
    server.lie = (body, path) => (path.includes("/history") ? forge(body, first, 1) : body);
    await server.client(memory).readManifest(server.agent);
    const remembered = JSON.parse(memory.text());
    remembered.registries[`${server.url}/`].agents[server.agent].checkpoint.root = "0".repeat(64);
    await expect(server.client(inMemory(JSON.stringify(remembered))).readManifest(server.agent)).rejects.toMatchObject({
      code: "forked",
    });
    remembered.registries[`${server.url}/`].agents[server.agent].checkpoint.size = 2;
    await expect(server.client(inMemory(JSON.stringify(remembered))).readManifest(server.agent)).rejects.toMatchObject({
      code: "rolled-back",
    });
  });

  test.each(["", "{", "[]", '{"format":2}', '{"format":1,"registries":{"x":1}}'])(
    "whose memory is damaged compares nothing: %j",
    async (text) => {
      await expect(server.client(inMemory(text)).readManifest(server.agent)).rejects.toMatchObject({
        code: "invalid-option",
      });
    },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: a hostile server answers any JSON
function edit(body: any, change: (record: any) => void): unknown {
  for (const { record } of body.entries) change(record);
  return body;
}

// biome-ignore lint/suspicious/noExplicitAny: a hostile server answers any JSON
function rehash(record: any, agent_id: string, version: number): void {
  const content = JSON.parse(record.content);
  record.content = JSON.stringify({ ...content, agent_id, capability_manifest_version: version });
  record.hash = computeHash(record);
}
