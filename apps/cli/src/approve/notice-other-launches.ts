import { escapeText } from "@agentprint/canonical-json/text";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { LockAndSettings } from "../compare-configs/project-folder.ts";
import type { LaunchOptions } from "../options/visit-options.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";

/**
 * Returns how to approve the launches of configurations; `undefined` if none of them launches one of the servers
 * differently from the lock.
 */
export type OtherFix = (names: readonly string[]) => string | undefined;

/**
 * Reports which servers a project's configuration launches differently from the lock, for example after an upgrade; an
 * approval that names no configuration visits the pinned launch, and does not see the upgrade.
 *
 * @param launched The words after `--`: a new launch
 * @returns The configuration that launches each of these servers
 */
export async function noticeOtherLaunches(
  context: Context,
  { lock, settings }: LockAndSettings & { readonly lock: LockFile },
  names: readonly string[],
  { lock: file, mcpConfig, url }: LaunchOptions,
  launched: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (mcpConfig.length > 0 || launched.length > 0 || url !== undefined) return new Map();
  const { hasProjectConfig, inFolderOf, otherConfigs } = await import("../compare-configs/project-folder.ts");
  const others = otherConfigs(context, file, { lock, settings });
  if (!(await hasProjectConfig(inFolderOf(context, file), others))) return new Map();
  // Loading the readers of all client formats takes longer than an approval without them.
  const { compareConfigs } = await import("../compare-configs/compare-configs.ts");
  const { other } = await compareConfigs(context, lock, { file, configs: [], names, others });
  const configs = new Map([...other].map(([name, { config = "" }]) => [name, config]));
  const lines = [...configs].map(([name, config]) => {
    const [server, path] = [escapeText(name), escapeText(config)];
    return `${path} launches ${server} differently than pinned, and the pinned launch was visited: add --mcp-config ${path} to approve the other one`;
  });
  if (lines.length > 0) printNotices(context, lines);
  return configs;
}
