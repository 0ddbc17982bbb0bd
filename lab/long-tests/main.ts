/**
 * Runs the tests that take too long for CI, and records the outcome in `docs/long-tests.md`.
 *
 * `pnpm test:long` runs every long test, `pnpm test:long <name> …` the named ones, `--list` lists them all, and
 * `--stale` lists those whose tested folders have changed since their last run. Exit 1: a test failed, or a row is
 * stale. Exit 2: nothing could be run. A test writes its figures to standard output.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { LONG_TESTS } from "./jobs.ts";
import type { LongTest } from "./long-test.ts";
import { type LongTestRun, readRuns, recordRun } from "./table.ts";

const ROOT = new URL("../../", import.meta.url);
const MAX_FIGURES = 20;
/** Matches lines that test runners print about themselves. */
const NO_FIGURE = /^\s*($|\$ |RUN |Start at |• |Tasks:|Cached:|Time:)/;
const MACHINE = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;

const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();

/** Returns why a long test's figures do not apply to the current code, or `undefined` if they do. */
function whyStale({ name, folders }: LongTest, runs: readonly LongTestRun[]): string | undefined {
  const run = runs.find((candidate) => candidate.name === name);
  if (run === undefined) return "it was never run";
  if (!run.passed) return "it failed";
  if (run.hasChanges) return "it was run on changes that were not committed";
  try {
    git("cat-file", "-e", `${run.commit}^{commit}`);
  } catch {
    return `the commit ${run.commit.slice(0, 10)} is not in this clone`;
  }
  const changed = git("diff", "--name-only", run.commit, "--", ...folders);
  return changed === "" ? undefined : `${changed.split("\n").length} of its files changed since ${run.date}`;
}

/** Returns why no long test can be run, or `undefined` if they can. */
function whyNotRun(names: readonly string[]): string | undefined {
  const unknown = names.filter((name) => !LONG_TESTS.some((test) => test.name === name));
  if (unknown.length > 0) return `no long test is called ${unknown.join(", ")}; --list names them`;
  if (values.list || values.stale || spawnSync("pnpm", ["--version"]).error === undefined) return undefined;
  return `pnpm is not on PATH; run: npx --yes pnpm@12 test:long ${names.join(" ")}`.trimEnd();
}

/** Runs one long test; its output also goes to the terminal. */
async function run(test: LongTest): Promise<LongTestRun> {
  const start = performance.now();
  const [program, ...args] = test.command;
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...test.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    process.stdout.write(text);
    output += text;
  });
  const [code] = await once(child, "close");
  const lines = output.split("\n").filter((line) => !NO_FIGURE.test(line));
  return {
    name: test.name,
    about: test.about,
    passed: code === 0,
    date: new Date().toISOString().slice(0, 10),
    commit: git("rev-parse", "HEAD"),
    hasChanges: git("status", "--porcelain", "--", ...test.folders) !== "",
    machine: MACHINE,
    seconds: Math.round((performance.now() - start) / 1000),
    figures: lines.slice(-MAX_FIGURES),
  };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean" }, stale: { type: "boolean" } },
});
const chosen = LONG_TESTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const refusal = whyNotRun(positionals);
if (refusal !== undefined) {
  console.error(refusal);
  process.exitCode = 2;
} else if (values.list) {
  for (const { name, about } of chosen) console.log(`${name}: ${about}`);
} else if (values.stale) {
  const runs = readRuns();
  for (const test of chosen) {
    const why = whyStale(test, runs);
    if (why === undefined) continue;
    console.log(`stale: ${test.name}, ${why}`);
    process.exitCode = 1;
  }
} else {
  for (const test of chosen) {
    console.log(`== ${test.name}: ${test.about}`);
    const outcome = await run(test);
    recordRun(outcome);
    execFileSync("pnpm", ["exec", "biome", "format", "--write", "docs/long-tests.json", "docs/long-tests.md"], {
      cwd: ROOT,
    });
    console.log(`== ${test.name} ${outcome.passed ? "passed" : "FAILED"} in ${outcome.seconds} s`);
    if (!outcome.passed) process.exitCode = 1;
  }
}
