import { escapeText } from "@agentprint/canonical-json/text";
import type { ServerTarget } from "../launch/server-target.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import type { LaunchOptions } from "../options/visit-options.ts";
import type { Context } from "../run/context.ts";
import { lineAsCalled } from "../terminal/as-called.ts";
import { commandLine } from "../terminal/command-line.ts";
import type { Agreement } from "./compare-configs.ts";

type NextOptions = Pick<LaunchOptions, "lock" | "mcpConfig"> & { readonly allowChangedLaunch?: boolean };

/** Returns the next steps when configurations and lock disagree, each with a command line. */
export function nextLines(
  context: Pick<Context, "env">,
  { other, unpinned }: Pick<Agreement, "other" | "unpinned">,
  { lock, mcpConfig, allowChangedLaunch = false }: NextOptions,
): string[] {
  const where = [
    ...(lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
    ...mcpConfig.flatMap((file) => ["--mcp-config", file]),
  ];
  const [changed, open] = [allowChangedLaunch ? [] : [...other.keys()], [...unpinned.keys()]];
  const line = (...words: string[]): string => lineAsCalled(context, commandLine(["agentprint", ...words, ...where]));
  const seeing = line("check", "--allow-changed-launch", ...changed);
  return [
    ...(changed.length > 0
      ? [`Nothing was started of what changed. To see what it brings, where it may run: ${seeing}`]
      : []),
    ...(open.length > 0
      ? [
          `To pin ${escapeText(open.join(", "))}, run: ${line("init")}`,
          `To leave one out with a reason: ${lineAsCalled(context, "agentprint explain mcp/not-pinned")}`,
        ]
      : []),
  ];
}

/** The options with the configurations that these targets are launched by otherwise than the lock. */
export function withConfigsOf<Options extends LaunchOptions>(
  targets: readonly ServerTarget[],
  agreement: Agreement | undefined,
  options: Options,
): Options {
  if (options.mcpConfig.length > 0) return options;
  const files = targets.flatMap(({ name, config }) => (agreement?.other.has(name) && config ? [config] : []));
  return { ...options, mcpConfig: [...new Set(files)] };
}
