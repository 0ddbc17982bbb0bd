import { expect, test } from "vitest";
import { guardOfCommand, guardWords } from "../src/clients/guarded-launch.ts";
import { programCandidates } from "../src/launch/digest-files.ts";
import { commandLine } from "../src/terminal/command-line.ts";

test("POSIX finds a program in the folders of PATH, and a path from the process's folder", () => {
  const search = { cwd: "/work", path: "/usr/bin:bin:" };
  expect(programCandidates("node", search, "linux")).toEqual(["/usr/bin/node", "/work/bin/node", "/work/node"]);
  expect(programCandidates("./bin/node", search, "darwin")).toEqual(["/work/bin/node"]);
  expect(programCandidates("C:\\node", search, "linux")[0]).toBe("/usr/bin/C:\\node");
});

test("Windows looks in the process's folder first, adds endings, and leaves the script for shells that npm writes next to a .cmd", () => {
  const search = { cwd: "C:\\two words", path: "C:\\nodejs;D:bin", endings: ".EXE;.CMD" };
  expect(programCandidates("npx", search, "win32").slice(0, 4)).toEqual([
    "C:\\two words\\npx.EXE",
    "C:\\two words\\npx.CMD",
    "C:\\nodejs\\npx.EXE",
    "C:\\nodejs\\npx.CMD",
  ]);
  expect(programCandidates("bin/server.cmd", search, "win32")[0]).toBe("C:\\two words\\bin\\server.cmd");
  expect(programCandidates("D:\\server", { ...search, endings: undefined }, "win32")).toEqual(
    [".EXE", ".CMD", ".BAT", ".COM"].map((ending) => `D:\\server${ending}`),
  );
});

test.each([
  ["/home/me/app/node_modules/agentprint/dist/main.js", ["npx", "-y"]],
  ["C:\\Users\\two words\\node_modules\\agentprint\\dist\\main.js", ["npx", "-y"]],
  ["/src/apps/cli/dist/main.js", [process.execPath, "/src/apps/cli/dist/main.js"]],
  ["C:\\src\\apps\\cli\\dist\\chunk.js", [process.execPath, "C:\\src\\apps\\cli\\dist\\main.js"]],
  ["C:\\src\\apps\\cli\\src\\wrap\\x.ts", [process.execPath, "--conditions=@agentprint/source"]],
])("the guard on %s is started by its package or its path, and is recognized again", (file, words) => {
  const command = [...guardWords("files", "agentprint.lock", file), "server"];
  expect(command.slice(0, 2)).toEqual(words);
  const program = command.slice(0, command.indexOf("guard"));
  expect(guardOfCommand(command)).toEqual({
    server: "files",
    lock: "agentprint.lock",
    program,
    words: command.length - 1,
  });
});

test("a command line is read back by the shell of the system", () => {
  const words = ["agentprint", "C:\\two words\\a", "it's", "$HOME", "=x", "a,b"];
  expect(commandLine(words, "linux")).toBe(`agentprint 'C:\\two words\\a' 'it'\\''s' '$HOME' '=x' a,b`);
  expect(commandLine(words, "win32")).toBe("agentprint 'C:\\two words\\a' 'it''s' '$HOME' =x 'a,b'");
  expect(commandLine(["C:\\node.exe", "--a=b"], "win32")).toBe("C:\\node.exe --a=b");
});
