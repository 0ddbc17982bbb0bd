import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { lockLines } from "../src/findings/lock-lines.ts";
import { checkedSubjects } from "../src/findings/summarize-drift.ts";
import {
  createLock,
  type Drift,
  driftFindings,
  formatLock,
  type Remark,
  type ServerDrift,
  summarizeDrift,
} from "../src/index.ts";

const TOOL = { name: "read", inputSchema: { type: "object" } };
const SAME: ServerDrift = {
  server: "files",
  outcome: "same",
  drifts: [],
  remarks: [],
  checked: { tool: ["read"], prompt: [], resource: [], resourceTemplate: [], content: [] },
  toolsDigest: {},
  digest: {},
};

const drifted = (...drifts: Drift[]): ServerDrift => ({ ...SAME, outcome: "drift", drifts });
const noticed = (remark: Remark): ServerDrift => ({ ...SAME, remarks: [remark] });

/** Returns the findings about one server as rows of rule, level, subject, pointer and message. */
function rowsOf(server: ServerDrift): unknown[][] {
  return driftFindings({ servers: [server], collisions: [] }).map(({ rule, level, place, message }) => [
    rule,
    level,
    place.subject,
    place.pointer,
    message,
  ]);
}

describe("the findings of a difference", () => {
  test.each<[Drift, unknown[]]>([
    [{ type: "server-not-locked" }, ["mcp/server-not-locked", "error", "files", undefined, "not in the lock"]],
    [
      { type: "era-added", era: "modern", versions: ["2026-07-28"] },
      ["mcp/era-changed", "error", "files", undefined, "speaks MCP without a handshake (2026-07-28)"],
    ],
    [
      { type: "era-removed", era: "legacy", versions: ["2025-11-25"] },
      ["mcp/era-changed", "error", "files", undefined, "no longer speaks MCP with the initialize handshake"],
    ],
    [
      { type: "part-changed", part: "launch", changes: [{ pointer: "/command", before: "a", after: "b" }] },
      ["mcp/launch-changed", "error", "files", "/command", "launch changed"],
    ],
    [
      { type: "part-changed", part: "serverInfo", changes: [{ pointer: "", before: 1, after: 2 }] },
      ["mcp/server-changed", "error", "files", undefined, "server info changed"],
    ],
    [
      { type: "item-added", kind: "tool", name: "read", after: TOOL },
      ["mcp/item-added", "warning", "files › read", undefined, "tool added"],
    ],
    [
      { type: "item-removed", kind: "prompt", name: "greet", before: { name: "greet" } },
      ["mcp/item-removed", "error", "files › prompt greet", undefined, "prompt removed"],
    ],
    [
      { type: "item-changed", kind: "resource", name: "a:b", changes: [{ pointer: "/title", after: "B" }] },
      ["mcp/item-changed", "error", "files › resource a:b", "/title", "resource changed"],
    ],
    [
      {
        type: "tool-changed",
        name: "read",
        layers: ["rest"],
        changes: [{ pointer: "/icons", after: [], layer: "rest" }],
        missedBy: [],
      },
      ["mcp/tool-rest-changed", "error", "files › read", "/icons", "other member changed"],
    ],
  ])("%j", (drift, row) => {
    expect(rowsOf(drifted(drift))).toEqual([row]);
  });

  test("a likely rename is a finding of its own before the other changes", () => {
    const changes = [
      { pointer: "/name", before: "read", after: "load", layer: "contract" },
      { pointer: "/inputSchema/type", before: "object", after: "array", layer: "contract" },
    ] as const;
    const schemas = [{ schema: "inputSchema", verdict: "unknown" }] as const;
    const rename = { type: "tool-renamed", name: "load", previousName: "read", layers: ["contract"], changes } as const;
    expect(rowsOf(drifted({ ...rename, similarity: 0.75 }))).toEqual([
      ["mcp/tool-renamed", "error", "files › load", "/name", "likely renamed from read, 75 % alike"],
      ["mcp/contract-unproven", "error", "files › load", "/inputSchema/type", "contract changed, nothing is proven"],
    ]);
    const servers = [drifted({ ...rename, similarity: 1, schemas })];
    const [first, second] = driftFindings({ servers, collisions: [] });
    expect(first).toMatchObject({
      message: "likely renamed from read, all else is the same",
      before: "read",
      after: "load",
    });
    expect(second?.note).toBe("Whether calls stay valid could not be determined");
  });

  test("the sessions in which it was seen follow its own note", () => {
    const drift: Drift = {
      type: "tool-changed",
      name: "read",
      layers: ["hints"],
      changes: [{ pointer: "/annotations", after: {}, layer: "hints" }],
      missedBy: ["name+description"],
      sessions: ["legacy/bare", "modern/client"],
    };
    const [finding] = driftFindings({ servers: [drifted(drift)], collisions: [] });
    expect(finding?.note).toBe(
      "A hash of name and description would not detect this change. " +
        "Seen with the initialize handshake by a bare client, and without a handshake (2026-07-28) by the common client",
    );
  });
});

