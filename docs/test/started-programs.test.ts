import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/** Test files that have to start programs as their subject does. */
const OTHERS = [/^apps\/cli\/test\/hostile\//, /^packages\/trail\/test\/purity\/import-trapped\.ts$/];

/** Returns the imports at the head of a module: later imports may be in the text of another module. */
function headOf(file: string): string {
  const [head = ""] = readFileSync(`${REPOSITORY}${file}`, "utf8").split(
    /^(?:const|let|export|async|function|class)\b/m,
  );
  return head;
}

test("a program that a test starts fails at once, with the reason, where it cannot be started", () => {
  const files = globSync("{{packages,apps}/*,fixtures,docs,lab}/test/**/*.{ts,mjs}", { cwd: REPOSITORY });
  expect(files.length).toBeGreaterThan(500);
  const starters = files
    .filter((file) => !OTHERS.some((other) => other.test(file)))
    .filter((file) => /^import (?!type\b)[^;]*"node:child_process"/m.test(headOf(file)));
  expect(starters, "use @agentprint/testing/programs in place of node:child_process").toEqual([]);
});
