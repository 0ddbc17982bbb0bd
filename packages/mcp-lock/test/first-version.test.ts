import type { JsonObject } from "@agentprint/canonical-json";
import type { Launch } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import { page, session, TOOL, visit } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, type DriftFinding, driftFindings } from "../src/index.ts";

const serverWith = (tools: readonly JsonObject[], said: object = {}): VisitAnswers =>
  visit(session("legacy/client", { tools, ...said }), session("legacy/bare", { tools, ...said }));

/** Returns the findings about servers that were just pinned. */
function notesOn(servers: Record<string, VisitAnswers>): DriftFinding[] {
  const drift = checkLock(createLock(servers), servers, { isFirst: true });
  expect(drift.outcome).toBe("same");
  const findings = driftFindings(drift);
  for (const finding of findings) expect(finding.isRemark).toBe(true);
  return findings;
}

const named = (name: string) => ({ ...TOOL, name });

test("an ordinary server has no notes", () => {
  expect(notesOn({ files: serverWith([TOOL]), mail: serverWith([named("send")]) })).toEqual([]);
});

describe("names that look alike are noted", () => {
  test.each([
    ["read_file", "readFile"],
    ["read_file", "read-file"],
    ["read_file", "reаd_file"],
    ["read_file", "read_fi1e"],
    ["read_file", "ｒead_file"],
    ["read_file", "read\u200b_file"],
    ["modify", "rnodify"],
    ["go0d", "good"],
  ])("%j and %j", (one, other) => {
    const findings = notesOn({ a: serverWith([named(one)]), b: serverWith([named(other)]) });
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: "mcp/look-alike-name",
        after: expect.arrayContaining([`a › ${one}`, `b › ${other}`]),
      }),
    );
  });

  test("within one server, not where the names are the same, and not where they differ", () => {
    const rules = (servers: Record<string, VisitAnswers>) => notesOn(servers).map(({ rule }) => rule);
    expect(rules({ a: serverWith([named("read_file"), named("readFile")]) })).toEqual(["mcp/look-alike-name"]);
    expect(rules({ a: serverWith([named("read_file")]), b: serverWith([named("read_file")]) })).toEqual([
      "mcp/name-collision",
    ]);
    expect(rules({ a: serverWith([named("read_file")]), b: serverWith([named("read_files")]) })).toEqual([]);
  });
});

describe("text that a reader does not see is noted", () => {
  const hidden = "Reads\u{e0041}\u{e0042}\u200b";

  test("in tools, prompts, instructions and their names, each place once however many sessions saw it", () => {
    const tool = { ...TOOL, inputSchema: { type: "object", properties: { pаth: { enum: [hidden] } } } };
    const findings = notesOn({
      files: visit(
        ...(["legacy/client", "legacy/bare"] as const).map((name) =>
          session(name, {
            lists: {
              tools: [[page("tools", [tool])]],
              prompts: [[page("prompts", [{ name: "greet", description: hidden }])]],
            },
            greeting: { capabilities: { tools: {}, prompts: {} }, instructions: hidden },
          }),
        ),
      ),
    });
    const found = "Found: U+E0041; U+E0042; U+200B";
    expect(findings.map(({ rule, level, place, note }) => [rule, level, place.subject, place.pointer, note])).toEqual([
      ["mcp/hidden-text", "warning", "files › read", "/inputSchema/properties/pаth", "Found: pаth"],
      ["mcp/hidden-text", "warning", "files › read", "/inputSchema/properties/pаth/enum/0", found],
      ["mcp/hidden-text", "warning", "files › prompt greet", "/description", found],
      ["mcp/hidden-text", "warning", "files", "/instructions", found],
    ]);
  });

  test.each(["\0", "\b", "\f", "\u001b", "\u007f"])("even if %j is the only unusual character", (character) => {
    const findings = notesOn({ files: serverWith([{ ...TOOL, description: `Reads${character}` }]) });
    expect(findings).toMatchObject([{ rule: "mcp/hidden-text", place: { pointer: "/description" } }]);
  });

  test("at most in eight places of one item", () => {
    const tool = { ...TOOL, inputSchema: { type: "object", enum: Array.from({ length: 50 }, () => hidden) } };
    expect(notesOn({ files: serverWith([tool]) })).toHaveLength(8);
  });
});

