import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Checkout } from "./checkout.ts";

/** A failure of a test file, or, without a file, of the run itself. */
export interface Failure {
  readonly file?: string;
  readonly reason: string;
}

/** The result of a test run, which has no failures if all tests passed. */
export interface TestRun {
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Returns the package folder of a file, such as `packages/trail`. */
export const packageOf = (file: string): string => file.split("/").slice(0, 2).join("/");

/** Returns the packages that have tests and import the given package, and the docs, which run its examples. */
export function importersOf(root: string, folder: string): string[] {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, object>;
  const { name } = read(join(folder, "package.json")) as unknown as { name: string };
  const importers = globSync(["packages/*/package.json", "apps/*/package.json", "fixtures/package.json"], { cwd: root })
    .filter((path) => {
      const { dependencies, devDependencies } = read(path);
      return name in { ...dependencies, ...devDependencies } && existsSync(join(root, dirname(path), "test"));
    })
    .map((path) => dirname(path));
  return [...importers.sort(), "docs"];
}

/** Returns the arguments that select a package's tests; canonical-json has a second project for its portable build. */
export function ownTests(folder: string): string[] {
  return ["--project", folder, "--project", `${folder} (*`];
}

/** The limit in seconds for runs that must end by themselves. */
export const ENDLESS: number = 24 * 3600;

/** The time limit of a test, which is long so that a busy machine kills no mutant. */
const TEST_TIMEOUT_MS = 300_000;

/** Runs Vitest. A run that exceeds the limit also counts as failed. */
export async function runTests(checkout: Checkout, args: readonly string[], limitSeconds: number): Promise<TestRun> {
  const start = performance.now();
  const report = join(checkout.temporary, "report.json");
  const bin = join(checkout.root, "node_modules", ".bin");
  const child = spawn(
    join(bin, "vitest"),
    [...args, "--run", `--testTimeout=${TEST_TIMEOUT_MS}`, "--reporter=json", `--outputFile=${report}`],
    {
      cwd: checkout.root,
      env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, TMPDIR: checkout.temporary },
      stdio: "ignore",
      detached: true, // its own group, so that all its processes can be ended together
    },
  );
  let isLate = false;
  const endAll = (): void => {
    try {
      process.kill(-(child.pid as number), "SIGKILL");
    } catch {} // they have ended
  };
  const timer = setTimeout(() => {
    isLate = true;
    endAll();
  }, limitSeconds * 1000);
  process.once("exit", endAll);
  const [code] = await once(child, "close");
  clearTimeout(timer);
  process.off("exit", endAll);
  endAll();
  const seconds = Math.round((performance.now() - start) / 1000);
  if (isLate) return { failures: [{ reason: `not finished within ${Math.round(limitSeconds)} s` }], seconds };
  return { failures: code === 0 ? [] : failuresIn(report, checkout.root), seconds };
}

function failuresIn(path: string, root: string): Failure[] {
  if (!existsSync(path)) return [{ reason: "vitest ended without a report" }];
  const { testResults } = JSON.parse(readFileSync(path, "utf8")) as JsonReport;
  const failures = testResults
    .filter(({ status }) => status === "failed")
    .map(({ name, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.find((assertion) => assertion.status === "failed");
      return { file, reason: `${file}: ${failed?.fullName ?? message.split("\n")[0]}` };
    });
  return failures.length > 0 ? failures : [{ reason: "vitest failed outside of the tests" }];
}
