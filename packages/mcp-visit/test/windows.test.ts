import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import { expect, test } from "vitest";
import { endingOf } from "../src/process/ending.ts";

test("a server and what it started are ended by a signal to its group, on Windows by taskkill", () => {
  expect(endingOf(4711, "linux")).toEqual({ group: -4711 });
  expect(endingOf(4711, "darwin")).toEqual({ group: -4711 });
  expect(endingOf(4711, "win32")).toEqual({ program: "taskkill", args: ["/pid", "4711", "/T", "/F"] });
});

/** Prints the launch that the library produces for Windows; the library reads the system's name when it is loaded. */
const PARSE = `
Object.defineProperty(process, "platform", { value: "win32" });
const [library, command, ...args] = process.argv.slice(1);
const { command: program, args: words, options } = require(library)._parse(command, args);
console.log(JSON.stringify({ program, words, verbatim: options.windowsVerbatimArguments === true }));
`;

test("a .cmd file is started by cmd.exe, with nothing in an argument that cmd.exe reads as its own", () => {
  const folder = mkdtempSync(join(tmpdir(), "windows-"));
  try {
    const file = join(folder, "server.cmd");
    writeFileSync(file, "");
    const library = createRequire(import.meta.url).resolve("cross-spawn");
    const env = { ...process.env, comspec: "cmd.exe", PATHEXT: ".EXE;.CMD" };
    const words = ["-e", PARSE, library, file, "two words", 'a"b', "%PATH%", "a&b"];
    const { program, words: passed, verbatim } = JSON.parse(outputOf(process.execPath, words, { env }));
    expect({ program, first: passed.slice(0, 3), verbatim }).toEqual({
      program: "cmd.exe",
      first: ["/d", "/s", "/c"],
      verbatim: true,
    });
    const line: string = passed[3];
    for (const quoted of ['^"two^ words^"', '^"a\\^"b^"', '^"^%PATH^%^"', '^"a^&b^"']) expect(line).toContain(quoted);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
