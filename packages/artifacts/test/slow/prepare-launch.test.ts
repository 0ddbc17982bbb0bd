import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LockedArtifact } from "@agentprint/launch";
import { PackageRegistry } from "@agentprint/testing/npm-registry/package-registry";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PreparedLaunch, prepareLaunch } from "../../src/index.ts";

let folder: string;
let registry: PackageRegistry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-artifacts-"));
  for (const name of ["project", "store", "home"]) mkdirSync(join(folder, name));
  registry = await PackageRegistry.start();
  writeFileSync(join(folder, "project/.npmrc"), `registry=${registry.url}\n`);
  program("one", "1.0.0", { dependencies: { dep: "^1.0.0" } });
  registry.publish({ name: "dep", version: "1.0.0", files: { "index.js": "module.exports = 'dep 1.0.0';" } });
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const SHOWS = `#!/usr/bin/env node
const of = (name) => { try { return require(name); } catch { return ""; } };
console.log([process.argv.slice(2).join(" "), of("dep"), of("peer")].join("|"));
`;

/** Publishes a package whose program prints its arguments and its imports. */
function program(name: string, version: string, manifest: object = {}): string {
  return registry.publish({ name, version, manifest: { bin: "main.js", ...manifest }, files: { "main.js": SHOWS } });
}

function prepare(words: string, locked?: readonly LockedArtifact[], env = {}): Promise<PreparedLaunch> {
  const [command = "", ...args] = words.split(" ");
  const surroundings = {
    cwd: join(folder, "project"),
    env: { PATH: process.env["PATH"], HOME: join(folder, "home"), ...env },
  };
  const options = { store: join(folder, "store"), ...(locked && { locked }) };
  return prepareLaunch({ type: "stdio", command, args, env: [] }, surroundings, options);
}

/** Returns the output of a prepared program. */
function outputFrom({ installed }: PreparedLaunch): string {
  const { command = "", args = [], env = {} } = installed ?? {};
  return outputOf(command, args, { cwd: join(folder, "project"), env: { ...process.env, ...env } }).trim();
}

const kept = (): string[] => readdirSync(join(folder, "store")).filter((name) => name !== "in-use");
const forgetStore = (): void => {
  rmSync(join(folder, "store"), { recursive: true });
  mkdirSync(join(folder, "store"));
};

test("the packages of a launch are in a folder of the user's, with what they import, and the program runs from there", async () => {
  const prepared = await prepare("npx -y one@1.0.0 a b");
  expect(outputFrom(prepared)).toBe("a b|dep 1.0.0|");
  expect(prepared.artifacts).toMatchObject([{ pointer: "/args/1", name: "one", version: "1.0.0", source: "registry" }]);
  expect(Object.keys(prepared.artifacts[0]?.dependencies ?? {})).toEqual(["dep@1.0.0"]);
  expect(Object.keys(prepared.installed?.packages ?? {}).sort()).toEqual(["dep@1.0.0", "one@1.0.0"]);
  expect(kept()).toHaveLength(1);
  const [name = ""] = kept();
  expect(statSync(join(folder, "store", name)).mode & 0o777).toBe(0o700);
  expect(existsSync(join(folder, "store", name, ".npmrc"))).toBe(false);
  // Without the registry and without any cache.
  registry.shelfOf = () => "nothing";
  rmSync(join(folder, "home"), { recursive: true });
  const again = await prepare("npx -y one@1.0.0", prepared.artifacts);
  expect(again.artifacts).toEqual(prepared.artifacts.map((each) => ({ ...each, source: "installed" })));
});

test.each(["npx -p one@1.0.0 -p two@1.0.0 two x", "pnpm dlx --package=one@1.0.0 --package=two@1.0.0 two x"])(
  "two packages are in one folder, with a package that one expects next to itself: %s",
  async (words) => {
    program("two", "1.0.0", { peerDependencies: { peer: "1" } });
    registry.publish({ name: "peer", version: "1.2.0", files: { "index.js": "module.exports = 'peer 1.2.0';" } });
    const prepared = await prepare(words);
    expect(outputFrom(prepared)).toBe("x|dep 1.0.0|peer 1.2.0");
    const dependencies = prepared.artifacts.map(({ name, dependencies = {} }) => [name, Object.keys(dependencies)]);
    expect(dependencies).toEqual([
      ["one", ["dep@1.0.0"]],
      ["two", ["peer@1.2.0"]],
    ]);
  },
);

test("a new version of a dependency alone changes nothing of what is pinned, also where it is installed again", async () => {
  const { artifacts } = await prepare("npx -y one@1.0.0");
  registry.publish({ name: "dep", version: "1.1.0", files: { "index.js": "module.exports = 'dep 1.1.0';" } });
  for (const name of ["home", "store"]) rmSync(join(folder, name), { recursive: true });
  mkdirSync(join(folder, "store"));
  expect(outputFrom(await prepare("npx -y one@1.0.0", artifacts))).toBe("|dep 1.0.0|");
  expect(outputFrom(await prepare("npx -y one@1.0.0"))).toBe("|dep 1.1.0|");
});

