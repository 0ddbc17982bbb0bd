/**
 * Runs tests many times while every core is busy, and prints how often they failed: `pnpm --filter lab often [--times
 * 50] <words of vitest>`, such as `pnpm --filter lab often packages/trail-store/test/leases.test.ts -t "one owner"`. A
 * test that fails by chance fails here sooner than in CI.
 *
 * The script prints the output of the first failure. The exit code is 0 if no run failed, 1 if one did, and 2 if no
 * test ran.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { REPOSITORY } from "../../apps/scripts/src/packed-packages.ts";
import { startBusyProcesses } from "./busy-processes.ts";

const VITEST = join(REPOSITORY, "node_modules/vitest/vitest.mjs");
const BUSY_PER_CORE = 2;
const TIMES = 50;

const words = process.argv.slice(2);
const times = words[0] === "--times" ? Number(words.splice(0, 2)[1]) : TIMES;
if (words.length === 0 || !Number.isSafeInteger(times) || times < 1) {
  console.error("usage: pnpm --filter lab often [--times <number>] <file, or other words of vitest> …");
  process.exit(2);
}

const endBusyProcesses = startBusyProcesses(availableParallelism() * BUSY_PER_CORE);
try {
  process.exitCode = await repeat();
} finally {
  endBusyProcesses();
}

async function repeat(): Promise<number> {
  let failed = 0;
  for (let i = 1; i <= times; i++) {
    const { code, output } = await runOnce();
    // Vitest also fails if no file or test matches the name.
    if (!/^ +Tests .*\b(?:passed|failed)\b/mu.test(output)) {
      console.log(`${output}\nno test ran: ${words.join(" ")}`);
      return 2;
    }
    if (code !== 0 && failed++ === 0) console.log(output);
    console.log(`${i} of ${times}: ${failed} failed`);
  }
  return failed > 0 ? 1 : 0;
}

async function runOnce(): Promise<{ readonly code: number; readonly output: string }> {
  // With the variable `CI` set, a failing test would be retried.
  const env = { ...process.env, CI: "", NO_COLOR: "1", FORCE_COLOR: "0" };
  const child = spawn(process.execPath, [VITEST, "run", ...words], {
    cwd: REPOSITORY,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code ?? 1, output: stdout + stderr };
}
