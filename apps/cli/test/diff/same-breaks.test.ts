import { writeFileSync } from "node:fs";
import type { JudgedReport } from "@agentprint/findings";
import { expect, test } from "vitest";
import { Workspace } from "../support/workspace.ts";

const BREAKS = "What breaks, or may break";

interface Offered {
  readonly tools?: readonly object[];
  readonly prompts?: readonly object[];
}

/** Returns a saved visit to a server that offers these items and enough others for a report with headings. */
function visit({ tools = [], prompts }: Offered, state: string): string {
  const others = [1, 2, 3, 4, 5, 6].map((index) => ({
    name: `other_${index}`,
    description: `Number ${index} of the ${state} state`,
    inputSchema: { type: "object" },
  }));
  const lists = { tools: [[{ tools: [...tools, ...others] }]], ...(prompts && { prompts: [[{ prompts }]] }) };
  const greeting = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "s", version: "1" },
  };
  return JSON.stringify({
    launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
    client: "bare",
    clientCapabilities: {},
    sessions: [
      { era: "legacy", view: "bare", protocolVersion: "2025-11-25", greetings: [greeting], lists, contents: [] },
    ],
  });
}

const input = (properties: object, required: readonly string[] = []): object => ({
  inputSchema: { type: "object", properties, required, additionalProperties: false },
});
const tool = (members: object): Offered => ({ tools: [{ name: "read", ...input({ path: {} }), ...members }] });
const prompt = (members: object): Offered => ({ prompts: [{ name: "greet", ...members }] });

/** Pairs of states, and whether the change between them breaks callers. */
const PAIRS: readonly (readonly [name: string, before: Offered, after: Offered, breaks: boolean])[] = [
  ["a hint of more power", tool({ annotations: { readOnlyHint: true } }), tool({}), false],
  ["a hint of less power", tool({}), tool({ annotations: { readOnlyHint: true } }), false],
  ["another text", tool({ description: "Reads a file" }), tool({ description: "Reads a folder" }), false],
  ["a new parameter", tool({}), tool(input({ path: {}, all: { type: "boolean" } })), false],
  ["another default", tool({}), tool(input({ path: { default: "a" } })), false],
  ["a required parameter", tool({}), tool(input({ path: {} }, ["path"])), true],
  [
    "a required parameter and a hint",
    tool({ annotations: { readOnlyHint: true } }),
    tool(input({ path: {} }, ["path"])),
    true,
  ],
  [
    "another pattern",
    tool(input({ path: { pattern: "^(?!x)a+$" } })),
    tool(input({ path: { pattern: "^(?!y)a+$" } })),
    true,
  ],
  ["a new tool", {}, tool({}), false],
  ["a tool that is gone", tool({}), {}, true],
  ["a prompt's new text", prompt({}), prompt({ description: "Greets" }), false],
  ["a prompt's required argument", prompt({}), prompt({ arguments: [{ name: "who", required: true }] }), true],
];

/** Returns the paragraphs below a heading, up to the next heading. */
function below(text: string, heading: RegExp, other: RegExp): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => heading.test(line));
  if (start === -1) return "";
  const end = lines.findIndex((line, index) => index > start && other.test(line));
  return lines.slice(start + 1, end === -1 ? undefined : end).join("\n");
}

test.each(PAIRS)("every format says the same about %s", async (_name, before, after, breaks) => {
  using space = new Workspace();
  writeFileSync(space.path("a.json"), visit(before, "first"));
  writeFileSync(space.path("b.json"), visit(after, "last"));
  const diff = async (...options: string[]) => (await space.run(["diff", "a.json", "b.json", ...options])).stdout;

  const { findings }: JudgedReport = JSON.parse(await diff("--format", "json"));
  const messages = [...new Set(findings.map(({ message }) => message))];
  const breaking = new Set(findings.filter(({ section }) => section === BREAKS).map(({ message }) => message));
  expect(breaking.size > 0).toBe(breaks);

  const { runs } = JSON.parse(await diff("--format", "sarif"));
  const results: { message: { text: string }; properties?: { section?: string } }[] = runs[0].results;
  expect(results).toHaveLength(findings.length);
  const inSarif = results.filter(({ properties }) => properties?.section === BREAKS);
  const text = await diff("--full");
  const markdown = await diff("--full", "--format", "markdown");
  const changelog = await diff("--changelog");
  const places = {
    sarif: inSarif.map(({ message }) => message.text).join("\n"),
    text: below(text, /^ What breaks, or may break$/, /^ ?\S/),
    markdown: below(markdown, /^#### What breaks, or may break$/, /^#/),
    changelog: below(changelog, /^## Breaking changes$/, /^## /),
  };
  for (const [format, shown] of Object.entries(places)) {
    const found = messages.filter((message) => new RegExp(`${message}(?!,)`).test(shown));
    expect(new Set(found), format).toEqual(breaking);
  }
  if (breaks) expect(changelog.match(/^## (?!agentprint).*$/gm)).toEqual(["## Breaking changes", "## Other changes"]);
  for (const message of messages) for (const all of [text, markdown, changelog]) expect(all).toContain(message);
});
