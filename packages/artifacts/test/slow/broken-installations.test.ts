import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LockedArtifact } from "@agentprint/launch";
import { PackageRegistry } from "@agentprint/testing/npm-registry/package-registry";
import { outputOf, runBeside, runProgram, startProgram } from "@agentprint/testing/programs";
import { FROM_SOURCE } from "@agentprint/testing/service-process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cleanStore, type PreparedLaunch, prepareLaunch } from "../../src/index.ts";

const PROGRAM = fileURLToPath(new URL("../prepare-in-process.ts", import.meta.url));
const NAMED = /^[0-9a-f]{40}$/;

let folder: string;
let registry: PackageRegistry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-broken-"));
  for (const name of ["project", "store", "home"]) mkdirSync(join(folder, name));
  registry = await PackageRegistry.start();
  writeFileSync(join(folder, "project/.npmrc"), `registry=${registry.url}\n`);
  const files = { "main.js": "#!/usr/bin/env node\nconsole.log(require('dep'));\n" };
  registry.publish({ name: "one", version: "1.0.0", manifest: { bin: "main.js", dependencies: { dep: "1" } }, files });
  const large = `// ${"x".repeat(2_000_000)}\nmodule.exports = 'dep';\n`;
  registry.publish({ name: "dep", version: "1.0.0", files: { "index.js": large } });
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface Ended extends PreparedLaunch {
  readonly error?: { readonly code: string; readonly message: string };
}

const words = ["npx", "-y", "one@1.0.0"];
const env = () => ({ PATH: process.env["PATH"], HOME: join(folder, "home"), npm_config_cache: join(folder, "cache") });
const store = (): string => join(folder, "store");
const named = (): string[] => readdirSync(store()).filter((name) => NAMED.test(name));
function commandFor(options: object = {}): [command: string, ...args: string[]] {
  const given = JSON.stringify({ words, store: store(), cwd: join(folder, "project"), ...options });
  return [process.execPath, ...FROM_SOURCE, PROGRAM, given];
}
async function prepareBeside(through: readonly string[] = [], options: object = {}): Promise<Ended> {
  const [command = "", ...args] = [...through, ...commandFor(options)];
  return JSON.parse((await runBeside(command, args, { env: env() })).stdout);
}
const prepare = (locked?: readonly LockedArtifact[]): Promise<PreparedLaunch> => {
  const [command = "", ...args] = words;
  const surroundings = { cwd: join(folder, "project"), env: env() };
  const launch = { type: "stdio" as const, command, args, env: [] };
  return prepareLaunch(launch, surroundings, { store: store(), ...(locked && { locked }) });
};
function outputFrom({ installed }: PreparedLaunch): string {
  const { command = "", args = [], env: own = {} } = installed ?? {};
  return outputOf(command, args, { env: { ...process.env, ...own } }).trim();
}

test("processes that start at the same time share one complete folder", async () => {
  const { artifacts } = await prepareBeside();
  rmSync(store(), { recursive: true });
  mkdirSync(store());
  const all = await Promise.all([1, 2].map(() => prepareBeside([], { locked: artifacts })));
  expect(all.map(outputFrom)).toEqual(["dep", "dep"]);
  expect(named()).toHaveLength(1);
  expect(readdirSync(store()).filter((name) => name.startsWith("unfinished-"))).toEqual([]);
});

test.each(["the first answer", "the bytes of a package"])(
  "leftovers of a process killed at %s are never used, and are cleaned up",
  async (moment) => {
    const [command, ...args] = commandFor();
    let kill = (): void => {};
    const asked = new Promise<void>((resolve) => {
      kill = resolve;
    });
    registry.shelfOf = ({ url = "" }) => {
      if (moment === "the first answer" || url.includes("/-/")) kill();
      return "theirs";
    };
    const child = await startProgram(command, args, { env: env(), stdio: "ignore", detached: true });
    await asked;
    // npm runs in the same process group.
    process.kill(-(child.pid as number), "SIGKILL");
    await once(child, "exit");
    expect(named()).toEqual([]);
    const left = readdirSync(store()).filter((name) => name.startsWith("unfinished-"));
    expect(left).toHaveLength(1);
    const cleaned = await cleanStore(store(), []);
    expect(cleaned).toEqual([{ folder: join(store(), left[0] ?? ""), state: "removed" }]);
    expect(outputFrom(await prepare())).toBe("dep");
  },
);

test("a full disk is an error with an explanation, and leaves nothing behind", async () => {
  const { artifacts } = await prepare();
  const [name = ""] = named();
  rmSync(store(), { recursive: true });
  mkdirSync(store());
  const isMounted =
    process.getuid?.() === 0 &&
    runProgram("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", store()], { stdio: "ignore" }).status === 0;
  try {
    // If no small disk is mounted, the size of the process's files is limited instead.
    const through = isMounted ? [] : ["sh", "-c", 'ulimit -f 1024; exec "$@"', "sh"];
    const { error } = await prepareBeside(through, { locked: artifacts });
    expect(error).toMatchObject({
      code: "unreadable",
      message: expect.stringMatching(/nothing .*installed.*: the disk is full/),
    });
    expect(readdirSync(store()).filter((each) => each !== "in-use")).toEqual([]);
  } finally {
    if (isMounted) outputOf("umount", [store()]);
  }
  expect(outputFrom(await prepare(artifacts))).toBe("dep");
  expect(named()).toEqual([name]);
});

test("offline uses the folder or npm's cache, and reports if both are missing", async () => {
  const { artifacts } = await prepare();
  registry.shelfOf = () => "nothing";
  words.splice(1, 0, "--offline");
  try {
    expect(outputFrom(await prepare(artifacts))).toBe("dep");
    rmSync(store(), { recursive: true });
    mkdirSync(store());
    expect(outputFrom(await prepare(artifacts))).toBe("dep");
    for (const name of ["store", "cache"]) rmSync(join(folder, name), { recursive: true });
    mkdirSync(store());
    const refused = prepare(artifacts);
    await expect(refused).rejects.toMatchObject({ code: "no-answer", message: expect.stringContaining("cache") });
    expect(named()).toEqual([]);
  } finally {
    words.splice(1, 1);
  }
});