describe("the findings of a remark", () => {
  const divergence = { between: [["legacy/client", "modern/client"]] } as const;
  const capabilities: Drift = { type: "part-changed", part: "capabilities", changes: [{ pointer: "/x", after: {} }] };
  test.each<[Remark, unknown[]]>([
    [
      { type: "era-divergence", drift: capabilities, ...divergence },
      ["mcp/era-divergence", "note", "files", "/x", "differs between eras: server capabilities changed"],
    ],
    [
      { type: "client-divergence", drift: capabilities, ...divergence },
      ["mcp/client-divergence", "warning", "files", "/x", "differs between clients: server capabilities changed"],
    ],
    [
      { type: "undeclared-list", list: "prompts", sessions: ["legacy/bare"] },
      [
        "mcp/undeclared-list",
        "warning",
        "files",
        undefined,
        "offers prompts without the capability that declares them, so only some clients request them",
      ],
    ],
    [
      { type: "invalid-tool-header", name: "read", pointer: "/inputSchema/x", reason: "it is wrong" },
      [
        "mcp/invalid-tool-header",
        "warning",
        "files › read",
        "/inputSchema/x",
        "clients over HTTP must drop this tool because of its x-mcp-header: it is wrong",
      ],
    ],
    [
      { type: "unstable-member", pointer: "/tools/_meta" },
      [
        "mcp/unstable-member",
        "note",
        "files",
        "/tools/_meta",
        "has a different value in each answer and is not pinned",
      ],
    ],
  ])("%j", (remark, row) => {
    expect(rowsOf(noticed(remark))).toEqual([row]);
  });
});

test("a server that could not be read in full has that finding first, and those of what was read", () => {
  const failure = { code: "list-unread", message: "no answer" };
  const drift = { type: "part-changed", part: "client", changes: [{ pointer: "", before: "a", after: "b" }] } as const;
  const server: ServerDrift = { ...drifted(drift), outcome: "unknown", failure };
  const [finding, ...others] = driftFindings({ servers: [server], collisions: [] });
  expect(finding).toMatchObject({
    rule: "mcp/could-not-tell",
    message: "could not tell: no answer",
    couldNotTell: true,
  });
  expect(others).toMatchObject([{ rule: "mcp/client-changed" }]);
});

test("the subjects of a server are the server and its items, tools without their kind", () => {
  const checked = { ...SAME.checked, prompt: ["greet"] };
  expect(checkedSubjects({ ...SAME, checked })).toEqual(["files", "files › read", "files › prompt greet"]);
});

test("a shared tool name names its servers", () => {
  expect(driftFindings({ servers: [], collisions: [{ name: "read", servers: ["a", "b"] }] })).toMatchObject([
    { rule: "mcp/name-collision", place: { subject: "read" }, after: ["a", "b"] },
  ]);
});

test("the summary counts changes by kind, and names servers that could not be read first", () => {
  const removed: Drift = { type: "item-removed", kind: "tool", name: "read", before: TOOL };
  const era: Drift = { type: "era-removed", era: "legacy", versions: [] };
  const part: Drift = { type: "part-changed", part: "launch", changes: [] };
  const failure = { code: "timeout", message: "no answer" };
  const servers = [
    { ...SAME, server: "a" },
    { ...drifted(removed, era, part, { type: "server-not-locked" }), server: "b" },
    { ...SAME, server: "c", outcome: "unknown", failure } as const,
    { ...SAME, server: "d" },
  ];
  expect(summarizeDrift({ outcome: "unknown", servers, collisions: [] })).toBe(
    "c could not be read; b drifted: 1 of 1 tools removed, launch changed, era removed, not in the lock; " +
      "2 servers unchanged (2 tools)",
  );
  expect(summarizeDrift({ outcome: "same", servers: [SAME], collisions: [] })).toBe("files unchanged (1 tool)");
  expect(summarizeDrift({ outcome: "unknown", servers: [], collisions: [] })).toBe("nothing was checked");
});

test("the result of a check is one line of bounded length, which counts the servers that it does not name", () => {
  const failure = { code: "server-timeout", message: "no answer" };
  const many = (outcome: ServerDrift["outcome"], name: string): ServerDrift[] =>
    Array.from({ length: 500 }, (_, index) => ({ ...SAME, server: `${name}${index}`, outcome, failure }));
  const summary = summarizeDrift({
    outcome: "unknown",
    servers: [...many("unknown", "c"), ...many("drift", "x".repeat(3000))],
    collisions: [],
  });
  expect(summary.length).toBeLessThan(3000);
  expect(summary).toMatch(/^c0 could not be read; c1 .*; 4\d\d more servers could not be read; 500 servers drifted$/);
});

test("the lines of a lock are those on which its servers and items begin", () => {
  const text = formatLock(createLock({ files: answersOf([TOOL], { prompts: [{ name: "greet" }] }) }));
  const lines = text.split("\n");
  const found = [...lockLines(text)].map(([subject, line]) => [subject, lines[line - 1], lines[line]]);
  expect(found).toEqual([
    ["files", "    {", '      "client": "bare",'],
    ["files › read", "        {", '          "definition": {'],
    ["files › prompt greet", "        {", '          "definition": {'],
  ]);
});
