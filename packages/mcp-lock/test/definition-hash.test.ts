import { readFileSync } from "node:fs";
import { createSha256, type JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createLock,
  definitionSetHashV1,
  fingerprintTool,
  formatLock,
  instructionsHashV1,
  type McpLockError,
  parseLock,
  readDefinitionV1,
  toolDefinitionHashV1,
} from "../src/index.ts";
import { anyTool } from "./arbitraries.ts";

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return `${(error as McpLockError).code} ${(error as McpLockError).path}`;
  }
  return "none";
}

test("equals the digest of the whole tool wherever that exists", () => {
  fc.assert(fc.property(anyTool, (tool) => toolDefinitionHashV1(tool) === fingerprintTool(tool).wire));
});

test("hashes what our digest refuses: lone surrogates in names and texts, and any depth", () => {
  const odd = { name: "odd", "\ud800": "\udfff" };
  const hash = createSha256();
  hash.update(new TextEncoder().encode('{"name":"odd","\\ud800":"\\udfff"}'));
  expect(toolDefinitionHashV1(odd)).toBe(hash.hex());
  expect(refusal(() => fingerprintTool(odd))).toBe("invalid-definition /\ud800");
  const deep = JSON.parse(`{"name":"deep","x":${"[".repeat(2000)}${"]".repeat(2000)}}`);
  expect(toolDefinitionHashV1(deep)).toMatch(/^[\da-f]{64}$/);
  expect(refusal(() => fingerprintTool(deep))).toContain("invalid-definition");
});

test("has no hash for an infinity, also beside a lone surrogate", () => {
  expect(refusal(() => toolDefinitionHashV1({ x: Number.POSITIVE_INFINITY }))).toBe("invalid-definition /x");
  const both = { a: "\ud800", x: [Number.POSITIVE_INFINITY] };
  expect(refusal(() => toolDefinitionHashV1(both))).toBe("invalid-definition ");
});

test("a set needs a text as each name", () => {
  expect(refusal(() => definitionSetHashV1([{ name: "a" }, { name: 1 }]))).toBe("invalid-definition /1");
  expect(refusal(() => definitionSetHashV1([[]]))).toBe("invalid-definition /0");
});

test("a text is read without its lone surrogates lost and with repeated names refused", () => {
  expect(readDefinitionV1('{"\\ud800":"\\udfff"}')).toEqual({ "\ud800": "\udfff" });
  expect(refusal(() => readDefinitionV1('{"a":{"b":1,"b":1}}'))).toBe("invalid-definition /a/b");
  expect(refusal(() => readDefinitionV1(""))).toBe("invalid-definition ");
});

describe("the set hashes of an entry", () => {
  const tools = [{ name: "b" }, { name: "a", description: "d" }];
  const session = (view: "bare" | "client", instructions?: string) => ({
    era: "legacy" as const,
    view,
    protocolVersion: "2025-06-18",
    greetings: [{ capabilities: {}, ...(instructions !== undefined && { instructions }) }],
    lists: { tools: [[{ tools: view === "bare" ? tools : tools.toReversed() }]] },
    contents: [],
  });
  const visit = (...sessions: ReturnType<typeof session>[]) => ({
    launch: { type: "http" as const, url: "https://a.example", headers: [] },
    client: "claude-code",
    clientCapabilities: {},
    sessions,
  });

  test("stand there once where all sessions have them", () => {
    const { servers } = createLock({ a: visit(session("bare"), session("client")) });
    expect(servers[0]?.setHashes).toEqual([{ tools: definitionSetHashV1(tools), prompts: definitionSetHashV1([]) }]);
  });

  test("stand there for each group of sessions", () => {
    const { servers } = createLock({ a: visit(session("client", "Hi"), session("bare")) });
    const both = { tools: definitionSetHashV1(tools), prompts: definitionSetHashV1([]) };
    expect(servers[0]?.setHashes).toEqual([
      { ...both, seenBy: ["legacy/bare"] },
      { ...both, instructions: instructionsHashV1("Hi"), seenBy: ["legacy/client"] },
    ]);
  });

  test("are computed again when a file is read", () => {
    const lock = createLock({ a: visit(session("bare")) });
    const text = formatLock(lock);
    expect(parseLock(text)).toEqual(lock);
    expect(refusal(() => parseLock(text.replace(definitionSetHashV1(tools), "0".repeat(64))))).toBe(
      "digest-mismatch /servers/0/setHashes",
    );
  });
});

/** The file of vectors that mcp-pin publishes. */
interface PublishedVectors {
  readonly definitions: readonly { readonly about: string; readonly input: string; readonly hash: string }[];
  readonly sets: readonly { readonly about: string; readonly pages: readonly string[]; readonly setHash: string }[];
  readonly instructions: readonly { readonly instructions: string | null; readonly hash: string | null }[];
  readonly invalid: readonly { readonly about: string; readonly input?: string; readonly pages?: readonly string[] }[];
}

const pagesOf = (pages: readonly string[]): JsonValue[] =>
  pages.flatMap((page) => readDefinitionV1(page) as JsonValue[]);

test("passes the vectors that mcp-pin publishes", ({ skip }) => {
  const { MCP_PIN_VECTORS: path } = process.env;
  if (path === undefined) skip("MCP_PIN_VECTORS names no docs/tool-definition-hash-vectors.json of mcp-pin");
  const vectors = JSON.parse(readFileSync(path as string, "utf8")) as PublishedVectors;
  for (const { about, input, hash } of vectors.definitions) {
    expect(toolDefinitionHashV1(readDefinitionV1(input)), about).toBe(hash);
  }
  for (const { about, pages, setHash } of vectors.sets) {
    expect(definitionSetHashV1(pagesOf(pages)), about).toBe(setHash);
  }
  for (const { instructions, hash } of vectors.instructions) expect(instructionsHashV1(instructions)).toBe(hash);
  for (const { about, input, pages = [] } of vectors.invalid) {
    const run = () => (input === undefined ? definitionSetHashV1(pagesOf(pages)) : readDefinitionV1(input));
    expect(refusal(run), about).toContain("invalid-definition");
  }
});
