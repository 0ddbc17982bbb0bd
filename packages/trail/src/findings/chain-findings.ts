import { type Finding, findingKinds } from "@agentprint/findings";
import type { ChainReport, DroppedRange } from "../chain/chain-report.ts";
import type { ChainProblem } from "../chain/problem-log.ts";
import type { UncoveredMembers } from "../chain/uncovered-members.ts";
import { checkArgument } from "../check-argument.ts";
import { CHAIN_RULES } from "./chain-rules.ts";

const byRule = /* @__PURE__ */ findingKinds(CHAIN_RULES);

/**
 * Returns the findings about one chain: one for each problem, and a remark about records that were dropped.
 *
 * @param file The text file that the records come from, if any.
 * @example
 * ```ts
 * import { verifyChain } from "@agentprint/trail/chain";
 * import { chainFindings } from "@agentprint/trail/rules";
 *
 * const [finding] = chainFindings(await verifyChain([{ id: 1 }]));
 * console.log(finding?.rule); // trail/malformed
 * ```
 */
export function chainFindings(chain: ChainReport, file?: string): Finding[] {
  checkArgument("chain", chain, { problems: "array" });
  const subject = chainSubject(chain);
  const problems = chain.problems.map((problem) => problemFinding(problem, subject, file));
  return chain.dropped === undefined ? problems : [...problems, droppedFinding(chain.dropped, subject)];
}

function droppedFinding({ size, firstHash, lastHash, rootHash }: DroppedRange, subject: string): Finding {
  const hashes = `the root ${rootHash}, the first hash ${firstHash} and the last hash ${lastHash}`;
  const message = `records 0 to ${size - 1} were dropped; a checkpoint has ${hashes}`;
  return { ...byRule("trail/dropped-range", message), place: { subject }, isRemark: true };
}

/** Returns the finding about a record's members that no hash covers. */
export function uncoveredFinding(uncovered: UncoveredMembers, file?: string): Finding {
  checkArgument("uncovered", uncovered, { paths: "array" });
  const { taskId, line, paths, count: all } = uncovered;
  const more = all > paths.length ? ` and ${all - paths.length} more` : "";
  return {
    ...byRule("trail/uncovered-members", `line ${line}: no hash covers ${paths.join(", ")}${more}`),
    place: { subject: chainSubject({ taskId }), ...(file === undefined ? {} : { location: { file, line } }) },
    isRemark: true,
  };
}

/** Returns the name of a chain for readers. */
export function chainSubject(chain: Pick<ChainReport, "taskId">): string {
  checkArgument("chain", chain, "object");
  const { taskId } = chain;
  return taskId === null ? "records of no task" : `task ${taskId}`;
}

function problemFinding(problem: ChainProblem, subject: string, file: string | undefined): Finding {
  const { kind, index, path, line, column, message } = problem;
  const region = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  return {
    ...byRule(`trail/${kind}`, line === undefined ? `record ${index}: ${message}` : message),
    place: {
      subject,
      ...(path === undefined ? {} : { pointer: path }),
      ...(file === undefined ? {} : { location: { file, ...region } }),
    },
  };
}
