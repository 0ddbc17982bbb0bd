import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LockedArtifact } from "@agentprint/launch";
import { outputOf } from "@agentprint/testing/programs";
import { plantPython } from "@agentprint/testing/python-index/planted-python";
import { InstalledUv, WheelIndex } from "@agentprint/testing/python-index/wheel-index";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type PreparedLaunch, packageFolders, prepareLaunch } from "../../src/index.ts";

let uv: InstalledUv;
beforeAll(() => {
  uv = new InstalledUv();
});
afterAll(() => uv[Symbol.dispose]());

let folder: string;
let index: WheelIndex;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-artifacts-"));
  for (const name of ["project", "store", "home"]) mkdirSync(join(folder, name));
  index = await WheelIndex.start();
  program("one", "1.0.0", { requires: ["dep>=1"] });
  library("dep", "1.0.0");
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** A program that prints its arguments and what it imports. */
const SHOWS = `
import sys
NOTE = ""
def note(name):
    try:
        return __import__(name).NOTE
    except ImportError:
        return ""
def main():
    words = " ".join(sys.argv[1:])
    print("|".join([words, note("dep"), note("other")]))
`;

function program(name: string, version: string, more: object = {}, shelf?: string): void {
  const files = { [`${name}.py`]: SHOWS };
  index.publish({ name, version, programs: { [name]: `${name}:main` }, files, ...more }, shelf);
}

function library(name: string, version: string, note = `${name} ${version}`, more: object = {}, shelf?: string): void {
  index.publish(
    { name, version, files: { [`${name}/__init__.py`]: `NOTE = ${JSON.stringify(note)}\n` }, ...more },
    shelf,
  );
}

const surroundings = (env = {}) => ({
  cwd: join(folder, "project"),
  env: { PATH: `${uv.bin}:${process.env["PATH"]}`, HOME: join(folder, "home"), ...env },
});

function launchOf(words: string) {
  const [command = "", ...args] = words.replace("INDEX", `--index-url ${index.url}`).split(" ");
  return { type: "stdio" as const, command, args, env: [] };
}

function prepare(words: string, locked?: readonly LockedArtifact[], env = {}): Promise<PreparedLaunch> {
  const options = { store: join(folder, "store"), ...(locked && { locked }) };
  return prepareLaunch(launchOf(words), surroundings(env), options);
}

/** Returns the output of a prepared program that is started in the project's folder. */
function outputFrom({ installed }: PreparedLaunch, env = {}): string {
  const { command = "", args = [], env: own = {} } = installed ?? {};
  const all = { ...process.env, PYTHONDONTWRITEBYTECODE: undefined, ...env, ...own };
  return outputOf(command, args, { cwd: join(folder, "project"), env: all }).trim();
}

const kept = (): string[] => readdirSync(join(folder, "store")).filter((name) => name !== "in-use");
const forget = (...names: string[]): void => {
  for (const name of names) {
    rmSync(join(folder, name), { recursive: true });
    mkdirSync(join(folder, name));
  }
};
const ONE = "uvx INDEX one==1.0.0";

