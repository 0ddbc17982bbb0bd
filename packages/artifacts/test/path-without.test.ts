import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pathWithoutProject } from "../src/install/install-npm.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agentprint-path-")));
  for (const folder of ["project/..bin", "project/bin", "project/server", "tools", "..above", "home/bin"])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(root, "project"), join(root, "link"));
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (folder: string): string => join(root, folder);
const OF_PROJECT = ["project", "project/bin", "project/..bin", "link/bin", "tools/node_modules/.bin"];
const FOREIGN = ["tools", "..above", "home/bin"];

function pathIn(cwd: string, more: { readonly HOME?: string; readonly project?: string } = {}): string[] {
  const { HOME = at("home"), project } = more;
  const env = { HOME, Path: [...[...OF_PROJECT, ...FOREIGN].map(at), "bin", ".", ""].join(delimiter) };
  const { Path = "" } = pathWithoutProject({ cwd: at(cwd), env, ...(project !== undefined && { project }) });
  return Path.split(delimiter);
}

test.each(["project", "link"])("no folder of a project is in the path, under any name: %s", (cwd) => {
  expect(pathIn(cwd)).toEqual(FOREIGN.map(at));
});

test("the project of a launch is the repository that its folder is in, and the folder of the lock", () => {
  const before = ["project/bin", "project/..bin", "link/bin"].map(at);
  expect(pathIn("project/server")).toEqual(expect.arrayContaining(before));
  expect(pathIn("project/server", { project: at("link") })).toEqual(FOREIGN.map(at));
  mkdirSync(at("project/.git"));
  expect(pathIn("project/server")).toEqual(FOREIGN.map(at));
});

test("a home folder is not a project, even if it is a repository", () => {
  mkdirSync(at(".git"));
  mkdirSync(at("home/.git"));
  mkdirSync(at("home/work"));
  expect(pathIn("home/work")).toContain(at("home/bin"));
  expect(pathIn("home")).toContain(at("home/bin"));
});
