import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PackageRegistry } from "@agentprint/testing/npm-registry/package-registry";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PreparedLaunch, type PrepareOptions, prepareLaunch } from "../../src/index.ts";
import { pathWithoutProject } from "../../src/install/install-npm.ts";

let folder: string;
let registry: PackageRegistry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-scripts-"));
  for (const name of ["project", "store", "home"]) mkdirSync(join(folder, name));
  registry = await PackageRegistry.start();
  writeFileSync(join(folder, "project/.npmrc"), `registry=${registry.url}\n`);
  publish("built", { scripts: { postinstall: `node make.js ${join(folder, "ran")}` } });
  publish("other", { scripts: { preinstall: `touch ${join(folder, "other-ran")}` } });
  const dependencies = { built: "1" };
  const main = "#!/usr/bin/env node\nconsole.log(require('built/made.json'));\n";
  registry.publish({
    name: "one",
    version: "1.0.0",
    manifest: { bin: "main.js", dependencies },
    files: { "main.js": main },
  });
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const MAKE = `const fs = require("node:fs");
fs.writeFileSync("made.json", JSON.stringify(process.env.MARK ?? "made"));
fs.appendFileSync(process.argv[2], "x");
`;

function publish(name: string, manifest: object, shelf = "theirs", make = MAKE): void {
  registry.publish({ name, version: "1.0.0", manifest: { ...manifest }, files: { "make.js": make } }, shelf);
}

function prepare(words: string, options: Omit<PrepareOptions, "store"> = {}): Promise<PreparedLaunch> {
  const [command = "", ...args] = words.split(" ");
  const env = { PATH: process.env["PATH"], HOME: join(folder, "home") };
  const store = join(folder, "store");
  const surroundings = { cwd: join(folder, "project"), env };
  return prepareLaunch({ type: "stdio", command, args, env: [] }, surroundings, { store, ...options });
}

const ran = (): string => (existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : "");
const kept = (): string[] => readdirSync(join(folder, "store")).filter((name) => name !== "in-use");
const forget = (): void => {
  for (const name of ["store", "home"]) rmSync(join(folder, name), { recursive: true });
  mkdirSync(join(folder, "store"));
};

test("the scripts of the allowed packages run once, at installation, and the names are kept with the artifacts", async () => {
  const prepared = await prepare("npx -y one@1.0.0", { scripts: ["built"] });
  expect(prepared.artifacts).toMatchObject([{ name: "one", scripts: ["built"] }]);
  const { command = "", args = [], env = {} } = prepared.installed ?? {};
  expect(outputOf(command, args, { env: { ...process.env, ...env } }).trim()).toBe("made");
  const again = await prepare("npx -y one@1.0.0", { locked: prepared.artifacts });
  expect(again.artifacts).toEqual([{ ...prepared.artifacts[0], source: "installed" }]);
  expect(ran()).toBe("x");
  forget();
  const anew = await prepare("npx -y one@1.0.0", { locked: prepared.artifacts });
  expect(anew.artifacts).toEqual(prepared.artifacts);
  expect(ran()).toBe("xx");
});

test("every package that is not allowed is named, and no script runs, also none that is allowed", async () => {
  const words = "npx -y -p one@1.0.0 -p other@1.0.0 one";
  await expect(prepare(words)).rejects.toMatchObject({ code: "needs-scripts", packages: ["built", "other"] });
  const refused = prepare(words, { scripts: ["built"] });
  await expect(refused).rejects.toMatchObject({ code: "needs-scripts", packages: ["other"] });
  expect([ran(), existsSync(join(folder, "other-ran")), kept()]).toEqual(["", false, []]);
});

test("a name without a script is not kept", async () => {
  registry.publish({ name: "plain", version: "1.0.0", manifest: { bin: "main.js" }, files: { "main.js": "" } });
  const { artifacts } = await prepare("npx -y plain@1.0.0", { scripts: ["plain", "esbuild"] });
  expect(artifacts[0]).not.toHaveProperty("scripts");
});

test("a script runs only for locked bytes, whatever the registry serves under the name", async () => {
  const { artifacts } = await prepare("npx -y one@1.0.0", { scripts: ["built"] });
  publish("built", { scripts: { postinstall: `node make.js ${join(folder, "evil")}` } });
  forget();
  const prepared = await prepare("npx -y one@1.0.0", { locked: artifacts });
  expect(existsSync(join(folder, "evil"))).toBe(false);
  // The caller sees the different bytes among the installed packages.
  const title = "built@1.0.0";
  expect(prepared.installed?.packages[title]).not.toBe(artifacts[0]?.dependencies?.[title]);
  expect(prepared.artifacts[0]).not.toHaveProperty("scripts");
  const approved = await prepare("npx -y one@1.0.0", { locked: artifacts, scripts: ["built"] });
  expect(approved.artifacts).toMatchObject([{ scripts: ["built"] }]);
  expect(existsSync(join(folder, "evil"))).toBe(true);
});

