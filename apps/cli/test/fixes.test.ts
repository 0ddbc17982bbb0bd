import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCES = globSync(["apps/cli/src/**/*.ts", "packages/{client-configs,mcp-visit}/src/**/*.ts"], { cwd: ROOT });

/** Words that an instruction can begin with. */
const VERBS =
  /^(?:agentprint [a-z]|(?:approve|ask|check|compare|create|end|give|install|log in|if the member is of no use to a model, leave|leave|list|look|make|name|pass|pin|raise|record|remove|renew|report|restore|review|run|see|set|start|visit|write)\b)/;

/** A string literal, or a template literal with expressions. */
const TEXT = /"[^"]*"|`(?:\$\{(?:[^{}]|\{[^}]*\})*\}|[^`])*`/;
/** The value of `fix:` in the sources, up to the end of the property. */
const VALUE = new RegExp(String.raw`(?:\bfix:|"fix",)\s*((?:${TEXT.source}|\n +(?=[?:"])|[^,{}\[\]\n])+)`, "g");

const fixes = SOURCES.flatMap((file) => {
  const source = readFileSync(ROOT + file, "utf8");
  return [...source.matchAll(VALUE)]
    .map(({ 1: value = "", index }) => ({ place: `${file}:${source.slice(0, index).split("\n").length}`, value }))
    .filter(({ value }) => !/^(?:string\b|fix$)/.test(value));
});

test("there are errors with a fix", () => {
  expect(fixes.length).toBeGreaterThan(45);
});

test.each(fixes)("the fix at $place is an instruction", ({ value }) => {
  // Shorter strings belong to the conditions.
  const texts = [...value.matchAll(new RegExp(TEXT, "g"))]
    .map(([text]) => text.slice(1, -1))
    .filter((text) => /\s/.test(text));
  if (texts.length === 0) expect(value).toBe("commandLine(");
  for (const text of texts) expect(text).toMatch(VERBS);
});

test.each(fixes)("the fix at $place is neither a message of the system nor a code", ({ value }) => {
  expect(value).not.toMatch(/\.message|String\(|reasonOf|correct the (?:file|text)/);
});
