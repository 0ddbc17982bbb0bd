import { redactLaunch } from "@agentprint/mcp-lock/redact";
import { DEFAULT_LIMITS, DEFAULT_SETTLE, type Limits } from "@agentprint/mcp-visit";
import { escapeText, type Report } from "@agentprint/report";
import type { Context } from "../context.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import { commandLine } from "../terminal/command-line.ts";
import { isCutShort, type ReportOptions } from "../terminal/write-report.ts";
import type { VisitOptions } from "../visit-options.ts";
import type { ServerTarget } from "./server-target.ts";

/** The option of each limit, and what one unit of it is. */
const LIMITS: readonly (readonly [limit: keyof Limits, option: string, unit: number])[] = [
  ["connectTimeout", "--connect-timeout", 1000],
  ["requestTimeout", "--request-timeout", 1000],
  ["totalTimeout", "--total-timeout", 1000],
  ["maxBytes", "--max-bytes", 1],
  ["maxItems", "--max-items", 1],
  ["maxPages", "--max-pages", 1],
];

/**
 * The command line that visits a server in the same way again and accepts its new state.
 *
 * @param launched What followed `--`, the command of the server. The line has a placeholder for a secret in it.
 * @param expected The digest of the state that was reviewed.
 */
export function approveLine(
  { name, launch: { type } }: Pick<ServerTarget, "name" | "launch">,
  options: VisitOptions,
  launched: readonly string[],
  expected?: string,
): string {
  const { lock, config, capabilities, as: client, views, protocol, contents, probeTimeout, settle } = options;
  const args = [
    ...(lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
    ...(config === undefined ? [] : ["--config", config]),
    ...(capabilities === undefined ? [] : ["--capabilities", JSON.stringify(capabilities)]),
    ...(client === undefined ? [] : ["--as", client]),
    ...(views === undefined ? [] : ["--views", views]),
    ...(protocol === "auto" ? [] : ["--protocol", protocol]),
    ...(contents ? ["--contents"] : []),
    ...(probeTimeout === undefined ? [] : ["--probe-timeout", `${probeTimeout / 1000}`]),
    ...(settle === DEFAULT_SETTLE ? [] : ["--settle", `${settle}`]),
    ...(type === "stdio" ? options.env : []).flatMap((variable) => ["--env", variable]),
    ...(type === "http" ? options.header : []).flatMap((header) => ["--header", header]),
    ...LIMITS.flatMap(([limit, option, unit]) =>
      options[limit] === DEFAULT_LIMITS[limit] ? [] : [option, `${options[limit] / unit}`],
    ),
    ...(expected === undefined ? [] : ["--expect", expected]),
  ];
  const [way, command] = givenLaunch(options, launched);
  const server = name.startsWith("-") ? [...args, ...way, "--", name] : [name, ...args, ...way];
  return commandLine(["agentprint", "approve", ...server, ...command]);
}

/**
 * The last line of a report on a server that drifted: how to accept the state that was found. Where the report does not
 * show all that changed, nobody can have reviewed all of it, so the line says how to see it.
 *
 * @param approve The command line that {@link approveLine} made
 */
export async function offerApproval(
  context: Context,
  report: Report,
  server: string,
  approve: string,
  options: ReportOptions,
): Promise<string> {
  const { dim, yellow } = context.colorsOf(context.stdout);
  if (!(await isCutShort(report, server, options)))
    return `${dim(`To accept this state after review, run: ${approve}`)}\n`;
  const name = escapeText(server);
  return `${yellow(`This report does not show all that changed in ${name}, so it cannot be approved yet: run the check ${options.summary ? "without --summary" : "with --full"}`)}\n`;
}

function givenLaunch({ url }: VisitOptions, [command, ...args]: readonly string[]): [string[], string[]] {
  const given =
    url === undefined
      ? redactLaunch({ type: "stdio", command: command ?? "", args, env: [] })
      : redactLaunch({ type: "http", url, headers: [] });
  if (given.type === "http") return [["--url", given.url], []];
  return [[], command === undefined ? [] : ["--", given.command, ...given.args]];
}
