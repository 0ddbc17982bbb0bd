import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { agentCapabilitiesOperations } from "../../../fixtures/src/operations/agent-capabilities.ts";
import type { VectorSuite } from "../../../fixtures/src/suite.ts";

const VECTORS = new URL("../../../fixtures/vectors/agent-capabilities/", import.meta.url);
const suites = readdirSync(VECTORS).map(
  (name) => JSON.parse(readFileSync(new URL(name, VECTORS), "utf8")) as VectorSuite,
);

test("there are at least 250 vectors", () => {
  expect(suites.reduce((sum, { cases }) => sum + cases.length, 0)).toBeGreaterThanOrEqual(250);
  expect(new Set(suites.map(({ operation }) => operation)).size).toBe(Object.keys(agentCapabilitiesOperations).length);
});

describe.each(suites)("$suite", ({ operation, cases }) => {
  test.each(cases.filter(({ withdrawn }) => withdrawn === undefined))("$id $comment", async ({ input, expected }) => {
    const run = agentCapabilitiesOperations[operation]?.run;
    const outcome: Record<string, unknown> = await Promise.resolve(input)
      .then((given) => run?.(given) ?? {})
      .catch((error: { code?: unknown }) => ({ error: error.code ?? error }));
    // Every expected field, deeply; a result may have more.
    const named = Object.fromEntries(Object.keys(expected).map((field) => [field, outcome[field]]));
    expect(named).toEqual(expected);
  });
});
