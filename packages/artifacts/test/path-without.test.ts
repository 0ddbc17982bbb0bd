import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pathWithout } from "../src/install/install-npm.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agentprint-path-")));
  for (const folder of ["project/..bin", "project/bin", "tools", "..above"])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(root, "project"), join(root, "link"));
});
afterEach(() => rmSync(root, { recursive: true }));

test.each(["project", "link"])("no folder of a project is in the path, by whatever name: %s", (cwd) => {
  const at = (folder: string): string => join(root, folder);
  const path = ["project", "project/bin", "project/..bin", "tools", "..above", "tools/node_modules/.bin"].map(at);
  const env = { HOME: "/nobody", Path: [...path, "bin", "."].join(delimiter) };
  expect(pathWithout(at(cwd), env)).toEqual({ Path: [at("tools"), at("..above")].join(delimiter) });
});
