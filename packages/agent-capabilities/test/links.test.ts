import { describe, expect, test } from "vitest";
import {
  type CapabilityLink,
  computeFullCapabilityLink,
  computeRuntimeHash,
  createCapabilityLink,
  createCapabilitySnapshot,
  createRegisteredAgent,
  diffToolRefs,
  explainCapabilityLinkRelationship,
  formatHashShort,
  parseCapabilityLink,
  parseCapabilitySnapshot,
  parseToolRefs,
  policy,
  runtimeCapabilityCanonicalPayload,
  toolkit,
} from "../src/index.ts";
import { namedTool } from "./support.ts";

const hash = (digit: string): string => digit.repeat(64);
const isPro = policy("tenant:pro", (ctx: { env: { plan: string } }) => ctx.env.plan === "pro");
const root = toolkit([namedTool("read"), namedTool("Write", [isPro as never])], { name: "files" });
const agent = createRegisteredAgent({ agentId: "a1", name: "Files", instructions: [" Be careful. ", " "], root });

describe("createRegisteredAgent", () => {
  test("trims lines, freezes, and hashes neither id, name nor context", () => {
    expect(agent.instructions).toEqual(["Be careful."]);
    expect(Object.isFrozen(agent) && Object.isFrozen(agent.staticContext)).toBe(true);
    const other = createRegisteredAgent({
      agentId: "a2",
      name: "N",
      staticContext: { k: 1 },
      instructions: ["Be careful."],
      root,
    });
    expect(other.staticHash).toBe(agent.staticHash);
    expect(other.staticContext).toEqual({ k: 1 });
  });

  test.each([
    ["agentId", { agentId: "", name: "n", root }],
    ["name", { agentId: "a", name: "", root }],
    ["root", { agentId: "a", name: "n", root: {} as never }],
    ["instructions", { agentId: "a", name: "n", root, instructions: "text" as never }],
  ])("refuses a bad %s", (field, definition) => {
    expect(() => createRegisteredAgent(definition)).toThrow(
      expect.objectContaining({ code: "invalid-argument", message: expect.stringContaining(field) }),
    );
  });

  test("its links are hashed with the registration's options", async () => {
    const old = createRegisteredAgent({ agentId: "a", name: "A", root }, { sort: "locale" });
    const { link } = await computeFullCapabilityLink({ agent: old, ctx: { env: { plan: "pro" } } });
    expect(link.staticHash).toBe(old.staticHash);
    expect(old.staticHash).not.toBe(old.computeStaticHash({ sort: "code-unit" }));
    expect(link.toolRefs.map(({ toolKey }) => toolKey)).toEqual(["read", "Write"]);
  });
});

describe("links of turns", () => {
  test("has the enabled tools and the hash of the invocation context", async () => {
    const ctx = { env: { plan: "free" } };
    const { link, evaluation } = await computeFullCapabilityLink({ agent, ctx, invocationContext: { user: "u" } });
    expect(Object.keys(evaluation.tools)).toEqual(["read"]);
    expect(link).toEqual(createCapabilityLink({ agent, toolRefs: link.toolRefs, invocationContext: { user: "u" } }));
    expect(link.invocationHash).toHaveLength(64);
  });

  test("an augment changes the runtime hash of its tool only, and inherited members are no augments", async () => {
    const ctx = { env: { plan: "pro" } };
    const plain = await computeFullCapabilityLink({ agent, ctx });
    const bound = await computeFullCapabilityLink({ agent, ctx, runtimeToolAugments: { read: "head", gone: "x" } });
    expect(diffToolRefs(plain.link.toolRefs, bound.link.toolRefs).hashChanged.map(({ toolKey }) => toolKey)).toEqual([
      "read",
    ]);
    expect(explainCapabilityLinkRelationship(plain.link, bound.link).relationship).toBe("runtime-tool-changed");
    expect(bound.link.staticHash).toBe(plain.link.staticHash);
  });

  test("the context that policies see names the agent", async () => {
    let seen: unknown;
    const watching = policy("watch", (ctx) => {
      seen = [ctx.agentId, ctx.agentName];
      return true;
    });
    const watched = createRegisteredAgent({ agentId: "w", name: "W", root: namedTool("t", [watching]) });
    await computeFullCapabilityLink({ agent: watched, ctx: { env: {}, agentId: "other" } });
    expect(seen).toEqual(["w", "W"]);
  });

  test("two refs of one name are refused", () => {
    const twice = [1, 2].map((digit) => ({ toolKey: "t", toolHash: hash(`${digit}`) }));
    expect(() => computeRuntimeHash(twice)).toThrow(expect.objectContaining({ code: "duplicate-tool" }));
    const refs = ["b", "B", "a"].map((toolKey) => ({ toolKey, toolHash: "h" }));
    expect(runtimeCapabilityCanonicalPayload(refs).tools.map(({ name }) => name)).toEqual(["B", "a", "b"]);
    expect(runtimeCapabilityCanonicalPayload(refs, { sort: "locale" }).tools.map(({ name }) => name)).toEqual([
      "a",
      "b",
      "B",
    ]);
  });
});

