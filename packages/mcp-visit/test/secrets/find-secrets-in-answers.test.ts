import type { SessionAnswers, VisitAnswers } from "@agentprint/mcp";
import { describe, expect, test } from "vitest";
import { findSecretsInAnswers } from "../../src/index.ts";

const known = [
  { name: "API_TOKEN", value: "hunter2" },
  { name: "HOME", value: "/home/somebody" },
];
const answers = (session: Partial<SessionAnswers>): VisitAnswers => ({
  launch: { type: "stdio", command: "x", args: [], env: [] },
  client: "claude-code",
  clientCapabilities: {},
  sessions: [
    { era: "modern", view: "bare", protocolVersion: "2026-07-28", greetings: [], lists: {}, contents: [], ...session },
  ],
});
const session = "modern/bare";
const token = `ghp_${"x1".repeat(18)}`;

describe("findSecretsInAnswers", () => {
  test("finds known values and tokens wherever a server serves them", () => {
    const inputSchema = { properties: { a: { default: ["x", "hunter%32"] } } };
    const found = findSecretsInAnswers(
      answers({
        greetings: [{ instructions: "use hunter2", serverInfo: { name: token } }],
        lists: {
          tools: [
            [{ tools: [{ name: "a", inputSchema }, { name: "hunter2" }], _meta: { x: token } }],
            [{ tools: [{ name: "a", inputSchema }] }],
          ],
          prompts: [[{ prompts: [{ name: "p", [`x ${token}`]: { y: "hunter2" } }] }]],
          resources: [[{ resources: [{ uri: "file:///x", text: btoa("xhunter2x") }, null, "hunter2"] }]],
          resourceTemplates: [[{ resourceTemplates: "hunter2" }]],
        },
        contents: [{ kind: "ui", name: "ui://x", results: [{ contents: [{ text: "<b>hunter&#50;</b>" }] }] }],
      }),
      known,
    );
    expect(found).toEqual(
      expect.arrayContaining([
        { session, kind: "server", pointer: "/instructions", variable: "API_TOKEN" },
        { session, kind: "server", pointer: "/serverInfo/name", tokenOf: "GitHub" },
        { session, kind: "tool", name: "a", pointer: "/inputSchema/properties/a/default/1", variable: "API_TOKEN" },
        { session, kind: "tool", pointer: "/name", variable: "API_TOKEN" },
        { session, kind: "list", name: "tools", pointer: "/_meta/x", tokenOf: "GitHub" },
        { session, kind: "prompt", name: "p", pointer: "", tokenOf: "GitHub" },
        { session, kind: "prompt", name: "p", pointer: "/y", variable: "API_TOKEN" },
        { session, kind: "resource", name: "file:///x", pointer: "/text", variable: "API_TOKEN" },
        { session, kind: "resource", pointer: "", variable: "API_TOKEN" },
        { session, kind: "list", name: "resourceTemplates", pointer: "/resourceTemplates", variable: "API_TOKEN" },
        { session, kind: "content", name: "ui://x", pointer: "/contents/0/text", variable: "API_TOKEN" },
      ]),
    );
    expect(found).toHaveLength(11);
    expect(JSON.stringify(found)).not.toMatch(/hunter|ghp_/);
  });

  test("finds no value that is not secret", () => {
    const tools = [
      { name: "read", description: "Reads files below /home/somebody with a bearer token (sk-learn style)" },
    ];
    expect(findSecretsInAnswers(answers({ lists: { tools: [[{ tools }]] } }), known)).toEqual([]);
  });

  test("a hundred thousand levels", () => {
    let deep: object = { x: "hunter2" };
    for (let level = 0; level < 100_000; level++) deep = { x: deep };
    expect(findSecretsInAnswers(answers({ greetings: [deep as never] }), known)).toHaveLength(1);
  });
});
