import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DRAFTS, type DraftFolder, readGroups, suiteFolder } from "../../scripts/official-suite/read-suite.ts";
import { compareSchemas } from "../../src/index.ts";
import { hasPythonJudge, judgeByPython } from "./python-judge.ts";
import { toolsOf } from "./real-servers.ts";
import { pairSometimesNarrowed, type Schema } from "./schemas.ts";
import { disputesOf } from "./validators.ts";

/**
 * A value that shows a break according to a comparison, and whether the schema accepts it according to that comparison.
 */
interface Case {
  readonly schema: Schema;
  readonly value: unknown;
  readonly expected: boolean;
}

function casesOf(pairs: Iterable<readonly [Schema, Schema]>): Case[] {
  return [...pairs].flatMap(([before, after]) =>
    (["input", "output"] as const).flatMap((direction): Case[] => {
      const { counterexample } = compareSchemas(before, after, { direction, want: "verdict" });
      if (counterexample === undefined) return [];
      const { value, acceptedBy } = counterexample;
      return [
        { schema: before, value, expected: acceptedBy === "before" },
        { schema: after, value, expected: acceptedBy === "after" },
      ];
    }),
  );
}

/**
 * Judges each case's value with all validators; fails if one of them contradicts the case other than by a known limit.
 */
export function expectJudged(cases: readonly Case[]): void {
  const byPython = hasPythonJudge() ? judgeByPython(cases) : [];
  if (byPython.length > 0) expect(byPython).toHaveLength(cases.length);
  const disputed = cases.flatMap((each, i) => {
    const verdict = byPython[i];
    const further = verdict === undefined ? [] : [["jsonschema", verdict] as const];
    const disputes = disputesOf(each.schema, each.value, each.expected, further);
    return disputes.length > 0 ? [{ ...each, disputes }] : [];
  });
  expect(disputed.slice(0, 10).map((each) => JSON.stringify(each))).toEqual([]);
}

/** Judges every counterexample with ajv, `@cfworker/json-schema` and, if installed, Python's jsonschema. */
export function testJudged(pairs: number): void {
  describe("independent validators judge each counterexample as its comparison does", () => {
    test(`of ${pairs} random pairs`, () => {
      const cases = casesOf(fc.sample(pairSometimesNarrowed, pairs));
      expect(cases.length).toBeGreaterThan(pairs / 10);
      expectJudged(cases);
    });

    test("of the official test suite", ({ skip }) => {
      const root = suiteFolder();
      if (root === undefined) return skip("JSON_SCHEMA_TEST_SUITE names no checkout of JSON-Schema-Test-Suite");
      const schemas = (Object.keys(DRAFTS) as DraftFolder[]).map((draft) =>
        readGroups(root, draft, "required").map((group) => group.schema as Schema),
      );
      // Neighbouring schemas share most of their keywords.
      expectJudged(
        casesOf(schemas.flatMap((all) => all.slice(1).map((after, i) => [all[i] as Schema, after] as const))),
      );
    });

    test("Python's jsonschema is one of them", ({ skip }) => {
      if (!hasPythonJudge()) skip("python3 has no module jsonschema");
    });
  });
}

/** Judges the counterexamples between tools of real servers, which are started once per test file. */
export function testJudgedServers(): void {
  test("independent validators judge each counterexample between tools of real servers as its comparison does", async () => {
    const upgrades = [
      ["server-playwright-0-0-45", "server-playwright-0-0-60"],
      ["server-everything-2025-9-25", "server-everything-2026-8-31"],
      ["server-filesystem-2026-1-14", "server-filesystem-2026-8-31"],
      ["server-memory-2026-1-26", "server-memory-2026-7-4"],
    ] as const;
    const found: [Schema, Schema][] = [];
    for (const [from, to] of upgrades) {
      const [before, after] = [[...(await toolsOf(from)).values()], [...(await toolsOf(to)).values()]];
      // Each tool is also compared with other tools, because most tools of these servers have not changed.
      for (const [i, one] of before.entries()) {
        for (const other of after.slice(i, i + 3)) found.push([one.inputSchema, other.inputSchema]);
      }
    }
    const cases = casesOf(found);
    expect(cases.length).toBeGreaterThan(50);
    expectJudged(cases);
  });
}
