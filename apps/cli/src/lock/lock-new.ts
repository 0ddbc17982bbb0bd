import { ownMember } from "@agentprint/canonical-json/json-value";
import type { VisitAnswers } from "@agentprint/mcp";
import type { LockedServer, UnstableOptions } from "@agentprint/mcp-lock";
import type { ReadPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { coverageInWords } from "./coverage-words.ts";
import { lockVisited } from "./lock-visited.ts";

const RULE = "mcp/launch-not-covered";

/** Makes the entry of a server that is not pinned yet, or throws. */
export type LockNew = (name: string, answers: VisitAnswers, options?: UnstableOptions) => LockedServer;

/**
 * Returns a function that creates entries under a policy: in a `strict` configuration, only launches with full coverage
 * get one. That function throws as {@link lockVisited} does, and also `not-covered`.
 */
export function lockNewUnder(context: Context, { policy, file }: ReadPolicy): LockNew {
  return (name, answers, options) => {
    const entry = lockVisited(context, name, answers, options);
    if (file === undefined || entry.coverage?.state !== "not covered") return entry;
    const own = ownMember(policy.servers, name);
    const decision = own?.rules[RULE]?.check ?? policy.rules[RULE]?.check;
    const isStrict = (own?.preset ?? policy.preset) === "strict";
    if (decision === undefined ? !isStrict : decision !== "error") return entry;
    throw new CliError("not-covered", `the launch of ${name} is not pinned: it is ${coverageInWords(entry)}`, {
      where: `${name}, launch at ${entry.coverage.pointer ?? ""}`,
      expected: `a script or program that the launch names, or a package in an exact version, as the preset strict in ${file} requires`,
      fix: `name the file itself in the launch; or set a decision for ${RULE} in ${file}`,
    });
  };
}