test("the wheels of a launch are in a folder of the user's, with what they import, and the program runs from there", async () => {
  const prepared = await prepare(`${ONE} a b`);
  expect(outputFrom(prepared)).toBe("a b|dep 1.0.0|");
  const [one] = prepared.artifacts;
  expect(prepared.artifacts).toHaveLength(1);
  expect(one).toMatchObject({ pointer: "/args/2", kind: "pypi", name: "one", version: "1.0.0", source: "registry" });
  expect(one?.files).toEqual({ "one-1.0.0-py3-none-any.whl": expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  expect(prepared.installed?.packages).toEqual(one?.dependencies);
  expect(Object.keys(one?.dependencies ?? {})).toEqual(["dep@1.0.0"]);
  expect(kept()).toHaveLength(1);
  const [name = ""] = kept();
  expect(statSync(join(folder, "store", name)).mode & 0o777).toBe(0o700);
  // Starting never changes the folder, and works without the index, any cache and uv itself.
  index.shelfOf = () => "nothing";
  rmSync(join(folder, "home"), { recursive: true });
  const again = await prepare(ONE, prepared.artifacts, { PATH: "/usr/bin:/bin" });
  expect(again.artifacts).toEqual(prepared.artifacts.map((each) => ({ ...each, source: "installed" })));
  expect(outputFrom(again)).toBe("|dep 1.0.0|");
  expect(await packageFolders(launchOf(ONE), surroundings(), join(folder, "store"))).toEqual([
    expect.stringMatching(/environment\/lib\/python3[.\d]+\/site-packages\/one$/),
  ]);
});

test.each([
  "uvx INDEX --from one==1.0.0 --with other==2.0 other x",
  "uv tool run INDEX --with other==2.0 --from one@1.0.0 other x",
])("two packages are in one environment: %s", async (words) => {
  program("other", "2.0", { requires: ["one[more]"] });
  const prepared = await prepare(words);
  expect(outputFrom(prepared)).toBe("x|dep 1.0.0|");
  const shown = prepared.artifacts.map(({ name, dependencies = {} }) => [name, Object.keys(dependencies)]);
  expect(shown.sort()).toEqual([
    ["one", ["dep@1.0.0", "other@2.0"]],
    ["other", []],
  ]);
  const again = await prepare(words, prepared.artifacts);
  expect(again.artifacts[0]?.source).toBe("installed");
});

test("a new version of a dependency alone changes nothing of what is pinned, also where it is installed again", async () => {
  const { artifacts } = await prepare(ONE);
  library("dep", "1.1.0");
  forget("home", "store");
  const again = await prepare(ONE, artifacts);
  expect(outputFrom(again)).toBe("|dep 1.0.0|");
  expect(again.artifacts).toEqual(artifacts);
  expect(outputFrom(await prepare(ONE))).toBe("|dep 1.1.0|");
});

test("an index that adds a package shows it among those that are installed", async () => {
  const { artifacts } = await prepare(ONE);
  library("more", "1.0.0");
  library("dep", "1.0.0", "dep 1.0.0", { requires: ["more"] });
  forget("home", "store");
  const { installed } = await prepare(ONE, artifacts);
  expect(Object.keys(installed?.packages ?? {}).sort()).toEqual(["dep@1.0.0", "more@1.0.0"]);
});

test("an index that answers two requests differently never gets unreported bytes into the folder", async () => {
  const { artifacts } = await prepare(ONE);
  program("one", "1.0.0", { files: { "one.py": "def main(): print('evil')\n" } }, "evil");
  library("dep", "1.0.0", "evil", {}, "evil");
  // uv states its command in a header, so the stand-in can answer resolving and installing differently.
  index.shelfOf = ({ headers }) => (/"install"|"uvx"/.test(headers["user-agent"] ?? "") ? "evil" : "theirs");
  forget("home", "store");
  await expect(prepare(ONE, artifacts)).rejects.toMatchObject({ code: "no-answer" });
  await expect(prepare(ONE)).rejects.toMatchObject({ code: "no-answer" });
  expect(kept()).toEqual([]);
  index.shelfOf = () => "evil";
  const other = await prepare(ONE, artifacts);
  expect(other.artifacts[0]?.files).not.toEqual(artifacts[0]?.files);
});

test("no code of wheels runs before someone has compared them", async () => {
  const ran = join(folder, "ran");
  const { artifacts } = await prepare(ONE);
  library("dep", "1.0.0", "dep 1.0.0", { files: { "first.pth": `import os; open(${JSON.stringify(ran)}, "w")\n` } });
  forget("home", "store");
  const { installed } = await prepare(ONE, artifacts);
  expect(installed?.packages["dep@1.0.0"]).not.toBe(artifacts[0]?.dependencies?.["dep@1.0.0"]);
  expect(existsSync(ran)).toBe(false);
});

test.each<[string, (module: string) => void]>([
  ["changed", (module) => writeFileSync(module, "evil")],
  ["gone", (module) => rmSync(module)],
  ["more than were installed", (module) => writeFileSync(join(module, "../sitecustomize.py"), "evil")],
])("files that are %s are installed again from the cache", async (_, damage) => {
  const { artifacts } = await prepare(`${ONE} a`);
  index.shelfOf = () => "nothing";
  const [module = ""] = globSync(join(folder, "store/*/environment/lib/*/site-packages/one.py"));
  damage(module);
  await index[Symbol.asyncDispose]();
  expect(outputFrom(await prepare(`${ONE} a`, artifacts))).toBe("a|dep 1.0.0|");
  expect(kept()).toHaveLength(1);
});

test("an environment with another interpreter is rebuilt", async () => {
  const { artifacts } = await prepare(ONE);
  const [name = ""] = kept();
  const python = join(folder, "store", name, "environment/bin/python");
  const before = readlinkSync(python);
  rmSync(python);
  symlinkSync("/nowhere/python", python);
  expect(outputFrom(await prepare(ONE, artifacts))).toBe("|dep 1.0.0|");
  expect(readlinkSync(python)).toBe(before);
});

test("starts at the same time have one folder, and what an end left half installed is never used", async () => {
  const { artifacts } = await prepare(`${ONE} a`);
  const [name = ""] = kept();
  forget("store");
  mkdirSync(join(folder, "store", name, "environment/bin"), { recursive: true });
  writeFileSync(join(folder, "store", name, "environment/bin/one"), "#!/bin/sh\necho evil\n", { mode: 0o755 });
  const all = await Promise.all([1, 2, 3].map(() => prepare(`${ONE} a`, artifacts)));
  expect(new Set(all.map((each) => outputFrom(each)))).toEqual(new Set(["a|dep 1.0.0|"]));
  expect(kept()).toEqual([name]);
  chmodSync(join(folder, "store", name), 0o777);
  await prepare(`${ONE} a`, artifacts);
  expect(statSync(join(folder, "store", name)).mode & 0o777).toBe(0o700);
});

test("a custom index receives the login from a variable, which is not left behind", async () => {
  index.login = "me:secret-word";
  const words = `uvx --index mine=${index.url} --default-index ${index.url} one==1.0.0`;
  const login = { UV_INDEX_MINE_USERNAME: "me", UV_INDEX_MINE_PASSWORD: "secret-word" };
  await expect(prepare(words)).rejects.toMatchObject({ code: expect.stringMatching(/no-answer|not-found/) });
  expect(kept()).toEqual([]);
  expect(outputFrom(await prepare(words, undefined, login))).toBe("|dep 1.0.0|");
  const files = globSync(join(folder, "store/**/*"), { withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(texts.filter((text) => text.includes("secret-word"))).toEqual([]);
});

test("a wheel for this machine and those for others are among what is pinned, and each machine takes its own", async () => {
  const [, minor = ""] = /3\.(\d+)/.exec(outputOf(`${uv.bin}/python`, ["--version"])) ?? [];
  const here = `cp3${minor}-cp3${minor}-linux_${outputOf("uname", ["-m"]).trim()}`;
  const tags = [here, `cp3${minor}-cp3${minor}-win_amd64`, `cp3${minor}-cp3${minor}t-win_amd64`];
  for (const each of tags) library("native", "1.0", "native", { tags: each });
  program("two", "1.0.0", { requires: ["native"] });
  const words = "uvx INDEX two==1.0.0";
  const { artifacts, installed } = await prepare(words);
  const titles = tags.map((each) => `native@1.0/${each}`);
  expect(Object.keys(artifacts[0]?.dependencies ?? {}).sort()).toEqual(titles.slice(0, 2).sort());
  expect(Object.keys(installed?.packages ?? {})).toEqual([titles[0]]);
  // A build that is not in the lock is not used, although uv would prefer it.
  library("native", "1.0", "evil", { tags: `9-${here}` });
  forget("store", "home");
  const again = await prepare(words, artifacts);
  expect(Object.keys(again.installed?.packages ?? {})).toEqual([titles[0]]);
  expect(await prepare(words, artifacts)).toEqual(await prepare(words, artifacts));
});

test.each([
  ["uvx INDEX gone==1.0.0", "not-found"],
  ["uvx INDEX one==9.0.0", "not-found"],
  ["uvx INDEX --from one==1.0.0 sh x.sh", "not-found"],
  ["uvx INDEX dep==1.0.0", "not-found"],
  ["uvx INDEX built==1.0.0", "not-found"],
  ["uvx INDEX three==1.0.0", "not-found"],
  ["uvx INDEX four==1.0.0", "no-answer"],
])("%s is refused as %s, and nothing is kept or built of it", async (words, code) => {
  const ran = join(folder, "ran");
  for (const name of ["built-1.0.0", "source-1.0.0"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "setup.py"), `open(${JSON.stringify(ran)}, "w")\n`);
    outputOf("tar", ["-czf", `${name}.tar.gz`, name], { cwd: folder });
    index.put(`${name}.tar.gz`, readFileSync(join(folder, `${name}.tar.gz`)));
  }
  program("three", "1.0.0", { requires: ["source"] });
  program("four", "1.0.0", { requires: [`source @ file://${folder}/source-1.0.0`] });
  const refused = prepare(words);
  const says = /built|three/.test(words) ? "nothing is built" : "";
  await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(says) });
  expect(kept()).toEqual([]);
  expect(existsSync(ran)).toBe(false);
});

test("settings, environments and programs of the project and of folders above it choose nothing", async () => {
  library("dep", "1.0.0", "evil", {}, "evil");
  index.shelfOf = ({ url = "" }) => (url.includes("evil") ? "evil" : "theirs");
  const [project, evil] = [join(folder, "project"), join(folder, "evil")];
  const { PATH, ...planted } = plantPython(project, evil, index.url.replace("/simple", "/evil/simple"));
  const env = { ...planted, PATH: [PATH, uv.bin, process.env["PATH"]].join(":") };
  const prepared = await prepare(`${ONE} a`, undefined, env);
  expect(prepared.installed?.env["PATH"]).not.toContain(project);
  expect(outputFrom(prepared)).toBe("a|dep 1.0.0|");
  expect(outputFrom(await prepare(`${ONE} a`, prepared.artifacts, env))).toBe("a|dep 1.0.0|");
  expect(existsSync(evil)).toBe(false);
  expect(existsSync(join(project, "cache"))).toBe(false);
  expect(index.asked.filter((path) => path.includes("evil"))).toEqual([]);
});
