import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readShim, startOfShim } from "../src/install/windows-shim.ts";

/** npm's function that writes shims; it does so on every system. */
const writeShim: (from: string, to: string) => Promise<void> = createRequire(import.meta.url)(
  join(outputOf("npm", ["root", "--global"]).trim(), "npm/node_modules/cmd-shim"),
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-shim-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the text of the shim that npm writes for a script with this first line. */
async function shimOf(firstLine: string, path = "node_modules/@a/files/server.js"): Promise<string> {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), `${firstLine}\nconsole.log(1);\n`);
  await writeShim(join(folder, path), join(folder, "node_modules/.bin/files"));
  return readFileSync(join(folder, "node_modules/.bin/files.cmd"), "utf8");
}

const target = "..\\@a\\files\\server.js";

test.each([
  ["#!/usr/bin/env node", { program: "node", args: [], target, env: {} }],
  ["#!/usr/bin/node", { program: "node", args: [], target, env: {} }],
  [
    "#!/usr/bin/env node --no-warnings --max-old-space-size=99",
    {
      program: "node",
      args: ["--no-warnings", "--max-old-space-size=99"],
      target,
      env: {},
    },
  ],
  [
    "#!/usr/bin/env -S A=b C=d node --no-warnings",
    {
      program: "node",
      args: ["--no-warnings"],
      target,
      env: { A: "b", C: "d" },
    },
  ],
  ["#!/bin/sh", { program: "sh", args: [], target, env: {} }],
  ["no shebang", { args: [], target, env: {} }],
])("the shim of npm for %j starts the script by its program", async (line, expected) => {
  expect(readShim(await shimOf(line))).toEqual(expected);
});

test("the shim of a native program starts the program", async () => {
  const text = await shimOf("MZ", "node_modules/files/bin/server.exe");
  expect(readShim(text)).toEqual({ args: [], target: "..\\files\\bin\\server.exe", env: {} });
});

test.each([
  "",
  "@ECHO off\r\nnode server.js %*\r\n",
  '"%dp0%\\..\\files\\server.exe" & evil.exe %*\r\n',
  '"%_prog%"  "%dp0%\\..\\files\\server.js" %*\r\n',
  '  SET "_prog=node"\r\n"%_prog%" "--require" "%dp0%\\..\\files\\server.js" %*\r\n',
  '  SET "_prog=%CD%\\node"\r\n"%_prog%"  "%dp0%\\..\\files\\server.js" %*\r\n',
])("another text is not a shim: %j", (text) => {
  expect(readShim(text)).toBeUndefined();
});

test("a shim that npm did not write, and a program that is in no folder, are errors", async () => {
  await expect(startOfShim(folder, "gone", [])).rejects.toMatchObject({ code: "unreadable" });
  await shimOf("#!/usr/bin/env node --no-warnings");
  const bin = join(folder, "node_modules/.bin");
  await expect(startOfShim(bin, "files", [bin])).rejects.toMatchObject({ code: "no-program" });
  writeFileSync(join(folder, "node.exe"), "");
  expect(await startOfShim(bin, "files", ["/elsewhere", folder])).toEqual({
    command: join(folder, "node.exe"),
    args: ["--no-warnings", join(folder, "node_modules/@a/files/server.js")],
    env: {},
  });
  await shimOf("MZ", "node_modules/files/server.exe");
  const native = { command: join(folder, "node_modules/files/server.exe"), args: [], env: {} };
  expect(await startOfShim(bin, "files", [])).toEqual(native);
});
