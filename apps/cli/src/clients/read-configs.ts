import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { readConfig } from "./read-config.ts";

/**
 * The servers of several configurations, each name once.
 *
 * @throws {@link CliError} as {@link readConfig}; `usage` when two configurations launch a server of one name differently
 */
export async function readConfigs(context: Context, files: readonly string[], lock: string): Promise<ServerTarget[]> {
  const targets = new Map<string, ServerTarget>();
  for (const file of files) {
    for (const target of await readConfig(context, file, lock)) {
      const known = targets.get(target.name);
      if (known === undefined) targets.set(target.name, target);
      else if (!isSameLaunch(known, target)) throw launchedTwice(known, target);
    }
  }
  return [...targets.values()];
}

function isSameLaunch({ launch: one }: ServerTarget, { launch: other }: ServerTarget): boolean {
  return isSameJson(one as unknown as JsonValue, other as unknown as JsonValue);
}

function launchedTwice({ name, config: first }: ServerTarget, { config: second }: ServerTarget): CliError {
  return new CliError("usage", `${first} and ${second} launch ${name} differently`, {
    where: "--mcp-config",
    expected: "one launch for each name",
    fix: "give the configurations to a command each",
  });
}
