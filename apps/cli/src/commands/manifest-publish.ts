import { count, type ExitCode, type JudgedReport, type Report } from "@agentprint/findings";
import { addCompatibility, diffManifests, type ManifestWarning } from "@agentprint/manifest";
import { diffReport, type Side, validationFindings, WARNING_RULES } from "@agentprint/manifest/rules";
import type { Published, RegistryClient } from "@agentprint/registry-api";
import type { Command } from "commander";
import { STDIN_NAME } from "../files/read-input.ts";
import { requireManifest } from "../manifest/read-manifest.ts";
import {
  addRegistryOption,
  agentId,
  openRegistry,
  type RegistryOptions,
  TOKEN_VARIABLE,
  withRegistry,
} from "../manifest/registry-options.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

interface ManifestPublishOptions extends RegistryOptions, ReportOptions {
  readonly agent: string;
  readonly create: boolean;
  readonly accept: boolean;
  readonly dryRun: boolean;
  readonly config?: string;
}

export const examples: Examples = [
  [
    "agentprint manifest publish manifest.json --registry https://registry.example.com --agent weather",
    "show the changes and the new version; if something breaks, publish nothing and exit with 1",
  ],
  [
    "agentprint manifest publish manifest.json --registry http://127.0.0.1:8787 --agent weather --create",
    `the first version of an agent, with the key in ${TOKEN_VARIABLE}`,
  ],
  [
    "agentprint manifest publish manifest.json --registry https://registry.example.com --agent weather --accept",
    "publish even if it breaks callers or weakens consent",
  ],
];

export function define(command: Command): void {
  command
    .argument("[file]", "the manifest, or - for standard input", "-")
    .requiredOption("--agent <id>", "the agent to publish a new version of", agentId)
    .option("--create", "add the agent if the registry has none with this id", false)
    .option("--accept", "also publish changes that the policy does not allow", false)
    .option("--dry-run", "only show what would be published", false);
  addRegistryOption(command);
  addPolicyOption(command);
  addReportOptions(command);
}

export async function run(context: Context, file: string, options: ManifestPublishOptions): Promise<ExitCode> {
  const { agent, create, accept, dryRun } = options;
  const policy = await readPolicy(context, options);
  const { manifest, warnings, text } = await requireManifest(context, file);
  const after: Side = { file: file === "-" ? STDIN_NAME : file, text };
  const client = openRegistry(context, options);
  const judge = (report: Report): JudgedReport =>
    reportByPolicy(context, withWarnings(report, after, warnings), policy);
  let reported: JudgedReport | undefined;
  const { outcome, answer } = await withRegistry(options, () =>
    client.publish(agent, manifest, {
      create: create && !dryRun,
      review: async ({ capability_manifest_version }) => {
        const report = await reportOnNext(client, agent, capability_manifest_version - 1, manifest, after);
        reported = judge(report);
        return !dryRun && (accept || reported.outcome === "same");
      },
    }),
  );
  const report = reported ?? judge(unchangedReport(agent, after));
  return writeReport(context, withOutcome(report, outcome, answer, dryRun), options, [file]);
}

/** Returns the report on the changes from a version to the next manifest, compared on this machine. */
async function reportOnNext(
  client: RegistryClient,
  agent: string,
  version: number,
  next: Parameters<typeof diffManifests>[1],
  after: Side,
): Promise<Report> {
  const { manifest } = await client.readManifest(agent, version);
  const before: Side = {
    file: `${agent} version ${version}`,
    text: new TextEncoder().encode(JSON.stringify(manifest, null, 2)),
  };
  return diffReport(addCompatibility(diffManifests(manifest, next)), before, after);
}

function unchangedReport(agent: string, after: Side): Report {
  const none = addCompatibility({ breaking: [], nonBreaking: [], unclassified: [] });
  return diffReport(none, { file: agent, text: after.text }, after);
}

/**
 * Returns the report with the findings of `manifest validate` on the next manifest. A warning refuses nothing unless
 * the policy names its rule.
 */
function withWarnings(report: Report, { file }: Side, warnings: readonly ManifestWarning[]): Report {
  const found = validationFindings(file, { ok: true, warnings });
  return {
    ...report,
    summary: found.length === 0 ? report.summary : `${report.summary}, ${count(found.length, "warning")}`,
    findings: [...report.findings, ...found.map((finding) => ({ ...finding, isRemark: true as const }))],
    rules: { ...report.rules, ...WARNING_RULES },
    data: { ...report.data, warnings },
  };
}

function withOutcome(
  report: JudgedReport,
  outcome: Published["outcome"],
  { agent_id, capability_manifest_version, capability_manifest_hash }: Published["answer"],
  dryRun: boolean,
): JudgedReport {
  const version = `version ${capability_manifest_version} of ${agent_id}`;
  const said = {
    published: `published as ${version}`,
    unchanged: `not published: it is already ${version}`,
    declined: dryRun ? `would be ${version}` : "not published: --accept would publish it",
  }[outcome];
  return {
    ...report,
    command: "agentprint manifest publish",
    title: "agentprint manifest publish",
    summary: report.findings.length === 0 ? said : `${said}; ${report.summary}`,
    // An accepted difference is no longer reported as a difference.
    outcome: outcome === "declined" ? report.outcome : "same",
    data: { ...report.data, publication: outcome, agent_id, capability_manifest_version, capability_manifest_hash },
  };
}