describe("why two turns differ", () => {
  const link: CapabilityLink = {
    agentId: "a",
    agentName: "A",
    staticHash: hash("1"),
    runtimeHash: hash("2"),
    toolRefs: [
      { toolKey: "read", toolHash: hash("3") },
      { toolKey: "write", toolHash: hash("4") },
    ],
    invocationHash: hash("5"),
  };
  const read = { toolKey: "read", toolHash: hash("3") };
  const { invocationHash: _, ...withoutInvocation } = link;
  const cases: [string, CapabilityLink, string, string[]][] = [
    ["same", { ...link }, "Same capability link.", []],
    ["different-agent", { ...link, agentId: "b" }, "Different agent ids.", ['Agent id: "a" became "b".']],
    [
      "definition-changed",
      {
        ...link,
        staticHash: hash("9"),
        runtimeHash: hash("7"),
        toolRefs: [read, { toolKey: "write", toolHash: hash("8") }],
      },
      "Different static capabilities (toolkit / definition changed).",
      [
        "The agent's template changed: 11111111…1111 became 99999999…9999.",
        'Tool "write" changed: 44444444…4444 became 88888888…8888.',
      ],
    ],
    [
      "template-changed",
      { ...link, staticHash: hash("9") },
      "Different static capabilities (toolkit / definition changed).",
      ["The agent's template changed: 11111111…1111 became 99999999…9999."],
    ],
    [
      "tool-set-changed",
      { ...link, runtimeHash: hash("9"), toolRefs: [read, { toolKey: "list", toolHash: hash("7") }] },
      "Same static capabilities; runtime differs (enabled tools or policies changed).",
      ['Tool "write" is no longer enabled.', 'Tool "list" is newly enabled.'],
    ],
    [
      "invocation-changed",
      withoutInvocation,
      "Same static and runtime; invocation context hash differs (subject, policy, or other binding changed).",
      ["The invocation context changed: 55555555…5555 became none."],
    ],
    [
      "name-changed",
      { ...link, agentName: "B\u001b[2J" },
      "Same static, runtime, and invocation hashes; display name differs only.",
      ['Agent name: "A" became "B\\u001b[2J".'],
    ],
  ];
  test.each(cases)("%s", (relationship, second, summary, details) => {
    const explained = explainCapabilityLinkRelationship(link, second);
    expect(explained).toMatchObject({ relationship, summary, details });
    expect(explained).not.toHaveProperty("contradiction");
  });

  const sameHash = "The runtime hash is the same, but the tools differ: one of the links was altered.";
  const sameTools =
    "The runtime hash differs, but the tools are the same: one of the links was altered, or sorted in another order.";
  const contradictions: [string, CapabilityLink, string, string][] = [
    [
      "another tool",
      { ...link, toolRefs: [...link.toolRefs, { ...read, toolKey: "wipe" }] },
      "tool-set-changed",
      sameHash,
    ],
    ["a tool less", { ...link, toolRefs: [read] }, "tool-set-changed", sameHash],
    [
      "another hash of a tool",
      { ...link, toolRefs: [read, { toolKey: "write", toolHash: hash("8") }], agentName: "B" },
      "runtime-tool-changed",
      sameHash,
    ],
    ["another template", { ...link, staticHash: hash("9"), toolRefs: [read] }, "template-changed", sameHash],
    ["another runtime hash alone", { ...link, runtimeHash: hash("9") }, "runtime-tool-changed", sameTools],
  ];
  test.each(contradictions)("links that contradict each other: %s", (_name, second, relationship, contradiction) => {
    for (const [before, after] of [
      [link, second],
      [second, link],
    ] as const) {
      const explained = explainCapabilityLinkRelationship(before, after);
      expect(explained).toMatchObject({ relationship, contradiction });
      expect(explained.details).toContain(contradiction);
    }
  });
});

