import type { JsonObject } from "@agentprint/canonical-json";
import { parseManifest } from "@agentprint/manifest";
import type { SessionAnswers } from "@agentprint/mcp";
import { type LockedServer, lockServer } from "@agentprint/mcp-lock";
import { describe, expect, test } from "vitest";
import { manifestFromServer } from "../../src/manifest/manifest-from-server.ts";

const SCHEMA = { type: "object", additionalProperties: false } as const;

interface Said {
  readonly instructions?: string;
  readonly tools?: readonly JsonObject[];
  readonly prompts?: readonly JsonObject[];
}

/** Returns the lock entry of a server with these answers. */
function entryOf({ instructions, tools = [], prompts = [] }: Said): LockedServer {
  const greeting = { serverInfo: {}, capabilities: {}, ...(instructions !== undefined && { instructions }) };
  const session: SessionAnswers = {
    era: "legacy",
    view: "client",
    protocolVersion: "2025-11-25",
    greetings: [greeting],
    lists: { tools: [[{ tools: [...tools] }]], prompts: [[{ prompts: [...prompts] }]] },
    contents: [],
  };
  const launch = { type: "stdio", command: "server", args: [], env: [] } as const;
  return lockServer("srv", {
    launch: { ...launch, args: [], env: [] },
    client: "claude-code",
    clientCapabilities: {},
    sessions: [session],
  });
}

function notesOf(said: Said): string[] {
  return manifestFromServer(entryOf(said)).notes.map(({ subject, note }) => `${subject}: ${note}`);
}

const REVIEW = "mcp:srv: review the sensitivity, medium, and the i18n keys";

describe("a part that a manifest of a server does not carry", () => {
  test("is reported by name, whatever the key", () => {
    const tool = { name: "a", inputSchema: SCHEMA };
    expect(notesOf({ tools: [tool] })).toEqual([REVIEW]);
    expect(notesOf({ tools: [{ ...tool, description: "reads", requiresApproval: true, "x-rate": 5 }] })).toEqual([
      "a: not carried over: description, requiresApproval, x-rate",
      REVIEW,
    ]);
  });

  test("is also reported for the server", () => {
    expect(notesOf({ instructions: "Ask first.", prompts: [{ name: "p" }] })).toEqual([
      "srv: a manifest has no place for 1 prompt",
      "srv: a manifest has no place for instructions",
    ]);
  });

  test("reports that the complete manifest is too large, although each tool is not", () => {
    const property = { type: "string", description: "x".repeat(900) };
    const tools = Array.from({ length: 300 }, (_, index) => {
      return { name: `tool_${index}`, inputSchema: { ...SCHEMA, properties: { property } } };
    });
    const { manifest, notes } = manifestFromServer(entryOf({ tools }));
    expect(manifest.tools).toHaveLength(300);
    expect(parseManifest(manifest)).toMatchObject({ ok: false, issues: [{ code: "MANIFEST_TOO_LARGE" }] });
    expect(notes.map(({ note }) => note)).toEqual([
      expect.stringMatching(/^not valid yet: Expected at most 131072 bytes .* \(MANIFEST_TOO_LARGE\)$/),
      REVIEW.slice("mcp:srv: ".length),
    ]);
    expect(notesOf({ tools: tools.slice(0, 100) })).toEqual([
      expect.stringMatching(/^srv: The manifest takes \d+ canonical bytes: .* \(MANIFEST_LARGE\)$/),
      REVIEW,
    ]);
  });

  test("includes parts that are valid but have another meaning", () => {
    const inputSchema = { ...SCHEMA, properties: { a: { $ref: "https://example.com/a" }, b: { pattern: "(" } } };
    expect(notesOf({ tools: [{ name: "a", inputSchema }] })).toEqual([
      expect.stringMatching(/^srv: at \/tools\/0\/input_schema\/properties\/a\/\$ref: .*INPUT_SCHEMA_REMOTE_REF\)$/),
      expect.stringMatching(/^srv: at \/tools\/0\/input_schema\/properties\/b\/pattern: .*INVALID_PATTERN\)$/),
      REVIEW,
    ]);
  });
});
