import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { META_POLICY, PAGE_HEADER, WORKER_HEADER } from "../build/policies.ts";

test("the README has the headers that the page is tested with", () => {
  const lines = readFileSync(new URL("../README.md", import.meta.url), "utf8").split("\n");
  expect(lines).toContain(`Content-Security-Policy: ${PAGE_HEADER}`);
  expect(lines).toContain(`Content-Security-Policy: ${WORKER_HEADER}`);
  expect(PAGE_HEADER.startsWith(META_POLICY)).toBe(true);
});
