import type { ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { CheckRequest } from "../check/check-request.ts";
import { runCheck } from "../check/run-check.ts";
import { splitAtDashes } from "../clients/targets-from-arguments.ts";
import { addLaunchOptions, addSettingsHelp, type LaunchOptions } from "../options/visit-options.ts";
import {
  addAlsoOption,
  addPolicyOption,
  addServerReportOptions,
  addSummaryOption,
  type ReportOptions,
} from "../report/report-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { days } from "../terminal/option-parsers.ts";

/** The options of a check as the command line gives them. */
export type CheckOptions = LaunchOptions &
  ReportOptions &
  Pick<CheckRequest, "config" | "base" | "allowChangedLaunch" | "requireIntegrity" | "maxAge">;

export const examples: Examples = [
  ["agentprint check", "whether configurations, lock and servers agree"],
  ["agentprint check filesystem --format sarif --output drift.sarif", "one server, for code scanning"],
  ["agentprint check --summary --also sarif=drift.sarif --also markdown=drift.md", "one visit, three reports"],
  ["agentprint check --full", "each change in full"],
  ["agentprint check --max-age 90d", "with a warning for each server that nobody has reviewed for that long"],
  ["agentprint check --mcp-config .mcp.json", "launches and variables from a client's configuration"],
  [
    "agentprint check filesystem -- npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .",
    "whether an upgrade would change anything",
  ],
  ["agentprint check web --url https://staging.example.com/mcp", "whether another address would"],
  ["agentprint check github --env GITHUB_TOKEN", "with an additional variable, which changes the launch"],
  [
    "agentprint check --base origin/main",
    "a pull request: judged by this commit's policy, without starting a launch that the commit does not have",
  ],
  ["agentprint check --allow-changed-launch", "start launches that a configuration changed, to see their effect"],
  [
    "agentprint check --require-integrity --config release.json",
    "judged by another policy, without starting a server whose code has no digest in the lock",
  ],
  ["agentprint check --lock mcp-pin.lock --mcp-config .mcp.json", "compare with a lock of mcp-pin, as far as possible"],
  ["agentprint check --lock web.lock --header AUTHORIZATION", "with AGENTPRINT_HEADER_AUTHORIZATION sent along"],
];

export function define(command: Command): void {
  command
    .usage("[options] [server...] [-- command...]")
    .argument("[server...]", "names in the lock file; without a name, all servers")
    .option(
      "--base <commit>",
      "judge by this commit's accepted policy, report what the lock accepts beyond it, and start no other launch",
    )
    .option(
      "--allow-changed-launch",
      "also start launches in which a configuration differs from the lock, or with --base the lock from the commit",
      false,
    )
    .option("--max-age <days>", "warn of servers that nobody has pinned or approved for this long: 90d", days)
    .option("--require-integrity", "start no server whose code has no digest in the lock", false);
  addLaunchOptions(command);
  addPolicyOption(command);
  addAlsoOption(addSummaryOption(addServerReportOptions(command)));
  addSettingsHelp(command);
}

/** Returns the parsed request of a command line. */
export function requestOf(command: Command, operands: readonly string[], options: CheckOptions): CheckRequest {
  const { lock, mcpConfig, url, env, header, ...others } = options;
  const { config, base, allowChangedLaunch, requireIntegrity, maxAge, ...output } = others;
  const { servers, launched } = splitAtDashes(command, operands);
  return {
    startedAt: new Date(),
    servers,
    launched,
    hasOwnLaunch: launched.length > 0 || url !== undefined || mcpConfig.length > 0,
    launch: { lock, mcpConfig, env, header, ...(url !== undefined && { url }) },
    config,
    base,
    allowChangedLaunch,
    requireIntegrity,
    maxAge,
    output,
  };
}

export function run(
  context: Context,
  operands: readonly string[],
  options: CheckOptions,
  command: Command,
): Promise<ExitCode> {
  return runCheck(context, requestOf(command, operands, options));
}
