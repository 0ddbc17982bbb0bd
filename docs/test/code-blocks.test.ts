import { readFileSync } from "node:fs";
import {
  blocksOf,
  type CodeBlock,
  documents,
  OF_THE_CHECKOUT,
  walkedPages,
} from "@agentprint/testing/markdown/code-blocks";
import { expect, test } from "vitest";
import { packageRoots, REPOSITORY } from "./examples.ts";

const LANGUAGES = /^(?:sh|bash|ts|tsx|typescript|js|jsx|javascript|py|python)$/;
const MOST_WITH_REASON = 0.05;

const blocks = documents()
  .flatMap(blocksOf)
  .filter(({ language }) => LANGUAGES.test(language));
const walked = new Set(walkedPages());
const packages = packageRoots();
const scripts = JSON.parse(readFileSync(`${REPOSITORY}package.json`, "utf8")).scripts as Record<string, string>;
const ci = readFileSync(`${REPOSITORY}.ci/run`, "utf8");

/** Returns the runner of a block; `undefined` if it is not run. */
function runnerOf({ page, language, file, code }: CodeBlock): string | undefined {
  const isOfPackage = packages.some((root) => page.startsWith(`${root}/README`));
  if (language === "ts" && isOfPackage) return "docs/test/slow/examples.test.ts";
  if (walked.has(page) && (language === "sh" || file !== "")) return "apps/scripts/src/walk-page.ts";
  if (page === "docs/embed.md" && file !== "") return "docs/test/slow/embed.test.ts";
  if (page === "fixtures/ports/python/README.md" && language === "python") return "its tests/test_readme.py";
  // `.ci/run` runs the commands that belong to the checkout.
  const names = [...code.matchAll(/^npx --yes pnpm@12 (\w+)/gm)].map(([, name = ""]) => name);
  const areCommands = names.length === code.trimEnd().split("\n").length;
  const areRun = names.every((name) => name in scripts && (name === "check" || new RegExp(`\\b${name}\\b`).test(ci)));
  return OF_THE_CHECKOUT.has(page) && areCommands && areRun ? ".ci/run" : undefined;
}

test("every block of sh, ts, js and py is run, or has a reason", () => {
  const lost = blocks.filter((block) => block.reason === undefined && runnerOf(block) === undefined);
  expect(lost.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
});

test("at most one in twenty has a reason", () => {
  const withReason = blocks.filter(({ reason }) => reason !== undefined);
  expect(withReason.length).toBeLessThanOrEqual(blocks.length * MOST_WITH_REASON);
  expect(blocks.length).toBeGreaterThan(80);
});

test("no reason precedes a block that is run all the same", () => {
  const all = documents().flatMap(blocksOf);
  const idle = all.filter(({ reason, language }) => reason !== undefined && !LANGUAGES.test(language));
  expect(idle.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

test("CI walks every page that has commands", () => {
  expect(ci).toContain("pnpm --filter scripts walk\n");
  expect([...walked]).toEqual(
    expect.arrayContaining(["docs/production.md", "integrations/skills/agentprint/SKILL.md"]),
  );
});
