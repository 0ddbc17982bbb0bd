import { count, type Finding, type Report } from "@agentprint/findings";
import type { ChainReport, UncoveredMembers } from "@agentprint/trail/chain";
import { chainFindings, chainSubject, uncoveredFinding } from "@agentprint/trail/rules";
import type { StoreProblem } from "@agentprint/trail-store";
import type { EventProblem } from "../trail/event-problems.ts";
import { byTrailRule, TRAIL_RULES } from "../trail/trail-rules.ts";

/** The findings about chains and about the store that holds them. */
export interface Found {
  readonly chains: readonly ChainReport[];
  /** The problems of the store, including those of its chains. */
  readonly storeProblems: readonly StoreProblem[];
  /** The problems with the events, if a key was given. */
  readonly eventProblems: readonly EventProblem[];
  /** The lines of a JSON Lines text whose records have additional members. */
  readonly uncovered: readonly UncoveredMembers[];
  /** Whether anything in the source has the hash members of a record. */
  readonly hasHashes: boolean;
  /** A description of another writer's rule, if every record is hashed and every chain is intact according to it. */
  readonly otherRule?: string;
}

/** The source of the chains. */
interface Source {
  readonly name: string;
  /** The text file, if the source is one. */
  readonly file: string | undefined;
  /** The name of the key that signed the checkpoints, if each chain must be covered by one. */
  readonly signer: string | undefined;
}

/** Returns the report on chains, as every format prints it. */
export function chainsToReport(
  { chains, storeProblems, eventProblems, uncovered, hasHashes, otherRule }: Found,
  { name, file, signer }: Source,
): Report {
  const inChains = sum(chains, ({ problemCount }) => problemCount);
  const [unclear, clear] = [storeProblems.filter(isUnclear), storeProblems.filter((problem) => !isUnclear(problem))];
  const problems = inChains + clear.length + eventProblems.length;
  const gap =
    problems === 0 ? (unclear[0]?.message ?? gapOf(chains, name, signer !== undefined)) : strangeness(hasHashes, name);
  return {
    command: "agentprint trail verify",
    title: "Trail verification",
    summary:
      gap ??
      otherSummary(otherRule) ??
      summaryOf(chains, problems, uncovered.length) + coverage(chains, problems, signer),
    ...(gap !== undefined && { couldNotTell: gap }),
    findings: [
      ...storeProblems.map((problem) => storeFinding(problem)),
      ...eventProblems.map((problem) => storeFinding(problem)),
      ...(otherRule === undefined
        ? chains.flatMap((chain) => chainFindings(chain, file))
        : [otherFinding(otherRule, name)]),
      ...uncovered.map((members) => uncoveredFinding(members, file)),
    ],
    rules: TRAIL_RULES,
    checked: chains.map((chain) => chainSubject(chain)),
    data: JSON.parse(JSON.stringify({ source: name, chains, storeProblems, eventProblems, uncovered })),
  };
}

function otherSummary(rule: string | undefined): string | undefined {
  return rule === undefined ? undefined : `every record is hashed by another rule: ${rule}`;
}

function otherFinding(rule: string, subject: string): Finding {
  return {
    ...byTrailRule("trail/altered", `no record has the hash of a trail: all fit another rule, ${rule}`),
    place: { subject },
  };
}

/** Returns the summary of chains; lines that name no task are neither records nor a chain. */
function summaryOf(all: readonly ChainReport[], problems: number, uncovered: number): string {
  const chains = all.filter(({ taskId }) => taskId !== null);
  const records = sum(chains, ({ length }) => length);
  const found = problems === 0 ? "all intact" : count(problems, "problem");
  const open = uncovered === 0 ? "" : `; ${count(uncovered, "record")} with members that no hash covers`;
  return `${count(records, "record")} in ${count(chains.length, "chain")}, ${found}${open}`;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/**
 * Returns how many records signed checkpoints cover, because without checkpoints, records at the end can be missing
 * from an intact chain.
 */
function coverage(chains: readonly ChainReport[], problems: number, signer: string | undefined): string {
  if (signer === undefined) return problems === 0 ? "; only --key shows whether its end was cut off" : "";
  const covered = sum(chains, ({ checkpointed }) => checkpointed ?? 0);
  return `; checkpoints signed by ${signer} cover ${count(covered, "record")}`;
}

/** Returns whether a problem only states that the verdict is undecided. */
function isUnclear({ kind }: StoreProblem): boolean {
  return kind === "untrusted-checkpoints";
}

function storeFinding({ kind, taskId, message }: StoreProblem | EventProblem): Finding {
  const subject = taskId === null ? "the store" : chainSubject({ taskId });
  return { ...byTrailRule(`trail/${kind}`, message), place: { subject } };
}

/**
 * Returns the gap in a verification, because of which the absence of problems proves nothing; `undefined` if there is
 * none.
 */
function gapOf(chains: readonly ChainReport[], source: string, signed: boolean): string | undefined {
  if (signed) {
    const bare = chains.find(({ taskId, checkpointed }) => taskId !== null && checkpointed === null);
    if (bare) return `no checkpoint of ${chainSubject(bare)}: could not tell whether its end was cut off`;
  }
  return chains.every(({ length, dropped }) => length === 0 && dropped === undefined)
    ? `no record in ${source}: could not tell`
    : undefined;
}

/**
 * Returns a sentence on a text in which no line has a hash; the text can be any file, so it is not reported as a trail
 * that was tampered with.
 */
function strangeness(hasHashes: boolean, source: string): string | undefined {
  if (hasHashes) return undefined;
  return `no line of ${source} has the members hash and prev_hash of a record: it is not a trail, or not JSON Lines`;
}
