import type { Finding } from "@agentprint/findings";
import { CONFIG_RULES } from "../../rules/check-rules.ts";
import type { Source } from "../source.ts";

/** How the configurations of the project agree with the lock. */
export const CONFIGURATIONS: Source = {
  needed: ({ agreement }) => agreement !== undefined && agreement.findings.length > 0,
  findings: async ({ agreement }) => {
    const { findings = [] } = agreement ?? {};
    return { first: findings, rules: CONFIG_RULES, says: inWords(findings), isComplete: true };
  },
};

function inWords(findings: readonly Finding[]): string | undefined {
  const { length } = findings.filter(({ level, couldNotTell }) => level !== "note" && !couldNotTell);
  if (length === 0) return undefined;
  return `configurations and lock differ in ${length === 1 ? "1 entry" : `${length} entries`}`;
}