test("tools without hints are one note a server, with their names", () => {
  const annotated = (name: string, annotations: JsonObject) => ({ ...TOOL, name, annotations });
  const { annotations: _annotations, ...bare } = TOOL;
  const tools = [
    { ...bare, name: "bare" },
    annotated("empty", {}),
    annotated("writes", { readOnlyHint: false }),
    annotated("reads", { readOnlyHint: true }),
    annotated("adds", { destructiveHint: false }),
  ];
  const noted = notesOn({ files: serverWith(tools) });
  expect(noted.map(({ rule, level, place }) => [rule, level, place.tool])).toEqual(
    ["bare", "empty", "writes"].map((tool) => ["mcp/missing-hints", "note", tool]),
  );
});

describe("a check of a server that was pinned", () => {
  const { annotations: _annotations, ...bare } = TOOL;
  const floating: Launch = { type: "stdio", command: "npx", args: ["-y", "server"], env: [] };
  const pinned = { files: { ...serverWith([{ ...bare, description: "Reads\u200b" }]), launch: floating } };
  const remarksOn = (now: VisitAnswers) =>
    driftFindings(checkLock(createLock(pinned), { files: now })).filter(({ isRemark }) => isRemark);

  test("repeats no note that its reviewer accepted", () => {
    expect(notesOn(pinned).map(({ rule }) => rule)).toEqual([
      "mcp/hidden-text",
      "mcp/missing-hints",
      "mcp/floating-version",
    ]);
    expect(remarksOn(pinned.files)).toEqual([]);
  });

  test("notes what is new in the server", () => {
    const tools = [
      { ...bare, description: "Reads\u200b" },
      { ...bare, name: "write", description: "Writes\u200b" },
    ];
    expect(remarksOn({ ...serverWith(tools), launch: { ...floating, args: ["-y", "other"] } })).toMatchObject([
      { rule: "mcp/hidden-text", place: { subject: "files › write" } },
      { rule: "mcp/missing-hints", place: { subject: "files › write" } },
      { rule: "mcp/floating-version", note: "npx fetches other without a version" },
    ]);
  });
});

test("a report contains a launch that no reviewer accepted, and findings only if it fetches another package", () => {
  const launch = (...args: string[]): Launch => ({ type: "stdio", command: "npx", args, env: [] });
  const launchedBy = (...args: string[]) => ({ files: { ...serverWith([TOOL]), launch: launch(...args) } });
  const lock = createLock(launchedBy("server"));
  const reported = (servers: Record<string, VisitAnswers>, isFirst = false) => {
    const drift = checkLock(lock, servers, { isFirst });
    const rules = driftFindings(drift).flatMap(({ isRemark, rule }) => (isRemark ? [rule] : []));
    return [drift.servers[0]?.launch, rules];
  };
  expect(reported(launchedBy("server"))).toEqual([undefined, []]);
  expect(reported(launchedBy("server"), true)).toEqual([{ after: launch("server") }, ["mcp/floating-version"]]);
  expect(reported(launchedBy("server", "--token", "x1Y2z3"))).toEqual([
    { before: launch("server"), after: launch("server", "--token", "<redacted>") },
    [],
  ]);
  expect(reported(launchedBy("server@^2"))).toEqual([
    { before: launch("server"), after: launch("server@^2") },
    ["mcp/floating-version"],
  ]);
});

describe("the launch", () => {
  const launched = (launch: Launch) => notesOn({ files: { ...serverWith([TOOL]), launch } });
  const stdio = (command: string, ...args: string[]): Launch => ({ type: "stdio", command, args, env: [] });

  test.each<[Launch, string]>([
    [stdio("npx", "-y", "server"), "npx fetches server without a version"],
    [stdio("uvx", "server@latest"), "uvx fetches server in the version with the tag latest"],
    [stdio("npx", "server@^1"), "npx fetches server in the range ^1"],
  ])("that names no exact version is noted: %j", (launch, note) => {
    expect(launched(launch)).toMatchObject([{ rule: "mcp/floating-version", note, place: { subject: "files" } }]);
  });

  test("that could not be read is noted, and one with an exact version is not", () => {
    expect(launched(stdio("npx", "--surprise", "server"))).toMatchObject([{ rule: "mcp/unknown-launcher" }]);
    expect(launched(stdio("npx", "server@1.2.3"))).toEqual([]);
    expect(launched({ type: "http", url: "https://example.com/mcp", headers: [] })).toEqual([]);
  });
});
