import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runBeside } from "@agentprint/testing/programs";
import { expect, test } from "vitest";

const EXAMPLES = new URL("../examples/", import.meta.url);
const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith(".ts"));

test("there are examples", () => {
  expect(examples).toHaveLength(4);
});

test.each(examples)("%s prints what it says", async (name) => {
  const file = new URL(name, EXAMPLES);
  const [, expected] = /\/\* Output:\n([\s\S]*)\*\/\n$/.exec(readFileSync(file, "utf8")) ?? [];
  const args = ["--conditions=@agentprint/source", fileURLToPath(file)];
  expect(await runBeside(process.execPath, args)).toEqual({ code: 0, stdout: expected, stderr: "" });
});