test("a registry that hides a script does not deceive the installation", async () => {
  registry.describe("built", "1.0.0", { hasInstallScript: false, scripts: {} });
  await expect(prepare("npx -y one@1.0.0")).rejects.toMatchObject({ code: "needs-scripts", packages: ["built"] });
  const prepared = await prepare("npx -y one@1.0.0", { scripts: ["built"] });
  expect([ran(), prepared.artifacts[0]?.scripts]).toEqual(["x", ["built"]]);
});

test("a build by node-gyp counts as a script", async () => {
  registry.publish({ name: "native", version: "1.0.0", manifest: { bin: "a.js" }, files: { "binding.gyp": "{}" } });
  await expect(prepare("npx -y native@1.0.0")).rejects.toMatchObject({ code: "needs-scripts", packages: ["native"] });
});

const ADDON = `#include <node_api.h>
static napi_value init(napi_env env, napi_value exports) {
  napi_value text;
  napi_create_string_utf8(env, "compiled", NAPI_AUTO_LENGTH, &text);
  return text;
}
NAPI_MODULE(addon, init)
`;

test("a program in C is compiled once, runs from its folder, and is compiled again where someone changed it", async () => {
  const surroundings = { cwd: join(folder, "project"), env: { PATH: process.env["PATH"] } };
  const node = outputOf("node", ["-p", "process.execPath"], { env: pathWithoutProject(surroundings) }).trim();
  const headers = dirname(dirname(realpathSync(node)));
  // If the machine's Node.js includes its headers, node-gyp does not fetch any.
  const settings = existsSync(join(headers, "include/node/node_api.h")) ? `nodedir=${headers}\n` : "";
  mkdirSync(join(folder, "home"), { recursive: true });
  writeFileSync(join(folder, "home/.npmrc"), settings);
  const files = {
    "binding.gyp": JSON.stringify({ targets: [{ target_name: "addon", sources: ["addon.c"] }] }),
    "addon.c": ADDON,
    "main.js": "#!/usr/bin/env node\nconsole.log(require('./build/Release/addon.node'));\n",
  };
  registry.publish({ name: "native", version: "1.0.0", manifest: { bin: "main.js" }, files });
  const { artifacts, ...prepared } = await prepare("npx -y native@1.0.0", { scripts: ["native"] });
  expect(artifacts).toMatchObject([{ name: "native", scripts: ["native"] }]);
  const output = ({ command = "", args = [], env = {} }: Partial<PreparedLaunch["installed"]> = {}): string =>
    outputOf(command, args, { cwd: join(folder, "project"), env: { ...process.env, ...env } }).trim();
  expect(output(prepared.installed)).toBe("compiled");
  const [addon = ""] = globSync(join(folder, "store/*/node_modules/native/build/Release/addon.node"));
  const { mtimeMs } = statSync(addon);
  await prepare("npx -y native@1.0.0", { locked: artifacts });
  expect(statSync(addon).mtimeMs).toBe(mtimeMs);
  writeFileSync(addon, "evil");
  expect(output((await prepare("npx -y native@1.0.0", { locked: artifacts })).installed)).toBe("compiled");
});

test("an alias of a package does not allow that package's scripts", async () => {
  registry.publish({
    name: "two",
    version: "1.0.0",
    manifest: { bin: "a.js", dependencies: { good: "npm:built@1.0.0" } },
    files: { "a.js": "" },
  });
  const refused = prepare("npx -y two@1.0.0", { scripts: ["good"] });
  await expect(refused).rejects.toMatchObject({ code: "needs-scripts", packages: ["built"] });
  expect(ran()).toBe("");
  const { artifacts } = await prepare("npx -y two@1.0.0", { scripts: ["built"] });
  expect([ran(), artifacts[0]?.scripts]).toEqual(["x", ["built"]]);
});

test("a package bundled in another one runs no scripts", async () => {
  const inner = { name: "inner", version: "1.0.0", scripts: { postinstall: `touch ${join(folder, "inner-ran")}` } };
  registry.publish({
    name: "outer",
    version: "1.0.0",
    manifest: {
      bin: "a.js",
      dependencies: { inner: "1" },
      bundleDependencies: ["inner"],
      scripts: { postinstall: `touch ${join(folder, "outer-ran")}` },
    },
    files: { "a.js": "", "node_modules/inner/package.json": JSON.stringify(inner) },
  });
  await prepare("npx -y outer@1.0.0", { scripts: ["outer"] });
  expect(["outer-ran", "inner-ran"].map((name) => existsSync(join(folder, name)))).toEqual([true, false]);
});

test("a failing script is an error with an explanation, and nothing is kept", async () => {
  publish("built", { scripts: { postinstall: "echo no compiler; echo at all >&2; exit 3" } });
  const failed = prepare("npx -y one@1.0.0", { scripts: ["built"] });
  await expect(failed).rejects.toMatchObject({
    code: "script-failed",
    message: expect.stringMatching(/built@1\.0\.0 failed: .*(?=.*no compiler)(?=.*at all)/),
  });
  expect(kept()).toEqual([]);
});
