import { count, type ExitCode, type Finding, findingKinds, judgeReport, type Report } from "@agentprint/findings";
import {
  EVIDENCE_RULES,
  type EvidenceProblem,
  fromBase64,
  MAX_EVIDENCE_BYTES,
  type VerifiedEvidence,
  verifyEvidence,
} from "@agentprint/statement/evidence";
import type { Command } from "commander";
import { readInput } from "../files/read-input.ts";
import { addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { bundleOpener, readable, readVerifier } from "../statement/read-statement.ts";
import type { Examples } from "../terminal/examples.ts";
import { collect, positiveInteger } from "../terminal/option-parsers.ts";
import { toTrust } from "../trail/trust.ts";

const COMMAND = "agentprint evidence verify";
const byRule = findingKinds(EVIDENCE_RULES);

interface VerifyOptions extends ReportOptions {
  readonly key?: readonly string[];
  readonly sigstore?: string;
  readonly log?: string;
  readonly origin?: string;
  readonly witness?: readonly string[];
  readonly threshold?: number;
}

export const examples: Examples = [
  ["agentprint evidence verify audit.intoto.jsonl --key maker.pub --log <key> --origin <origin>", "everything in it"],
  ["agentprint evidence verify audit.intoto.jsonl --format json", "for scripts; without keys, exit 2 at best"],
];

export function define(command: Command): void {
  command
    .argument("<file>", "the evidence, or - for standard input")
    .option(
      "--key <file>",
      "a public Ed25519 key that may have signed the evidence, in PEM or Base64; repeatable",
      collect,
    )
    .option("--sigstore <file>", "the trusted root of the Sigstore instance with which authors sign")
    .option("--log <key>", "verifier key of the log that signed the checkpoints")
    .option("--origin <origin>", "the name of the log whose checkpoints count")
    .option("--witness <key>", "cosigner key of a witness; may be repeated", collect)
    .option("--threshold <n>", "how many witnesses must have cosigned", positiveInteger);
  addReportOptions(command);
}

export async function run(context: Context, file: string, options: VerifyOptions): Promise<ExitCode> {
  const { key: keyFiles = [], log: key, origin, witness, threshold } = options;
  const hasLog = key !== undefined && origin !== undefined;
  if (!hasLog && [key, origin, witness, threshold].some((option) => option !== undefined)) {
    throw new CliError("usage", "a checkpoint belongs to a log with a key and a name", {
      expected: "--log and --origin",
    });
  }
  const keys = await Promise.all(keyFiles.map((each) => readVerifier(context, each)));
  const text = await readInput(context, file, MAX_EVIDENCE_BYTES);
  const log = hasLog ? toTrust({ ...options, key, origin }) : undefined;
  const openBundle = options.sigstore === undefined ? undefined : await bundleOpener(context, options.sigstore);
  const verified = readable(file, "get the evidence again from its maker", () =>
    verifyEvidence(text, { keys, log, openBundle }),
  );
  return writeReport(context, judgeReport(reportOf(verified, file)), options, [file]);
}

function reportOf({ evidence, keyId, problems, outcome }: VerifiedEvidence, file: string): Report {
  const parts = (evidence?.subject ?? []).map(({ name, mediaType, digest, content }) => ({
    name,
    mediaType,
    sha256: digest.sha256,
    bytes: fromBase64(content).length,
  }));
  const { made, versions, period, trails = [] } = evidence?.predicate ?? {};
  const tasks = trails.map(({ task, first }) => ({ task, first }));
  return {
    command: COMMAND,
    title: COMMAND,
    summary: `${count(parts.length, "part")} of ${file}: ${summaryOf(problems)}`,
    // One wrong part makes the evidence differ, even if other parts could not be verified.
    ...(outcome === "drift" && { differs: true }),
    findings: problems.map((problem) => findingOf(problem, file)),
    rules: EVIDENCE_RULES,
    checked: parts.map(({ name }) => name),
    data: { ...(evidence && { evidence: { made, versions, period, parts, tasks } }), ...(keyId && { keyId }) },
  };
}

function summaryOf(problems: readonly EvidenceProblem[]): string {
  const counted = (level: string): number => problems.filter(({ rule }) => EVIDENCE_RULES[rule].level === level).length;
  const [wrong, open] = [counted("error"), counted("warning")];
  if (wrong > 0) return count(wrong, "difference");
  return open > 0 ? `no difference, but could not tell in ${count(open, "place")}` : "verified";
}

function findingOf({ rule, part, message }: EvidenceProblem, file: string): Finding {
  const isOpen = EVIDENCE_RULES[rule].level === "warning";
  return {
    ...byRule(rule, message),
    place: { subject: part, location: { file } },
    ...(isOpen && { couldNotTell: true as const }),
  };
}
