import { redactLaunch } from "@agentprint/mcp-lock";
import { DEFAULT_LIMITS, DEFAULT_SETTLE, type Limits } from "@agentprint/mcp-visit";
import { DEFAULT_LOCK } from "../lock/lock-store.ts";
import { commandLine } from "../terminal/command-line.ts";
import type { VisitOptions } from "../visit-options.ts";
import type { Start } from "./start.ts";

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
 * The command line that visits a server in the same way again and takes what it is then.
 *
 * @param launched What followed `--`, the command of the server. A secret in it is left out.
 * @param expected The digest of the state that was reviewed.
 */
export function approveLine(
  { name, launch: { type } }: Pick<Start, "name" | "launch">,
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

function givenLaunch({ url }: VisitOptions, [command, ...args]: readonly string[]): [string[], string[]] {
  const given =
    url === undefined
      ? redactLaunch({ type: "stdio", command: command ?? "", args, env: [] })
      : redactLaunch({ type: "http", url, headers: [] });
  if (given.type === "http") return [["--url", given.url], []];
  return [[], command === undefined ? [] : ["--", given.command, ...given.args]];
}
