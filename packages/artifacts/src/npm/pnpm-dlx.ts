import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "../errors.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import type { InstalledPackage } from "./installed-package.ts";
import { findInstalled } from "./installed-tree.ts";

/**
 * Finds a package in the folders that `pnpm dlx` has installed. The folders' names are digests that differ between
 * versions of pnpm, so every folder with the package counts.
 *
 * @returns `undefined` if no folder contains it
 * @throws {@link ArtifactError} `unreadable` if the folders have different bytes for the version; `no-program`
 */
export async function findInDlxCache(
  name: string,
  version: string,
  surroundings: Surroundings,
): Promise<InstalledPackage | undefined> {
  const { stdout } = await runProgram("pnpm", ["config", "get", "cache-dir"], surroundings);
  const cache = cacheFolder(stdout.trim(), surroundings);
  const folders = await readdir(join(cache, "dlx")).catch(() => []);
  const found: InstalledPackage[] = [];
  for (const folder of folders) {
    const installed = await findInstalled(join(cache, "dlx", folder, "pkg"), name, version);
    if (installed !== undefined) found.push(installed);
  }
  const [first] = found;
  if (new Set(found.map(({ integrity }) => integrity)).size > 1) {
    throw new ArtifactError("unreadable", `the folders of pnpm dlx have different bytes for ${name}@${version}`);
  }
  return first;
}

/** Returns the folder where pnpm stores downloaded packages: the configured one, or the system's. */
function cacheFolder(configured: string, { env }: Surroundings): string {
  if (configured !== "" && configured !== "undefined") return configured;
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  if (env["XDG_CACHE_HOME"]) return join(env["XDG_CACHE_HOME"], "pnpm");
  if (process.platform === "darwin") return join(home, "Library", "Caches", "pnpm");
  if (process.platform === "win32") return join(env["LOCALAPPDATA"] ?? home, "pnpm-cache");
  return join(home, ".cache", "pnpm");
}
