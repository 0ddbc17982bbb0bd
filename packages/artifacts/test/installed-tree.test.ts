import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ArtifactError, packageFolders, readArtifacts } from "@agentprint/artifacts";
import type { FoundArtifact } from "@agentprint/launch";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-artifacts-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
}

/** Reads which package a script in the folder belongs to. */
function read(script: string): Promise<FoundArtifact[]> {
  const launch = { type: "stdio" as const, command: "node", args: [script], env: [] };
  return readArtifacts(launch, { cwd: folder, env: {} });
}

const PACKAGES = {
  "node_modules/@one/server": {
    version: "1.0.0",
    integrity: "sha512-server",
    dependencies: { a: "^1", gone: "^1" },
    optionalDependencies: { c: "*" },
  },
  "node_modules/@one/server/node_modules/b": { version: "2.0.0", integrity: "sha512-b2", peerDependencies: { a: "*" } },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a", dependencies: { b: "^1" } },
  "node_modules/b": { version: "1.0.0", integrity: "sha512-b1" },
  "node_modules/c": { name: "real-c", version: "3.0.0", integrity: "sha512-c", dependencies: { "@one/server": "*" } },
  "node_modules/linked": { link: true },
  "node_modules/other": { version: "9.0.0", integrity: "sha512-other" },
};
const SERVER = {
  pointer: "/args/0",
  kind: "npm",
  name: "@one/server",
  version: "1.0.0",
  integrity: "sha512-server",
  dependencies: { "a@1.0.0": "sha512-a", "b@1.0.0": "sha512-b1", "real-c@3.0.0": "sha512-c" },
  source: "installed",
};
const SCRIPT = "node_modules/@one/server/dist/index.js";

function install(version = "1.0.0"): void {
  write("node_modules/@one/server/package.json", { name: "@one/server", version });
}

describe("the folder of the package of a launch", () => {
  const folders = (command: string, ...args: string[]) =>
    packageFolders({ type: "stdio", command, args, env: [] }, { cwd: folder, env: {} }, join(folder, "kept"));
  const INSTALLED = () => [join(folder, "node_modules/@one/server")];

  test("is the digest of a script in node_modules", async () => {
    expect(await folders("node", SCRIPT)).toEqual(INSTALLED());
    expect(await folders("node", `./${SCRIPT}`, SCRIPT)).toEqual(INSTALLED());
    expect(await folders("node", "server.js")).toEqual([]);
  });

  test("is the digest of an exact package that npx runs from the project", async () => {
    install();
    expect(await folders("npx", "-y", "@one/server@1.0.0")).toEqual(INSTALLED());
    expect(await folders("npx", "-y", "@one/server")).toEqual([]);
  });

  test("is unknown for a Python package without uv, and is not searched for where pipx runs it", async () => {
    expect(await folders("uvx", "server")).toEqual([]);
    expect(await folders("pipx", "run", "--spec", "server==1.0.0", "server")).toEqual([]);
    await expect(folders("uvx", "server==1.0.0")).rejects.toThrow(expect.objectContaining({ code: "no-program" }));
  });
});

describe("a script in node_modules represents its package", () => {
  test.each(["node_modules/.package-lock.json", "package-lock.json"])(
    "by %s, with what it can import",
    async (file) => {
      install();
      write(file, { lockfileVersion: 3, packages: PACKAGES });
      expect(await read(SCRIPT)).toEqual([SERVER]);
      expect(await read(`./${SCRIPT}`)).toEqual([SERVER]);
      expect(await read(join(folder, SCRIPT))).toEqual([SERVER]);
    },
  );

  test("but has no integrity if the package lock has another version or is missing", async () => {
    install("1.0.1");
    write("node_modules/.package-lock.json", { packages: PACKAGES });
    expect(await read(SCRIPT)).toEqual([]);
    rmSync(join(folder, "node_modules/.package-lock.json"));
    expect(await read(SCRIPT)).toEqual([]);
    expect(await read("server.js")).toEqual([]);
    expect(await read("node_modules/.bin/server.js")).toEqual([]);
  });

  test("by the package lock of pnpm, which names peers", async () => {
    install();
    write(
      "node_modules/.pnpm/lock.yaml",
      `lockfileVersion: '9.0'
packages:
  '@one/server@1.0.0':
    resolution: {integrity: sha512-server}
  a@1.0.0:
    resolution: {integrity: sha512-a}
  real-c@3.0.0:
    resolution: {integrity: sha512-c}
  b@1.0.0:
    resolution: {integrity: sha512-b1}
snapshots:
  '@one/server@1.0.0(a@1.0.0)':
    dependencies: {a: 1.0.0}
    optionalDependencies: {c: real-c@3.0.0}
  a@1.0.0:
    dependencies: {b: 1.0.0(a@1.0.0)}
  b@1.0.0(a@1.0.0):
    dependencies: {a: 1.0.0}
  real-c@3.0.0: {}
`,
    );
    expect(await read(SCRIPT)).toEqual([SERVER]);
  });

  test.each([
    ["node_modules/.package-lock.json", '{"packages": {'],
    ["node_modules/.package-lock.json", "[]"],
    ["node_modules/.pnpm/lock.yaml", "a: &a [*a, *a]\n"],
    ["node_modules/.pnpm/lock.yaml", "- a list"],
    ["node_modules/@one/server/package.json", "{"],
  ])("and is an error where %s is %s", async (file, text) => {
    install();
    write(file, text);
    const error = await read(SCRIPT).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ArtifactError);
    expect(error).toMatchObject({ code: "unreadable", message: expect.stringContaining(file) });
  });
});

test.each([
  ["npx", ["-y", "server@1.0.0"], "npm"],
  ["pnpm", ["dlx", "server@1.0.0"], "pnpm"],
  ["bunx", ["server@1.0.0"], "npm"],
  ["uvx", ["server==1.0.0"], "uv"],
  ["pipx", ["run", "server==1.0.0"], "uv"],
  ["podman", ["run", "-i", "server:1.0.0"], "podman"],
])("without the program that knows the registry of %s, the integrity is unknown", async (command, args, program) => {
  const launch = { type: "stdio" as const, command, args, env: [] };
  const reading = readArtifacts(launch, { cwd: folder, env: { PATH: folder, HOME: folder } });
  await expect(reading).rejects.toMatchObject({ code: "no-program", message: expect.stringContaining(program) });
});

test.each([
  ["npx", ["-y", "server"]],
  ["npx", ["-y", "server@^1.0.0"]],
  ["npx", ["-y", "github:owner/server#0123456789abcdef0123456789abcdef01234567"]],
  ["uvx", ["server>=1"]],
  ["docker", ["run", "-i", "server"]],
  ["docker", ["run", "-i", "server:latest"]],
])("%s %j does not name a package whose bytes are pinned", async (command, args) => {
  const launch = { type: "stdio" as const, command, args, env: [] };
  expect(await readArtifacts(launch, { cwd: folder, env: {} })).toEqual([]);
});
