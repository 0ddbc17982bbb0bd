import { readFileSync } from "node:fs";
import { createSha256, type JsonValue } from "@agentprint/canonical-json";
import { anyTool } from "@agentprint/testing/lock/arbitrary-tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprintTool, type ToolPinsError } from "../src/index.ts";
import {
  definitionSetHashV1,
  instructionsHashV1,
  readDefinitionV1,
  toolDefinitionHashV1,
} from "../src/judgement/index.ts";

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return `${(error as ToolPinsError).code} ${(error as ToolPinsError).path}`;
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

test("has no hash for an infinity, even next to a lone surrogate", () => {
  expect(refusal(() => toolDefinitionHashV1({ x: Number.POSITIVE_INFINITY }))).toBe("invalid-definition /x");
  const both = { a: "\ud800", x: [Number.POSITIVE_INFINITY] };
  expect(refusal(() => toolDefinitionHashV1(both))).toBe("invalid-definition ");
});

test("a set needs a text as each name", () => {
  expect(refusal(() => definitionSetHashV1([{ name: "a" }, { name: 1 }]))).toBe("invalid-definition /1");
  expect(refusal(() => definitionSetHashV1([[]]))).toBe("invalid-definition /0");
});

test("instructions that are no text have no hash", () => {
  expect(instructionsHashV1(null)).toBeNull();
  expect(instructionsHashV1("Hi")).toBe("3639efcd08abb273b1619e82e78c29a7df02c1051b1820e99fc395dcaa3326b8");
});

test("a text is read without its lone surrogates lost and with repeated names refused", () => {
  expect(readDefinitionV1('{"\\ud800":"\\udfff"}')).toEqual({ "\ud800": "\udfff" });
  expect(refusal(() => readDefinitionV1('{"a":{"b":1,"b":1}}'))).toBe("invalid-definition /a/b");
  expect(refusal(() => readDefinitionV1(""))).toBe("invalid-definition ");
});

/** The vector file that mcp-pin publishes. */
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
