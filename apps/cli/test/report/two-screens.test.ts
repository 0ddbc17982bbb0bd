import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "@agentprint/canonical-json";
import { type JudgedReport, judgeReport } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock } from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { cutFindings, renderReport } from "@agentprint/report";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { loadCompareWords } from "../../src/report/write-report.ts";
import { wrapLines } from "../../src/terminal/wrap-lines.ts";

const DUMPS = resolve(import.meta.dirname, "../../../../../shared/mcp-dumps");

const UPGRADES = {
  everything: ["server-everything@2025.9.25", "server-everything@2026.1.26"],
  "everything-later": ["server-everything@2026.1.26", "server-everything@2026.8.31"],
  filesystem: ["server-filesystem@2026.1.14", "server-filesystem@2026.7.4"],
  "filesystem-later": ["server-filesystem@2026.7.4", "server-filesystem@2026.8.31"],
  memory: ["server-memory@2026.1.26", "server-memory@2026.7.4"],
  playwright: ["playwright__mcp@0.0.45", "playwright__mcp@0.0.60"],
} as const;

function dumpOf(version: string): VisitAnswers {
  const dump = JSON.parse(readFileSync(`${DUMPS}/${version}.json`, "utf8")) as {
    serverInfo: JsonObject;
    capabilities: JsonObject;
    instructions: string | null;
    result: { tools: JsonObject[] };
  };
  const { serverInfo, capabilities, instructions, result } = dump;
  return answersOf(result.tools, { serverInfo, capabilities, ...(instructions && { instructions }) });
}

/** The number of rows on a terminal. */
const SCREEN = 50;

function upgraded(names: readonly string[] = Object.keys(UPGRADES)): JudgedReport {
  const upgrades = Object.entries(UPGRADES).filter(([name]) => names.includes(name));
  const side = (index: 0 | 1) =>
    Object.fromEntries(upgrades.map(([name, versions]) => [name, dumpOf(versions[index])]));
  return judgeReport(driftToReport(checkLock(createLock(side(0)), side(1)), { lockFile: "agentprint.lock" }));
}

describe.skipIf(!existsSync(DUMPS))("six upgraded servers (skipped where ../shared/mcp-dumps is absent)", () => {
  test("are reported on few screens, each change by its server, tool, message and place, and in full below", async () => {
    const report = upgraded();
    const whole = renderReport(report, "text", { brief: true, columns: 100, ...(await loadCompareWords(report)) });
    const [text = "", full = ""] = whole.split("\n\nThe complete text of everything shortened above\n");
    expect(cutFindings(report, "text")).toEqual([]);
    for (const { place, message } of report.findings) {
      expect(full).toContain(`${message}${place.pointer === undefined ? "" : ` at ${place.pointer}`}`);
    }
    const blocks = new Map(text.split(/\n(?! )/).map((block) => [/^[\w-]+/.exec(block)?.[0], block]));
    expect((await wrapLines(text, 100)).trimEnd().split("\n").length).toBeLessThanOrEqual(2.5 * SCREEN);
    expect((await wrapLines(text, 80)).trimEnd().split("\n").length).toBeLessThanOrEqual(3.2 * SCREEN);
    expect(text.match(/would not detect this change/g)).toHaveLength(3);
    for (const { place, message } of report.findings) {
      if (place.server === undefined) continue;
      const block = blocks.get(place.server) ?? "";
      expect(block).toContain(message);
      expect(block).toContain(place.subject.replace(`${place.server} › `, ""));
      expect(block).toContain((place.pointer ?? "").replace(/^.*\//, "/"));
    }
  });

  test("a hint that fourteen tools gained is two lines", async () => {
    const report = upgraded(["filesystem-later"]);
    const text = renderReport(report, "text", { brief: true, ...(await loadCompareWords(report)) });
    const lines = text.split("\n");
    const first = lines.indexOf("filesystem-later: 14 of 14 tools changed");
    expect(lines[first + 1]).toBe("  error  hint changed towards less asking at /annotations/openWorldHint: + false");
    expect(lines[first + 2]).toMatch(/^ {4}in 14 tools: create_directory, .*, write_file$/);
  });

  test("a schema that was rewritten as anyOf is one finding", () => {
    const changes = upgraded().findings.filter(
      ({ place }) =>
        place.subject === "filesystem-later › read_media_file" && place.pointer?.startsWith("/outputSchema"),
    );
    expect(changes.map(({ place }) => place.pointer)).toEqual(["/outputSchema/properties/content/items"]);
  });
});
