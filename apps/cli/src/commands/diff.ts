import { EXIT, type ExitCode, type Report } from "@agentprint/findings";
import { LOCK_VERSION, type LockFile } from "@agentprint/mcp-lock/lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import type { Policy } from "@agentprint/policy/apply";
import type { Command } from "commander";
import { compareSides } from "../diff/compare-sides.ts";
import { readSide, type Side } from "../diff/read-side.ts";
import { replaceFile } from "../files/replace-file.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import { addPolicyOption } from "../options/policy-option.ts";
import {
  addSettingsHelp,
  addSpeakerOptions,
  addValueOptions,
  type SpeakerOptions,
  type ValueOptions,
  withVisits,
} from "../options/visit-options.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addAlsoOption, addServerReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import { LOCK_RULES } from "../rules/lock-rules.ts";
import type { Context } from "../run/context.ts";
import type { ProvenAuthors } from "../statement/author-statements.ts";
import type { Examples } from "../terminal/examples.ts";

type DiffOptions = ValueOptions &
  SpeakerOptions &
  ReportOptions & {
    readonly config?: string;
    readonly changelog: boolean;
  };

export const examples: Examples = [
  ["agentprint diff npm:server-filesystem@2026.1.14 npm:server-filesystem@2026.7.4", "what an upgrade changes"],
  ["agentprint diff pypi:mcp-server-time@2025.7.1 pypi:mcp-server-time@2025.8.4 --changelog", "release notes"],
  ['agentprint diff "node old/server.js" "node new/server.js" --env API_KEY', "two commands, with a variable"],
  [
    "agentprint diff https://mcp.example.com/mcp https://staging.example.com/mcp --header AUTHORIZATION",
    "two addresses, with a header",
  ],
  ["agentprint diff old.json new.json --full --output changes.txt", "two saved visits, each change to its end"],
  ["agentprint diff old.lock agentprint.lock --format markdown --also sarif=drift.sarif", "two locks, two reports"],
  [
    'agentprint diff "node a.js" "node b.js" --as cursor --capabilities roots --config strict.json',
    "as Cursor with these capabilities sees them, by another policy",
  ],
];

export function define(command: Command): void {
  command
    .argument("<before>", "npm:package@version, pypi:package@version, an address, a file, or a command in quotes")
    .argument("<after>", "the other side, in one of the same forms")
    .option("--changelog", "write release notes in Markdown: what breaks first, tool by tool", false);
  addSpeakerOptions(addValueOptions(command));
  addPolicyOption(command);
  addAlsoOption(addServerReportOptions(command));
  addSettingsHelp(command);
}

export async function run(context: Context, before: string, after: string, options: DiffOptions): Promise<ExitCode> {
  const policy = await readPolicy(context, options);
  const visiting = withVisits(context, options, policy.settings.visits);
  const sides = [await readSide(context, before, visiting), await readSide(context, after, visiting)] as const;
  const { drift, others } = compareSides(...sides);
  const whole = driftToReport(drift);
  const report: Report = {
    ...whole,
    command: "agentprint diff",
    title: "agentprint diff",
    findings: [...others, ...whole.findings],
    rules: { ...whole.rules, ...LOCK_RULES },
    checked: [...new Set([...others.map(({ place }) => place.subject), ...whole.checked])],
  };
  const { stated, isAccepted } = await withStatements(context, report, sides, policy.policy, options);
  const judged = reportByPolicy(context, stated, policy, isAccepted && { isAccepted });
  if (!options.changelog) return writeReport(context, judged, options, [after, before]);
  const { renderChangelog } = await import("../diff/changelog.ts");
  const text = renderChangelog(context.hidden.replaceIn(judged));
  if (options.output === undefined) context.hidden.writeReplaced(context.stdout, text);
  else await replaceFile(context, options.output, text);
  return EXIT[judged.outcome];
}

/** The report with the statements of authors about the later side, where the policy names some. */
async function withStatements(
  context: Context,
  report: Report,
  [before, after]: readonly [Side, Side],
  policy: Policy,
  { config }: DiffOptions,
): Promise<{ readonly stated: Report; readonly isAccepted?: ProvenAuthors["isAccepted"] }> {
  if (policy.statements === undefined) return { stated: report };
  const { proveAuthors, withAuthors } = await import("../statement/author-statements.ts");
  const [base, lock] = [lockOf(before), lockOf(after)];
  const isPair = base.servers.length === 1 && lock.servers.length === 1;
  const servers = lock.servers.map((served) => ({
    served,
    locked: isPair ? base.servers[0] : base.servers.find(({ name }) => name === served.name),
  }));
  const authors = await proveAuthors(context, servers, { policy, file: config ?? DEFAULT_LOCK, lock, base });
  return { stated: withAuthors(report, authors), isAccepted: authors.isAccepted };
}

function lockOf(side: Side): LockFile {
  return "lock" in side ? side.lock : { lockVersion: LOCK_VERSION, servers: [side.entry] };
}
