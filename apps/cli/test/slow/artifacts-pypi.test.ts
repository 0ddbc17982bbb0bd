import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  createSigner,
  createStatement,
  type StatementSigner,
  type Subject,
  signStatement,
} from "@agentprint/statement";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { PythonIndex, WHEEL } from "../support/python-index.ts";
import type { RunResult } from "../support/run-cli.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";

let index: PythonIndex;
beforeAll(async () => {
  index = await PythonIndex.start();
});
afterAll(() => index[Symbol.asyncDispose]());

let space: Workspace;
beforeEach(async () => {
  space = new Workspace();
  vi.stubEnv("PATH", `${index.bin}:${process.env["PATH"]}`);
  // uv keeps its cache in the home folder.
  vi.stubEnv("HOME", space.path("home"));
  vi.stubEnv("XDG_CACHE_HOME", undefined);
  index.publish("theirs");
  const run = await space.run(["pin", "--name", "s", "--", ...launch()]);
  expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no integrity") });
  rmSync(space.path("started"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  space[Symbol.dispose]();
});

/** Returns a launch whose packages uv picks at startup. */
const launch = (): string[] => ["uvx", "--no-sources", "--index-url", index.url, "swapped-server==1.0.0"];
const rules = (run: RunResult): string[] =>
  JSON.parse(run.stdout).findings.map(({ rule, level }: { rule: string; level: string }) => `${level} ${rule}`);
const isStarted = (): boolean => existsSync(space.path("started"));
const signer = (): StatementSigner =>
  createSigner(generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString());
function forget(): void {
  rmSync(space.path("home"), { recursive: true });
}

test("the SHA-256 of the files of a release is in the lock, and the same bytes are the same", async () => {
  const files = { [WHEEL]: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) };
  const artifact = { pointer: "/args/3", kind: "pypi", name: "swapped-server", version: "1.0.0", files };
  expect(space.lock().servers[0]?.artifacts).toEqual([artifact]);
  expect(await space.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  // uv runs the unpacked package in its cache, which nothing compares.
  const refused = await space.run(["check", "--require-integrity"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("no-integrity") });
  forget();
  expect(await space.run(["check"])).toMatchObject({ code: 0 });
});

test("an index that swaps the bytes of a file is an error, and nothing is started", async () => {
  index.publish("evil");
  forget();
  const run = await space.run(["check", "--format", "json"]);
  expect(run.code).toBe(1);
  expect(rules(run)).toEqual(["error mcp/artifact-changed"]);
  const guard = await spawnCli(["guard", "s"], { cwd: space.folder });
  expect(guard).toMatchObject({ code: 2, stderr: expect.stringContaining("launch-changed") });
  expect(isStarted()).toBe(false);
  const approved = await space.run(["approve", "s", "--yes"]);
  expect(approved.stderr).toContain("bytes other than those that were pinned");
  expect(readFileSync(space.path("started"), "utf8")).toContain("evil");
  expect(await space.run(["check"])).toMatchObject({ code: 0 });
});

test("an index that swaps the bytes of an unpacked package is an error, because uv would fetch them", async () => {
  index.publish("evil");
  expect(await space.run(["check"])).toMatchObject({ code: 1 });
  expect(isStarted()).toBe(false);
});

test("without an index the unpacked file decides, and without both nothing is the same", async () => {
  await using own = await PythonIndex.start(index);
  own.publish("theirs");
  forget();
  const words = launch().with(3, own.url);
  await space.run(["pin", "--replace", "--name", "s", "--", ...words]);
  rmSync(space.path("started"));
  await own.end();
  expect((await spawnCli(["guard", "s"], { cwd: space.folder })).stderr).not.toMatch(/unreadable-input|launch-changed/);
  forget();
  const run = await space.run(["check"]);
  expect(run).toMatchObject({ code: 2, stdout: expect.stringContaining("could not tell") });
  expect(isStarted()).toBe(false);
});

test("a new file of the version is a note, unless this machine would run it", async () => {
  const elsewhere = "swapped_server-1.0.0-cp313-cp313-win_amd64.whl";
  const here = "swapped_server-1.0.0-1-py3-none-any.whl";
  onTestFinished(() => {
    for (const file of [elsewhere, here]) index.withdraw(file);
  });
  index.publish("other", elsewhere);
  forget();
  const noted = await space.run(["check", "--format", "json"]);
  expect(noted.code).toBe(0);
  expect(rules(noted)).toEqual(["note mcp/artifact-file-added"]);
  rmSync(space.path("started"));
  index.publish("evil", here);
  forget();
  const run = await space.run(["check", "--format", "json"]);
  expect(run.code).toBe(1);
  expect(rules(run)).toEqual(["error mcp/artifact-changed"]);
  expect(isStarted()).toBe(false);
});

test("a statement in the wheel that uv has unpacked is found, and proven", async () => {
  const [author, other] = [signer(), signer()];
  const [entry] = space.lock().servers;
  if (entry === undefined) throw new Error("the server is pinned");
  let later = Date.now() - 60_000; // a statement of the future is not valid yet
  const expires = new Date(later + 86_400_000);
  const statementBy = (key: StatementSigner, subjects: readonly Subject[] = []) => {
    later += 1000;
    const parts = { entry, version: "1.0.0", issued: new Date(later), expires, subjects };
    return signStatement(createStatement(parts), key);
  };
  const configure = (rule: object = {}) =>
    writeFileSync(
      space.path("agentprint.config.json"),
      JSON.stringify({
        statements: { s: { keys: [author.publicKey], required: true, ...rule } },
        rules: { "mcp/launch-not-covered": "off" },
      }),
    );
  const found = async () => rules(await space.run(["check", "--format", "json"]));
  const release = async (statement: string) => {
    index.publish("theirs", WHEEL, { files: { "swapped_server/agentprint.statement.json": statement } });
    forget();
    await space.run(["pin", "--replace", "--name", "s", "--", ...launch()]);
  };
  configure();
  expect(await found()).toEqual(["error statement/missing"]);
  await release(statementBy(author));
  expect(await found()).toEqual([]);
  await release(statementBy(other));
  expect(await found()).toEqual(["note statement/unknown-key", "error statement/missing"]);

  const [digest = ""] = Object.values(space.lock().servers[0]?.artifacts?.[0]?.files ?? {});
  configure({ from: "beside.json" });
  const beside = (sha256: string) =>
    writeFileSync(space.path("beside.json"), statementBy(author, [{ name: WHEEL, digest: { sha256 } }]));
  beside(digest.replace("sha256:", ""));
  expect(await found()).toEqual([]);
  beside("0".repeat(64));
  expect(await found()).toEqual(["error statement/wrong-subject"]);
});

test("release finds the last version in the index, and compares the working tree with it", async () => {
  const project = { name: "swapped-server", version: "1.1.0", scripts: { "swapped-server": "x:main" } };
  const rows = Object.entries(project.scripts).map(([name, value]) => `${name} = "${value}"`);
  const head = `[project]\nname = "${project.name}"\nversion = "${project.version}"\n`;
  writeFileSync(space.path("pyproject.toml"), `${head}[project.scripts]\n${rows.join("\n")}\n`);
  const tools = [
    { name: "greet", inputSchema: { type: "object" } },
    { name: "leave", inputSchema: { type: "object" } },
  ];
  writeFileSync(space.path("server.cjs"), toolsServer(tools, { name: "s", version: "1" }));
  const run = await space.run(["release", "--", "node", "server.cjs"], { UV_INDEX_URL: index.url });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout).toContain("swapped-server@1.0.0, which ran here without any variable or token of yours");
  expect(run.stdout).toContain("minor: 1.0.0 → 1.1.0 is enough");
});
