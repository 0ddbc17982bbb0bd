import { hashManifest } from "@agentprint/manifest";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RegistryClient } from "../src/index.ts";
import { HostileServer, inMemory, type Lie, next, voice } from "./hostile-server.ts";

const server = new HostileServer();
beforeAll(() => server.start());
beforeEach(() => server.begin());
afterAll(() => server.close());

const all = async (items: AsyncIterable<unknown>): Promise<number> => {
  let found = 0;
  for await (const _ of items) found++;
  return found;
};

const present = () => ({
  agent_id: server.agent,
  capability_manifest_version: 1,
  capability_manifest_hash: hashManifest(EMPTY),
});

describe("an answer about something else is no answer", () => {
  const ways: [string, (client: RegistryClient) => Promise<unknown>][] = [
    ["readAgent", (client) => client.readAgent(server.agent)],
    ["readManifest", (client) => client.readManifest(server.agent)],
    ["readManifest of a version", (client) => client.readManifest(server.agent, 1)],
    ["readVersion", (client) => client.readVersion(server.agent, 1)],
    ["listVersions", (client) => all(client.listVersions(server.agent))],
    ["diff", (client) => client.diff(server.agent, 1, 1)],
    ["consent", (client) => client.consent(server.agent, 1)],
    ["history", (client) => all(client.history(server.agent))],
    ["preview", (client) => client.preview(server.agent, next, present())],
    ["publish", (client) => client.publish(server.agent, next)],
  ];
  const otherwise =
    (change: (one: Parameters<Lie>[0]) => void): Lie =>
    (body) => {
      for (const one of [body, ...(body.versions ?? [])]) change(one);
      return body;
    };

  test.each(ways)("about another agent: %s", async (_name, ask) => {
    expect(await ask(server.client())).toBeDefined();
    server.lie = otherwise((one) => {
      if ("agent_id" in one) one.agent_id = "other";
    });
    await expect(ask(server.client())).rejects.toMatchObject({ code: "invalid-answer" });
  });

  test.each(ways.slice(1))("about another version: %s", async (_name, ask) => {
    server.lie = otherwise((one) => {
      for (const name of ["capability_manifest_version", "from", "accepted"]) if (name in one) one[name] += 1;
      for (const entry of one.entries ?? []) entry.version += 1;
    });
    await expect(ask(server.client())).rejects.toMatchObject({
      code: expect.stringMatching(/^(invalid-answer|refused)$/),
    });
  });

  test.each(ways.filter(([name]) => ["readManifest", "preview", "publish"].includes(name)))(
    "with another hash: %s",
    async (_name, ask) => {
      server.lie = (body, path) => {
        if (!path.startsWith("GET ") || path.includes("/versions/"))
          body.capability_manifest_hash = hashManifest(voice);
        return body;
      };
      await expect(ask(server.client())).rejects.toMatchObject({ code: "invalid-answer" });
    },
  );

  test("with the whole answer of another agent: readManifest", async () => {
    const other = (await server.registry.get("/agents/other/versions/1")).body;
    server.lie = (body, path) => (path.includes("/versions/") ? { ...other, agent_id: server.agent } : body);
    await expect(server.client().readManifest(server.agent)).rejects.toMatchObject({ code: "invalid-answer" });
  });

  test("and a cycle of pages ends", async () => {
    server.lie = (body, path) => {
      if (/^GET \/agents(\?|$)/.test(path)) return { ...body, next: "a" };
      return { ...body, next: 1 };
    };
    await expect(all(server.client().listAgents())).rejects.toMatchObject({ code: "invalid-answer" });
    expect(await all(server.client().listVersions(server.agent))).toBe(1);
  });
});

describe("events", () => {
  const event = (name: string, data: object): string => `event: ${name}\nid: x\ndata: ${JSON.stringify(data)}\n\n`;
  const version = (agent_id: string, number: number) =>
    event("version", {
      agent_id,
      capability_manifest_version: number,
      capability_manifest_hash: hashManifest(EMPTY),
      breaking_changes: [],
      weakens_consent: false,
      created_at: "2026-01-01T00:00:00.000Z",
    });
  const start = (agent_id: string, number: number) =>
    event("start", { versions: [{ agent_id, capability_manifest_version: number }] });

  test.each<[string, () => string, string]>([
    ["of another agent", () => version("other", 1), "invalid-answer"],
    ["that starts with another agent", () => start("other", 1), "invalid-answer"],
    ["that leaves a version out", () => start(server.agent, 1) + version(server.agent, 3), "invalid-answer"],
    [
      "that repeats a version",
      () => start(server.agent, 1) + version(server.agent, 2) + version(server.agent, 2),
      "invalid-answer",
    ],
    [
      "that goes back",
      () => start(server.agent, 3) + event("reset", { agent_id: server.agent, capability_manifest_version: 2 }),
      "rolled-back",
    ],
  ])("%s are no events", async (_name, text, code) => {
    server.events = text();
    await expect(all(server.client().hear([server.agent]))).rejects.toMatchObject({ code });
  });

  test("begin with versions that are remembered, and without an agent only where none is", async () => {
    const memory = inMemory();
    server.events = start(server.agent, 1);
    const hear = () => server.client(memory).hear([server.agent]).next();
    expect((await hear()).value).toMatchObject({ event: "start" });
    expect(Object.keys(JSON.parse(memory.text()).registries[`${server.url}/`].agents)).toEqual([server.agent]);
    server.events = start(server.agent, 0);
    await expect(hear()).rejects.toMatchObject({ code: "rolled-back" });
    server.events = event("reset", { agent_id: server.agent, capability_manifest_version: 1 });
    expect((await hear()).value).toMatchObject({ event: "reset" });
  });

  test("that are not the remembered ones end the stream", async () => {
    const memory = inMemory();
    await server.client(memory).publish(server.agent, next);
    server.events = version(server.agent, 1);
    await expect(all(server.client(memory).hear([server.agent]))).rejects.toMatchObject({ code: "rolled-back" });
    server.events = version(server.agent, 2);
    await expect(all(server.client(memory).hear([server.agent]))).rejects.toMatchObject({ code: "invalid-answer" });
  });
});
