import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { allowanceOf, newAllowances } from "../../../bench/gate/allowances.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-allowances-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function checkout(name: string, allowances?: unknown): string {
  const root = join(folder, name);
  mkdirSync(join(root, "lab/bench"), { recursive: true });
  if (allowances !== undefined) writeFileSync(join(root, "lab/bench/allowances.json"), JSON.stringify(allowances));
  return root;
}

const old = { row: "drover/spec, spec", slowdown: 1.2, reason: "one more check" };
const young = { row: "trail/verify, records", slowdown: 1.3, reason: "another digest" };

test("an allowance counts until the base has it, too", () => {
  const found = newAllowances(checkout("ours", [old, young]), checkout("base", [old]));
  expect(found).toEqual([young]);
  expect(allowanceOf(found, "trail/verify", "records")).toEqual(young);
  expect(allowanceOf(found, "drover/spec", "spec")).toBeUndefined();
  expect(newAllowances(checkout("ours", [{ ...old, slowdown: 1.4 }]), checkout("base", [old]))).toHaveLength(1);
});

test("a base from before there were allowances has none", () => {
  expect(newAllowances(checkout("ours", [young]), checkout("base"))).toEqual([young]);
});

test.each([
  [{ ...young, slowdown: 1.1 }],
  [{ ...young, reason: "" }],
  [{ ...young, reason: undefined }],
  [{ ...young, until: 2030 }],
])("%j is no allowance", (allowance) => {
  const root = checkout("ours", [allowance]);
  expect(() => newAllowances(root, checkout("base"))).toThrow("lab/bench/allowances.json");
});
