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
  ])("that %s while another with the same memory publishes keeps the later version", async (_what, first, ask) => {
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

  test("that adds an agent while another with the same memory adds it publishes the second version", async () => {
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

  /**
   * Returns a registry with a signed version, a fork of it, and a memory of the version. The two have published
   * different second versions.
   */
  async function forked(memory: ReturnType<typeof inMemory>) {
    const first = server.registry;
    await first.sign();
    const second = await server.fork();
    server.registry = first;
    await server.client(memory).readManifest(server.agent);
    for (const [patch, one] of [first, second].entries()) {
      await one.publish(server.agent, number(patch));
      await one.sign();
    }
    return { first, second };
  }

  test("compares an answer with what another client remembers meanwhile", async () => {
    const memory = inMemory();
    const { first, second } = await forked(memory);
    server.registry = second;
    server.lie = async (body, path) => {
      if (!path.includes("/history")) return body;
      server.lie = (same) => same;
      server.registry = first;
      await server.client(memory).readManifest(server.agent);
      server.registry = second;
      return body;
    };
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "forked" });
  });

  test("says that the history differs from the one on which it published", async () => {
    const memory = inMemory();
    const { second } = await forked(memory);
    await second.publish(server.agent, next);
    await second.sign();
    server.lie = (body, path) => {
      if (path.startsWith("PATCH ")) server.registry = second;
      return body;
    };
    await expect(server.client(memory).publish(server.agent, next)).rejects.toMatchObject({ code: "forked" });
  });

  test("gives up on a memory that others change each time", async () => {
    const memory = inMemory();
    await server.client(memory).readManifest(server.agent);
    let count = 0;
    server.lie = (body, path) => {
      if (!path.includes("/history")) return body;
      const text = JSON.parse(memory.text());
      text.registries[`${server.url}/`].agents[server.agent].checkpoint = {
        size: 0,
        root: `${count++}`.padStart(64, "0"),
      };
      void memory.write(JSON.stringify(text));
      return body;
    };
    await expect(server.client(memory).readManifest(server.agent)).rejects.toMatchObject({ code: "conflict" });
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
