import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { filesNamedAsConfigs, hasServers, locateFiles } from "@agentprint/client-configs";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import type { Context } from "../run/context.ts";
import { CliError, type ExplainedError, isExplained, isMissing } from "../run/errors.ts";
import { type OtherConfigs, shownPath } from "./config-sources.ts";
import { readClientConfig } from "./read-client-config.ts";

/** Files of a project with servers that no known client reads: in a file of none, or beside the member that a client reads. */
interface UnknownFiles {
  /** As they are shown. */
  readonly files: readonly string[];
  /** Why a file or folder could not be looked at. */
  readonly problems: readonly ExplainedError[];
}

/**
 * Finds the files of the project that are named as a configuration and have servers that no known client reads: some other client may
 * start these servers.
 *
 * @param others The configurations of other folders, which are read in any case
 */
export async function findUnknownFiles(context: Context, others: OtherConfigs): Promise<UnknownFiles> {
  const surroundings = { cwd: context.cwd, env: context.env, platform: process.platform };
  const project = resolve(context.cwd);
  const located = await locateFiles(surroundings, CLIENTS);
  const readIn = (file: string) => located.flatMap(({ path, member }) => (path === file ? member.slice(0, 1) : []));
  // Of these, every member is read.
  const whole = new Set([...others.listed, ...others.recorded.filter((file) => readIn(file).length === 0)]);
  const { files: named, unread } = await filesNamedAsConfigs(project);
  const problems: ExplainedError[] = unread.map(({ path, why }) => cannotTell(shownPath(surroundings, path), why));
  const files: string[] = [];
  const inProject = located.filter(({ scope }) => scope === "project").map(({ path }) => path);
  for (const path of [...new Set([...named, ...inProject])].filter((each) => !whole.has(each))) {
    const file = shownPath(surroundings, path);
    const read = readIn(path).map(String);
    try {
      const target = await targetInside(project, path);
      if (target === undefined && read.length === 0) throw cannotTell(file, "a link leads out of the project");
      // A link to a configuration that is looked at has no servers of its own.
      if (target !== undefined && target !== path && (whole.has(target) || readIn(target).length > 0)) continue;
      if (hasServers(await readClientConfig(context, path, "regular"), read)) files.push(file);
    } catch (error) {
      // Whoever reads the servers of a client says what is wrong with its file.
      if (read.length > 0) continue;
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
