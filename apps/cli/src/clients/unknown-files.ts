import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { filesNamedAsConfigs, hasServers, locateFiles } from "@agentprint/client-configs";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import type { Context } from "../run/context.ts";
import { CliError, type ExplainedError, isExplained, isMissing } from "../run/errors.ts";
import { type OtherConfigs, shownPath } from "./config-sources.ts";
import { readClientConfig } from "./read-client-config.ts";

/** Files of a project with servers that no known client reads. */
interface UnknownFiles {
  /** As they are shown. */
  readonly files: readonly string[];
  /** Why a file or folder could not be looked at. */
  readonly problems: readonly ExplainedError[];
}

/**
 * Finds the files of the project that are named as a configuration, have servers, and are read by no known client: some other client may
 * start these servers.
 *
 * @param others The configurations of other folders, which are read in any case
 */
export async function findUnknownFiles(context: Context, others: OtherConfigs): Promise<UnknownFiles> {
  const surroundings = { cwd: context.cwd, env: context.env, platform: process.platform };
  const project = resolve(context.cwd);
  const located = (await locateFiles(surroundings, CLIENTS)).map(({ path }) => path);
  const known = new Set([...located, ...others.listed, ...others.recorded]);
  const { files: named, unread } = await filesNamedAsConfigs(project);
  const problems: ExplainedError[] = unread.map(({ path, why }) => cannotTell(shownPath(surroundings, path), why));
  const files: string[] = [];
  for (const path of named.filter((each) => !known.has(each))) {
    const file = shownPath(surroundings, path);
    try {
      const target = await targetInside(project, path);
      if (target === undefined) throw cannotTell(file, "a link leads out of the project");
      // A link to a configuration of a known client has no servers of its own.
      if (!known.has(target) && hasServers(await readClientConfig(context, path, "regular"))) files.push(file);
    } catch (error) {
      if (isMissing(error) || (isExplained(error) && isMissing(error.cause))) continue;
      if (!isExplained(error)) throw error;
      problems.push(error);
    }
  }
  return { files, problems };
}

/** The path in the project that a path leads to, behind all links; `undefined` where it is outside. */
async function targetInside(project: string, path: string): Promise<string | undefined> {
  const inside = relative(await realpath(project), await realpath(path));
  return isAbsolute(inside) || inside.startsWith("..") ? undefined : join(project, inside);
}

function cannotTell(file: string, why: string): CliError {
  return new CliError("unreadable-input", `cannot tell whether ${file} has servers: ${why}`, {
    where: file,
    expected: "a file or folder of the project that can be read as a whole",
    fix: "make it readable, or take it out of the project",
  });
}
