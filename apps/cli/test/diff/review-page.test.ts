import { readFileSync, writeFileSync } from "node:fs";
import { DRIFT_RULES } from "@agentprint/mcp-lock/rules";
import { blocksOf } from "@agentprint/testing/markdown/code-blocks";
import { outputOf } from "@agentprint/testing/programs";
import { expect, test } from "vitest";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

/** Splits a command line at its spaces, except within double quotes. */
const wordsOf = (line: string): string[] => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));

test("the page about reviews shows what the command prints", async () => {
  using space = new Workspace(ONE_ERA);
  let output = "";
  let shown = 0;
  for (const { language, file, code } of blocksOf("docs/review.md")) {
    if (file !== "") writeFileSync(space.path(file), code);
    const lines = code.trimEnd().split("\n");
    if (language === "sh") output = "";
    for (const line of language === "sh" ? lines : []) {
      const [command = "", exits = "0"] = line.split(/ # exits with /);
      const [program, ...words] = wordsOf(command);
      if (program === "node") outputOf(process.execPath, words, { cwd: space.folder });
      if (words[0] !== "agentprint") continue;
      const { code, stdout } = await space.run(words.slice(1));
      expect(code, line).toBe(Number(exits));
      output += stdout;
    }
    for (const line of language === "text" ? lines : []) {
      expect(output).toContain(line.replace(/ …$/, ""));
      shown++;
    }
  }
  expect(shown).toBeGreaterThan(15);
});

test("the page about reviews explains every rule about schemas and hints, and only rules that exist", () => {
  const page = readFileSync(new URL("../../../../docs/review.md", import.meta.url), "utf8");
  const named = new Set(page.match(/(?<=`)mcp\/[a-z-]+(?=`)/g));
  const rules = Object.keys(DRIFT_RULES);
  expect([...named].filter((rule) => !rules.includes(rule))).toEqual([]);
  const explained = rules.filter((rule) => /hint|contract|schema|input-|free-text|anything|values/.test(rule));
  expect(explained.length).toBeGreaterThan(10);
  expect(explained.filter((rule) => !named.has(rule))).toEqual([]);
});