test("a registry that adds a package shows it among those that are installed", async () => {
  const { artifacts } = await prepare("npx -y one@1.0.0");
  registry.publish({ name: "more", version: "1.0.0" });
  const { manifest } = { manifest: { bin: "main.js", dependencies: { dep: "^1.0.0", more: "1" } } };
  registry.describe("one", "1.0.0", manifest);
  rmSync(join(folder, "home"), { recursive: true });
  forgetStore();
  const prepared = await prepare("npx -y one@1.0.0", artifacts);
  expect(prepared.artifacts[0]?.integrity).toBe(artifacts[0]?.integrity);
  expect(Object.keys(prepared.installed?.packages ?? {})).toContain("more@1.0.0");
});

test.each<[string, (server: string) => void]>([
  ["changed", (server) => writeFileSync(server, "evil")],
  ["gone", (server) => rmSync(server)],
  ["more than were installed", (server) => writeFileSync(`${server}.json`, "{}")],
])("files that are %s are installed again from the cache", async (_, damage) => {
  const { artifacts } = await prepare("npx -y one@1.0.0 a");
  registry.shelfOf = () => "nothing";
  const [server = ""] = globSync(join(folder, "store/*/node_modules/one/main.js"));
  damage(server);
  const again = await prepare("npx -y one@1.0.0 a", artifacts);
  expect(readFileSync(server, "utf8")).toBe(SHOWS);
  expect(outputFrom(again)).toBe("a|dep 1.0.0|");
  expect(kept()).toHaveLength(1);
});

