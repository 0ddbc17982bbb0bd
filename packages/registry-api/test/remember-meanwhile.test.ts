import { hashManifest } from "@agentprint/manifest";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RegistryClient } from "../src/index.ts";
import { HostileServer, inMemory, next, voice } from "./hostile-server.ts";

const server = new HostileServer();
beforeAll(() => server.start());
beforeEach(() => server.begin());
afterAll(() => server.close());

describe("a client that remembers", () => {
  const number = (patch: number) => ({ ...EMPTY, agent_version: `3.0.${patch}` });

  test.each([
    ["once", 1],
    ["three times", 3],
  ])("reads a history again that is signed %s while it is read", async (_times, count) => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    await server.registry.publish(server.agent, number(0));
    await server.registry.sign();
    await server.client(memory).readManifest(server.agent);
    await server.registry.publish(server.agent, next);
    let signed = 0;
    server.lie = async (body, path) => {
      if (!path.includes("/history?after=1&") || signed === count) return body;
      signed++;
      await server.registry.publish(server.agent, number(10 + signed));
      await server.registry.sign();
      return server.registry.get(path.replace("GET ", "")).then((answer) => answer.body);
    };
    await server.client(memory).readManifest(server.agent);
    expect(signed).toBe(count);
    expect(remembered(memory)).toMatchObject({ version: 3, checkpoint: { size: 3 + count } });
  });

  test("gives up on a history that is signed each time that it is read", async () => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    await server.registry.publish(server.agent, next);
    const before = memory.text();
    let count = 0;
    server.lie = async (body, path) => {
      if (!path.includes("/history")) return body;
      await server.registry.publish(server.agent, number(count++));
      await server.registry.sign();
      return body;
    };
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "conflict" });
    expect(memory.text()).toBe(before);
  });

  test.each<[string, string, (client: RegistryClient) => Promise<unknown>]>([
    ["reads", "GET /agents/", (client) => client.readManifest(server.agent)],
    ["publishes", "PATCH /agents/", (client) => client.publish(server.agent, next)],
  ])("that %s beside another with the same memory lets its later version stand", async (_what, first, ask) => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    server.lie = async (body, path) => {
      if (!path.startsWith(first)) return body;
      server.lie = (same) => same;
      await server.client(memory).publish(server.agent, voice);
      return body;
    };
    await ask(server.client(memory));
    const present = (await server.registry.get(`/agents/${server.agent}`)).body;
    expect(remembered(memory)).toMatchObject({
      hash: hashManifest(voice),
      version: present.capability_manifest_version,
    });
  });

  test("that adds an agent beside another with the same memory publishes on it", async () => {
    const memory = inMemory();
    server.agent = `${server.agent}-added`;
    server.lie = async (body, path) => {
      if (path !== `GET /agents/${server.agent}`) return body;
      server.lie = (same) => same;
      await server.client(memory).publish(server.agent, voice, { create: true });
      return body;
    };
    await server.client(memory).publish(server.agent, next, { create: true });
    expect(remembered(memory)).toMatchObject({ version: 2, hash: hashManifest(next) });
  });

  test("keeps the later of two checkpoints of one version", async () => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    server.lie = async (body, path) => {
      if (!path.includes("/history")) return body;
      server.lie = (same) => same;
      await server.registry.sign();
      await server.client(memory).readManifest(server.agent);
      return body;
    };
    await server.client(memory).readManifest(server.agent);
    expect(remembered(memory).checkpoint).toMatchObject({ size: 1 });
  });

  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  function remembered(memory: ReturnType<typeof inMemory>): any {
    return JSON.parse(memory.text()).registries[`${server.url}/`].agents[server.agent];
  }
});
