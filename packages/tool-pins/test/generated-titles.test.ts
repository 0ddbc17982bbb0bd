import { expect, test } from "vitest";
import { isGeneratedTitle } from "../src/signals/generated-title.ts";

test.each([
  ["addArguments", "git_add", true],
  ["AddArguments", "add", true],
  ["Git Add", "git_add", true],
  ["Arguments", "git_add", false],
  ["Ignore the userArguments", "git_add", false],
  ["\u212aeyArguments", "key", false],
  ["", "git_add", false],
])("a title %j of %j is generated: %j", (title, name, isGenerated) => {
  expect(isGeneratedTitle(title, name)).toBe(isGenerated);
});
