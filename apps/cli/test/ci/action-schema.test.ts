import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY } from "../support/action-run.ts";
// A copy of https://json.schemastore.org/github-action.json (Apache-2.0), so that the test needs no network. A slow
// test compares the copy with the original.
import schema from "./github-action.schema.json" with { type: "json" };

const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
const action = (): Record<string, Record<string, unknown>> =>
  parse(readFileSync(join(REPOSITORY, "action.yml"), "utf8"));

test("the published schema of actions allows action.yml", () => {
  validate(action());
  expect(validate.errors).toBeNull();
});

test("the published schema of actions refuses unknown members", () => {
  const { runs, ...others } = action();
  for (const wrong of [others, { ...action(), on: "push" }, { ...action(), runs: { ...runs, steps: "none" } }]) {
    expect(validate(wrong)).toBe(false);
  }
});
