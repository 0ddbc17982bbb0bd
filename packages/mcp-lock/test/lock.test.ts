import { hashCanonical, type JsonObject } from "@agentprint/canonical-json";
import { anyJson, anyName } from "@agentprint/testing/lock/arbitrary-tools";
import { answersOf } from "@agentprint/testing/lock/offer";
import { pointersOf, valueAt, withValueAt } from "@agentprint/testing/lock/pointers-of";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createLock,
  entriesCanonicalPayload,
  formatLock,
  lockServer,
  type McpLockError,
  parseLock,
  serverCanonicalPayload,
  toolsCanonicalPayload,
  withoutServer,
  withPolicy,
  withServer,
} from "../src/index.ts";
import { anyAnswers, anyOffer } from "./arbitraries.ts";

function errorOf(run: () => unknown): Partial<McpLockError> {
  try {
    run();
  } catch (error) {
    return error as McpLockError;
  }
  return {};
}

const tool: JsonObject = {
  name: "a",
  description: "d",
  inputSchema: { type: "object", properties: { "10": {}, "9": {} } },
};
const lock = createLock({
  fs: answersOf([tool], { instructions: "Use it", prompts: [{ name: "p" }], resources: [{ uri: "u" }] }),
});
const text = formatLock(lock);

describe("lock file", () => {
  test("has sorted keys, two spaces and definitions, for review", () => {
    expect(text).toContain(`      "tools": [
        {
          "definition": {
            "description": "d",
            "inputSchema": {
              "properties": {
                "10": {},
                "9": {}
              },
              "type": "object"
            },
            "name": "a"
          },
          "digests": {
            "contract": "${hashCanonical({ name: "a", inputSchema: { type: "object", properties: { "10": {}, "9": {} } } })}",
`);
    expect(text.endsWith("}\n")).toBe(true);
  });

  test("reads back as it was, whatever the servers say", () => {
    fc.assert(
      fc.property(fc.dictionary(anyName, anyAnswers, { maxKeys: 3 }), (servers) => {
        const made = createLock(servers);
        const written = formatLock(made);
        expect(parseLock(written)).toEqual(made);
        expect(parseLock(new TextEncoder().encode(written))).toEqual(made);
        expect(formatLock(parseLock(written))).toBe(written);
      }),
      { numRuns: runs(8) },
    );
  });

  test("does not depend on the order in which a server lists", () => {
    fc.assert(
      fc.property(anyOffer, ({ tools, prompts, resources, ...rest }) => {
        const listed = answersOf(tools, { ...rest, prompts, resources });
        const reversed = answersOf(tools.toReversed(), {
          ...rest,
          prompts: prompts.toReversed(),
          resources: resources.toReversed(),
        });
        expect(formatLock(createLock({ s: reversed }))).toBe(formatLock(createLock({ s: listed })));
      }),
      { numRuns: runs(8) },
    );
  });

  test("is read in any order of keys and entries, and written in one order", () => {
    const { servers, ...rest } = JSON.parse(
      formatLock(createLock({ b: answersOf([tool, { name: "0" }]), a: answersOf([]) })),
    ) as {
      servers: { tools: unknown[] }[];
    };
    const shuffled = {
      servers: servers.toReversed().map((server) => ({ ...server, tools: server.tools.toReversed() })),
      ...rest,
    };
    expect(formatLock(parseLock(JSON.stringify(shuffled)))).toBe(
      formatLock(createLock({ a: answersOf([]), b: answersOf([tool, { name: "0" }]) })),
    );
  });

  test("the digests are those of the payloads", () => {
    const [server] = lock.servers;
    expect(server?.toolsDigest).toBe(hashCanonical(toolsCanonicalPayload(server?.tools ?? [])));
    const { digest, ...entry } = server!;
    expect(digest).toBe(hashCanonical(serverCanonicalPayload(entry)));
    expect(serverCanonicalPayload(server!)).toEqual(serverCanonicalPayload(entry));
    expect(toolsCanonicalPayload(entry.tools)).toEqual([{ name: "a", wire: hashCanonical(tool) }]);
  });

  test("the payload of several entries has their names and digests in code-unit order, and leaves the list as it was", () => {
    const entries = ["b", "\u{1f600}", "a", "\ufb01"].map((name) => ({ name, digest: name.repeat(2) }));
    expect(JSON.stringify(entriesCanonicalPayload(entries))).toBe(
      '[["a","aa"],["b","bb"],["\u{1f600}","\u{1f600}\u{1f600}"],["\ufb01","\ufb01\ufb01"]]',
    );
    expect(entries[0]?.name).toBe("b");
    expect(entriesCanonicalPayload([])).toEqual([]);
  });

  test("no value can be edited without an error", () => {
    const value = JSON.parse(text);
    for (const pointer of pointersOf(value).slice(1)) {
      const before = valueAt(value, pointer);
      const replaced = withValueAt(value, pointer, typeof before === "string" ? `${before}x` : "x");
      expect(errorOf(() => parseLock(JSON.stringify(replaced))).code, pointer).toBeDefined();
      const removed = withValueAt(value, pointer, undefined);
      if (pointer === "/servers/0") continue; // a lock without this server is a lock
      expect(errorOf(() => parseLock(JSON.stringify(removed))).code, pointer).toBeDefined();
    }
  });

  test("one server is added, replaced, taken out", () => {
    const two = withServer(lock, lockServer("memory", answersOf([])));
    expect(two.servers.map(({ name }) => name)).toEqual(["fs", "memory"]);
    expect(withServer(two, lockServer("fs", answersOf([]))).servers[0]?.tools).toEqual([]);
    expect(withoutServer(two, "memory")).toEqual(lock);
    expect(lock.servers).toHaveLength(1);
  });

  test("the accepted policy is kept by every change of the entries, and reads back as it was", () => {
    const anyPolicy = fc.dictionary(anyName, anyJson, { maxKeys: 3 });
    fc.assert(
      fc.property(fc.dictionary(anyName, anyAnswers, { maxKeys: 2 }), anyPolicy, (servers, policy) => {
        const made = withPolicy(createLock(servers), policy);
        expect(made).toMatchObject({ lockVersion: 2, policy: { digest: hashCanonical(policy) } });
        const written = formatLock(made);
        expect(parseLock(written)).toEqual(made);
        expect(formatLock(parseLock(written))).toBe(written);
        const changed = withoutServer(withServer(made, lockServer("\0", answersOf([]))), "\0");
        expect(formatLock(changed)).toBe(written);
      }),
      { numRuns: runs(8) },
    );
  });

  test("the policy is accepted in place of the one before, and changes no entry", () => {
    const first = withPolicy(lock, { preset: "breaking" });
    expect(first).toEqual({
      ...lock,
      lockVersion: 2,
      policy: { policy: { preset: "breaking" }, digest: first.policy?.digest },
    });
    expect(withPolicy(first, {}).policy?.policy).toEqual({});
  });

  test("a thousand tools", () => {
    const tools = Array.from({ length: 1000 }, (_, index) => ({
      name: `tool-${index}`,
      inputSchema: { type: "object" },
    }));
    const many = createLock({ many: answersOf(tools) });
    expect(parseLock(formatLock(many))).toEqual(many);
  });
});

