import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CLIENTS, locateFiles } from "@agentprint/client-configs";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Settings } from "@agentprint/policy/settings";
import type { OtherConfigs } from "../clients/config-sources.ts";
import { readLockIfPresent } from "../lock/read-lock.ts";
import { readSettings } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";

/** Returns the context with the lock's folder as the project's folder. */
export function inFolderOf(context: Context, lock: string): Context {
  const folder = dirname(lock);
  if (folder === ".") return context;
  const cwd = resolve(context.pathOf(folder));
  const pathOf = (path: string): string => (isAbsolute(path) ? path : join(cwd, path));
  // The members of the context keep their getters, so that standard input is opened only when it is read.
  return Object.create(context, { cwd: { value: cwd }, pathOf: { value: pathOf } });
}

/** Returns a path in the project as a user in a different folder would name it. */
export function asUserNames(context: Context, path: string): string {
  const [cwd, whole] = [resolve(context.cwd), resolve(context.cwd, path)];
  return whole.startsWith(cwd + sep) ? relative(cwd, whole) : path;
}

/** Returns the path of a configuration as a lock records it: from the folder of the lock, with `/` between folders. */
export function fromLock({ pathOf }: Pick<Context, "pathOf">, lock: string, path: string): string {
  const folder = resolve(pathOf(dirname(lock)));
  return relative(folder, resolve(pathOf(path)))
    .split(sep)
    .join("/");
}

/**
 * Returns the path of a configuration as {@link fromLock} does if it is in or below the folder of the lock; `undefined`
 * for any other file, and for standard input.
 */
export function asSource(context: Pick<Context, "pathOf">, lock: string, path: string): string | undefined {
  const config = fromLock(context, lock, path);
  return path === "-" || isElsewhere(config) ? undefined : config;
}

function isElsewhere(path: string): boolean {
  return isAbsolute(path) || path.split(/[/\\]/).includes("..");
}

/** A lock and the settings next to it. */
export interface LockAndSettings {
  readonly lock?: LockFile | undefined;
  readonly settings: Settings;
}

/**
 * Returns the configurations of other folders that belong to a project: those that its configuration lists, and those from
 * which its servers were pinned, below the folder of the lock.
 *
 * @param file The path of the lock
 * @param base The base's lock and settings, so that a change cannot take a configuration out of the comparison
 */
export function otherConfigs(
  { pathOf }: Pick<Context, "pathOf">,
  file: string,
  { lock, settings }: LockAndSettings,
  base?: LockAndSettings,
): OtherConfigs {
  const folder = resolve(pathOf(dirname(file)));
  const sources = [lock, base?.lock].flatMap((each) => each?.sources ?? []).map(({ config }) => config);
  const recorded = [...sources, ...(base?.settings.configurations ?? [])].filter((path) => !isElsewhere(path));
  const inFolder = (path: string): string => resolve(folder, path);
  return { folder, listed: settings.configurations.map(inFolder), recorded: recorded.map(inFolder) };
}

/**
 * Returns the configurations of other folders that belong to a lock's project, as the lock and the settings next to it
 * say.
 */
export async function othersOf(context: Context, file: string): Promise<OtherConfigs> {
  const lock = (await readLockIfPresent(context, file))?.lock;
  return otherConfigs(context, file, { lock, settings: await readSettings(context, file) });
}

/** Returns whether a client would find a configuration in a project's folder, or whether other folders have one. */
export async function hasProjectConfig(
  { cwd, env }: Pick<Context, "cwd" | "env">,
  { listed, recorded }: OtherConfigs,
): Promise<boolean> {
  if (listed.length + recorded.length > 0) return true;
  const located = await locateFiles({ cwd, env, platform: process.platform }, CLIENTS);
  return located.some(({ scope, path }) => scope === "project" && existsSync(path));
}
