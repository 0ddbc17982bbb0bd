import { readFileSync, writeFileSync } from "node:fs";

const DATA = new URL("../../docs/long-tests.json", import.meta.url);
const TABLE = new URL("../../docs/long-tests.md", import.meta.url);

/** The last run of a long test. */
export interface LongTestRun {
  readonly name: string;
  readonly about: string;
  readonly passed: boolean;
  /** The date of the run, such as `2026-01-31`. */
  readonly date: string;
  /** The tested commit, and whether the tested folders had uncommitted changes. */
  readonly commit: string;
  readonly hasChanges: boolean;
  readonly machine: string;
  readonly seconds: number;
  readonly figures: readonly string[];
}

/** Returns the last run of each long test, from `docs/long-tests.json`. */
export function readRuns(): LongTestRun[] {
  return JSON.parse(readFileSync(DATA, "utf8")) as LongTestRun[];
}

/** Replaces the previous run of a test with a new one, and writes both files. */
export function recordRun(run: LongTestRun): void {
  const runs = [...readRuns().filter(({ name }) => name !== run.name), run];
  runs.sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(DATA, `${JSON.stringify(runs, null, 2)}\n`);
  writeFileSync(TABLE, formatTable(runs));
}

/** Returns the runs as Markdown: `docs/long-tests.md`. */
export function formatTable(runs: readonly LongTestRun[]): string {
  const rows = runs.map(({ name, about, passed, date, commit, hasChanges, machine, seconds }) => {
    const outcome = passed ? "passed" : "FAILED";
    const place = `\`${commit.slice(0, 10)}\`${hasChanges ? " and changes" : ""}`;
    return `| [${name}](#${name}) | ${about} | ${outcome} | ${seconds} | ${date} | ${place} | ${machine} |`;
  });
  const figures = runs.map((run) => `## ${run.name}\n\n\`\`\`text\n${run.figures.join("\n")}\n\`\`\`\n`);
  return [
    "# Long tests",
    "",
    "Tests that take too long for CI, and their last results. `pnpm test:long <name> …` runs them and writes this",
    "page; `pnpm test:long --stale` names the rows whose tested folders have changed since.",
    "",
    "`pnpm test:long fuzz` compares TypeScript, Python, Go and Rust on 10,000,000 documents: about three hours on two cores,",
    "with a line for each million. `FUZZ_SEED=<seed>` repeats a run; `FUZZ_DOCUMENTS=10000 pnpm ports cross-fuzz` is the same",
    "test in a minute.",
    "",
    "| test | what it does | outcome | seconds | date | commit | machine |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    figures.join("\n"),
  ].join("\n");
}
