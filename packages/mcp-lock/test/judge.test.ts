import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { anyName, anyTool } from "@agentprint/testing/lock/arbitrary-tools";
import { findingsBothWays } from "@agentprint/testing/lock/as-check";
import { answersOf } from "@agentprint/testing/lock/offer";
import { runs } from "@agentprint/testing/property-runs";
import { compareTools, pinTools } from "@agentprint/tool-pins";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DRIFT_RULES } from "../src/index.ts";
import { judge } from "../src/judge.ts";

const TOOL = { name: "files", description: "Reads one file", inputSchema: { type: "object" } };

const anyListing = fc
  .uniqueArray(fc.tuple(anyName, anyTool), { maxLength: 4, selector: ([name]) => name })
  .map((tools) => tools.map(([name, tool]): JsonObject => ({ ...(tool as JsonObject), name })));

function expectAsCheck(before: Record<string, readonly JsonObject[]>, after: Record<string, readonly JsonObject[]>) {
  const answers = (servers: typeof before) =>
    Object.fromEntries(Object.entries(servers).map(([name, tools]) => [name, answersOf(tools)]));
  const found = findingsBothWays(answers(before), answers(after));
  for (const { check, pins } of found) expect(pins).toEqual(check);
  return found.flatMap(({ pins }) => pins);
}

describe("a comparison with pins, given the judge and the names, finds what a check finds", () => {
  test.each(
    Object.entries(DRIFT_RULES).flatMap(
      ([
        id,
        {
          example: { before, after },
        },
      ]) =>
        [before, after].every((each) => typeof each === "object" && !Array.isArray(each))
          ? [[id, before, after] as const]
          : [],
    ),
  )("in the example of %s", (_, before, after) => {
    expectAsCheck(
      { files: [{ ...TOOL, ...(before as JsonObject) }] },
      { files: [{ ...TOOL, ...(after as JsonObject) }] },
    );
  });

  test("in any two listings", () => {
    fc.assert(
      fc.property(anyListing, anyListing, (before, after) => {
        expectAsCheck({ files: before, notes: after }, { files: after, notes: before });
      }),
      { numRuns: runs(30) },
    );
  });

  test("where a text names another server, a tool of it, and the own server", () => {
    const tool = { ...TOOL, name: "read" };
    const described = (text: string) => ({
      files: [{ ...tool, description: `Reads one file. ${text}` }],
      mail: [{ ...TOOL, name: "send_mail" }],
    });
    for (const text of ["See mail", "See send_mail", "See files", "See read"])
      expectAsCheck(described("See"), described(text));
    const [found = ""] = expectAsCheck(described("See"), described("See send_mail"));
    expect(found).toContain("mcp/prose-signal");
  });

  test("where each tool got the bounds of zod 4, of which one finding speaks", () => {
    const bounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    const tools = (more: object) =>
      ["a", "b"].map((name) => ({
        name,
        inputSchema: { type: "object", properties: { n: { type: "integer", ...more } } },
      }));
    const found = expectAsCheck({ files: tools({}) }, { files: tools(bounds) });
    expect(found).toHaveLength(1);
    const { findings } = compareTools(pinTools(tools({}), { definitions: true }), tools(bounds), { judge });
    expect(findings[0]?.place).toEqual({ subject: "tools" });
  });
});

test("the order of members and tools changes no finding", () => {
  const reversed = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, member]) => [name, reversed(member)] as const)
        .toReversed(),
    );
  };
  fc.assert(
    fc.property(anyListing, anyListing, (before, after) => {
      const [pins, other] = [before, before.map(reversed).toReversed()].map((tools) =>
        pinTools(tools, { definitions: true }),
      );
      if (pins === undefined || other === undefined) throw new Error("two pins");
      const { findings } = compareTools(pins, after, { judge });
      expect(compareTools(other, after.map(reversed).toReversed(), { judge }).findings).toEqual(findings);
    }),
    { numRuns: runs(30) },
  );
});

test("each comparison has the steps of a whole server", () => {
  const hard = (version: string, count: number) => ({
    name: "hard",
    inputSchema: {
      type: "object",
      anyOf: Array.from({ length: count }, (_, index) => ({
        required: [`${version}${index}`],
        minProperties: index % 7,
      })),
    },
  });
  const pins = pinTools([hard("a", 60)], { definitions: true });
  const [first, second] = [0, 1].map(() => compareTools(pins, [hard("b", 60)], { judge }).findings);
  expect(second).toEqual(first);
});
