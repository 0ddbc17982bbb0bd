import { parseJson } from "@agentprint/canonical-json";
import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { expect, test } from "vitest";
import { schemaDiffOperations } from "../../../fixtures/ports/typescript/src/operations/schema-diff.ts";
import { listSuites, loadSuite } from "../../../fixtures/src/load.ts";
import { compareSchemas } from "../src/index.ts";

testVectors("schema-diff", schemaDiffOperations);

test("a breaking change of the vectors has a counterexample, and no other has one", () => {
  const suites = listSuites().filter((name) => name.startsWith("schema-diff/"));
  for (const { input, expected } of suites.flatMap((name) => loadSuite(name).cases)) {
    if ("error" in expected) continue;
    const { before, after, direction } = input as Record<string, { json: string }> & { direction: "input" | "output" };
    const [old, now] = [before, after].map((schema) => parseJson(String(schema?.json)));
    const { verdict, counterexample } = compareSchemas(old, now, { direction });
    expect(counterexample === undefined).toBe(verdict !== "breaking");
  }
});
