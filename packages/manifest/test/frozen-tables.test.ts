import { expect, test } from "vitest";
import * as manifest from "../src/index.ts";

test("no exported table can be changed", () => {
  const { CAPABILITY_FLAGS, DENIAL_REASONS, SENSITIVITIES, STANDARD_SCOPES, VERDICTS } = manifest;
  const tables = Object.entries(manifest).filter(
    ([name, value]) => typeof value === "object" && !name.endsWith("Schema"),
  );
  expect(tables.map(([, table]) => table)).toEqual(
    expect.arrayContaining([CAPABILITY_FLAGS, DENIAL_REASONS, SENSITIVITIES, STANDARD_SCOPES, VERDICTS]),
  );
  expect(tables.filter(([, table]) => !Object.isFrozen(table)).map(([name]) => name)).toEqual([]);
  expect(tables.flatMap(([, table]) => Object.values(table)).filter((value) => typeof value === "object")).toEqual([]);
});

test("the time limit of a tool without timeout_ms is exported", () => {
  expect(manifest.DEFAULT_TIMEOUT_MS).toBe(10_000);
});
