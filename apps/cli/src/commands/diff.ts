import { EXIT, type ExitCode, type Finding } from "@agentprint/findings";
import { LOCK_VERSION, type LockFile } from "@agentprint/mcp-lock/lock";
import type { Command } from "commander";
import { collectFindings, visitsOf } from "../check/collect.ts";
import { compareSides } from "../diff/compare-sides.ts";
import { readSide, type Side } from "../diff/read-side.ts";
import { replaceFile } from "../files/replace-file.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import {
  addSettingsHelp,
  addSpeakerOptions,
  addValueOptions,
  type SpeakerOptions,
  type ValueOptions,
  withVisits,
} from "../options/visit-options.ts";
import { type ReadPolicy, readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import {
  addAlsoOption,
  addPolicyOption,
  addServerReportOptions,
  type ReportOptions,
} from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import { LOCK_RULES } from "../rules/check-rules.ts";
import type { Context } from "../run/context.ts";
import type { Project, Visits } from "../sources/source.ts";
import type { VisitedServer } from "../statement/author-statements.ts";
import type { Examples } from "../terminal/examples.ts";

type DiffOptions = ValueOptions &
  SpeakerOptions &
  ReportOptions & {
    readonly config?: string;
    readonly changelog: boolean;
  };

export const examples: Examples = [
  [
    "agentprint diff npm:@modelcontextprotocol/server-filesystem@2026.1.14 npm:@modelcontextprotocol/server-filesystem@2026.7.4",
    "what an upgrade changes",
  ],
  ["agentprint diff pypi:mcp-server-time@2025.7.1 pypi:mcp-server-time@2025.8.4 --changelog", "release notes"],
  ['agentprint diff "node old/server.js" "node new/server.js" --env API_KEY', "two commands, with a variable"],
  [
    "agentprint diff https://mcp.example.com/mcp https://staging.example.com/mcp --header AUTHORIZATION",
    "two addresses, with a header",
  ],
  ["agentprint diff old.json new.json --full --output changes.txt", "two saved visits, each change in full"],
  ["agentprint diff old.lock agentprint.lock --format markdown --also sarif=drift.sarif", "two locks, two reports"],
  [
    'agentprint diff "node a.js" "node b.js" --as cursor --capabilities roots --config strict.json',
    "as Cursor with these capabilities sees them, judged by another policy",
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
  const visits = withOthers(
    visitsOf(drift, {}, async () => servedOf(...sides)),
    others,
  );
  const { report, isAccepted } = await collectFindings(projectOf(context, sides, policy, options.config), visits);
  const judged = reportByPolicy(context, report, policy, isAccepted && { isAccepted });
  if (!options.changelog) return writeReport(context, judged, options, [after, before]);
  const { renderChangelog } = await import("../diff/changelog.ts");
  const text = renderChangelog(context.hidden.replaceIn(judged));
  if (options.output === undefined) context.hidden.writeReplaced(context.stdout, text);
  else await replaceFile(context, options.output, text);
  return EXIT[judged.outcome];
}

/** Adds the servers that only one side has to the visits. */
function withOthers({ report, ...visits }: Visits, others: readonly Finding[]): Visits {
  const rules = { ...report.rules, ...LOCK_RULES };
  const checked = [...new Set([...others.map(({ place }) => place.subject), ...report.checked])];
  const findings = [...others, ...report.findings];
  const [command, title] = ["agentprint diff", "agentprint diff"];
  return { ...visits, report: { ...report, command, title, findings, rules, checked } };
}

/** Returns two states in the form of a project, so that the sources of findings can compare them. */
function projectOf(
  context: Context,
  [before, after]: readonly [Side, Side],
  policy: ReadPolicy,
  config: string | undefined,
): Project {
  return {
    context,
    file: config ?? DEFAULT_LOCK,
    lock: lockOf(after),
    before: lockOf(before),
    scope: "states",
    names: [],
    judgement: { policy, weakened: [], strengthened: [] },
  };
}

/** Returns the servers of the later side, each with its counterpart on the earlier side. */
function servedOf(before: Side, after: Side): VisitedServer[] {
  const [base, lock] = [lockOf(before), lockOf(after)];
  const isPair = base.servers.length === 1 && lock.servers.length === 1;
  return lock.servers.map((served) => ({
    served,
    locked: isPair ? base.servers[0] : base.servers.find(({ name }) => name === served.name),
  }));
}

function lockOf(side: Side): LockFile {
  return "lock" in side ? side.lock : { lockVersion: LOCK_VERSION, servers: [side.entry] };
}
