import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  formatLock,
  LOCK_VERSION,
  type LockedServer,
  type LockFile,
  parseLock,
  sealServer,
} from "@agentprint/mcp-lock";
import { PackageRegistry } from "@agentprint/testing/npm-registry/package-registry";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Repository } from "../support/repository.ts";
import type { RunResult } from "../support/run-cli.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";

/** A dependency's name that a terminal and Markdown must not interpret. */
const ODD = "a*b_*c";

const SERVER = toolsServer([{ name: "greet", inputSchema: { type: "object" } }], {
  begin: `require("node:fs").writeFileSync("started", require("lib"));`,
});

/** A project's parent folder, with npm's files for it. */
let above: Workspace;
let registry: PackageRegistry;
/** The lock from before a version of the dependency was published, and from after it. */
let old: LockFile;
let later: LockFile;
/** The earlier lock in which someone wrote the later version, with the right digest. */
let swapped: LockFile;
const integrities: Record<string, string> = {};

const run = (...args: string[]): Promise<RunResult> =>
  spawnCli(args, {
    cwd: above.path("project"),
    env: { HOME: above.path("home"), npm_config_cache: above.path("cache"), XDG_STATE_HOME: above.path("state") },
  });
const write = (name: string, lock: LockFile): void => writeFileSync(above.path(`project/${name}`), formatLock(lock));
const started = () => readFileSync(above.path("project/started"), "utf8");
function publish(version: string): void {
  const files = { "index.js": `module.exports = ${JSON.stringify(version)};` };
  integrities[version] = registry.publish({ name: "lib", version, files });
}
async function pin(): Promise<LockFile> {
  for (const name of ["cache", "home", "state"]) rmSync(above.path(name), { recursive: true, force: true });
  const done = await run("pin", "--replace", "--name", "s", "--", "npx", "-y", "server@1.0.0");
  expect(done).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no integrity") });
  return parseLock(readFileSync(above.path("project/agentprint.lock"), "utf8"));
}
function withDependencies(
  { servers: [entry] }: LockFile,
  dependencies: Readonly<Record<string, string>>,
  launch: Partial<LockedServer["launch"]> = {},
): LockFile {
  const { toolsDigest: _tools, setHashes: _sets, digest: _digest, ...rest } = entry as LockedServer;
  const artifacts = rest.artifacts?.map((artifact) => ({ ...artifact, dependencies }));
  const changed = { ...rest.launch, ...launch } as LockedServer["launch"];
  return {
    lockVersion: LOCK_VERSION,
    servers: [sealServer({ ...rest, launch: changed, ...(artifacts && { artifacts }) })],
  };
}

beforeAll(async () => {
  above = new Workspace();
  mkdirSync(above.path("project"));
  registry = await PackageRegistry.start();
  writeFileSync(above.path("project/.npmrc"), `registry=${registry.url}\nfetch-retries=0\nupdate-notifier=false\n`);
  const manifest = { bin: { server: "server.js" }, dependencies: { lib: "^1.0.0" } };
  registry.publish({ name: "server", version: "1.0.0", manifest, files: { "server.js": SERVER } });
  publish("1.0.0");
  old = await pin();
  publish("1.1.0");
  later = await pin();
  swapped = withDependencies(old, { "lib@1.1.0": integrities["1.1.0"] ?? "" });
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  above[Symbol.dispose]();
});
beforeEach(() => rmSync(above.path("project/started"), { force: true }));

test("a lock that names another published version of a dependency differs, and the server runs that version", async () => {
  expect(old.servers[0]?.artifacts).toMatchObject([{ dependencies: { "lib@1.0.0": integrities["1.0.0"] } }]);
  expect(swapped.servers[0]?.artifacts).toEqual(later.servers[0]?.artifacts);
  write("old.lock", old);
  for (const [name, lock] of [
    ["later", later],
    ["swapped", swapped],
  ] as const) {
    write(`${name}.lock`, lock);
    const done = await run("diff", "old.lock", `${name}.lock`, "--format", "json");
    expect(done.code).toBe(1);
    expect(JSON.parse(done.stdout)).toMatchObject({
      outcome: "drift",
      findings: [
        {
          rule: "mcp/artifact-version-changed",
          level: "warning",
          place: { pointer: "/args/1" },
          before: `lib@1.0.0 ${integrities["1.0.0"]}`,
          after: `lib@1.1.0 ${integrities["1.1.0"]}`,
        },
      ],
    });
  }
  const back = await run("diff", "swapped.lock", "old.lock");
  expect(back).toMatchObject({ code: 1, stdout: expect.not.stringContaining("unchanged") });
  write("agentprint.lock", swapped);
  expect(await run("check")).toMatchObject({ code: 0 });
  expect(started()).toBe("1.1.0");
});

test("a check against a base lists what the change's lock swaps", async () => {
  const repository = new Repository(above.path("project"));
  write("agentprint.lock", old);
  repository.commit();
  repository.git("branch", "base");
  write("agentprint.lock", swapped);
  repository.commit();
  for (const format of ["text", "markdown"]) {
    const done = await run("check", "--base", "base", "--format", format);
    expect(done.code).toBe(0);
    const text = done.stdout.replaceAll("\\", "").replaceAll("<!-- -->", "");
    expect(text).toContain("approves 1 finding (mcp/artifact-version-changed 1)");
    expect(text).toContain("approved in this change: version of a package that the launch runs or installs changed");
    expect(text).toContain(integrities["1.1.0"]);
  }
  // npm would install the newer version, and the pinned one runs: a check of the server does not list it.
  write("agentprint.lock", old);
  const done = await run("check", "--format", "json");
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout).findings).toEqual([]);
});

test("the dependencies of a changed launch are listed, too, with a second copy and odd names", async () => {
  const before = withDependencies(old, { "lib@1.0.0": "sha512-a" });
  const after = withDependencies(
    old,
    { "lib@1.0.0": "sha512-a", "lib@1.1.0": "sha512-b", [`\u001B[2K${ODD}@1.0.0`]: "sha512-c" },
    { args: ["-y", "server@1.0.0", "--quiet"] },
  );
  write("before.lock", before);
  write("after.lock", after);
  const text = await run("diff", "before.lock", "after.lock");
  expect(text.code).toBe(1);
  expect(text.stdout).toContain("launch changed");
  expect(text.stdout).toContain("versions of 2 launched packages changed");
  expect(text.stdout).toContain("lib@1.1.0 sha512-b");
  expect(text.stdout).not.toContain("\u001B");
  const { stdout } = await run("diff", "before.lock", "after.lock", "--format", "markdown");
  expect(stdout).toContain(ODD);
  expect(stdout).not.toContain("\u001B");
});
