// Runs the built command, and loads every built package, on each version of Node that `engines` promises.
import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const VERSIONS = ["20.19", "22", "24", "26"];
const DATABASE_NODE = 22;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MAIN = join(ROOT, "apps/cli/dist/main.js");
const DIGEST = "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772";
// The record of the contract that every port knows, and another content under its hash.
const RECORD = {
  id: "r1",
  type: "plan",
  task_id: "t1",
  agent_id: "a",
  content: "c",
  timestamp: "ts",
  prev_hash: "0".repeat(64),
  hash: "22d1b4af7cb508493d71cf0043647d1e19c99f2244f02c432354e0941e5a6d9d",
};

/** The path of a Node of `version`, from the npm package `node`. */
function nodeOf(version: string): string {
  const args = ["--yes", "-p", `node@${version}`, "node", "-p", "process.execPath"];
  return execFileSync("npx", args, { encoding: "utf8", cwd: tmpdir() }).trim();
}

function packagesOf(major: number): string[] {
  const folders = readdirSync(join(ROOT, "packages")).map((name) => join(ROOT, "packages", name));
  return folders.flatMap((folder) => {
    const { engines, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const isOurs = major >= Number(/\d+/.exec(engines.node)?.[0]);
    const entry = exports?.["."]?.default;
    return isOurs && typeof entry === "string" ? [pathToFileURL(join(folder, entry)).href] : [];
  });
}

function checkVersion(version: string, folder: string): void {
  const node = nodeOf(version);
  const [, major = ""] = /^v(\d+)\./.exec(execFileSync(node, ["--version"], { encoding: "utf8" })) ?? [];
  assert.equal(major, version.split(".")[0]);
  const run = (args: readonly string[], input = ""): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(node, args, { cwd: folder, input, encoding: "utf8" });
  const agentprint = (args: readonly string[], input?: string): ReturnType<typeof run> => run([MAIN, ...args], input);

  assert.equal(agentprint(["hash", "-"], '{"b":1,"a":2}').stdout.trim(), DIGEST);
  const text = `${JSON.stringify(RECORD)}\n`;
  assert.equal(agentprint(["trail", "verify"], text).status, 0);
  assert.equal(agentprint(["trail", "verify"], text.replace('"c"', '"d"')).status, 1);

  const store = `file:${version}.db`;
  const append = agentprint(["trail", "append", store, "x", "--task", "t", "--agent", "a", "--type", "plan"]);
  if (Number(major) < DATABASE_NODE) {
    assert.equal(append.status, 2);
    assert.match(append.stderr, /^error: [^\n]*Node 22[^\n]*\n/);
  } else {
    assert.deepEqual([append.status, append.stderr], [0, ""]);
    assert.equal(agentprint(["trail", "verify", store, "--workers", "2"]).status, 0);
  }

  const packages = packagesOf(Number(major));
  assert.ok(packages.length > 5);
  const loading = run(["--input-type=module", "-e", packages.map((entry) => `await import("${entry}");`).join("\n")]);
  assert.deepEqual([loading.status, loading.stderr], [0, ""]);
  console.log(`Node ${version}: the command and ${packages.length} packages`);
}

const folder = mkdtempSync(join(tmpdir(), "agentprint-node-"));
writeFileSync(join(folder, "package.json"), "{}");
for (const version of VERSIONS) checkVersion(version, folder);
rmSync(folder, { recursive: true });
