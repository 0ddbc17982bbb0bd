import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

const PAGE = readFileSync(`${REPOSITORY}docs/ci.md`, "utf8");

/** The workflow that `init` writes is not on the page: the action does the same, and more. */
const FILES = globSync("apps/cli/templates/*", { cwd: REPOSITORY })
  .filter((file) => !file.endsWith("/github.yml"))
  .concat(".pre-commit-hooks.yaml")
  .sort();

test("the page about CI shows the files themselves, all of them", () => {
  const blocks = [...PAGE.matchAll(/^<!-- ([^\n]*) -->\n\n```\w+\n(.*?)^```$/gms)];
  expect(blocks.map(([, file]) => file).sort()).toEqual(FILES);
  for (const [, file, block] of blocks) expect(block).toBe(readFileSync(`${REPOSITORY}${file}`, "utf8"));
});

test("the page about CI has a row for each input of the action", () => {
  const action = readFileSync(`${REPOSITORY}action.yml`, "utf8").split("\noutputs:")[0] as string;
  const inputs = [...action.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
  expect(inputs).toHaveLength(11);
  for (const name of inputs) expect(PAGE).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, "m"));
});
