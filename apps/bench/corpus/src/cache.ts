import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CORPUS } from "./servers.ts";

/** The path of a file or folder below the cache, which Git ignores; the folder that it is in is made. */
export function cachePath(...names: readonly string[]): string {
  const path = new URL(`.cache/${names.join("/")}`, CORPUS);
  mkdirSync(new URL(".", path), { recursive: true });
  return fileURLToPath(path);
}
