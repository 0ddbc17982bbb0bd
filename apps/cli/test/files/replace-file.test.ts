import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { canRun, outputOf, runBeside, startProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import type { RunResult } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

const LONG = 20_000_000;
const pinArgs = ["pin", "--name", "it", "--", ...hostile("terminal-escapes")];

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

/** Returns a command that replaces `file` the given number of times, with texts of the given length. */
function replaceTimes(length: number, times: number): string[] {
  const script = fileURLToPath(new URL("../support/replace-times.ts", import.meta.url));
  return [process.execPath, "--conditions=@agentprint/source", script, workspace.path("file"), `${length}`, `${times}`];
}

/** Runs a shell script whose `"$@"` is the command. */
function runInShell(script: string, command: readonly string[]): Promise<RunResult> {
  return runBeside("sh", ["-c", script, "sh", ...command], { cwd: workspace.folder });
}

/** Mounts a 16 KiB file system on a folder; returns whether that worked. */
function isMounted(folder: string): boolean {
  return canRun("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder]);
}

describe("a file that is replaced", () => {
  test("is complete, old or new, after a writer that was killed in the middle", async () => {
    writeFileSync(workspace.path("file"), "b".repeat(LONG));
    const inTheMiddle = (): boolean =>
      readdirSync(workspace.folder).length > 1 || statSync(workspace.path("file")).size < LONG;
    const [node = "", ...args] = replaceTimes(LONG, 1000);
    const writer = await startProgram(node, args, { stdio: "inherit" });
    await expect.poll(inTheMiddle, { interval: 0 }).toBe(true);
    writer.kill("SIGKILL");
    await once(writer, "exit");
    const found = readFileSync(workspace.path("file"), "latin1");
    expect(found.length).toBe(LONG);
    expect(found === "a".repeat(LONG) || found === "b".repeat(LONG)).toBe(true);
  });

  test("is refused where it cannot be written, with its name", async () => {
    await workspace.run(pinArgs);
    mkdirSync(workspace.path("folder"));
    for (const output of ["no/such/folder/report", "folder"]) {
      const run = await workspace.run(["check", "-o", output]);
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain(`cannot write ${output}`);
      expect(run.stderr).toContain("unwritable-output");
    }
  });
});

describe.skipIf(process.platform === "win32")("a file that is replaced, on POSIX systems,", () => {
  test("stays as it was when a write ends early", async () => {
    writeFileSync(workspace.path("file"), "of yesterday");
    const run = await runInShell('ulimit -f 16; exec "$@"', replaceTimes(100_000, 1));
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/cannot write .*file[\s\S]*EFBIG/);
    expect(readFileSync(workspace.path("file"), "utf8")).toBe("of yesterday");
    expect(readdirSync(workspace.folder)).toEqual(["file"]);
  });

  test("keeps its permissions", async () => {
    await workspace.run(pinArgs);
    chmodSync(workspace.path("agentprint.lock"), 0o604);
    expect((await workspace.run(["approve", "it", "--yes"], { HOSTILE_TEXT: "after" })).code).toBe(0);
    expect(statSync(workspace.path("agentprint.lock")).mode & 0o7777).toBe(0o604);
  });

  test("is written through when it is a pipe, which stays one", async () => {
    await workspace.run(pinArgs);
    outputOf("mkfifo", [workspace.path("pipe")]);
    const reader = await startProgram("cat", [workspace.path("pipe")]);
    const read = text(reader.stdout);
    try {
      const run = await workspace.run(["check", "--format", "json", "-o", "pipe"]);
      expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(lstatSync(workspace.path("pipe")).isFIFO()).toBe(true);
      expect(JSON.parse(await read)).toMatchObject({ outcome: "same" });
    } finally {
      reader.kill();
    }
  });

  test("may be standard output of a pipeline", async () => {
    await workspace.run(pinArgs);
    const run = await runInShell('"$@" -o /dev/stdout | cat', [...AGENTPRINT, "check", "--format", "json"]);
    expect(run).toMatchObject({ stderr: "" });
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: "same" });
  });

  test("is written where a link leads, also through another link", async () => {
    mkdirSync(workspace.path("deep"));
    symlinkSync("deep/second.lock", workspace.path("agentprint.lock"));
    symlinkSync("../real.lock", workspace.path("deep/second.lock"));
    expect(await workspace.run(pinArgs)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("characters that a reader does not see"),
    });
    expect(readlinkSync(workspace.path("agentprint.lock"))).toBe("deep/second.lock");
    expect(readlinkSync(workspace.path("deep/second.lock"))).toBe("../real.lock");
    expect(lstatSync(workspace.path("real.lock")).isFile()).toBe(true);
    expect((await workspace.run(["check"])).code).toBe(0);
  });

  test("is refused where links lead in a circle", async () => {
    await workspace.run(pinArgs);
    symlinkSync("other", workspace.path("one"));
    symlinkSync("one", workspace.path("other"));
    const run = await workspace.run(["check", "-o", "one"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("ELOOP");
  });
});

describe("on a disk that is full", () => {
  let mounted = false;
  beforeEach(({ skip }) => {
    mkdirSync(workspace.path("disk"));
    mounted = isMounted(workspace.path("disk"));
    skip(!mounted, "only who may mount can make a small disk");
  });
  afterEach(() => {
    if (mounted) outputOf("umount", [workspace.path("disk")]);
  });

  test.each([
    { name: "lock", args: ["approve", "it", "--lock", "disk/it", "--yes"] },
    { name: "report", args: ["check", "it", "--lock", "agentprint.lock", "-o", "disk/it"] },
  ])("the $name stays as it was, with exit code 2", async ({ args }) => {
    await workspace.run(pinArgs);
    copyFileSync(workspace.path("agentprint.lock"), workspace.path("disk/it"));
    const run = await workspace.run([...args, "--", ...hostile("many-tools"), "10"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/^error: cannot write disk\/it: ENOSPC/m);
    expect(readFileSync(workspace.path("disk/it"), "utf8")).toBe(workspace.lockText());
    expect(readdirSync(workspace.path("disk"))).toEqual(["it"]);
  });
});
