import type { Finding, Report, Rule } from "@agentprint/report";
import { type ChainProblem, type ChainReport, PROBLEM_KINDS, type ProblemKind } from "@agentprint/trail/chain";

const HELP: Readonly<Record<ProblemKind, Rule>> = {
  altered: rule("a covered field is not what was hashed", "restore the record from an export or a backup"),
  "broken-link": rule("the record before is missing, moved or rewritten", "compare with an export or a backup"),
  "missing-genesis": rule("the beginning of the chain was cut off", "verify the chain from its first record"),
  "second-genesis": rule("a later record claims to be the first", "keep one chain a task"),
  fork: rule("two records follow the same one", "let one writer append at a time, or use a store"),
  duplicate: rule("an id is used twice", "take the copy out"),
  "foreign-task": rule("a record of another task", "verify each task by itself"),
  malformed: rule("not a record", "correct the text at the place given"),
  truncated: rule("the end was cut off", "find the records that the checkpoint covers"),
  rewritten: rule("not the records that a checkpoint covers", "find the chain that was signed"),
};

function rule(summary: string, help: string): Rule {
  return { summary, help };
}

/** What each finding about a chain means and what to do about it. */
export const TRAIL_RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  PROBLEM_KINDS.map((kind) => [`trail/${kind}`, HELP[kind]]),
);

/**
 * The report on chains, as every format prints it. `file` is the text file they came from, if they came from one;
 * `signed`, whether each must be covered by a checkpoint.
 */
export function chainsToReport(
  chains: readonly ChainReport[],
  source: string,
  file: string | undefined,
  signed: boolean,
): Report {
  const problems = chains.reduce((sum, { problemCount }) => sum + problemCount, 0);
  const gap = problems === 0 ? gapOf(chains, source, signed) : undefined;
  const records = chains.reduce((sum, { length }) => sum + length, 0);
  return {
    command: "agentprint trail verify",
    title: "Trail verification",
    summary:
      gap ?? `${records} records in ${chains.length} chains, ${problems === 0 ? "all whole" : `${problems} problems`}`,
    outcome: gap !== undefined ? "unknown" : problems === 0 ? "same" : "drift",
    findings: chains.flatMap((chain) => chain.problems.map((problem) => toFinding(problem, subjectOf(chain), file))),
    rules: TRAIL_RULES,
    checked: chains.map((chain) => subjectOf(chain)),
    data: JSON.parse(JSON.stringify({ source, chains })),
  };
}

/** What was not there to be verified: that is no proof that nothing is wrong. */
function gapOf(chains: readonly ChainReport[], source: string, signed: boolean): string | undefined {
  if (signed) {
    const bare = chains.find(({ taskId, checkpointed }) => taskId !== null && checkpointed === null);
    if (bare) return `no checkpoint of ${subjectOf(bare)}: could not tell whether its end was cut off`;
  }
  return chains.every(({ length }) => length === 0) ? `no record in ${source}: could not tell` : undefined;
}

function subjectOf({ taskId }: ChainReport): string {
  return taskId === null ? "records of no task" : `task ${taskId}`;
}

function toFinding(problem: ChainProblem, subject: string, file: string | undefined): Finding {
  const { kind, index, path, line, column, message } = problem;
  return {
    ruleId: `trail/${kind}`,
    level: "error",
    message: `record ${index}: ${message}`,
    subject,
    ...(path === undefined ? {} : { pointer: path }),
    ...(file === undefined
      ? {}
      : { location: { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) } }),
  };
}
