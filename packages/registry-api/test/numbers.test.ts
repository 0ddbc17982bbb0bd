import { computeHash } from "@agentprint/trail";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readReached } from "../src/index.ts";
import { HostileServer, inMemory, type Lie, next } from "./hostile-server.ts";

const server = new HostileServer();
beforeAll(() => server.start());
beforeEach(() => server.begin());
afterAll(() => server.close());

async function numbersOf(): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { capability_manifest_version: version } of server.client().listVersions(server.agent)) {
    numbers.push(version);
  }
  return numbers;
}

const isList = (path: string): boolean => path.includes("/versions?");

/** Omits the first version from lists, and passes its record through `change`. */
const withoutFirst =
  (change: (record: { content: string; hash: string }) => object): Lie =>
  (body, path) => {
    if (isList(path)) return { ...body, versions: body.versions.slice(1) };
    if (!path.includes("/history")) return body;
    return {
      ...body,
      entries: body.entries.map((entry: { version: number; record: never }) =>
        entry.version === 1 ? { ...entry, record: change(entry.record) } : entry,
      ),
    };
  };

describe("the numbers of versions", () => {
  test("follow one another, except for those that were lost in a rollback", async () => {
    await server.client().publish(server.agent, next);
    expect(await numbersOf()).toEqual([1, 2]);
    server.lie = withoutFirst((record) => {
      const lost = { ...record, content: JSON.stringify({ ...JSON.parse(record.content), lost: true }) };
      return { ...lost, hash: computeHash(lost as never) };
    });
    expect(await numbersOf()).toEqual([2]);
    server.lie = withoutFirst((record) => record);
    await expect(numbersOf()).rejects.toMatchObject({
      code: "invalid-answer",
      message: expect.stringContaining("version 1"),
    });
  });

  test("have records: a history without them is no answer", async () => {
    await server.client().publish(server.agent, next);
    server.lie = (body, path) => {
      if (isList(path)) return { ...body, versions: body.versions.slice(1) };
      return path.includes("/history") ? { ...body, entries: [] } : body;
    };
    await expect(numbersOf()).rejects.toMatchObject({ code: "invalid-answer" });
  });

  test("rise in a list", async () => {
    await server.client().publish(server.agent, next);
    server.lie = (body, path) => (isList(path) ? { ...body, versions: body.versions.toReversed() } : body);
    await expect(numbersOf()).rejects.toMatchObject({
      code: "invalid-answer",
      message: expect.stringContaining("in order"),
    });
  });

  test.each([
    ["lists it", false],
    ["lists nothing yet", true],
  ])(
    "are those of another client that has published the same meanwhile, where the registry %s",
    async (_name, isEmpty) => {
      let isFirst = true;
      server.lie = async (body, path) => {
        if (isEmpty && isList(path)) return { ...body, versions: [], next: null };
        if (!isFirst || path !== `GET /agents/${server.agent}`) return body;
        isFirst = false;
        await server.client().publish(server.agent, next);
        return body;
      };
      expect(await server.client().publish(server.agent, next)).toMatchObject({
        outcome: "published",
        answer: { capability_manifest_version: 2 },
      });
    },
  );
});

test("events begin only where the registry says which version an agent has", async () => {
  const memory = inMemory();
  const version = { agent_id: server.agent, capability_manifest_version: 1 };
  server.events = `event: start\nid: ${server.agent}=1\ndata: ${JSON.stringify({ versions: [version] })}\n\n`;
  await server.client(memory).hear([server.agent]).next();
  server.lie = (body, path) => (path === "GET /agents/other" ? {} : body);
  await expect(server.client(memory).hear([server.agent, "other"]).next()).rejects.toMatchObject({
    code: "invalid-answer",
  });
});

test("a memory names the highest version of each agent that was read or heard, of registries with these keys", async () => {
  const agent = (version: number) => ({ version, hash: "a".repeat(64), record: "b".repeat(64), checkpoint: null });
  const memory = {
    format: 1,
    registries: {
      "https://a.example/": { verifier_key: "a", agents: { one: agent(3), two: agent(1) } },
      "https://b.example/": { verifier_key: "b", agents: { three: agent(9) } },
      "https://c.example/": { verifier_key: "a", agents: {} },
    },
    heard: { "https://a.example/": { one: 2, two: 4, none: 0, "*": 7 } },
  };
  expect([...(await readReached(JSON.stringify(memory), new Set(["a"])))]).toEqual([
    ["one", 3],
    ["two", 4],
  ]);
  await expect(readReached("[]", new Set())).rejects.toMatchObject({ code: "invalid-option" });
});
