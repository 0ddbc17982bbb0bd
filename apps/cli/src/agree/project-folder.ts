import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CLIENTS, locateFiles } from "@agentprint/client-configs";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Context } from "../context.ts";

/** The context in which a lock's folder is the folder of the project. */
export function inFolderOf(context: Context, lock: string): Context {
  const folder = dirname(lock);
  if (folder === ".") return context;
  const cwd = resolve(context.pathOf(folder));
  const pathOf = (path: string): string => (isAbsolute(path) ? path : join(cwd, path));
  // The members of the context stay its own: standard input is opened when it is read.
  return Object.create(context, { cwd: { value: cwd }, pathOf: { value: pathOf } });
}

/** A path of the project as the user, who stands elsewhere, would name it. */
export function asUserNames(context: Context, path: string): string {
  const [cwd, whole] = [resolve(context.cwd), resolve(context.cwd, path)];
  return whole.startsWith(cwd + sep) ? relative(cwd, whole) : path;
}

/** A path of a configuration as a lock records it: from the folder of the lock, with `/` between folders. */
export function fromLock({ pathOf }: Pick<Context, "pathOf">, lock: string, path: string): string {
  const folder = resolve(pathOf(dirname(lock)));
  return relative(folder, resolve(pathOf(path)))
    .split(sep)
    .join("/");
}

/** Returns the same for a file in or below this folder; `undefined` for any other file, and for standard input. */
export function asSource(context: Pick<Context, "pathOf">, lock: string, path: string): string | undefined {
  const config = fromLock(context, lock, path);
  return path === "-" || isElsewhere(config) ? undefined : config;
}

function isElsewhere(path: string): boolean {
  return isAbsolute(path) || path.split(/[/\\]/).includes("..");
}

/** The configurations from which servers of these locks were pinned, from the folder of the lock; none of another folder. */
export function recordedConfigs(locks: readonly (LockFile | undefined)[]): string[] {
  const recorded = locks.flatMap((lock) => lock?.sources ?? []).map(({ config }) => config);
  return [...new Set(recorded)].filter((path) => !isElsewhere(path));
}

/** Whether a client would find a configuration in the folder of a project, or one is recorded in these locks. */
export async function hasProjectConfig(
  { cwd, env }: Pick<Context, "cwd" | "env">,
  locks: readonly (LockFile | undefined)[],
): Promise<boolean> {
  if (recordedConfigs(locks).length > 0) return true;
  const located = await locateFiles({ cwd, env, platform: process.platform }, CLIENTS);
  return located.some(({ scope, path }) => scope === "project" && existsSync(path));
}
