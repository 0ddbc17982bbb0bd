import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CLIENTS } from "../clients/client-table.ts";
import { locateFiles } from "../clients/locate-files.ts";
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
  const isElsewhere = path === "-" || config.startsWith("../") || isAbsolute(config);
  return isElsewhere ? undefined : config;
}

/** Whether a client would find a configuration in the folder of a project. */
export async function hasProjectConfig({ cwd, env }: Pick<Context, "cwd" | "env">): Promise<boolean> {
  const located = await locateFiles({ cwd, env, platform: process.platform }, CLIENTS);
  return located.some(({ scope, path }) => scope === "project" && existsSync(path));
}
