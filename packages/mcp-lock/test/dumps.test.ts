import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "@agentprint/canonical-json";
import type { VisitAnswers } from "@agentprint/mcp";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, type Drift, driftFindings, formatLock, type Layer, parseLock } from "../src/index.ts";

const DUMPS = resolve(import.meta.dirname, "../../../../shared/mcp-dumps");

interface Dump {
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
  readonly result: { readonly tools: JsonObject[] };
}

function dumpOf(version: string): VisitAnswers {
  const { serverInfo, capabilities, instructions, result } = JSON.parse(
    readFileSync(`${DUMPS}/${version}.json`, "utf8"),
  ) as Dump;
  return answersOf(result.tools, { serverInfo, capabilities, ...(instructions && { instructions }) });
}

function driftsOf(before: string, after: string): readonly Drift[] {
  const lock = parseLock(formatLock(createLock({ server: dumpOf(before) })));
  return checkLock(lock, { server: dumpOf(after) }).servers[0]?.drifts ?? [];
}

function changedTools(drifts: readonly Drift[]): Extract<Drift, { type: "tool-changed" }>[] {
  return drifts.filter((drift) => drift.type === "tool-changed");
}

function layersOf(drifts: readonly Drift[]): Layer[] {
  return [...new Set(changedTools(drifts).flatMap(({ layers }) => layers))];
}

describe.skipIf(!existsSync(DUMPS))("answers of real servers (skipped where ../shared/mcp-dumps is absent)", () => {
  test("filesystem 2026.1.14 → 2026.7.4: one flipped hint, which every common hash misses", () => {
    expect(driftsOf("server-filesystem@2026.1.14", "server-filesystem@2026.7.4")).toEqual([
      {
        type: "tool-changed",
        name: "move_file",
        layers: ["hints"],
        changes: [
          {
            pointer: "/annotations/destructiveHint",
            before: false,
            after: true,
            layer: "hints",
            effects: ["more-power"],
          },
        ],
        missedBy: ["name+description", "name+inputSchema", "name+description+inputSchema"],
      },
    ]);
  });

  test("memory 2026.1.26 → 2026.7.4: nine of nine changes are outside name, description and inputSchema", () => {
    const drifts = driftsOf("server-memory@2026.1.26", "server-memory@2026.7.4");
    expect(changedTools(drifts)).toHaveLength(9);
    expect(changedTools(drifts).every(({ missedBy }) => missedBy.includes("name+description+inputSchema"))).toBe(true);
    expect(layersOf(drifts)).toEqual(["hints"]);
  });

  test("everything 2025.9.25 → 2026.1.26: most tools got new names, and are recognized", () => {
    const renamed = driftsOf("server-everything@2025.9.25", "server-everything@2026.1.26").flatMap((drift) =>
      drift.type === "tool-renamed" ? [[drift.previousName, drift.name]] : [],
    );
    expect(renamed).toEqual([
      ["annotatedMessage", "get-annotated-message"],
      ["printEnv", "get-env"],
      ["getResourceLinks", "get-resource-links"],
      ["getResourceReference", "get-resource-reference"],
      ["structuredContent", "get-structured-content"],
      ["getTinyImage", "get-tiny-image"],
      ["longRunningOperation", "trigger-long-running-operation"],
    ]);
  });

  test("playwright 0.0.45 → 0.0.60: thirteen of twenty-one contracts changed in notation alone", () => {
    const changed = changedTools(driftsOf("playwright__mcp@0.0.45", "playwright__mcp@0.0.60"));
    expect(changed).toHaveLength(21);
    const notation = changed.filter(({ changes }) =>
      changes.every(({ pointer, layer }) => layer === "prose" || pointer === "/inputSchema/$schema"),
    );
    expect(notation).toHaveLength(13);
  });

  test.each([
    ["server-filesystem@2026.7.4", "server-filesystem@2026.8.31"],
    ["server-everything@2026.1.26", "server-everything@2026.8.31"],
  ])("%s → %s: drift, with findings", (before, after) => {
    const drift = checkLock(createLock({ server: dumpOf(before) }), { server: dumpOf(after) });
    expect(drift.outcome).toBe("drift");
    expect(driftFindings(drift)).toContainEqual(
      expect.objectContaining({ place: expect.objectContaining({ pointer: expect.stringContaining("/") }) }),
    );
  });
});
