import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import type { Launch } from "@agentprint/launch";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareGivenWords, workspaceFolders } from "../../src/guard/given-words.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const FOLDER = "/work/app";
const FOLDERS = workspaceFolders(join(FOLDER, "agentprint.lock"));

/** Compares a pinned line with a received one; `·` is a space within a word. */
function compare(pinned: string, came: string, env: Readonly<Record<string, string>> = {}, folders = FOLDERS) {
  const wordsOf = (line: string): string[] => line.split(" ").map((word) => word.replaceAll("·", " "));
  const [command = "", ...args] = wordsOf(pinned);
  const launch: Extract<Launch, { type: "stdio" }> = { type: "stdio", command, args, env: [] };
  return compareGivenWords(memoryContext([], { env }), launch, wordsOf(came), folders);
}

describe("words that match the pinned ones", () => {
  test.each<[pinned: string, came: string, env?: Record<string, string>]>([
    ["node server.js a", "node server.js a"],
    // The folder of the lock, or one above it.
    [`node \${workspaceFolder}/s.js`, `node ${FOLDER}/s.js`],
    [`node \${workspaceFolder}/app/s.js \${workspaceFolder}`, "node /work/app/s.js /work"],
    [`node \${workspaceFolder}/work/app/s.js`, "node //work/app/s.js"],
    [`s \${workspaceFolderBasename}`, "s app"],
    [`s \${workspaceFolder} \${workspaceFolderBasename}`, "s /work work"],
    [`s \${userHome}\${/}a\${pathSeparator}b`, `s ${homedir()}${sep}a${sep}b`],
    // Variables that the guard has, and variables that the guard does not have.
    [`node \${env:S}.js`, "node s.js", { S: "s" }],
    [`node s.js \${env:A} --b=\${input:b-c}`, "node s.js 1·2 --b=x"],
    [`node s.js \${env:A}`, "node s.js "],
    [`node s.js a-\${env:A} \${env:A}-b`, "node s.js a-x x-b"],
    [`s --k=\${input:k}`, "s --k=v", { AGENTPRINT_INPUT_K: "v" }],
    [`docker run -e A=\${env:A} image b \${input:c}`, "docker run -e A=1 image b 2"],
    // The text after `:-`, wherever it is, if the variable is not set.
    [`node \${env:S:-s.js} \${env:A:-1}`, "node s.js 1"],
    [`node s.js \${env:A:-1} \${env:B:-2}`, "node s.js 1 3"],
    [`s \${env:A:-1}\${env:B:-2} \${env:A:-3}`, "s 12 3"],
    // A client that expands no variables, or not in this spelling.
    [`node \${workspaceFolder}/s.js \${env:A}`, `node \${workspaceFolder}/s.js \${env:A}`],
    [
      `npx -y mcp-remote@1.0.0 https://a.example --header A:\${env:A}`,
      `npx -y mcp-remote@1.0.0 https://a.example --header A:\${A}`,
    ],
    [`s \${workspaceFolder} \${env:A:-b}`, `s ${FOLDER} $\{A:-b}`],
    // A secret that is redacted in the lock.
    [`s --token <redacted> \${workspaceFolder}`, `s --token hunter2-hunter2 ${FOLDER}`],
  ])("%s: %s", (pinned, came, env) => {
    expect(compare(pinned, came, env)).toBe(true);
  });

  test("a link to the folder of the lock is that folder", () => {
    using space = new Workspace();
    mkdirSync(space.path("app"));
    symlinkSync(space.path("app"), space.path("link"));
    const folders = workspaceFolders(space.path("app/agentprint.lock"));
    const pinned = `node \${workspaceFolder}/s.js \${workspaceFolder}`;
    const through = (one: string, other: string) => compare(pinned, `node ${one}/s.js ${other}`, {}, folders);
    expect(through(space.path("link"), space.path("link"))).toBe(true);
    expect(through(space.path("link"), space.path("app"))).toBe(false);
    expect(through(space.path("other"), space.path("other"))).toBe(false);
  });

  test("a lock behind a link is in both folders", () => {
    using space = new Workspace();
    mkdirSync(space.path("app"));
    symlinkSync(space.path("app"), space.path("link"));
    const folders = workspaceFolders(space.path("link/agentprint.lock"));
    expect(folders).toEqual(expect.arrayContaining([space.path("link"), dirname(space.folder), "/"]));
    expect(basename(folders[0] ?? "")).toBe("link");
  });
});

