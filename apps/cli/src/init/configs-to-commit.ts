import { isAbsolute, normalize } from "node:path";
import { isRedacted, redactLaunch } from "@agentprint/launch/redact";
import type { FoundServer } from "../clients/find-servers.ts";
import { untrackedFiles } from "../git/untracked-files.ts";
import type { Context } from "../run/context.ts";
import { commandLine } from "../terminal/command-line.ts";

/** The configurations of a project that are not in its repository yet. */
interface ConfigsToCommit {
  /** The files without a value that can be a secret. */
  readonly files: readonly string[];
  /** The steps for the other files. */
  readonly steps: readonly string[];
}

/** Returns the project's configurations that Git neither tracks nor ignores: a check in a CI service compares them. */
export async function configsToCommit(context: Context, servers: readonly FoundServer[]): Promise<ConfigsToCommit> {
  const withValues = new Map<string, boolean>();
  for (const { target, places } of servers) {
    const hasValue = (target.written ?? []).length > 0 || isRedacted(redactLaunch(target.launch));
    for (const { file, scope } of places) {
      if (scope !== "project" || isOutside(file)) continue;
      withValues.set(file, (withValues.get(file) ?? false) || hasValue);
    }
  }
  const paths = new Map([...withValues.keys()].map((file) => [context.pathOf(file), file]));
  const open = (await untrackedFiles(context, [...paths.keys()])).map((path) => paths.get(path) ?? path);
  return {
    files: open.filter((file) => !withValues.get(file)),
    steps: open
      .filter((file) => withValues.get(file))
      .map((file) => `${commandLine(["git", "add", file])}, if no value in this file is a secret`),
  };
}

/** Returns whether a shown path leads out of the project's folder. */
function isOutside(file: string): boolean {
  return isAbsolute(file) || file === "-" || /^(?:~|\.\.)(?:[\\/]|$)/.test(normalize(file));
}