test("short hashes", () => {
  expect([formatHashShort(hash("a")), formatHashShort("deadbeef")]).toEqual(["aaaaaaaa…aaaa", "deadbeef"]);
});

describe("a link from an untrusted source", () => {
  const link = createCapabilityLink({
    agent,
    toolRefs: [{ toolKey: "t", toolHash: hash("1") }],
    invocationContext: { u: 1 },
  });

  test("is read from JSON, ignoring members that links do not have", () => {
    expect(parseCapabilityLink(JSON.parse(JSON.stringify({ ...link, extra: 1 })))).toEqual(link);
    const { invocationHash: _, ...unbound } = link;
    expect(parseCapabilityLink(unbound)).toEqual(unbound);
    expect(parseToolRefs(link.toolRefs)).toEqual(link.toolRefs);
  });

  const refused: [string, unknown, string][] = [
    ["text", "link", ""],
    ["null", null, ""],
    ["array", [], ""],
    ["empty agentId", { ...link, agentId: "" }, "/agentId"],
    ["short hash", { ...link, runtimeHash: "abc" }, "/runtimeHash"],
    ["null invocationHash", { ...link, invocationHash: null }, "/invocationHash"],
    ["toolRefs that are none", { ...link, toolRefs: {} }, "/toolRefs"],
    ["toolRef that is none", { ...link, toolRefs: [1] }, "/toolRefs/0"],
    [
      "second toolRef of a name",
      { ...link, toolRefs: [{ toolKey: "t", toolHash: hash("2") }, ...link.toolRefs] },
      "/toolRefs/1/toolKey",
    ],
    ["toolRef without a hash", { ...link, toolRefs: [{ toolKey: "t" }] }, "/toolRefs/0/toolHash"],
  ];
  test.each(refused)("%s is refused with its path", (_name, value, path) => {
    expect(() => parseCapabilityLink(value)).toThrow(expect.objectContaining({ code: "invalid-link", path }));
  });
});

describe("a snapshot", () => {
  test("is a link with its tools, and survives JSON", async () => {
    const turn = await computeFullCapabilityLink({ agent, ctx: { env: { plan: "pro" } } });
    const snapshot = createCapabilitySnapshot(turn);
    expect(snapshot.tools.map(({ name }) => name)).toEqual(["Write", "read"]);
    expect(parseCapabilitySnapshot(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
    const refused: [unknown, string][] = [
      [null, ""],
      [{ ...snapshot, tools: {} }, "/tools"],
      [{ ...snapshot, tools: snapshot.tools.slice(1) }, "/tools"],
      [{ ...snapshot, tools: [snapshot.tools[0], snapshot.tools[0]] }, "/tools/1/name"],
      [{ ...snapshot, tools: [{}, {}] }, "/name"],
    ];
    for (const [value, path] of refused) {
      expect(() => parseCapabilitySnapshot(value)).toThrow(expect.objectContaining({ name: "CapabilityError", path }));
    }
  });
});
