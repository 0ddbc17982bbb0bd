import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type ConfigScope, filesNamedAsConfigs, hasServers, homeFolder, locateFiles } from "@agentprint/client-configs";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import type { Context } from "../run/context.ts";
import { CliError, type ExplainedError, isExplained, isMissing } from "../run/errors.ts";
import { type OtherConfigs, shownPath } from "./config-sources.ts";
import { readClientConfig } from "./read-client-config.ts";

/**
 * Files in a project or a home folder with servers that no known client reads: in no client's file, or under a
 * different key than the client reads.
 */
interface UnknownFiles {
  /** The paths of the files, as they are shown. */
  readonly files: readonly string[];
  /** Why a file or folder could not be read. */
  readonly problems: readonly ExplainedError[];
}

/** A folder that is searched, with its configurations that clients read. */
interface LookedThrough {
  readonly scope: ConfigScope;
  readonly folder: string;
}

/**
 * Finds configuration files of the project and of the home folder with servers that no known client reads, because some
 * other client may start these servers.
 *
 * @param others The configurations of other folders, which are always read
 */
export async function findUnknownFiles(
  context: Context,
  scopes: readonly ConfigScope[],
  { listed, recorded }: Pick<OtherConfigs, "listed" | "recorded"> = { listed: [], recorded: [] },
): Promise<UnknownFiles> {
  const surroundings = { cwd: context.cwd, env: context.env, platform: process.platform };
  const folders = { project: resolve(context.cwd), user: resolve(homeFolder(surroundings)) };
  const located = await locateFiles(surroundings, CLIENTS);
  const readIn = (file: string) => located.flatMap(({ path, member }) => (path === file ? member.slice(0, 1) : []));
  // Every member of these files is read.
  const whole = new Set([...listed, ...recorded.filter((file) => readIn(file).length === 0)]);
  const [files, problems, seen] = [[] as string[], [] as ExplainedError[], new Set<string>()];
  const lookAt = async (path: string, { scope, folder }: LookedThrough): Promise<void> => {
    const file = shownPath(surroundings, path);
    const read = readIn(path).map(String);
    try {
      const target = await targetInside(folder, path);
      const isOutside = target === undefined && scope === "project";
      if (isOutside && read.length === 0) throw cannotTell(file, "a link leads out of the project");
      // A link to a configuration that is read anyway adds no servers.
      if (target !== undefined && target !== path && (whole.has(target) || readIn(target).length > 0)) return;
      if (hasServers(await readClientConfig(context, path, "regular"), read)) files.push(file);
    } catch (error) {
      // The reader of a client's servers reports what is wrong with its file.
      if (read.length > 0) return;
      const cause = isExplained(error) ? error.cause : error;
      if (isMissing(cause) || (scope === "user" && isOfAnother(cause))) return;
      if (!isExplained(error)) throw error;
      problems.push(error);
    }
  };
  for (const scope of scopes) {
    const folder = folders[scope];
    const { files: named, unread } = await filesNamedAsConfigs(folder);
    for (const { path, why, code } of unread) {
      if (scope === "project" || !OF_ANOTHER.has(code)) problems.push(cannotTell(shownPath(surroundings, path), why));
    }
    const known = located.filter((each) => each.scope === scope).map(({ path }) => path);
    for (const path of [...named, ...known]) {
      if (whole.has(path) || seen.has(path)) continue;
      seen.add(path);
      await lookAt(path, { scope, folder });
    }
  }
  return { files, problems };
}

/**
 * The error codes for files that no client of this user can read: a folder of another user in the home folder, or no
 * home folder.
 */
const OF_ANOTHER: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "ENOENT"]);

function isOfAnother(error: unknown): boolean {
  return error instanceof Error && "code" in error && OF_ANOTHER.has(error.code);
}

/** Returns the path inside the folder to which a path resolves; `undefined` if it leads outside. */
async function targetInside(folder: string, path: string): Promise<string | undefined> {
  const inside = relative(await realpath(folder), await realpath(path));
  return isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`) ? undefined : join(folder, inside);
}

function cannotTell(file: string, why: string): CliError {
  return new CliError("unreadable-input", `cannot tell whether ${file} has servers: ${why}`, {
    where: file,
    expected: "a file or folder that can be read completely",
    fix: "make it readable, or remove it",
  });
}
