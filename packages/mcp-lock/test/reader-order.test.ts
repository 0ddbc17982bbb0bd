import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf, type Offer } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { driftToReport } from "../src/findings/index.ts";
import { checkLock, createLock } from "../src/index.ts";

const schema = (properties: JsonObject, required: string[] = []) => ({
  inputSchema: { type: "object", properties, required, additionalProperties: false },
});

function reportOn(before: Parameters<typeof answersOf>[0], after: typeof before, rest: Partial<Offer> = {}) {
  return driftToReport(checkLock(createLock({ fs: answersOf(before) }), { fs: answersOf(after, rest) }));
}

const READ = { name: "read", description: "Reads a file", ...schema({ path: {} }) };
const LIST = { name: "list", description: "Lists a folder", ...schema({}), annotations: { readOnlyHint: true } };
const GONE = { name: "vanish", ...schema({ completely: {}, other: {} }) };

describe("a report", () => {
  test("begins with what the model may do and reads; then what breaks, what else changed, and the launch", () => {
    const { findings } = reportOn(
      [READ, LIST, GONE],
      [
        { ...READ, description: "Reads a whole file", ...schema({ path: {} }, ["path"]), title: "Open" },
        { ...LIST, annotations: { readOnlyHint: false }, _meta: { a: 1 } },
        { name: "fetch", ...schema({ address: {} }) },
      ],
      {
        serverInfo: { name: "server", version: "2" },
        instructions: "Use it",
        launch: { type: "stdio", command: "node", args: ["server.js", "--all"], env: ["HOME"] },
      },
    );
    const rows = findings
      .filter(({ isRemark }) => !isRemark)
      .map(({ section, rule, place }) => [section, rule, place.tool ?? place.subject]);
    const told = "What the model may do, and what it reads";
    expect(rows).toEqual([
      [told, "mcp/item-added", "fetch"],
      [told, "mcp/hint-more-power", "list"],
      [told, "mcp/prose-signal", "fs"],
      [told, "mcp/prose-signal", "read"],
      [told, "mcp/tool-prose-changed", "read"],
      ["What breaks, or may break", "mcp/tool-contract-changed", "read"],
      ["What breaks, or may break", "mcp/item-removed", "vanish"],
      ["What else changed", "mcp/tool-rest-changed", "list"],
      ["What else changed", "mcp/server-version-changed", "fs"],
      ["How it is started", "mcp/launch-changed", "fs"],
    ]);
    expect(findings.filter(({ isRemark }) => isRemark).every(({ section }) => section === "Remarks")).toBe(true);
  });

  test("a server's capabilities are not text that a model reads", () => {
    const { findings } = reportOn([READ], [READ], { capabilities: { tools: {}, logging: {} } });
    expect(findings.map(({ rule, section }) => [rule, section])).toEqual([["mcp/server-changed", "What else changed"]]);
  });
});

describe("the event of a server", () => {
  const eventOf = (after: Parameters<typeof answersOf>[0], rest: Partial<Offer> = {}) =>
    reportOn([READ, LIST], after, rest).servers?.[0]?.event;
  const version = { serverInfo: { name: "server", version: "2.0.0" } };

  test.each([
    [
      "one description",
      [{ ...READ, description: "Reads" }, LIST],
      {},
      "1 of 2 tools changed, and only its description",
    ],
    [
      "two descriptions",
      [
        { ...READ, description: "Reads" },
        { ...LIST, description: "Lists" },
      ],
      {},
      "2 of 2 tools changed, and only their descriptions",
    ],
    ["a title", [{ ...READ, title: "Read" }, LIST], {}, "1 of 2 tools changed, and only its texts"],
    ["a hint", [READ, { ...LIST, annotations: {} }], {}, "1 of 2 tools changed, and only its hints"],
    ["a schema", [{ ...READ, ...schema({}) }, LIST], {}, "1 of 2 tools changed, and only its schemas"],
    ["another member", [{ ...READ, icons: [] }, LIST], {}, "1 of 2 tools changed, and only its other members"],
    [
      "several layers",
      [{ ...READ, description: "Reads", icons: [] }, LIST],
      version,
      "1 of 2 tools changed, with a new version (1 → 2.0.0)",
    ],
    ["a version alone", [READ, LIST], version, "with a new version (1 → 2.0.0)"],
    [
      "a version next to another member",
      [READ, LIST],
      { serverInfo: { name: "other", version: "2" } },
      "server info changed",
    ],
    ["a version that is gone", [READ, LIST], { serverInfo: { name: "server" } }, "without its version (1 is gone)"],
    [
      "an empty version",
      [READ, LIST],
      { serverInfo: { name: "server", version: "" } },
      "without its version (1 is gone)",
    ],
    [
      "a new tool and capabilities",
      [READ, LIST, { name: "fetch", ...schema({}) }],
      { capabilities: {} },
      "1 of 3 tools added, server capabilities changed",
    ],
  ])("%s", (_, after, rest, words) => {
    expect(eventOf(after, rest)).toBe(words);
  });

  test("is absent where nothing changed", () => {
    expect(eventOf([READ, LIST])).toBeUndefined();
  });
});
