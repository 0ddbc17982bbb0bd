import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { followLinks } from "../files/replace-file.ts";
import type { Context } from "../run/context.ts";

/** Returns the absolute path of a lock after resolving all links; it does not change when the file is created. */
export async function lockPathOf({ pathOf }: Pick<Context, "pathOf">, lock: string): Promise<string> {
  const path = resolve(pathOf(lock));
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return followLinks(join(folder, basename(path)));
}

/** Returns the path of a lock that a configuration names by an absolute path, after resolving all links. */
export function realLockPath(path: string): string {
  for (const [folder, name] of [
    [path, ""],
    [dirname(path), basename(path)],
  ] as const) {
    try {
      return join(realpathSync(folder), name);
    } catch {
      // There is no such file, or no such folder.
    }
  }
  return path;
}
