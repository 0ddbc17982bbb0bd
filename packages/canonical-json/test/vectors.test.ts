import { describe, expect, test } from "vitest";
import { listSuites, loadSuite } from "../../../fixtures/src/load.ts";
import { canonicalJsonOperations } from "../../../fixtures/src/operations/canonical-json.ts";
import type { VectorInput, VectorOutcome } from "../../../fixtures/src/suite.ts";
import { CanonicalJsonError } from "../src/index.ts";

async function outcome(operation: string, input: VectorInput): Promise<VectorOutcome> {
  try {
    return (await canonicalJsonOperations[operation]?.run(input)) ?? {};
  } catch (error) {
    if (error instanceof CanonicalJsonError) return { error: error.code };
    throw error;
  }
}

describe.each(listSuites().filter((name) => name.startsWith("canonical-json/")))("%s", (name) => {
  const { operation, cases } = loadSuite(name);
  test.each(cases)("$id $comment", async ({ input, expected }) => {
    expect(await outcome(operation, input)).toMatchObject(expected);
  });
});
