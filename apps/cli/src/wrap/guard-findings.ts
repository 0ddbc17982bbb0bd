import { type Finding, type JudgedReport, outcomeOf, worstOutcome } from "@agentprint/findings";
import { wrappedFolder } from "../files/state-folder.ts";
import { CLIENT_RULES } from "../rules/client-rules.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { replacedGuards } from "./replaced-guards.ts";

const RULE = { rule: "client/guard-replaced", level: "error" } as const;

/** Returns a report with findings on the replaced guards of these servers in the configurations of this machine. */
export async function withReplacedGuards(
  context: Context,
  report: JudgedReport,
  lock: string,
  servers: readonly string[],
): Promise<JudgedReport> {
  const found = await guardFindings(context, lock, servers);
  if (found.length === 0) return report;
  const isUnknown = found.some(({ couldNotTell }) => couldNotTell === true);
  const { outcome, summary } = report;
  return {
    ...report,
    outcome: worstOutcome([outcome, outcomeOf({ findings: found })]),
    summary: isUnknown ? summary : `the guard was replaced in a configuration; ${summary}`,
    findings: [...found, ...report.findings],
    rules: { ...report.rules, ...CLIENT_RULES },
    checked: [...new Set(found.map(({ place }) => place.subject)), ...report.checked],
  };
}

async function guardFindings(context: Context, lock: string, servers: readonly string[]): Promise<Finding[]> {
  try {
    const replaced = await replacedGuards(context, lock);
    return replaced
      .filter(({ server }) => servers.includes(server))
      .map(({ server, config, reason, couldNotTell }) => ({
        ...RULE,
        place: { subject: `${server} in ${config}`, server },
        message: couldNotTell
          ? `whether it starts the guard: ${reason}`
          : `it does not start the guard any more: ${reason}`,
        ...(couldNotTell && { couldNotTell }),
      }));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [{ ...RULE, place: { subject: wrappedFolder(context) }, message: error.message, couldNotTell: true }];
  }
}
