import type { ChainReport } from "@agentprint/trail/chain";
import { parseThoughtLines, verifyChain } from "@agentprint/trail/chain";
import fc from "fast-check";
import { damagedLines } from "./damaged-trails.ts";
import { runCli } from "./run-cli.ts";

/** A trail's lines. */
export interface Trail {
  /** The value of the column `store` in the trail's rows. */
  readonly store: string;
  readonly lines: readonly string[];
}

/** An engine's findings and heads, each as a string. */
export interface Verdicts {
  readonly findings: string[];
  readonly heads: string[];
}

type Chain = Pick<ChainReport, "taskId" | "length" | "head" | "problems">;
export type Reports = readonly (readonly [string, readonly Chain[]])[];

export const KINDS: readonly string[] = [
  "altered",
  "broken-link",
  "duplicate",
  "foreign-task",
  "fork",
  "missing-genesis",
  "second-genesis",
];

/** Returns a string that identifies a task of a store. */
export const keyOf = (store: unknown, task: unknown): string => JSON.stringify([store, task]);

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Returns the `task_id` of a line, or `null` if it has none. */
export function taskIn(line: string): string | null {
  try {
    return JSON.parse(line).task_id ?? null;
  } catch {
    return null;
  }
}

/** Returns the task of the first record of a trail. */
export const taskOfFirst = (trail: Trail): string => taskIn(trail.lines[0] ?? "") ?? "";

/** Returns random trails with up to four damaging changes each. */
export const trailsOf = (count: number, seed: number): Trail[] =>
  fc.sample(damagedLines, { numRuns: count, seed }).map((lines, i) => ({ lines, store: String(i) }));

/** Returns the rows that an engine reads, as JSON Lines. */
export const rowsOf = (trails: readonly Trail[], taskOf: (line: string, trail: Trail) => string | null): string =>
  textOf(
    trails.flatMap((trail) =>
      trail.lines.map((line, position) =>
        JSON.stringify({ store: trail.store, task: taskOf(line, trail), position, line }),
      ),
    ),
  );

/** Returns the reports of `agentprint trail verify` on each trail. */
export async function reportsOf(trails: readonly Trail[]): Promise<Reports> {
  const reports: [string, Chain[]][] = [];
  for (const { store, lines } of trails) {
    const { stdout } = await runCli(["trail", "verify", "--format", "json"], { stdin: textOf(lines) });
    reports.push([store, JSON.parse(stdout).chains]);
  }
  return reports;
}

/** Returns a verifier's reports on trails in which every record is expected to belong to the first record's task. */
export async function reportsOfOneTask(trails: readonly Trail[]): Promise<Reports> {
  const reports = trails.map(async (trail): Promise<[string, Chain[]]> => {
    const lines = parseThoughtLines([Buffer.from(textOf(trail.lines))]);
    return [trail.store, [await verifyChain(lines, { taskId: taskOfFirst(trail) })]];
  });
  return Promise.all(reports);
}

/**
 * Returns a verifier's reports in the form of an engine's rows, without the tasks that the engine leaves to the
 * verifier.
 */
export function expectedOf(reports: Reports, unjudged: ReadonlySet<string>): Verdicts {
  const judged = reports.flatMap(([store, chains]) =>
    chains
      .filter(({ taskId }) => taskId !== null && !unjudged.has(keyOf(store, taskId)))
      .map((chain) => ({ store, ...chain })),
  );
  return {
    findings: judged.flatMap(({ store, taskId, problems }) =>
      problems.map(({ index, kind }) => JSON.stringify([store, taskId, index, kind])),
    ),
    heads: judged.map(({ store, taskId, length, head }) => JSON.stringify([store, taskId, length, head])),
  };
}
