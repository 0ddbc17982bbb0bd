import { writeFileSync } from "node:fs";
import { outputOf, runProgram } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";
import { STATE } from "./support/run-cli.ts";
import { AGENTPRINT } from "./support/spawn-cli.ts";
import { Workspace } from "./support/workspace.ts";

const LOCK = JSON.stringify({ lockVersion: 2, servers: [] });

describe.runIf(process.platform !== "win32")("a pipe that nobody writes to", () => {
  test.each([
    ["the lock", "agentprint.lock", ["check"]],
    ["a named lock", "some.lock", ["list", "--lock", "some.lock"]],
    ["the configuration", "agentprint.config.json", ["check", "--lock", "empty.lock"]],
    ["a configuration of servers", "mcp.json", ["check", "--lock", "empty.lock", "--config", "mcp.json"]],
    ["a trail", "trail.jsonl", ["trail", "verify", "trail.jsonl"]],
    ["a key", "key", ["trail", "checkpoint", "empty.lock", "--task", "t", "--origin", "log", "--key-file", "key"]],
    ["a manifest", "manifest.json", ["manifest", "validate", "manifest.json"]],
    ["a report", "report.json", ["approve", "--from", "report.json", "--lock", "empty.lock"]],
  ])("as %s is refused", async (_what, file, args) => {
    using space = new Workspace();
    writeFileSync(space.path("empty.lock"), LOCK);
    outputOf("mkfifo", [space.path(file)]);
    const { code, stderr } = await space.run(args);
    expect(stderr).toContain(`cannot read ${file}: it is not a regular file`);
    expect(code).toBe(2);
  });

  test("is refused as the chain of a guard", async () => {
    using space = new Workspace();
    outputOf("mkfifo", [space.path("one.jsonl")]);
    const { code, stderr } = await space.run(["guard", "log", "--record", ".", "--record-key", "key"]);
    expect(stderr).toContain("it is not a regular file");
    expect(code).toBe(2);
  });
});

test.runIf(process.platform !== "win32")("a device that never ends is refused", async () => {
  using space = new Workspace();
  for (const args of [
    ["trail", "verify", "/dev/urandom"],
    ["check", "--lock", "/dev/zero"],
  ]) {
    const { code, stderr } = await space.run(args);
    expect(stderr).toContain("it is not a regular file");
    expect(code).toBe(2);
  }
});

test.runIf(process.platform === "linux")("a file that a shell substitutes is read", () => {
  using space = new Workspace();
  writeFileSync(space.path("lock"), LOCK);
  const words = ["-c", '"$@" --lock <(cat lock)', "bash", ...AGENTPRINT, "list"];
  const { status, stderr } = runProgram("bash", words, {
    cwd: space.folder,
    env: { ...process.env, ...STATE },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("error") });
});
