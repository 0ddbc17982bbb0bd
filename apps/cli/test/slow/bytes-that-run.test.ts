import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { PackageRegistry } from "@agentprint/testing/npm-registry/package-registry";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { INITIALIZE, notingServer, startsIn } from "../support/noting-server.ts";
import type { RunResult } from "../support/run-cli.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

const SPECIFIER = "files-server@1.0.0";

/** A project's parent folder, with npm's files for it; in `pinned`, the server is pinned and installed. */
let above: Workspace;
let pinned: Workspace;
let registry: PackageRegistry;
let integrity: string;
beforeAll(async () => {
  pinned = new Workspace();
  above = pinned;
  mkdirSync(above.path("project"));
  registry = await PackageRegistry.start();
  integrity = publish("theirs");
  publish("evil", "evil");
  write("project/.npmrc", `registry=${registry.url}\nfetch-retries=0\nupdate-notifier=false\n`);
  const done = await run("pin", "--name", "s", "--", "npx", "-y", SPECIFIER);
  expect(done).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no integrity") });
  expect(notes()).toContain("theirs");
  rmSync(above.path("project/started"));
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  pinned[Symbol.dispose]();
});
beforeEach(() => {
  above = new Workspace();
  cpSync(pinned.folder, above.folder, { recursive: true, verbatimSymlinks: true });
});
afterEach(() => {
  registry.shelfOf = () => "theirs";
  above[Symbol.dispose]();
});

function publish(note: string, shelf = "theirs"): string {
  const manifest = { bin: { "files-server": "server.js" } };
  return registry.publish(
    { name: "files-server", version: "1.0.0", manifest, files: { "server.js": notingServer(note) } },
    shelf,
  );
}

const options = () => ({
  cwd: above.path("project"),
  env: { HOME: above.path("home"), npm_config_cache: above.path("cache"), XDG_STATE_HOME: above.path("state") },
});
/** Runs the command in its own process, whose variables the packages inherit. */
const run = (...args: string[]): Promise<RunResult> => spawnCli(args, { ...options(), stdin: INITIALIZE });
const notes = (): string[] => startsIn(above.path("project"));
const write = (path: string, text: string): void => above.writeProgram(path, text);
/** Removes every copy of the package, and everything that npm stores about the registry. */
function forget(): void {
  for (const name of ["cache", "home", "state"]) rmSync(above.path(name), { recursive: true, force: true });
}

const EVIL = notingServer("evil");
const HOOK = `require("node:fs").appendFileSync("started", "evil\\n");`;

/** Ways in which someone who can write to a project's folder, or to one above it, can make npx run other bytes. */
const PLANTED: Readonly<Record<string, () => void>> = {
  "a bin with the whole word in package.json": () => {
    write("project/package.json", JSON.stringify({ name: "x", version: "1.0.0", bin: { [SPECIFIER]: "evil.js" } }));
    write("project/evil.js", EVIL);
  },
  "a file with the whole word in node_modules/.bin": () => write(`project/node_modules/.bin/${SPECIFIER}`, EVIL),
  "a file with the whole word in node_modules/.bin above": () => write(`node_modules/.bin/${SPECIFIER}`, EVIL),
  "a planted node_modules that claims the pinned integrity": () => {
    const manifest = { name: "files-server", version: "1.0.0", bin: { "files-server": "server.js" } };
    write("project/node_modules/files-server/package.json", JSON.stringify(manifest));
    write("project/node_modules/files-server/server.js", EVIL);
    write("project/node_modules/.bin/files-server", EVIL);
    const packages = { "node_modules/files-server": { version: "1.0.0", integrity, bin: manifest.bin } };
    write("project/node_modules/.package-lock.json", JSON.stringify({ lockfileVersion: 3, packages }));
    write("project/package.json", JSON.stringify({ name: "x", version: "1.0.0" }));
  },
  "script-shell in .npmrc": () => {
    write("project/evil-shell", `#!/bin/sh\necho evil >> started\nexec /bin/sh "$@"\n`);
    add(`script-shell=${above.path("project/evil-shell")}`);
  },
  "node-options in .npmrc": () => {
    write("project/hook.cjs", HOOK);
    add(`node-options=--require=${above.path("project/hook.cjs")}`);
  },
  "prefix in .npmrc": () => {
    const manifest = { name: "files-server", version: "1.0.0", bin: { "files-server": "server.js" } };
    write("project/own/lib/node_modules/files-server/package.json", JSON.stringify(manifest));
    write("project/own/lib/node_modules/files-server/server.js", EVIL);
    write(`project/own/bin/files-server`, EVIL);
    const packages = { "node_modules/files-server": { version: "1.0.0", integrity, bin: manifest.bin } };
    write("project/own/lib/node_modules/.package-lock.json", JSON.stringify({ lockfileVersion: 3, packages }));
    add(`prefix=${above.path("project/own")}`);
  },
  "another package in .npmrc, whose program has the whole word for a name": () => {
    const manifest = { bin: { [SPECIFIER.replace("@", "%")]: "x.js", [SPECIFIER]: "server.js" } };
    registry.publish({ name: "evil", version: "1.0.0", manifest, files: { "server.js": EVIL, "x.js": EVIL } });
    add("package=evil@1.0.0");
  },
  "a cache in .npmrc that has the folder of npx": () => {
    const name = createHash("sha512").update(SPECIFIER).digest("hex").slice(0, 16);
    const manifest = { name: "files-server", version: "1.0.0", bin: { "files-server": "server.js" } };
    const folder = `project/cache/_npx/${name}/node_modules`;
    write(`${folder}/files-server/package.json`, JSON.stringify(manifest));
    write(`${folder}/files-server/server.js`, EVIL);
    write(`${folder}/.bin/files-server`, EVIL);
    const packages = { "node_modules/files-server": { version: "1.0.0", integrity, bin: manifest.bin } };
    write(`${folder}/.package-lock.json`, JSON.stringify({ lockfileVersion: 3, packages }));
    write(`project/cache/_npx/${name}/package.json`, JSON.stringify({ dependencies: { "files-server": "1.0.0" } }));
    add("cache=cache");
  },
  "a workspace with a bin of the whole word": () => {
    write("project/package.json", JSON.stringify({ name: "x", version: "1.0.0", workspaces: ["w"] }));
    write("project/w/package.json", JSON.stringify({ name: "w", version: "1.0.0", bin: { [SPECIFIER]: "evil.js" } }));
    write("project/w/evil.js", EVIL.replace('"started"', '"../started"'));
    add("workspaces=true");
  },
  "node in node_modules/.bin": () =>
    write("project/node_modules/.bin/node", `#!/bin/sh\necho evil >> started\nexec ${process.execPath} "$@"\n`),
};
function add(line: string): void {
  const path = above.path("project/.npmrc");
  writeFileSync(path, `${readFileSync(path, "utf8")}${line}\n`);
}

