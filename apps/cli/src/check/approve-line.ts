import { hashCanonical } from "@agentprint/canonical-json";
import { escapeText } from "@agentprint/canonical-json/text";
import type { JudgedReport } from "@agentprint/findings";
import { redactLaunch } from "@agentprint/launch/redact";
import { entriesCanonicalPayload, type LockedServer } from "@agentprint/mcp-lock/lock";
import type { ServerTarget } from "../launch/server-target.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import type { LaunchOptions } from "../options/visit-options.ts";
import type { ReportOptions } from "../report/report-options.ts";
import { isCutShort } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { commandLine } from "../terminal/command-line.ts";

/**
 * Returns the command line that visits servers in the same way again and accepts their new states.
 *
 * @param launched The words after `--`: the one server's command. The line has a placeholder instead of a secret in
 * this command.
 * @param expected The digest of the states that were reviewed.
 */
export function approveLine(
  targets: readonly Pick<ServerTarget, "name" | "launch">[],
  options: LaunchOptions & { readonly allowScripts?: readonly string[]; readonly from?: string },
  launched: readonly string[],
  expected?: string,
): string {
  const { lock, mcpConfig, allowScripts = [], from } = options;
  const types = new Set(targets.map(({ launch }) => launch.type));
  const args = [
    ...(lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
    ...mcpConfig.flatMap((config) => ["--mcp-config", config]),
    ...(types.has("stdio") ? options.env : []).flatMap((variable) => ["--env", variable]),
    ...(types.has("http") ? options.header : []).flatMap((header) => ["--header", header]),
    ...allowScripts.flatMap((each) => ["--allow-scripts", each]),
    ...(from === undefined ? [] : ["--from", from]),
    ...(expected === undefined ? [] : ["--expect", expected]),
  ];
  const [way, command] = givenLaunch(options, launched);
  const names = targets.map(({ name }) => name);
  // After --, a word that begins with - is the name of a server, and must come first.
  const dashed = names.filter((name) => name.startsWith("-"));
  const others = names.filter((name) => !name.startsWith("-"));
  const servers = dashed.length > 0 ? [...args, ...way, "--", ...dashed, ...others] : [...others, ...args, ...way];
  return commandLine(["agentprint", "approve", ...servers, ...command]);
}

/**
 * Returns the last lines of a report on servers that drifted, which say how to accept the states that were found. If
 * the report does not show all changes of a server, they cannot all have been reviewed, so a line says how to show
 * them.
 *
 * @param lineOf Returns the {@link approveLine} command line for servers that were shown completely
 */
export async function offerApproval(
  context: Context,
  report: JudgedReport,
  servers: readonly string[],
  lineOf: (shown: readonly string[]) => string,
  options: ReportOptions,
): Promise<string> {
  const { dim, yellow } = context.colorsOf(context.stdout);
  const areCut = await Promise.all(servers.map((server) => isCutShort(report, server, options)));
  const cut = servers.filter((_, index) => areCut[index]);
  const shown = servers.filter((server) => !cut.includes(server));
  const complete = options.summary ? "without --summary" : "with --full";
  const lines = cut.map((server) => {
    const name = escapeText(server);
    return yellow(
      `This report does not show all that changed in ${name}, so it cannot be approved yet: run the check ${complete}`,
    );
  });
  if (shown.length > 0) {
    const states = shown.length === 1 ? "this state" : `these ${shown.length} states`;
    lines.push(dim(`To accept ${states} after review, run: ${lineOf(shown)}`));
  }
  return lines.map((line) => `${line}\n`).join("");
}

function givenLaunch({ url }: LaunchOptions, [command, ...args]: readonly string[]): [string[], string[]] {
  const given =
    url === undefined
      ? redactLaunch({ type: "stdio", command: command ?? "", args, env: [] })
      : redactLaunch({ type: "http", url, headers: [] });
  if (given.type === "http") return [["--url", given.url], []];
  return [[], command === undefined ? [] : ["--", given.command, ...given.args]];
}

/** Returns the command line that accepts the skills and instruction files of a lock's project. */
export function acceptSkillsLine(lock: string): string {
  return commandLine([
    "agentprint",
    "pin",
    "--skills",
    "--replace",
    ...(lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
  ]);
}

/**
 * Returns the digest by which `--expect` names the state of servers: a single server's own digest, or one digest of all
 * of them.
 */
export function reviewedDigest(states: readonly Pick<LockedServer, "name" | "digest">[]): string {
  const [only, ...others] = states;
  return only !== undefined && others.length === 0 ? only.digest : hashCanonical(entriesCanonicalPayload(states));
}
