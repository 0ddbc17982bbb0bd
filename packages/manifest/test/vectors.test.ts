import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { consentOperations } from "../../../fixtures/src/operations/consent.ts";
import { manifestOperations } from "../../../fixtures/src/operations/manifest.ts";
import type { VectorInput, VectorOutcome, VectorSuite } from "../../../fixtures/src/suite.ts";

const folder = new URL("../../../fixtures/vectors/manifest/", import.meta.url);
const suites = readdirSync(folder).map((file): VectorSuite => JSON.parse(readFileSync(new URL(file, folder), "utf8")));
const operations = { ...manifestOperations, ...consentOperations };

async function outcome(operation: string, input: VectorInput): Promise<VectorOutcome> {
  try {
    return (await operations[operation]?.run(input)) ?? {};
  } catch (error) {
    return { error: (error as { code?: unknown }).code };
  }
}

describe.each(suites)("golden vectors: $suite", ({ operation, cases }) => {
  const current = cases.filter(({ withdrawn }) => withdrawn === undefined);
  test.each(current)("$id $comment", async ({ input, expected }) => {
    expect(await outcome(operation, input)).toEqual(expected);
  });
});
