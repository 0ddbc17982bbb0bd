import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { expect, test } from "vitest";
import { agentCapabilitiesOperations } from "../../../fixtures/ports/typescript/src/operations/agent-capabilities.ts";
import { listSuites, loadSuite } from "../../../fixtures/src/load.ts";

test("there are at least 250 vectors, and some of every operation", () => {
  const suites = listSuites()
    .filter((name) => name.startsWith("agent-capabilities/"))
    .map((name) => loadSuite(name));
  expect(suites.reduce((sum, { cases }) => sum + cases.length, 0)).toBeGreaterThanOrEqual(250);
  expect(new Set(suites.map(({ operation }) => operation)).size).toBe(Object.keys(agentCapabilitiesOperations).length);
});

testVectors("agent-capabilities", agentCapabilitiesOperations);
