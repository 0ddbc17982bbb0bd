import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { outputOf, startProgram } from "@agentprint/testing/programs";
import { InstalledUv, WheelIndex } from "@agentprint/testing/python-index/wheel-index";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { INITIALIZE, startsIn } from "../support/noting-server.ts";
import type { RunResult } from "../support/run-cli.ts";
import { AGENTPRINT, spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

/** A server that records its start in a file. */
const server = (note: string): string => `
import json, sys
def main():
    open("started", "a").write("${note}\\n")
    results = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}},
        "tools/list": {"tools": [{"name": "greet", "inputSchema": {"type": "object"}}]},
    }
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request: continue
        result = results.get(request["method"])
        answer = {"result": result} if result else {"error": {"code": -32601, "message": "Method not found"}}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)
`;

let uv: InstalledUv;
beforeAll(() => {
  uv = new InstalledUv();
});
afterAll(() => uv[Symbol.dispose]());

/** The project's parent folder, which also holds uv's caches. */
let above: Workspace;
let index: WheelIndex;
beforeEach(async () => {
  above = new Workspace();
  mkdirSync(above.path("project"));
  index = await WheelIndex.start();
  publish("theirs");
  publish("evil");
  // The user's own settings.
  write("home/.config/uv/uv.toml", `[[index]]\nurl = "${index.url}"\ndefault = true\n`);
  const pinned = await run("pin", "--name", "s", "--", "uvx", "swapped-server==1.0.0");
  expect(pinned).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no integrity") });
  expect(notes()).toContain("theirs");
  rmSync(above.path("project/started"));
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  above[Symbol.dispose]();
});

function publish(shelf: string): void {
  const programs = { "swapped-server": "swapped_server:main" };
  index.publish(
    { name: "swapped_server", version: "1.0.0", programs, files: { "swapped_server.py": server(shelf) } },
    shelf,
  );
}

const options = () => ({
  cwd: above.path("project"),
  env: {
    HOME: above.path("home"),
    XDG_STATE_HOME: above.path("state"),
    // `npx`, with which a wrapped entry starts the guard, puts the project's programs first.
    PATH: `${above.path("project/node_modules/.bin")}:${uv.bin}:${process.env["PATH"]}`,
  },
});
const run = (...args: string[]): Promise<RunResult> => spawnCli(args, { ...options(), stdin: INITIALIZE });
/**
 * Starts the guard like a client that waits for its first answer; returns once that answer has arrived or the guard has
 * ended.
 */
async function answerOfGuard(): Promise<void> {
  const { cwd, env } = options();
  const [command, ...words] = AGENTPRINT;
  const guard = await startProgram(command, [...words, "guard", "s"], { cwd, env: { ...process.env, ...env } });
  guard.stderr.resume();
  guard.stdin.on("error", () => undefined).write(INITIALIZE);
  const exited = once(guard, "exit");
  await Promise.race([once(guard.stdout, "data"), exited]);
  guard.stdin.end();
  await exited;
}
const notes = (): string[] => startsIn(above.path("project"));
const write = (path: string, text: string): void => above.writeProgram(path, text);
/** Removes every copy of the package, and everything that uv stores about the index. */
function forget(): void {
  for (const name of ["home/.cache", "home/.local", "state"])
    rmSync(above.path(name), { recursive: true, force: true });
}

const CHECKS = [["check"], ["check", "--require-integrity"]];
const OTHERS = [["check"], ["guard", "s"]];

/** Ways in which someone who can write to a project's folder, and controls its index, can make uv run other bytes. */
const PLANTED: Readonly<Record<string, () => void>> = {
  "uv.toml, whose index has the pinned bytes while the user's has others": () =>
    write("project/uv.toml", `[[index]]\nurl = "${honest()}"\ndefault = true\n`),
  "pyproject.toml with another index": () =>
    write("project/pyproject.toml", `[[tool.uv.index]]\nurl = "${honest()}"\ndefault = true\n`),
  "uv.toml above the project": () => write("uv.toml", `[[index]]\nurl = "${honest()}"\ndefault = true\n`),
};
function honest(): string {
  index.shelfOf = ({ url = "" }) => (url.startsWith("/honest/") ? "theirs" : "evil");
  return index.url.replace("/simple", "/honest/simple");
}

test.each(Object.keys(PLANTED))("nothing but the pinned bytes runs: %s", async (name) => {
  PLANTED[name]?.();
  for (const words of OTHERS) {
    await run(...words);
    expect({ words, notes: notes() }).toEqual({ words, notes: expect.not.arrayContaining(["evil"]) });
  }
  expect(await run("check", "--require-integrity")).toMatchObject({ code: 0, stderr: "" });
  // Without a copy of the pinned bytes, other bytes are an error and do not run.
  forget();
  expect(await run("check", "--require-integrity")).toMatchObject({ code: 1 });
  expect(notes()).not.toContain("evil");
});

test("the folder of the project chooses no interpreter, and no module of it is imported", async () => {
  const python = outputOf("python3", ["-c", "import sys; print(sys.executable)"]).trim();
  for (const each of ["python3", "python", "uv", "realpath"])
    write(`project/node_modules/.bin/${each}`, `#!/bin/sh\necho evil >> started\nexec ${python} "$@"\n`);
  for (const each of ["sitecustomize", "usercustomize", "json"])
    write(`project/${each}.py`, `open("started", "a").write("evil\\n")\n`);
  forget();
  for (const words of OTHERS) {
    await run(...words);
    expect({ words, notes: notes() }).toEqual({ words, notes: expect.not.arrayContaining(["evil"]) });
  }
  expect(await run("check", "--require-integrity")).toMatchObject({ code: 0, stderr: "" });
});

/**
 * Gives the command that checks the package before a run a different answer from the installing commands: uv reports
 * the command to the index.
 */
function twoFaces(): void {
  index.shelfOf = ({ headers }) => (/"compile"/.test(headers["user-agent"] ?? "") ? "theirs" : "evil");
}

test.each(CHECKS.map((words) => [words]))(
  "an index that answers two requests differently does not make other bytes run: %s",
  async (words) => {
    twoFaces();
    for (const isForgotten of [false, true]) {
      if (isForgotten) forget();
      const { code } = await run(...words);
      expect(notes()).not.toContain("evil");
      expect(code).toBe(isForgotten ? 2 : 0);
    }
  },
);

test("an index that answers two requests differently does not make the guard start other bytes", async () => {
  twoFaces();
  for (const forgetting of [() => undefined, forget]) {
    forgetting();
    await answerOfGuard();
    expect(notes()).not.toContain("evil");
  }
  expect(notes()).toContain("theirs");
});

test("with strict, the launch is pinned, and a colleague's machine runs the same bytes of its imports", async () => {
  writeFileSync(above.path("project/agentprint.config.json"), JSON.stringify({ preset: "strict" }));
  index.publish({ name: "library", version: "1.0", files: { "library.py": "" } });
  const programs = { "two-server": "two_server:main" };
  const files = { "two_server.py": server("two") };
  index.publish({ name: "two_server", version: "1.0", requires: ["library"], programs, files });
  const pinned = await run("pin", "--name", "two", "--", "uvx", "two-server==1.0");
  expect(pinned).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/not covered|no integrity/) });
  index.publish({ name: "library", version: "1.1", files: { "library.py": "" } });
  forget();
  expect(await run("check", "two", "--require-integrity")).toMatchObject({ code: 0 });
  index.publish({ name: "library", version: "1.0", files: { "library.py": "evil" } });
  forget();
  rmSync(above.path("project/started"));
  const refused = await run("check", "two", "--format", "json");
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining("mcp/artifact-changed") });
  expect(notes()).toEqual([]);
});
