import { readFileSync } from "node:fs";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import { expect, test } from "vitest";
import { PRESET_NAMES, PRESETS } from "../src/index.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Returns the Markdown table of the presets, with one row for each rule that a preset names. */
function presetTable(): string {
  const named = [...new Set(PRESET_NAMES.flatMap((preset) => Object.keys(PRESETS[preset].rules)))].sort();
  const cells = (rule: string | undefined): string[] =>
    PRESET_NAMES.map((preset) => {
      const { check, guard = "block" } = PRESETS[preset].rules[rule ?? ""] ?? {};
      return `${check ?? "its level"}, ${guard}`;
    });
  return markdownTable(
    ["rule", ...PRESET_NAMES.map((preset) => `\`${preset}\`: check, guard`)],
    [
      ...named.map((rule) => [`\`${rule}\``, ...cells(rule)]),
      ["every other rule", ...cells(undefined)],
      ["counts as a difference", ...PRESET_NAMES.map((preset) => `from ${PRESETS[preset].failOn}`)],
    ],
  );
}

test("the README has the table of the presets", () => {
  expect(README).toContain(`\n\n${presetTable()}\n\n`);
});
