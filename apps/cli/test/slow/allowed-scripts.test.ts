import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseLock } from "@agentprint/mcp-lock";
import { PackageRegistry } from "@agentprint/testing/npm-registry/package-registry";
import { afterEach, beforeEach, expect, test } from "vitest";
import { notingServer } from "../support/noting-server.ts";
import type { RunResult } from "../support/run-cli.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let above: Workspace;
let registry: PackageRegistry;
beforeEach(async () => {
  above = new Workspace();
  mkdirSync(above.path("project"));
  registry = await PackageRegistry.start();
  writeFileSync(above.path("project/.npmrc"), `registry=${registry.url}\nfetch-retries=0\nupdate-notifier=false\n`);
  const scripts = { postinstall: `echo x >> ${above.path("ran")}; echo 1 > made` };
  registry.publish({ name: "native", version: "1.0.0", manifest: { scripts } });
  publish("1.0.0", { native: "1.0.0" });
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  above[Symbol.dispose]();
});

function publish(version: string, dependencies: object): void {
  const manifest = { bin: { server: "server.js" }, dependencies };
  registry.publish({ name: "server", version, manifest, files: { "server.js": notingServer(version) } });
}

const run = (...args: string[]): Promise<RunResult> =>
  spawnCli(args, {
    cwd: above.path("project"),
    env: { HOME: above.path("home"), npm_config_cache: above.path("cache"), XDG_STATE_HOME: above.path("state") },
  });
const launch = ["--", "npx", "-y", "server@1.0.0"];
const isThere = (path: string): boolean => existsSync(above.path(path));
const ran = (): string => (isThere("ran") ? readFileSync(above.path("ran"), "utf8").replaceAll("\n", "") : "");
const entry = () => parseLock(readFileSync(above.path("project/agentprint.lock"), "utf8")).servers[0];

test("install scripts run for the named packages, once, and the entry and every review record it", async () => {
  const refused = await run("pin", "--name", "s", ...launch);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("native has scripts that run") });
  expect(refused.stderr).toContain("--allow-scripts native");
  expect([ran(), isThere("project/started"), isThere("project/agentprint.lock")]).toEqual(["", false, false]);

  const pinned = await run("pin", "--name", "s", "--allow-scripts", "native", ...launch);
  const words = "not covered: native may run install scripts";
  expect(pinned).toMatchObject({ code: 0, stdout: expect.stringContaining(words) });
  expect(entry()).toMatchObject({ artifacts: [{ scripts: ["native"] }], coverage: { state: "not covered" } });
  expect(await run("check")).toMatchObject({ code: 0 });
  expect(ran()).toBe("x");
  expect((await run("show", "s")).stdout).toContain(words);
  // There is no digest of the files that the script wrote.
  expect(await run("check", "--require-integrity")).toMatchObject({ code: 2 });
  rmSync(above.path("state"), { recursive: true });
  expect(await run("check")).toMatchObject({ code: 0 });
  expect(ran()).toBe("xx");
});

test("an approved upgrade keeps what was allowed and shows it, and a new script is refused until approve allows it", async () => {
  await run("pin", "--name", "s", "--allow-scripts", "native", ...launch);
  registry.publish({
    name: "more",
    version: "1.0.0",
    manifest: { scripts: { install: `touch ${above.path("more-ran")}` } },
  });
  publish("2.0.0", { native: "1.0.0", more: "1" });
  const upgrade = ["--", "npx", "-y", "server@2.0.0"];
  const refused = await run("approve", "s", "--yes", ...upgrade);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("again with --allow-scripts more") });
  expect([entry()?.artifacts?.[0]?.version, isThere("more-ran")]).toEqual(["1.0.0", false]);
  // Without a terminal, the command that follows the report accepts what the report shows.
  const shown = await run("approve", "s", "--allow-scripts", "more", ...upgrade);
  expect(shown).toMatchObject({ code: 2, stdout: expect.stringContaining("the install scripts of more") });
  expect(shown.stderr).toContain("s: more (new), native may run install scripts");
  const [, digest = ""] = /approve s --allow-scripts more --expect ([0-9a-f]{64}) -- npx/.exec(shown.stderr) ?? [];
  expect(entry()?.artifacts).toMatchObject([{ version: "1.0.0" }]);
  const accepted = await run("approve", "s", "--allow-scripts", "more", "--expect", digest, ...upgrade);
  expect(accepted).toMatchObject({ code: 0 });
  expect(entry()?.artifacts).toMatchObject([{ version: "2.0.0", scripts: ["more", "native"] }]);
  expect(await run("check")).toMatchObject({ code: 0 });
  publish("3.0.0", { native: "1.0.0" });
  const approved = await run("approve", "s", "--yes", "--", "npx", "-y", "server@3.0.0");
  expect(approved).toMatchObject({ code: 0, stderr: expect.stringContaining("native may run install scripts") });
  expect(entry()?.artifacts).toMatchObject([{ version: "3.0.0", scripts: ["native"] }]);
  expect(await run("check")).toMatchObject({ code: 0 });
});

test("a server that waits for its review is pinned with the scripts that the review allows", async () => {
  await run("pin", "--skills");
  const guarded = await run("guard", "new", ...launch);
  expect([guarded.code, isThere("project/agentprint.pending.json")]).toEqual([2, true]);
  const refused = await run("approve", "--pending", "--yes");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("again with --allow-scripts native") });
  expect(ran()).toBe("");
  expect(await run("approve", "--pending", "--yes", "--allow-scripts", "native")).toMatchObject({ code: 0 });
  expect([entry()?.name, entry()?.artifacts?.[0]?.scripts]).toEqual(["new", ["native"]]);
});

test("a script that is not in the lock does not run, also where someone edits the package out of the lock's scripts", async () => {
  await run("pin", "--name", "s", "--allow-scripts", "native", ...launch);
  const path = above.path("project/agentprint.lock");
  writeFileSync(path, readFileSync(path, "utf8").replace('"native"\n', '"other"\n'));
  expect(await run("check")).toMatchObject({ code: 2, stderr: expect.stringContaining("/artifacts/0/scripts/0") });
  expect(ran()).toBe("x");
});

test.each(["native@1.0.0", "--", "a b", ""])("no name of a package is allowed as %j", async (name) => {
  const { code, stderr } = await run("pin", "--name", "s", `--allow-scripts=${name}`, ...launch);
  expect(code).toBe(2);
  expect(stderr).toMatch(/name of an npm package|was not started|argument missing/);
});
