import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, takeSnapshot } from "../src/index.ts";
import type { Script } from "./servers/scripted.ts";
import { scripted, server, tool } from "./support/targets.ts";

const one = { tools: [tool("one")] };

describe("a visit for a lock of version 1", () => {
  test("speaks as agentprint, by handshake, and asks for declared lists once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "visit-"));
    const log = join(folder, "log");
    const target = scripted({
      log,
      results: { "tools/list": [one], "prompts/list": [{ prompts: [{ name: "hidden" }] }] },
    });
    const snapshot = await takeSnapshot(target, { roots: {} }, DEFAULT_LIMITS);
    expect(snapshot).toMatchObject({
      launch: target.launch,
      clientCapabilities: { roots: {} },
      protocolVersion: "2025-11-25",
      serverInfo: { name: "scripted" },
      tools: one.tools,
      prompts: [],
    });
    const messages = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line).message);
    rmSync(folder, { recursive: true });
    expect(messages.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized", "tools/list"]);
    expect(messages[0].params).toMatchObject({ capabilities: { roots: {} }, clientInfo: { name: "agentprint" } });
  });

  test("reads an official server of either SDK", async () => {
    for (const name of ["sdk-v1", "sdk-v2"]) {
      const snapshot = await takeSnapshot(server(name), {}, DEFAULT_LIMITS);
      expect(snapshot).toMatchObject({ instructions: "Ask for the weather.", tools: [{ name: "weather" }] });
    }
  });

  test.each<{ name: string; script: Script; code: string }>([
    { name: "has no handshake", script: { eras: ["modern"] }, code: "server-error" },
    { name: "ends at once", script: { eras: [], otherEra: "exit" }, code: "server-ended" },
    { name: "does not know a list that it declares", script: {}, code: "server-error" },
    {
      name: "has no instructions that are a string",
      script: {
        results: { initialize: [{ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {}, instructions: 1 }] },
      },
      code: "server-garbage",
    },
    {
      name: "says of itself less than the handshake wants",
      script: { results: { initialize: [{ protocolVersion: "2025-11-25" }] } },
      code: "server-garbage",
    },
  ])("fails where the server $name", async ({ script, code }) => {
    await expect(takeSnapshot(scripted(script), {}, DEFAULT_LIMITS)).rejects.toMatchObject({ code });
  });

  test("reads no templates where the server does not know their method", async () => {
    const script: Script = { capabilities: { resources: {} }, results: { "resources/list": [{ resources: [] }] } };
    expect(await takeSnapshot(scripted(script), {}, DEFAULT_LIMITS)).toMatchObject({
      resources: [],
      resourceTemplates: [],
    });
  });
});