test.each(Object.keys(PLANTED))("nothing but the pinned bytes runs: %s", async (name) => {
  PLANTED[name]?.();
  for (const words of [["check"], ["guard", "s"]]) {
    await run(...words);
    expect({ words, notes: notes() }).toEqual({ words, notes: expect.not.arrayContaining(["evil"]) });
  }
  expect(await run("check", "--require-integrity")).toMatchObject({ code: 0, stderr: "" });
  // Without a copy of the pinned package, the registry supplies the bytes.
  forget();
  expect(await run("check", "--require-integrity")).toMatchObject({ code: 0, stderr: "" });
  expect(notes()).not.toContain("evil");
});

test.each([["check"], ["check", "--require-integrity"], ["guard", "s"]])(
  "a registry that shows npm view the pinned integrity and npx other bytes starts nothing: %s %s",
  async (...words) => {
    registry.shelfOf = ({ headers }) => (headers["npm-command"] === "view" ? "theirs" : "evil");
    forget();
    const { code, stdout, stderr } = await run(...words.filter((word) => word !== undefined));
    expect(notes()).toEqual([]);
    expect(code).toBe(words[0] === "guard" ? 2 : 1);
    expect(stdout + stderr).toContain("launch-changed");
  },
);

test.each([
  ["npx", "--force", "-y", SPECIFIER],
  ["timeout", "60", "npx", "-y", SPECIFIER],
])(
  "a launch whose packages npx picks is not covered, and not started where integrity is required: %s %s",
  async (...launch) => {
    const pinned = await run("pin", "--replace", "--name", "s", "--", ...launch);
    expect(pinned).toMatchObject({ code: 0 });
    expect(pinned.stdout + pinned.stderr).toContain(
      `not covered: the bytes of ${SPECIFIER} are those that its runner picks`,
    );
    rmSync(above.path("project/started"));
    const refused = await run("check", "--require-integrity");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("no-integrity") });
    expect(notes()).toEqual([]);
  },
);

test("packages are not installed into the folder of the project", async () => {
  const env = { ...options().env, XDG_STATE_HOME: above.path("project/state") };
  const { code, stderr } = await spawnCli(["check"], { ...options(), env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("outside of the project") });
  expect(notes()).toEqual([]);
});

test("a guard that refuses nothing starts the installed program, and never npx", async () => {
  write("bin/npx", "#!/bin/sh\necho npx >> started\n");
  const env = { ...options().env, PATH: `${above.path("bin")}:${process.env["PATH"]}` };
  const dryRun = () => spawnCli(["guard", "--dry-run", "s"], { ...options(), env, stdin: INITIALIZE });
  expect(await dryRun()).toMatchObject({ code: 0 });
  expect(notes()).toEqual(["theirs"]);
  registry.shelfOf = () => "evil";
  forget();
  const other = await dryRun();
  expect(other.stderr).toContain("resolves to bytes other than those that were pinned");
  expect(other.stderr).toMatch(
    /instead of npx, the program that is now installed is started: \S+node_modules\/\.bin\/files-server/,
  );
  expect(notes()).toEqual(["theirs", "evil"]);
  registry.shelfOf = () => "nothing";
  forget();
  expect(await dryRun()).toMatchObject({ code: 2, stderr: expect.stringContaining("s was not started") });
  expect(notes()).toEqual(["theirs", "evil"]);
});
