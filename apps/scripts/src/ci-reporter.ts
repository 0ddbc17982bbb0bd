import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";
import { type CoverageMap, uncoveredPlaces } from "./ci-coverage.ts";
import { parseFlakyList } from "./flaky/flaky-list.ts";

const SLOWEST = 20;
const MAX_LINES = 12;

/**
 * Prints every failure in a few lines, the tests that passed only on a retry, the lines that had to be covered but were
 * not, and the twenty slowest test files. A test in `.ci/flaky.txt` that passed only on a retry fails the run.
 */
export class CiReporter implements Reporter {
  #root = "";

  onInit({ config }: Vitest): void {
    this.#root = config.root;
  }

  onCoverage(coverage: unknown): void {
    for (const place of uncoveredPlaces(coverage as CoverageMap, this.#root)) console.log(`FAIL uncovered: ${place}`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors)
      print("FAIL", `outside of the tests${this.#whileRunning(error)}`, error.stack ?? error.message);
    for (const testModule of modules) {
      for (const { message } of testModule.errors()) print("FAIL", nameOf(testModule), message);
      for (const test of testModule.children.allTests("failed")) {
        const [error] = test.result().errors ?? [];
        print("FAIL", `${nameOf(testModule)} > ${test.fullName}`, error?.message ?? "");
        if (error?.diff) print("DIFF", "", error.diff);
      }
      for (const test of testModule.children.allTests("passed")) {
        if (!test.diagnostic()?.flaky) continue;
        this.#printFlaky(`${nameOf(testModule)} > ${test.fullName}`, test.result().errors?.[0]?.message ?? "");
      }
    }
    const seconds = (testModule: TestModule): number => testModule.diagnostic().duration / 1000;
    const slowest = [...modules].sort((a, b) => seconds(b) - seconds(a)).slice(0, SLOWEST);
    for (const testModule of slowest) console.log(`SLOW ${seconds(testModule).toFixed(1)} s ${nameOf(testModule)}`);
  }

  /** Returns the test or file that was running when an unhandled error occurred; it may not be the cause. */
  #whileRunning({ VITEST_TEST_NAME: test, VITEST_TEST_PATH: path }: SerializedError): string {
    const file = typeof path === "string" ? relative(this.#root, path) : undefined;
    return [file, test].map((name) => (typeof name === "string" ? ` > ${name}` : "")).join("");
  }

  #printFlaky(name: string, message: string): void {
    print("FLAKY", name, message);
    const known = parseFlakyList(readFileSync(join(this.#root, ".ci/flaky.txt"), "utf8"));
    if (known.some(({ test }) => test === name)) {
      print("FAIL", name, "flaky again: it is in .ci/flaky.txt");
      process.exitCode = 1;
    } else console.log("FLAKY write it into .ci/flaky.txt, with the day and the cause");
  }
}

const nameOf = ({ project, relativeModuleId }: TestModule): string => `[${project.name}] ${relativeModuleId}`;

function print(label: string, place: string, text: string): void {
  const lines = text.split("\n").slice(0, MAX_LINES);
  for (const line of [place, ...lines]) if (line !== "") console.log(`${label} ${line}`);
}
