import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLIENT_PROFILES, type VisitOptions, visitServer } from "../src/index.ts";
import { processesFrom, type ShownProcess } from "./support/shown-process.ts";
import { at, options, scripted, tool, toolNames, visitInMemory } from "./support/targets.ts";

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "visit-"));
  log = join(folder, "log");
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * Returns the options of a visit that waits for each answer: the servers here answer everything, but on a busy machine,
 * they answer late.
 */
const patient = (changes: Partial<VisitOptions>): Partial<VisitOptions> => ({
  probeTimeout: 30_000,
  settle: 1,
  ...changes,
});
const results = { "tools/list": [{ tools: [] }] };
const entries = (): string[] => readFileSync(log, "utf8").trim().split("\n");
/** The path of this test's folder contains the name, so the server's folder contains it too. */
const withoutPaths = (text: string): string => text.replaceAll(import.meta.dirname, "").replaceAll(process.cwd(), "");

describe("a server that shows each client another list", () => {
  const toolsFor = {
    "claude-code": [tool("for claude")],
    "cursor-vscode": [tool("for cursor")],
    "Visual Studio Code": [tool("for code")],
    agentprint: [tool("clean")],
    mcp: [tool("bare")],
  };

  test.each([
    { client: "claude-code", seen: ["for claude"] },
    { client: "cursor", seen: ["for cursor"] },
    { client: "vscode", seen: ["for code"] },
    { client: "bare", seen: ["clean"] },
  ])("is seen as $client sees it, in both eras", async ({ client, seen }) => {
    const { sessions, ...answers } = await visitInMemory({ toolsFor }, patient({ client }));
    expect(answers.client).toBe(client);
    expect(sessions.map(toolNames)).toEqual([seen, seen]);
  });

  test("is visited as the common and the bare client, and no session names the visitor", async () => {
    const { sessions } = await visitServer(
      scripted({ toolsFor, log }),
      options(patient({ views: ["client", "bare"] })),
    );
    expect(sessions.map(({ era, view }) => `${era} ${view}`)).toEqual([
      "legacy client",
      "modern client",
      "legacy bare",
      "modern bare",
    ]);
    expect(sessions.map(toolNames)).toEqual([["for claude"], ["for claude"], ["bare"], ["bare"]]);
    const messages = entries().filter((line) => line.startsWith('{"message"'));
    expect(messages.length).toBeGreaterThan(20);
    expect(messages.join("\n")).not.toMatch(/agentprint/i);
  });
});

describe("the common clients", () => {
  test.each(CLIENT_PROFILES.map(({ id }) => id))("%s declares its capabilities in both eras", async (client) => {
    const profile = CLIENT_PROFILES.find(({ id }) => id === client);
    await visitInMemory({ results, log }, patient({ client }));
    const messages = entries().map((line) => JSON.parse(line).message?.params);
    const said = { clientInfo: profile?.clientInfo, capabilities: profile?.capabilities };
    expect(messages).toContainEqual({ protocolVersion: "2025-11-25", ...said });
    expect(messages).toContainEqual({
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": said.clientInfo,
        "io.modelcontextprotocol/clientCapabilities": said.capabilities,
      },
    });
    expect(said.capabilities).toMatchObject({
      extensions: { "io.modelcontextprotocol/ui": {} },
      elicitation: {},
      roots: {},
    });
  });

  test("declare other capabilities where they are given", async () => {
    const answers = await visitInMemory({ results, log }, patient({ capabilities: { roots: {} } }));
    expect(answers.clientCapabilities).toEqual({ roots: {} });
    expect(entries().join("\n")).not.toContain("elicitation");
  });

  test("are not made up", async () => {
    const visit = visitServer(scripted({}), options({ client: "constructor" }));
    await expect(visit).rejects.toMatchObject({ code: "invalid-target" });
  });
});

describe.skipIf(process.platform !== "linux")("a server that looks at its process", () => {
  test("finds no sign of who started it, and another mark each time", async () => {
    for (let visit = 0; visit < 2; visit++) {
      await visitServer(
        { ...scripted({ results, log }), env: { GIVEN: "value" } },
        options(patient({ protocol: "legacy" })),
      );
    }
    const visitors = entries().flatMap((line) => JSON.parse(line).visitor ?? []);
    expect(visitors).toHaveLength(2);
    // An ancestor of the test may adopt servers whose parent has ended. If the test itself were a parent, this would
    // fail.
    const [self, ...others] = processesFrom(process.pid);
    expect(self?.shown).toMatch(/vitest/i);
    const above = new Set(others.map(({ pid }) => pid));
    for (const { argv, ancestors, ...visitor } of visitors) {
      const shown = (ancestors as ShownProcess[]).filter(({ pid }) => !above.has(pid));
      expect(withoutPaths(JSON.stringify({ ...visitor, shown }))).not.toMatch(/agentprint|vitest/i);
      expect(withoutPaths(argv.slice(0, 2).join(" "))).not.toMatch(/agentprint|vitest/i);
      expect(visitor.env).toMatchObject({ GIVEN: "value", PATH: process.env["PATH"] });
    }
    const marks = visitors.map(({ env }) =>
      Object.entries(env as object).filter(([, value]) => /^[0-9a-f]{32}$/.test(value)),
    );
    expect(marks.map((found) => found.length)).toEqual([1, 1]);
    expect(marks[0]?.[0]?.[0]).not.toBe(marks[1]?.[0]?.[0]);
    expect(marks[0]?.[0]?.[1]).not.toBe(marks[1]?.[0]?.[1]);
  });
});

describe("a server at a URL", () => {
  test.each(["claude-code", "cursor", "bare"])(
    "finds no header that says who visits as %s, except bare",
    async (client) => {
      const seen: string[] = [];
      const server = createServer((request, response) => {
        seen.push(JSON.stringify(request.rawHeaders));
        response.writeHead(404).end();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/mcp`;
      await expect(visitServer(at(url), options({ client }))).rejects.toMatchObject({ code: "server-unreachable" });
      server.close();
      // The handshake, the probe, the three lists after the probe, and the event stream of the old transport.
      expect(seen).toHaveLength(6);
      for (const headers of seen) expect(/agentprint/i.test(headers)).toBe(client === "bare");
    },
  );
});
