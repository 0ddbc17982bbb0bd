import { describe, expect, test } from "vitest";
import {
  createLock,
  definitionSetHashV1,
  formatLock,
  instructionsHashV1,
  type McpLockError,
  parseLock,
} from "../src/index.ts";

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return `${(error as McpLockError).code} ${(error as McpLockError).path}`;
  }
  return "none";
}

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