describe("words that do not match the pinned ones", () => {
  test.each<[pinned: string, came: string, env?: Record<string, string>]>([
    ["node server.js a", "node server.js"],
    ["node server.js a", "node server.js a b"],
    ["node server.js a", "node server.js b"],
    [`node \${workspaceFolder}/s.js`, "node /work/app/sub/s.js"],
    [`node \${workspaceFolder}/s.js`, "node /work/other/s.js"],
    [`node \${workspaceFolder}/s.js`, "node ./s.js"],
    [`node \${workspaceFolder}/s.js \${workspaceFolder}`, `node ${FOLDER}/s.js /work`],
    [`s \${workspaceFolder} \${workspaceFolderBasename}`, "s /work app"],
    [`s \${workspaceFolderBasename}`, "s other"],
    [`s \${userHome}`, "s /home/other"],
    // A variable that the guard has must equal the received value.
    [`s \${env:A}`, "s 2", { A: "1" }],
    [`s \${env:A:-2}`, "s 2", { A: "1" }],
    [`s \${input:k}`, "s 2", { AGENTPRINT_INPUT_K: "1" }],
    // A value cannot be an option or contain a character that affects a terminal or a line parser.
    [`s \${env:A}`, "s --eval"],
    [`s \${env:A}`, "s -e"],
    [`s a\${env:A}`, "s a-b"],
    [`s \${env:A}`, "s a\nb"],
    [`s \${env:A}`, "s \u001b[2J"],
    [`s \${env:A}`, "s \u0000"],
    [`s \${env:A}`, "s \u0085"],
    // A variable has only one value, and a word only one reference.
    [`s \${env:A} \${env:A}`, "s 1 2"],
    [`s \${env:A:-1} \${env:A:-1}`, "s 1 2"],
    [`s \${env:A:-1} \${env:A}`, "s 1 2"],
    [`s \${env:A} \${env:A}`, `s \${env:A} 2`],
    [`s \${input:a}\${input:b}`, "s ab"],
    [`s \${env:A}:\${env:A}`, "s a:a"],
    [`s a\${env:A}a`, "s a"],
    [`s --token <redacted> \${workspaceFolder}`, "s --other hunter2-hunter2 /work/app"],
    // Regular expression syntax is taken literally.
    [`s .*\${env:A}(a|b)+`, "s xx1aab"],
    [`s [\${env:A}]`, "s x"],
  ])("%s: %s", (pinned, came, env) => {
    expect(compare(pinned, came, env)).toBe(false);
  });
});

describe("a reference without a value in the guard decides nothing", () => {
  test.each([
    ["command", `\${env:A} server.js`, "node server.js", "/command"],
    ["part of the command", `/opt/\${env:A}/server`, "/opt/x/server", "/command"],
    ["script", `node \${env:A}`, "node other.js", "/args/0"],
    ["part of a script", `node \${workspaceFolder}/\${env:A}.js`, `node ${FOLDER}/x.js`, "/args/0"],
    ["code that is loaded first", `node --import \${env:A} server.js`, "node --import ./x.js server.js", "/args/1"],
    ["program behind another", `timeout 10 \${env:A} x`, "timeout 10 node x", "/args/1"],
    ["program behind a variable", `env B=c \${env:A} x`, "env B=c node x", "/args/1"],
    ["package", `npx -y \${env:A}`, "npx -y other", "/args/1"],
    ["version of a package", `npx -y server@\${env:A}`, "npx -y server@9.9.9", "/args/1"],
    ["package of an option", `npx -p \${input:a} server`, "npx -p other server", "/args/1"],
    ["package beside", `uv run --with \${env:A} server.py`, "uv run --with other server.py", "/args/2"],
    ["late package", `fastmcp run server.py --with \${env:A}`, "fastmcp run server.py --with other", "/args/3"],
    ["registry", `npx --registry \${env:A} server`, "npx --registry https://a.example server", "/args/1"],
    ["image", `docker run \${input:a} b`, "docker run other b", "/args/1"],
    ["command in an image", `docker run image \${input:a}`, "docker run image evil", "/args/2"],
    ["entry point", `docker run --entrypoint \${env:A} image`, "docker run --entrypoint evil image", "/args/2"],
    ["folder", `uv --directory \${env:A} run server.py`, "uv --directory /tmp run server.py", "/args/1"],
    ["mount", `docker run -v \${env:A}:/app image`, "docker run -v /:/app image", "/args/2"],
    ["network", `docker run --network \${env:A} image`, "docker run --network host image", "/args/2"],
    ["file with variables", `docker run --env-file \${env:A} image`, "docker run --env-file x image", "/args/2"],
    ["name of an option", `server --\${env:A}`, "server --eval", "/args/0"],
    ["letter of an option", `server -\${env:A}`, "server -e", "/args/0"],
    ["text of an option without =", `server -p\${env:A}`, "server -px", "/args/0"],
    ["option of an interpreter", `node --title \${env:A} server.js`, "node --title x server.js", "/args/1"],
    ["name of a variable", `env \${env:A}=x node server.js`, "env NODE_OPTIONS=x node server.js", "/args/0"],
    ["variable that loads code", `env LD_PRELOAD=\${env:A} node s.js`, "env LD_PRELOAD=./x.so node s.js", "/args/0"],
    ["variable that chooses code", `docker run -e NODE_PATH=\${env:A} i`, "docker run -e NODE_PATH=/x i", "/args/2"],
    ["settings", `env npm_config_userconfig=\${env:A} npx s`, "env npm_config_userconfig=x npx s", "/args/0"],
    ["text of a shell", `sh -c server·\${env:A}`, "sh -c server·x;evil", "/args/1"],
    ["word of a shell", `sh -c \${env:A}`, "sh -c evil", "/args/1"],
    ["text of cmd", `cmd /c npx·s·\${env:A}`, "cmd /c npx·s·x&calc", "/args/1"],
    ["word behind cmd", `cmd /c npx s \${env:A}`, "cmd /c npx s x", "/args/3"],
    ["text of PowerShell", `pwsh -c s·\${env:A}`, "pwsh -c s·x", "/args/1"],
    ["string of env -S", `env -S node·s.js·\${env:A}`, "env -S node·s.js·x", "/args/1"],
    ["text of eval", `node -e \${input:a}`, "node -e 1", "/args/1"],
    ["text of eval of Python", `python3 -c \${input:a}`, "python3 -c 1", "/args/1"],
    ["module", `python3 -m \${env:A}`, "python3 -m evil", "/args/1"],
    ["word of a program that starts others", `watchexec \${env:A}`, "watchexec evil", "/args/0"],
    ["word behind an option that is not known", `node --new s.js \${env:A}`, "node --new s.js x", "/args/2"],
    ["name of code", `server --run \${env:A}`, "server --run x.js", "/args/1"],
    ["name of an interpreter", `server --run \${env:A}`, "server --run python3", "/args/1"],
    ["file of go run", `go run a.go \${env:A}`, "go run a.go b.go", "/args/2"],
    ["option by an empty text", `server \${env:A}-e`, "server -e", "/args/0"],
  ])("%s: %s", (_, pinned, came, pointer) => {
    const result = compare(pinned, came);
    expect(result).toEqual({ variable: expect.stringMatching(/^A$|^AGENTPRINT_INPUT_A$/), pointer });
  });

  test("the guard's value is used in each of these places", () => {
    expect(compare(`\${env:A} server.js`, "node server.js", { A: "node" })).toBe(true);
    expect(compare(`sh -c server·\${env:A}`, "sh -c server·x", { A: "x" })).toBe(true);
    expect(compare(`sh -c server·\${env:A}`, "sh -c server·y", { A: "x" })).toBe(false);
  });
});

