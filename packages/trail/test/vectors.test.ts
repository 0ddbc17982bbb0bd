import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { trailOperations } from "../../../fixtures/src/operations/trail.ts";
import type { VectorInput, VectorOutcome, VectorSuite } from "../../../fixtures/src/suite.ts";

const folder = new URL("../../../fixtures/vectors/trail/", import.meta.url);
const suites = readdirSync(folder).map((file): VectorSuite => JSON.parse(readFileSync(new URL(file, folder), "utf8")));

async function outcome(operation: string, input: VectorInput): Promise<VectorOutcome> {
  try {
    return (await trailOperations[operation]?.run(input)) ?? {};
  } catch (error) {
    return { error: (error as { code?: unknown }).code };
  }
}

describe.each(suites)("golden vectors: $suite", ({ operation, cases }) => {
  test.each(cases.filter(({ withdrawn }) => withdrawn === undefined))("$id $comment", async ({ input, expected }) => {
    expect(await outcome(operation, input)).toMatchObject(expected);
  });
});
