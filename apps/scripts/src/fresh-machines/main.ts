/**
 * Runs the two commands in the README on fresh machines: `node apps/scripts/src/fresh-machines/main.ts [--whole] [name
 * …]`.
 *
 * Each machine has a Node with its own npm, a home folder with only a checkout of the last commit, and no other
 * languages or compilers. Each downloads everything again. The tests are those in `TESTS`; `--whole` runs every quick
 * test. Exit 1: a command failed. Exit 2: there is no such machine, or no Git checkout to copy.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { canRun } from "@agentprint/testing/programs";
import { REPOSITORY } from "../packed-packages.ts";
import { type Machine, type MachineKind, makeMachine } from "./machine.ts";
import { type Mirror, startMirror } from "./mirror.ts";

const MACHINES: Readonly<Record<string, MachineKind>> = {
  home: { node: "20.19.0", npm: "10.8.2", home: "root", hasGit: true, hasMirror: false },
  mirror: { node: "22", npm: "10", home: "Zoë Q", hasGit: true, hasMirror: true },
  "no-git": { node: "24", npm: "11", home: "user", hasGit: false, hasMirror: false },
};
/** Quick tests that read paths, and start programs and servers. */
const TESTS = ["packages/canonical-json", "packages/trail-store", "apps/cli/test/commands", "apps/cli/test/launch"];
const COMMAND = ["npx", "--yes", "pnpm@12"] as const;
/** Fewer answers mean that packages came from elsewhere. */
const MIN_ANSWERS = 500;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { whole: { type: "boolean" } } });
const unknown = positionals.filter((name) => !(name in MACHINES));
const chosen = Object.entries(MACHINES).filter(([name]) => positionals.length === 0 || positionals.includes(name));
if (unknown.length > 0)
  refuse(`no machine is called ${unknown.join(", ")}: expected ${Object.keys(MACHINES).join(", ")}`);
else if (!canRun("git", ["rev-parse", "--git-dir"], { cwd: REPOSITORY }))
  refuse("this is not a Git checkout, so there is nothing to copy");
else for (const [name, kind] of chosen) await tryOn(name, kind);
if (!canRun("docker", ["info"]) && !canRun("podman", ["info"])) {
  console.log("skipped: a container, because neither Docker nor Podman runs here");
}

function refuse(reason: string): void {
  console.error(`error: ${reason}`);
  process.exitCode = 2;
}

async function tryOn(name: string, kind: MachineKind): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "fresh-machine-"));
  chmodSync(folder, 0o755);
  const upstream = execFileSync("npm", ["config", "get", "registry"], { cwd: tmpdir(), encoding: "utf8" }).trim();
  await using mirror = await startMirror(upstream);
  try {
    const machine = makeMachine(folder, kind, kind.hasMirror ? mirror.url : upstream);
    const { stdout: version } = await machine.run("node", "--version");
    const { code } = await machine.run("git", "--version").catch(() => ({ code: null }));
    const traits = [`Node ${version.trim()}`, `in ${machine.checkout}`, `git ${code === 0 ? "there" : "absent"}`];
    console.log(`${name}: ${traits.join(", ")}${kind.hasMirror ? ", behind a mirror" : ""}`);
    const isAsWanted = version.startsWith(`v${kind.node}`) && (code === 0) === kind.hasGit;
    judge(name, "the machine", isAsWanted, `expected Node ${kind.node}, Git ${kind.hasGit}`);
    await type(name, machine, ["demo"], /The story came out as told\./);
    await type(name, machine, values.whole ? ["test"] : ["test", ...TESTS], /Test Files .*\b[1-9]\d* passed/);
    await lookAfterwards(name, kind, machine, mirror);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command from the README; a line of its output must match. */
async function type(name: string, machine: Machine, words: readonly string[], expected: RegExp): Promise<void> {
  const [program, ...first] = COMMAND;
  const started = performance.now();
  const { code, stdout, stderr } = await machine.run(program, ...first, ...words);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const output = stripVTControlCharacters(`${stdout}\n${stderr}`);
  judge(
    name,
    `${words[0]}, ${minutes} minutes`,
    code === 0 && expected.test(output),
    `exit ${code}\n${output.slice(-20_000)}`,
  );
  for (const [line] of output.matchAll(/^.*(?:Test Files|Tests) .*passed.*$/gm)) console.log(`  ${line.trim()}`);
}

/** Checks that nothing was written into the checkout, and that every package came through the mirror. */
async function lookAfterwards(name: string, kind: MachineKind, machine: Machine, mirror: Mirror): Promise<void> {
  if (kind.hasGit) {
    const { stdout } = await machine.run("git", "status", "--porcelain");
    judge(name, "the checkout is as it was", stdout === "", stdout);
  }
  if (!kind.hasMirror) return;
  const answers = mirror.answered.get(200) ?? 0;
  judge(name, `${answers} packages and tarballs from the mirror`, answers >= MIN_ANSWERS, `expected ${MIN_ANSWERS}`);
}

function judge(name: string, step: string, isGood: boolean, reason: string): void {
  console.log(`${isGood ? "ok" : "FAILED"} ${name}: ${step}`);
  if (isGood) return;
  console.log(reason);
  process.exitCode = 1;
}
