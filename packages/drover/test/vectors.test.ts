import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { droverOperations } from "../../../fixtures/src/operations/drover.ts";
import type { VectorInput, VectorOutcome, VectorSuite } from "../../../fixtures/src/suite.ts";

const folder = new URL("../../../fixtures/vectors/drover/", import.meta.url);
const suites = readdirSync(folder).map((file): VectorSuite => JSON.parse(readFileSync(new URL(file, folder), "utf8")));

async function outcome(operation: string, input: VectorInput): Promise<VectorOutcome> {
  try {
    return (await droverOperations[operation]?.run(input)) ?? {};
  } catch (error) {
    return { error: (error as { code?: unknown }).code };
  }
}

describe.each(suites)("golden vectors: $suite", ({ operation, cases }) => {
  test.each(cases)("$id $comment", async ({ input, expected }) => {
    expect(await outcome(operation, input)).toMatchObject(expected);
  });
});
