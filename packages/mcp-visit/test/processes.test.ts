import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, type StdioTarget, visitServer } from "../src/index.ts";
import { findMembers, liveTrees, type ProcessTree } from "../src/process/find-members.ts";
import { listWithPs } from "../src/process/process-table.ts";
import { options, scripted, tool } from "./support/targets.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "visit-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = { eras: ["legacy"], results: { "tools/list": [{ tools: [tool("one")] }] } } as const;
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

/** Returns the scripted server behind a shell command that runs first. */
function behind(command: string): StdioTarget {
  const target = scripted(script);
  const args = ["-c", `${command}; exec "$@"`, "sh", target.command, ...target.args];
  return { ...target, command: "/bin/sh", args, env: { PIDS: join(folder, "pids") } };
}

describe.skipIf(process.platform === "win32")("the command of a server", () => {
  test("gets its arguments, folder and variables unchanged", async () => {
    const words = ["two words", "$HOME", "`id`", "quote's", '"', "", "*", "-n", "new\nline"];
    const target = scripted({ ...script, log: join(folder, "log") });
    await visitServer(
      { ...target, args: [...target.args, ...words], cwd: folder, env: { A: "$B" } },
      options({ settle: 1, protocol: "legacy" }),
    );
    const [first = ""] = readFileSync(join(folder, "log"), "utf8").split("\n");
    const { argv, env } = JSON.parse(first).visitor;
    expect(argv.slice(3)).toEqual(words);
    expect(env).toMatchObject({ A: "$B" });
  });

  test("cannot be started where there is no such command", async () => {
    const named = (command: string): StdioTarget => {
      return { ...scripted({}), command, launch: { type: "stdio", command, args: [], env: [] } };
    };
    await expect(visitServer(named("no-such-command"), options())).rejects.toMatchObject({
      code: "server-not-started",
      message: "cannot start no-such-command: spawn no-such-command ENOENT",
    });
    const file = join(folder, "not-executable");
    writeFileSync(file, "");
    chmodSync(file, 0o644);
    await expect(visitServer(named(file), options())).rejects.toMatchObject({
      code: "server-not-started",
      message: `cannot start ${file}: spawn ${file} EACCES`,
    });
    await expect(visitServer({ ...scripted({}), cwd: join(folder, "none") }, options())).rejects.toMatchObject({
      code: "server-not-started",
    });
    // The system refuses to follow these paths, which must be an error of this server alone.
    const loop = join(folder, "loop");
    symlinkSync(loop, loop);
    for (const unreadable of [join(loop, "server"), `/${"x".repeat(300)}`]) {
      await expect(visitServer(named(unreadable), options())).rejects.toMatchObject({ code: "server-not-started" });
      await expect(visitServer({ ...scripted({}), cwd: unreadable }, options())).rejects.toMatchObject({
        code: "server-not-started",
      });
    }
    const long = { ...scripted({}), args: ["x".repeat(10_000_000)] };
    await expect(visitServer(long, options())).rejects.toMatchObject({
      code: "server-not-started",
      message: expect.stringContaining("E2BIG"),
    });
    for (const target of [
      { args: ["secret\0"] },
      { env: { A: "secret\0" } },
      { cwd: "secret\0" },
      { command: "a\0" },
    ]) {
      await expect(visitServer({ ...scripted({}), ...target }, options())).rejects.toMatchObject({
        code: "server-not-started",
        message: expect.not.stringContaining("secret"),
        details: { expected: expect.stringContaining("NUL") },
      });
    }
    for (const name of ["", "NODE_OPTIONS=--import=./secret.js?"]) {
      await expect(visitServer({ ...scripted(script), env: { [name]: "secret" } }, options())).rejects.toMatchObject({
        code: "server-not-started",
        message: expect.not.stringContaining("secret"),
        details: { expected: expect.stringContaining("contain no =") },
      });
    }
  });

  test("is found from its folder and on its own PATH", async () => {
    writeFileSync(join(folder, "serve"), `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} "$@"\n`, { mode: 0o755 });
    const { args } = scripted(script);
    for (const target of [
      { command: "./serve", cwd: folder },
      { command: "serve", env: { PATH: folder } },
    ]) {
      const { sessions } = await visitServer({ ...scripted(script), args, ...target }, options({ settle: 1 }));
      expect(sessions).toHaveLength(1);
    }
  });

  test("says how it ended, and what it wrote to stderr", async () => {
    const target = { ...scripted({}), command: "/bin/sh", args: ["-c", "echo why >&2; exit 3"] };
    await expect(visitServer(target, options())).rejects.toMatchObject({
      code: "server-ended",
      message: expect.stringContaining("exit code 3"),
      details: { serverOutput: "why\n" },
    });
  });

  test("is ended when the visit is aborted or takes too long", async () => {
    const target = behind(`echo $$ >> "$PIDS"`);
    const silent = {
      ...target,
      args: target.args.map((arg) => arg.replace('"results"', '"silent":["tools/list"],"results"')),
    };
    const limits = { ...DEFAULT_LIMITS, totalTimeout: 1500 };
    await expect(visitServer(silent, options({ limits }))).rejects.toMatchObject({ code: "server-timeout" });
    const started = () => readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number);
    const before = started().length;
    const abort = new AbortController();
    const visit = expect(visitServer(silent, options({ signal: abort.signal }))).rejects.toMatchObject({
      code: "aborted",
    });
    await expect.poll(started).toHaveLength(before + 2);
    abort.abort();
    await visit;
    expect(started().filter(isAlive)).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("what a server leaves behind", () => {
  // Forks, leaves its session and ends, over and over, so that only one of its processes is alive at any time.
  const CHAIN = `
    const { spawn } = require("node:child_process"), { appendFileSync } = require("node:fs");
    appendFileSync(process.env.PIDS, process.pid + "\\n");
    setTimeout(() => { spawn(process.execPath, ["-e", process.argv[1], process.argv[1]], { detached: true, stdio: "ignore" }).unref(); process.exit(); }, 1);`;

  test("is ended although it forks, leaves its session and ends, in a loop", async () => {
    writeFileSync(join(folder, "chain.cjs"), CHAIN);
    const chain = `"${process.execPath}" -e "$(cat ${folder}/chain.cjs)" "$(cat ${folder}/chain.cjs)" &`;
    const target = behind(`${chain} sleep 0.5`);
    await visitServer(target, options({ settle: 1, protocol: "legacy" }));
    expect(readFileSync(join(folder, "pids"), "utf8")).not.toBe("");
    expect(listWithPs([`PIDS=${join(folder, "pids")}`]).filter(({ marks }) => marks.length > 0)).toEqual([]);
  });

  test("is named with pid and command where it cannot be ended", async () => {
    // Simulates a process that the system does not allow anyone to end: each killed process is immediately followed by
    // another. There are four of them, because a busy machine may take longer to start one than a visit waits for it.
    const survivor = join(folder, "guard.cjs");
    writeFileSync(
      survivor,
      `const { spawn } = require("node:child_process");
       const env = JSON.parse(process.argv[2]);
       const { renameSync, writeFileSync } = require("node:fs");
       const children = [];
       const keep = (place) => {
         const again = () => keep(place);
         children[place] = spawn("sleep", ["600"], { env, detached: true, stdio: "ignore" }).on("exit", again);
       };
       for (let place = 0; place < 4; place++) keep(place);
       process.on("SIGTERM", () => {
         for (const child of children) child.removeAllListeners("exit").kill("SIGKILL");
         process.exit();
       });
       // The file is replaced atomically, because a reader of a partial file would end the wrong process.
       writeFileSync(process.argv[3] + ".new", String(process.pid));
       renameSync(process.argv[3] + ".new", process.argv[3]);`,
    );
    const running = join(folder, "running");
    // The guard itself does not have the server's mark, session or parent, and restarts whatever has the mark.
    const start = `require("node:child_process").spawn(process.execPath, [${JSON.stringify(survivor)}, JSON.stringify(process.env), ${JSON.stringify(running)}], { env: {}, detached: true, stdio: "ignore" }).unref()`;
    const target = behind(
      `"${process.execPath}" -e '${start.replaceAll("'", "'\\''")}'; until [ -e ${running} ]; do sleep 0.01; done`,
    );
    const visit = visitServer(target, options({ settle: 1, protocol: "legacy" }));
    // A process that is just starting has a name but no command line yet.
    const command = expect.stringMatching(/^sleep( 600)?$/);
    try {
      await expect(visit).rejects.toMatchObject({
        code: "server-survived",
        details: { survivors: expect.arrayContaining([{ pid: expect.any(Number), command }]) },
      });
    } finally {
      // Only the guard knows which processes it started last.
      const guard = Number(readFileSync(running, "utf8"));
      expect(guard).toBeGreaterThan(1);
      process.kill(guard, "SIGTERM");
    }
  });

  test("is found by its own mark, and remembered when another server ends", async () => {
    const start = async (mark: string): Promise<[ProcessTree, number]> => {
      const [name = "", value] = mark.split("=");
      const child = await startProgram("sleep", ["60"], { env: { [name]: value }, stdio: "ignore" });
      const tree = { pid: Number.MAX_SAFE_INTEGER, mark, members: new Map() };
      liveTrees.add(tree);
      return [tree, child.pid ?? 0];
    };
    const [[first, pid], [second, other]] = [await start("MARKED_FIRST=yes"), await start("MARKED_SECOND=yes")];
    try {
      expect(await findMembers(first)).toEqual([pid]);
      expect([...second.members.keys()]).toEqual([other]);
      // Both processes are known by now, and are found again without their marks.
      expect(await Promise.all([findMembers(first), findMembers(second)])).toEqual([[pid], [other]]);
    } finally {
      for (const started of [pid, other]) process.kill(started);
      for (const tree of [first, second]) liveTrees.delete(tree);
    }
  });

  test("is also found by its environment, using ps", async () => {
    const child = await startProgram("sleep", ["60"], { env: { MARKED_BY_TEST: "yes" }, stdio: "ignore" });
    const found = listWithPs(["NO_MARK=yes", "MARKED_BY_TEST=yes"]).filter(({ marks }) => marks.length > 0);
    expect(found).toMatchObject([{ pid: child.pid, parent: process.pid, marks: ["MARKED_BY_TEST=yes"] }]);
    child.kill();
  });
});