describe("any launch", () => {
  const text = fc.stringMatching(/^[\w./:@=-]{0,8}$/);
  const value = fc.stringMatching(/^[a-z\d ._:/@]{1,12}$/).filter((each) => !/\.|node|^-/.test(each));
  const [one, two, three, folder, home] = [
    `\${env:A1}`,
    `\${env:A2}`,
    `\${input:b}`,
    `\${workspaceFolder}`,
    `\${userHome}`,
  ];
  const reference = fc.constantFrom(one, two, three, folder, home);
  const word = fc.oneof(
    { weight: 2, arbitrary: text.map((each) => [each]) },
    fc.tuple(fc.constantFrom("", "--key=", "a-"), reference, fc.constantFrom("", "/b", "-c")),
  );
  const filled = fc.tuple(value, value, value, fc.constantFrom(...FOLDERS));

  test("matches the pinned one if each reference has one value, and does not with another word", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), filled, fc.nat(), (words, [a, b, c, at], pick) => {
        const known = new Map([
          [one, a],
          [two, b],
          [three, c],
          [folder, at],
          [home, homedir()],
        ]);
        const args = words.map((parts) => parts.join(""));
        const came = words.map((parts) => parts.map((part) => known.get(part) ?? part).join(""));
        const launch = { type: "stdio" as const, command: "node", args: ["server.js", ...args], env: [] };
        const compareWith = (given: string[]) =>
          compareGivenWords(memoryContext(), launch, ["node", "server.js", ...given], FOLDERS);
        expect(compareWith(came)).toBe(true);
        expect(compareWith([...came, "z"])).toBe(false);
        if (words.length === 0) return;
        expect(compareWith(came.slice(1))).toBe(false);
        const index = pick % words.length;
        if (words[index]?.length === 1) expect(compareWith(came.with(index, `${came[index]}z`))).toBe(false);
      }),
      { numRuns: runs(200) },
    );
  });

  test("long words of hostile launches are compared in one pass", () => {
    const long = (each: string, count: number): string => each.repeat(count);
    for (const each of [`\${env:`, `\${env:A:-`, `\${A:-`, `\${`, `\${/}`, `}\${env:`]) {
      const hostile = long(each, 200_000);
      expect(compare(`s ${hostile}`, `s ${long("a", 400_000)}`)).toBe(false);
      expect(compare(`s ${hostile}}b`, `s ${hostile}`)).toBe(false);
    }
    const around = long("a", 400_000);
    expect(compare(`s ${around}\${env:A}${around}`, `s ${long("a", 800_003)}`)).toBe(true);
  });
});
