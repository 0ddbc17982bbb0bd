import { existsSync, rmSync, writeFileSync } from "node:fs";
import { outputOf } from "@agentprint/testing/programs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { PythonIndex } from "../support/python-index.ts";
import type { RunResult } from "../support/run-cli.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

const SERVER = "swapped_server-2.0.0-py3-none-any.whl";
const library = (version: string, tags = "py3-none-any"): string => `swapped_library-${version}-${tags}.whl`;
const BUILT = library("1.0.0", "1-py3-none-any");

let index: PythonIndex;
beforeAll(async () => {
  index = await PythonIndex.start();
});
afterAll(() => index[Symbol.asyncDispose]());

let space: Workspace;
beforeEach(async () => {
  space = new Workspace();
  vi.stubEnv("PATH", `${index.bin}:${process.env["PATH"]}`);
  // uv keeps its cache and its tools in the home folder.
  vi.stubEnv("HOME", space.path("home"));
  vi.stubEnv("XDG_CACHE_HOME", undefined);
  vi.stubEnv("XDG_DATA_HOME", undefined);
  index.publish("theirs", SERVER, { requires: "swapped-library>=1" });
  index.publish("theirs", library("1.0.0"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  space[Symbol.dispose]();
});

/** Returns a launch whose packages uv picks at startup. */
const launch = (): string[] => ["uvx", "--no-sources", "--index-url", index.url, "swapped-server==2.0.0"];
async function pin(): Promise<void> {
  const run = await space.run(["pin", "--name", "s", "--", ...launch()]);
  expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no integrity") });
  rmSync(space.path("started"));
}
const findings = (run: RunResult): unknown =>
  JSON.parse(run.stdout).findings.map(({ rule, level }: { rule: string; level: string }) => `${level} ${rule}`);
const isStarted = (): boolean => existsSync(space.path("started"));
const uv = (...args: string[]): void => {
  outputOf(`${index.bin}/uv`, args, { env: { ...process.env, UV_INDEX_URL: index.url } });
};

test("the packages that uvx installs with a package are in the lock, and equal ones are equal", async () => {
  await pin();
  expect(space.lock().servers[0]?.artifacts).toMatchObject([
    {
      name: "swapped-server",
      dependencies: { "swapped-library@1.0.0": expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    },
  ]);
  expect(await space.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  expect(space.lockText()).not.toContain("sdist");
});

test("a list after --with is resolved together with the package, and nothing is where a file has requirements", async () => {
  index.publish("theirs", "swapped_other-1.0.0-py3-none-any.whl");
  const [, ...args] = launch();
  const titles = async (...more: string[]): Promise<string[]> => {
    await space.run(["pin", "--replace", "--name", "s", "--", "uvx", ...more, ...args]);
    return Object.keys(space.lock().servers[0]?.artifacts?.at(0)?.dependencies ?? {});
  };
  const both = ["swapped-library@1.0.0", "swapped-other@1.0.0"];
  expect(await titles("--with", "swapped-library<2,>=1,swapped-other")).toEqual(both);
  writeFileSync(space.path("more.txt"), "swapped-other\n");
  expect(await titles("--with-requirements", "more.txt")).toEqual([]);
});

test("other bytes of a dependency are an error, and nothing is started", async () => {
  await pin();
  index.publish("evil", library("1.0.0"));
  const run = await space.run(["check", "--format", "json"]);
  expect(run.code).toBe(1);
  expect(findings(run)).toEqual(["error mcp/artifact-changed"]);
  const guard = await spawnCli(["guard", "s"], { cwd: space.folder });
  expect(guard).toMatchObject({ code: 2, stderr: expect.stringContaining("launch-changed") });
  expect(isStarted()).toBe(false);
});

test("a new file of a dependency's version that this machine would take is an error", async () => {
  await pin();
  index.publish("evil", BUILT);
  try {
    const run = await space.run(["check", "--format", "json"]);
    expect(findings(run)).toEqual(["error mcp/artifact-changed"]);
    expect(isStarted()).toBe(false);
  } finally {
    index.withdraw(BUILT);
  }
});

test("another version of a dependency is found before the start, and refused if the policy requires it", async () => {
  await pin();
  index.publish("next", library("1.1.0"));
  try {
    const run = await space.run(["check", "--format", "json"]);
    expect(run.code).toBe(1);
    expect(findings(run)).toEqual(["warning mcp/artifact-version-changed"]);
    rmSync(space.path("started"));
    const says = "swapped-library@1.0.0 → swapped-library@1.1.0";
    const passing = await spawnCli(["guard", "s"], { cwd: space.folder });
    expect(passing.stderr).toContain(`s runs packages in versions other than those that were pinned: ${says}`);
    rmSync(space.path("started"), { force: true });
    const rules = { "mcp/artifact-version-changed": { check: "error", guard: "block" } };
    writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ rules }));
    await space.run(["approve", "--policy", "--yes"]);
    const refused = await spawnCli(["guard", "s"], { cwd: space.folder });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(isStarted()).toBe(false);
    expect(await space.run(["check"])).toMatchObject({ code: 1 });
    expect(await space.run(["approve", "s", "--yes"])).toMatchObject({ code: 0 });
    expect(await space.run(["check"])).toMatchObject({ code: 0 });
  } finally {
    index.withdraw(library("1.1.0"));
  }
});

test("the versions of an installed tool are used, because uvx runs it without an index", async () => {
  uv("tool", "install", "swapped-server==2.0.0");
  await pin();
  index.publish("next", library("1.1.0"));
  try {
    expect(findings(await space.run(["check", "--format", "json"]))).toEqual([]);
    uv("tool", "upgrade", "swapped-server");
    expect(findings(await space.run(["check", "--format", "json"]))).toEqual(["warning mcp/artifact-version-changed"]);
  } finally {
    index.withdraw(library("1.1.0"));
  }
});

test("a dependency that the index no longer has cannot be compared: exit code 2, and nothing is started", async () => {
  await pin();
  index.withdraw(library("1.0.0"));
  rmSync(space.path("home"), { recursive: true });
  expect(await space.run(["check"])).toMatchObject({ code: 2, stdout: expect.stringContaining("could not tell") });
  expect(isStarted()).toBe(false);
});