test("starts at the same time have one folder, and what an end left half installed is never used", async () => {
  const { artifacts } = await prepare("npx -y one@1.0.0 a");
  const [name = ""] = kept();
  forgetStore();
  // A process that was interrupted leaves a folder with a temporary name; an interrupted copy has no digests.
  mkdirSync(join(folder, "store/unfinished-abc/node_modules"), { recursive: true });
  mkdirSync(join(folder, "store", name, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(folder, "store", name, "node_modules/.bin/one"), "#!/bin/sh\necho evil\n", { mode: 0o755 });
  const all = await Promise.all([1, 2, 3].map(() => prepare("npx -y one@1.0.0 a", artifacts)));
  expect(new Set(all.map(outputFrom))).toEqual(new Set(["a|dep 1.0.0|"]));
  expect(kept().sort()).toEqual([name, "unfinished-abc"].sort());
});

test("a folder that others could write to is made private, and one of another user is not used", async () => {
  const { artifacts } = await prepare("npx -y one@1.0.0");
  const [name = ""] = kept();
  const path = join(folder, "store", name);
  chmodSync(path, 0o777);
  await prepare("npx -y one@1.0.0", artifacts);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  if (process.getuid?.() !== 0) return;
  chownSync(path, 12_345, 12_345);
  const refused = prepare("npx -y one@1.0.0", artifacts);
  await expect(refused).rejects.toMatchObject({ code: "unreadable", message: expect.stringContaining("another user") });
});

test("a registry that requires a token receives the project's, which is not left behind", async () => {
  registry.token = "secret";
  await expect(prepare("npx -y one@1.0.0")).rejects.toMatchObject({ code: "no-answer" });
  expect(kept()).toEqual([]);
  const lines = `registry=${registry.url}\n//${new URL(registry.url).host}/:_authToken=\${MY_TOKEN}\n`;
  writeFileSync(join(folder, "project/.npmrc"), lines);
  await prepare("npx -y one@1.0.0", undefined, { MY_TOKEN: "secret" });
  const files = readdirSync(join(folder, "store"), { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => file.endsWith(".npmrc"))).toEqual([]);
});

test.each(["preinstall", "postinstall"])(
  "no %s runs, and a package that has one is refused with an explanation",
  async (script) => {
    const marker = join(folder, "ran");
    registry.publish({ name: "built", version: "1.0.0", manifest: { scripts: { [script]: `touch ${marker}` } } });
    program("two", "1.0.0", { dependencies: { built: "1" } });
    const refused = prepare("npx -y two@1.0.0");
    await expect(refused).rejects.toMatchObject({ code: "needs-scripts", message: expect.stringContaining("built") });
    expect(existsSync(marker)).toBe(false);
    expect(kept()).toEqual([]);
  },
);

test("a registry that answers with a repository in place of a package runs nothing of that", async () => {
  const [marker, repository] = [join(folder, "ran"), join(folder, "repository")];
  mkdirSync(repository);
  const scripts = Object.fromEntries(["preinstall", "prepare", "prepack"].map((each) => [each, `touch ${marker}`]));
  const dependencies = { inner: `git+file://${repository}` };
  writeFileSync(
    join(repository, "package.json"),
    JSON.stringify({ name: "dep", version: "1.0.0", scripts, dependencies }),
  );
  writeFileSync(join(repository, ".npmrc"), `git=${join(folder, "evil")}\nignore-scripts=false\nallow-git=all\n`);
  writeFileSync(join(folder, "evil"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  const git = (...words: string[]) =>
    outputOf("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd: repository });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
  const { artifacts } = await prepare("npx -y one@1.0.0");
  registry.describe("one", "1.0.0", { dependencies: { dep: `git+file://${repository}` } });
  for (const locked of [artifacts, undefined]) {
    for (const name of ["home", "store"]) rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, "store"));
    await expect(prepare("npx -y one@1.0.0", locked)).rejects.toMatchObject({ code: "no-answer" });
    expect([existsSync(marker), kept()]).toEqual([false, []]);
  }
});

test.each([
  ["npx -y gone@1.0.0", "not-found"],
  ["npx -y one@9.0.0", "not-found"],
  ["npx -y -p one@1.0.0 node x.js", "not-found"],
  ["npx -y several@1.0.0", "not-found"],
  ["npx -y dep@1.0.0", "not-found"],
])("%s is refused as %s, and nothing is kept of it", async (words, code) => {
  program("several", "1.0.0", { bin: { a: "main.js", b: "other.js" } });
  await expect(prepare(words)).rejects.toMatchObject({ code });
  expect(kept()).toEqual([]);
});

test("packages around the project are not imported, and packages above the store are an error with an explanation", async () => {
  const plant = (place: string): string => {
    const found = join(folder, place, "peer");
    mkdirSync(found, { recursive: true });
    writeFileSync(join(found, "index.js"), "module.exports = 'evil';");
    return found;
  };
  plant("project/node_modules");
  writeFileSync(join(folder, "project/package.json"), JSON.stringify({ type: "module", imports: { "#a": "./a.js" } }));
  const prepared = await prepare("npx -y one@1.0.0 a");
  expect(outputFrom(prepared)).toBe("a|dep 1.0.0|");
  mkdirSync(join(folder, "node_modules/.cache"), { recursive: true });
  await prepare("npx -y one@1.0.0", prepared.artifacts);
  for (const place of ["node_modules", "store/node_modules", "home/.node_modules"]) {
    const found = plant(place);
    for (const locked of [prepared.artifacts, undefined]) {
      await expect(prepare("npx -y one@1.0.0", locked)).rejects.toMatchObject({
        code: "unreadable",
        message: expect.stringContaining(`packages in ${join(folder, place)}`),
      });
    }
    rmSync(found, { recursive: true });
  }
});

test("a store that cannot be written is an error with an explanation", async () => {
  rmSync(join(folder, "store"), { recursive: true });
  writeFileSync(join(folder, "store"), "");
  await expect(prepare("npx -y one@1.0.0")).rejects.toMatchObject({ code: "unreadable" });
});

test("settings and programs of the project choose nothing", async () => {
  const evil = join(folder, "project/evil");
  mkdirSync(join(folder, "project/node_modules/.bin"), { recursive: true });
  for (const name of ["npm", "node"]) {
    writeFileSync(join(folder, "project/node_modules/.bin", name), `#!/bin/sh\ntouch ${evil}\n`, { mode: 0o755 });
  }
  writeFileSync(join(folder, "project/hook.cjs"), `require("node:fs").writeFileSync(${JSON.stringify(evil)}, "");`);
  const lines = [
    `node-options=--require=${join(folder, "project/hook.cjs")}`,
    "ignore-scripts=false",
    `prefix=${join(folder, "project")}`,
    `registry=${registry.url}`,
    `script-shell=${evil}`,
    "omit[]=dev\rgit=/evil",
  ];
  writeFileSync(join(folder, "project/.npmrc"), lines.join("\n"));
  const path = ["project/node_modules/.bin", "project"].map((name) => join(folder, name));
  const env = {
    PATH: [...path, "relative", process.env["PATH"]].join(":"),
    NODE_OPTIONS: `--require=${join(folder, "project/hook.cjs")}`,
    npm_config_node_options: `--require=${join(folder, "project/hook.cjs")}`,
  };
  const prepared = await prepare("npx -y one@1.0.0 a", undefined, env);
  expect(prepared.installed?.env["PATH"]?.split(":")[0]).toMatch(/node_modules\/\.bin$/);
  expect(prepared.installed?.env["PATH"]).not.toContain(join(folder, "project"));
  expect(outputFrom(prepared)).toBe("a|dep 1.0.0|");
  expect(existsSync(evil)).toBe(false);
});
