import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installPackage, type Project, readProject } from "../src/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "project-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, value: unknown): void =>
  writeFileSync(join(folder, file), typeof value === "string" ? value : JSON.stringify(value));
const started = (command: string, ...args: string[]): Project["launch"] => ({ type: "stdio", command, args, env: [] });

test.each([
  ["one script", "a.js", started("node", "a.js")],
  ["the program with the name of the package", { other: "b.js", notes: "a.js" }, started("node", "a.js")],
  ["the only program", { other: "b.js" }, started("node", "b.js")],
  ["several programs", { one: "a.js", two: "b.js" }, undefined],
  ["no program", undefined, undefined],
])("package.json with %s", async (_, bin, launch) => {
  write("package.json", { name: "@me/notes", version: "1.0.0", bin });
  expect(await readProject(folder)).toEqual({
    kind: "npm",
    name: "@me/notes",
    version: "1.0.0",
    file: "package.json",
    ...(launch && { launch }),
  });
});

test("pyproject.toml, behind a package.json without a version", async () => {
  write("package.json", { name: "tools-of-the-build" });
  write("pyproject.toml", '[project]\nname = "notes"\nversion = "1.2"\n[project.scripts]\nnotes = "notes:main"\n');
  const launch = started("uv", "run", "--quiet", "notes");
  expect(await readProject(folder)).toEqual({
    kind: "python",
    name: "notes",
    version: "1.2",
    file: "pyproject.toml",
    launch,
  });
  write("pyproject.toml", "[project\n");
  await expect(readProject(folder)).rejects.toMatchObject({ code: "unreadable" });
});

test("server.json, with a package of a registry or without one", async () => {
  const server = { name: "io.github.me/notes", version: "1.0.0" };
  write("server.json", server);
  expect(await readProject(folder)).toEqual({ ...server, file: "server.json" });
  write("server.json", {
    ...server,
    packages: [7, { registryType: "oci", identifier: "x" }, { registryType: "pypi", identifier: "notes" }],
  });
  expect(await readProject(folder)).toEqual({ ...server, kind: "python", name: "notes", file: "server.json" });
});

test("a folder without any, and a file that is not JSON", async () => {
  await expect(readProject(folder)).rejects.toMatchObject({ code: "not-found" });
  write("package.json", "[]");
  await expect(readProject(folder)).rejects.toMatchObject({ code: "unreadable" });
});

test.each([
  ["--flag", "1.0.0"],
  ["notes", "latest || rm"],
  ["../notes", "1.0.0"],
])("no %s in version %s is installed", async (name, version) => {
  const wanted = { kind: "npm", name, version } as const;
  await expect(installPackage(wanted, folder, { cwd: folder, env: {} })).rejects.toMatchObject({ code: "not-found" });
});
