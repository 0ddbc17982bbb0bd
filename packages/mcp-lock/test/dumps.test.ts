import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  checkLock,
  createLock,
  type DriftReport,
  formatLock,
  type JsonObject,
  parseLock,
  type ServerSnapshot,
} from "../src/index.ts";

const DUMPS = resolve(import.meta.dirname, "../../../../shared/mcp-dumps");

interface Dump {
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
  readonly result: { readonly tools: JsonObject[] };
}

function snapshotOf(dump: string): ServerSnapshot {
  const { serverInfo, capabilities, instructions, result } = JSON.parse(
    readFileSync(`${DUMPS}/${dump}.json`, "utf8"),
  ) as Dump;
  return {
    launch: { type: "stdio", command: "server", args: [], env: [] },
    clientCapabilities: {},
    protocolVersion: "2025-06-18",
    serverInfo,
    capabilities,
    ...(instructions !== null && { instructions }),
    tools: result.tools,
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
}

function check(before: string, after: string): DriftReport {
  const lock = parseLock(formatLock(createLock({ server: snapshotOf(before) })));
  return checkLock(lock, { server: snapshotOf(after) });
}

describe.skipIf(!existsSync(DUMPS))(
  "recorded answers of real servers (skipped where ../shared/mcp-dumps is absent)",
  () => {
    test("filesystem 2026.1.14 → 2026.7.4: one flipped hint", () => {
      const report = check("server-filesystem@2026.1.14", "server-filesystem@2026.7.4");
      expect(report.servers[0]?.drifts).toEqual([
        {
          type: "tool-changed",
          name: "move_file",
          layers: ["hints"],
          changes: [{ pointer: "/annotations/destructiveHint", before: false, after: true, layer: "hints" }],
          missedBy: ["name+description", "name+inputSchema", "name+description+inputSchema"],
        },
      ]);
      expect(report.outcome).toBe("drift");
    });
  },
);
