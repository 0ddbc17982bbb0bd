import type { Finding, Report, Rule } from "@agentprint/report";
import type { ChainProblem, ChainReport, ProblemKind } from "@agentprint/trail/chain";
import type { StoreProblem, StoreProblemKind } from "@agentprint/trail-store";

const HELP: Readonly<Record<ProblemKind | StoreProblemKind, Rule>> = {
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
  "changed-guard": rule("a trigger or constraint of the store is not its own", "find out who changed the database"),
  "unreached-rows": rule("rows that belong to no chain", "find out who inserted them: no append does"),
  "misplaced-record": rule("a record that is not stored behind the one before", "find out who inserted it"),
  "invalid-checkpoint": rule("a stored note that is no checkpoint, or a forged one", "find out who inserted it"),
  "untrusted-checkpoints": rule(
    "no stored checkpoint of the task counts",
    "give the key, the origin and the witnesses that signed",
  ),
};

function rule(summary: string, help: string): Rule {
  return { summary, help };
}

/** What each finding about a chain or a store means and what to do about it. */
export const TRAIL_RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(HELP).map(([kind, help]) => [`trail/${kind}`, help]),
);

/** What was found in chains, and in the store that they are in. */
export interface Found {
  readonly chains: readonly ChainReport[];
  /** Those of chains included. */
  readonly storeProblems: readonly StoreProblem[];
}

/** Where the chains came from. */
interface Source {
  readonly name: string;
  /** The text file, if it was one. */
  readonly file: string | undefined;
  /** Whether each chain must be covered by a checkpoint. */
  readonly signed: boolean;
}

/** The report on chains, as every format prints it. */
export function chainsToReport({ chains, storeProblems }: Found, { name, file, signed }: Source): Report {
  const inChains = chains.reduce((sum, { problemCount }) => sum + problemCount, 0);
  const [unclear, clear] = [storeProblems.filter(isUnclear), storeProblems.filter((problem) => !isUnclear(problem))];
  const problems = inChains + clear.length;
  const gap = problems === 0 ? (unclear[0]?.message ?? gapOf(chains, name, signed)) : strangeness(chains, name);
  const records = chains.reduce((sum, { length }) => sum + length, 0);
  return {
    command: "agentprint trail verify",
    title: "Trail verification",
    summary:
      gap ?? `${records} records in ${chains.length} chains, ${problems === 0 ? "all whole" : `${problems} problems`}`,
    outcome: gap !== undefined ? "unknown" : problems === 0 ? "same" : "drift",
    findings: [
      ...storeProblems.map((problem) => storeFinding(problem)),
      ...chains.flatMap((chain) => chain.problems.map((problem) => toFinding(problem, subjectOf(chain), file))),
    ],
    rules: TRAIL_RULES,
    checked: chains.map((chain) => subjectOf(chain)),
    data: JSON.parse(JSON.stringify({ source: name, chains, storeProblems })),
  };
}

/** Whether it only says that something could not be told. */
function isUnclear({ kind }: StoreProblem): boolean {
  return kind === "untrusted-checkpoints";
}

function storeFinding({ kind, taskId, message }: StoreProblem): Finding {
  const subject = taskId === null ? "the store" : subjectOf({ taskId });
  return { ruleId: `trail/${kind}`, level: "error", message, subject };
}

/** What was not there to be verified: that is no proof that nothing is wrong. */
function gapOf(chains: readonly ChainReport[], source: string, signed: boolean): string | undefined {
  if (signed) {
    const bare = chains.find(({ taskId, checkpointed }) => taskId !== null && checkpointed === null);
    if (bare) return `no checkpoint of ${subjectOf(bare)}: could not tell whether its end was cut off`;
  }
  return chains.every(({ length }) => length === 0) ? `no record in ${source}: could not tell` : undefined;
}

/** A text in which no line is an object may be anything: it is no trail that was tampered with. */
function strangeness(chains: readonly ChainReport[], source: string): string | undefined {
  const read = chains.filter(({ length }) => length > 0);
  const isObject = ({ path, line }: ChainProblem): boolean => line === undefined && path !== "";
  if (read.length === 0 || read.some(({ taskId, problems }) => taskId !== null || problems.some(isObject))) {
    return undefined;
  }
  return `no line of ${source} is a record: it is not a trail, or not JSON Lines`;
}

function subjectOf({ taskId }: Pick<ChainReport, "taskId">): string {
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
