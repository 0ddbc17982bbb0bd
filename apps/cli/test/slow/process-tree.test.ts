import { existsSync, readFileSync } from "node:fs";
import { startProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRunning } from "../guard/guarded.ts";
import { hostile } from "../support/hostile.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
let pids: string;
beforeEach(() => {
  workspace = new Workspace();
  pids = workspace.path("pids");
});
afterEach(() => {
  for (const pid of startedPids()) if (isRunning(pid)) process.kill(pid, "SIGKILL");
  workspace[Symbol.dispose]();
});

const pin = ["pin", "--name", "it", "--env", "HOSTILE_PIDS"];

describe.skipIf(process.platform === "win32")("the processes that a server starts", () => {
  test("are ended with it, whichever session they are in", async () => {
    const run = await workspace.run([...pin, "--", ...hostile("leaves-children")], { HOSTILE_PIDS: pids });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    await expectAllEnded(3);
  });

  test("are ended when it times out", async () => {
    const env = { HOSTILE_PIDS: pids, HOSTILE_HANG: "1" };
    const args = [...pin, "--env", "HOSTILE_HANG", "--", ...hostile("leaves-children")];
    expect((await workspace.run(args, env, { requestTimeout: 5000 })).code).toBe(2);
    await expectAllEnded(3);
  });

  test("are ended when it exits and leaves them behind", async () => {
    const env = { HOSTILE_PIDS: pids, HOSTILE_EXIT: "1" };
    const args = [...pin, "--env", "HOSTILE_EXIT", "--", ...hostile("leaves-children")];
    const run = await workspace.run(args, env);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("server-ended");
    // The third process is no longer in the session, and lacks the environment and the parent that would identify it.
    await expectAllEnded(2);
  });

  test("are not waited for if one escaped and holds stderr open", async () => {
    // When another start ends, it would also look for this start's processes, and could find the one that is still
    // about to escape.
    const run = await workspace.run([...pin, "--", ...hostile("escapes-with-stderr")], { HOSTILE_PIDS: pids }, ONE_ERA);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(startedPids().map(isRunning)).toEqual([true]);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("are ended when agentprint itself gets %s", async (signal) => {
    const [command, ...prefix] = AGENTPRINT;
    const args = [...pin, "--env", "HOSTILE_HANG", "--", ...hostile("leaves-children")];
    const child = await startProgram(command, [...prefix, ...args], {
      cwd: workspace.folder,
      env: { ...process.env, HOSTILE_PIDS: pids, HOSTILE_HANG: "1" },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.on("exit", (_code, by) => resolve(by)));
    await expect.poll(() => startedPids().length).toBeGreaterThanOrEqual(3);
    child.kill(signal);
    expect(await ended).toBe(signal);
    await expectAllEnded(3);
    expect(existsSync(workspace.path("agentprint.lock"))).toBe(false);
  });

  test("cannot be kept alive by ignoring signals", async () => {
    const args = ["pin", "--", ...hostile("ignores-signals")];
    const run = await workspace.run(args, {}, { requestTimeout: 1000 });
    expect(run.code).toBe(2);
    const pid = Number(/pid (\d+)/.exec(run.stderr)?.[1]);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

function startedPids(): number[] {
  const lines = existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : [];
  // An empty file would be read as the id 0, which stands for all processes in this process's group.
  return lines.map(Number).filter((pid) => pid > 0);
}

/** Asserts that each start of the server started three processes, and that the first `count` of them end. */
async function expectAllEnded(count: number): Promise<void> {
  const starts = Math.ceil(startedPids().length / 3);
  expect(starts).toBeGreaterThan(0);
  await expect.poll(() => startedPids().filter(isRunning).length).toBeLessThanOrEqual((3 - count) * starts);
}
