import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

const readJson = (path: string) => JSON.parse(readFileSync(`${REPOSITORY}${path}`, "utf8"));

test("the root has at most 15 scripts: the others are those of the folders that they belong to", () => {
  expect(Object.keys(readJson("package.json").scripts).length).toBeLessThanOrEqual(15);
});

test("nothing imports the lab", () => {
  const sources = globSync(["*.ts", "{packages,apps,fixtures,docs,integrations}/**/*.{ts,tsx,mjs}"], {
    cwd: REPOSITORY,
    exclude: (path) => /(^|\/)(node_modules|dist|archive)$/.test(path),
  });
  expect(sources.length).toBeGreaterThan(1000);
  const importing = sources.filter((file) => {
    const text = readFileSync(`${REPOSITORY}${file}`, "utf8");
    if (!text.includes("lab/")) return false; // reads a syntax tree only where it has to
    const { importedFiles } = ts.preProcessFile(text, true, true);
    return importedFiles.some(({ fileName }) =>
      /^(?:lab|@agentprint\/lab)(?:\/|$)/.test(posix.join(posix.dirname(file), fileName)),
    );
  });
  expect(importing).toEqual([]);
});

test("each command of the lab is in its README", () => {
  const readme = readFileSync(`${REPOSITORY}lab/README.md`, "utf8");
  const rows = [...readme.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell).join("\n");
  const named = new Set([...rows.matchAll(/`(?:pnpm )?([a-z:-]+)/g)].map(([, name = ""]) => name));
  expect(Object.keys(readJson("lab/package.json").scripts).filter((name) => !named.has(name))).toEqual([]);
});
