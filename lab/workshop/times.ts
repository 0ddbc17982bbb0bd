/**
 * Measures how long checking a change takes on this machine, and prints a table: `pnpm --filter lab times`. In a fresh
 * clone of the last commit, it times the README's test; the same test again; again after a change to a package on which
 * no other depends; and `.ci/run`. `--load <n>` keeps n processes busy meanwhile, `--tests` leaves out `.ci/run`, and
 * `--all` passes `--all` on to it.
 *
 * The clone and all temporary files are in an empty folder, so that only the package manager's downloads are cached.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY } from "../../apps/scripts/src/packed-packages.ts";
import { startBusyProcesses } from "./busy-processes.ts";

/** The goals in seconds of wall-clock time on two cores. */
const GOALS = { test: 240, again: 10, leaf: 30, ci: 1200, ciBesideLoad: 1800 };
/** A file of a package on which no other depends. */
const LEAF_FILE = "apps/mcp-server/src/errors.ts";
const TEST = ["npx", "--yes", "pnpm@12", "test"];

const { values } = parseArgs({
  options: { load: { type: "string", default: "0" }, tests: { type: "boolean" }, all: { type: "boolean" } },
});

const folder = mkdtempSync(join(tmpdir(), "workshop-times-"));
const clone = join(folder, "agentprint");
const temporary = join(folder, "tmp");
const rows: string[] = [];

const endBusyProcesses = startBusyProcesses(Number(values.load));
try {
  mkdirSync(temporary);
  execFileSync("git", ["clone", "--quiet", REPOSITORY, clone]);
  measure("the README's test in a fresh clone", TEST, GOALS.test);
  measure("the same again", TEST, GOALS.again);
  if (!existsSync(join(clone, LEAF_FILE))) throw new Error(`expected ${LEAF_FILE}`);
  appendFileSync(join(clone, LEAF_FILE), "// changed\n");
  measure(`the same after ${LEAF_FILE} changed`, TEST, GOALS.leaf);
  execFileSync("git", ["checkout", "--quiet", "."], { cwd: clone });
  const ci = ["bash", ".ci/run", ...(values.all ? ["--all"] : [])];
  if (!values.tests) measure(ci.join(" "), ci, Number(values.load) > 0 ? GOALS.ciBesideLoad : GOALS.ci);
} finally {
  endBusyProcesses();
  rmSync(folder, { recursive: true, force: true });
}
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: REPOSITORY, encoding: "utf8" }).trim();
const cores = `${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown processor"}`;
console.log(`\n${commit}, ${cores}, ${values.load} busy processes meanwhile\n`);
console.log("| command | by the clock | processor | goal | exit code |\n| --- | --- | --- | --- | --- |");
console.log(rows.join("\n"));

/** Runs a command in the clone, and adds its row. The times include processes that outlive their parents. */
function measure(name: string, command: readonly string[], goal: number): void {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const words = [join(REPOSITORY, "apps/scripts/src/processor-time.py"), "--", ...command];
  // The command starts as in a shell, without the variables that a package manager sets for its scripts.
  const {
    npm_config_user_agent: _,
    pnpm_config_verify_deps_before_run: __,
    CI: ___,
    TURBO_CACHE_DIR: ____,
    ...env
  } = process.env;
  const { status, stderr, error } = spawnSync("python3", words, {
    cwd: clone,
    encoding: "utf8",
    env: { ...env, TMPDIR: temporary },
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ["ignore", "inherit", "pipe"],
  });
  if (error) throw error;
  const seconds = (performance.now() - started) / 1000;
  const processor = /^processor ([\d.]+) s/mu.exec(stderr.slice(stderr.lastIndexOf("\nprocessor") + 1))?.[1] ?? "?";
  if (status !== 0) {
    console.log(stderr.slice(-4000));
    process.exitCode = 1;
  }
  rows.push(`| ${name} | ${seconds.toFixed(0)} s | ${processor} s | ${goal} s | ${status} |`);
  console.log(rows.at(-1));
}