describe("refused locks", () => {
  const edited = (pointer: string, replacement: string | number | JsonObject): string =>
    JSON.stringify(withValueAt(JSON.parse(text), pointer, replacement));

  test.each<[string, string, string, string]>([
    ["something else", "[]", "invalid-lock", ""],
    ["no version", '{"servers":[]}', "invalid-lock", "/lockVersion"],
    ["a later version", edited("/lockVersion", 3), "unsupported-lock-version", "/lockVersion"],
    ["a version in words", edited("/lockVersion", "1"), "unsupported-lock-version", "/lockVersion"],
    ["an unknown member", text.replace('"servers"', '"x": 1, "servers"'), "invalid-lock", ""],
    ["an unknown member __proto__", text.replace('"servers"', '"__proto__": {}, "servers"'), "invalid-lock", ""],
    ["a digest in capitals", edited("/servers/0/digest", "A".repeat(64)), "invalid-lock", "/servers/0/digest"],
    [
      "another definition",
      edited("/servers/0/tools/0/definition/description", "evil"),
      "digest-mismatch",
      "/servers/0/tools/0/digests/wire",
    ],
    [
      "another digest",
      edited("/servers/0/tools/0/digests/prose", "0".repeat(64)),
      "digest-mismatch",
      "/servers/0/tools/0/digests/prose",
    ],
    [
      "another prompt",
      edited("/servers/0/prompts/0/digest", "0".repeat(64)),
      "digest-mismatch",
      "/servers/0/prompts/0/digest",
    ],
    ["another set", edited("/servers/0/toolsDigest", "0".repeat(64)), "digest-mismatch", "/servers/0/toolsDigest"],
    ["another launch", edited("/servers/0/launch/command", "evil"), "digest-mismatch", "/servers/0/digest"],
    [
      "a definition without a name",
      edited("/servers/0/prompts/0", { definition: {}, digest: hashCanonical({}) }),
      "invalid-definition",
      "/servers/0/prompts/0/definition",
    ],
  ])("%s", (_name, input, code, path) => {
    expect(errorOf(() => parseLock(input))).toMatchObject({ name: "McpLockError", code, path });
  });

  test.each<[string, JsonObject, string, string]>([
    [
      "another policy",
      { policy: { digest: hashCanonical({}), policy: { preset: "breaking" } } },
      "digest-mismatch",
      "/policy/digest",
    ],
    ["a policy without a digest", { policy: { policy: {} } }, "invalid-lock", "/policy/digest"],
    ["a policy that is none", { policy: { digest: hashCanonical([]), policy: [] } }, "invalid-lock", "/policy/policy"],
  ])("%s", (_name, members, code, path) => {
    const input = JSON.stringify({ lockVersion: 2, servers: [], ...members });
    expect(errorOf(() => parseLock(input))).toMatchObject({ name: "McpLockError", code, path });
  });

  test("a policy that cannot be hashed", () => {
    const tooDeep = JSON.parse(`{"a":${"[".repeat(1001)}${"]".repeat(1001)}}`);
    expect(errorOf(() => withPolicy(lock, tooDeep))).toMatchObject({ code: "invalid-definition" });
    expect(errorOf(() => withPolicy(lock, tooDeep)).path).toMatch(/^\/policy\/a\//);
  });

  test("two servers of one name, two tools of one name", () => {
    const value = JSON.parse(text) as { servers: { tools: unknown[] }[] };
    const [server] = value.servers;
    const servers = JSON.stringify({ ...value, servers: [server, server] });
    expect(errorOf(() => parseLock(servers))).toMatchObject({ code: "duplicate-name", path: "/servers/1/name" });
    const tools = JSON.stringify({ ...value, servers: [{ ...server, tools: [...server!.tools, ...server!.tools] }] });
    expect(errorOf(() => parseLock(tools))).toMatchObject({
      code: "duplicate-name",
      path: "/servers/0/tools/1",
    });
  });

  test("too large", () => {
    const wide = lockServer("s", answersOf([{ name: "wide", x: "x".repeat(1024 * 1024) }]));
    const tools = Array.from({ length: 70 }, () => wide.tools[0]!);
    expect(errorOf(() => formatLock({ lockVersion: 2, servers: [{ ...wide, tools }] }))).toMatchObject({
      code: "too-large",
    });
    expect(errorOf(() => parseLock(new Uint8Array(64 * 1024 * 1024 + 1).fill(0x20)))).toMatchObject({
      code: "too-large",
      path: "",
      line: 1,
      column: 1,
    });
  });
});
