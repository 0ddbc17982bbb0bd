import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CORPUS } from "./servers.ts";

/** Returns the path of a file or folder in the cache, which Git ignores, and creates its parent folder. */
export function cachePath(...names: readonly string[]): string {
  const path = new URL(`.cache/${names.join("/")}`, CORPUS);
  mkdirSync(new URL(".", path), { recursive: true });
  return fileURLToPath(path);
}
