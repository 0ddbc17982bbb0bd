import { resolve } from "node:path";
import { type FoundArtifact, type Launch, type LaunchedFile, launchedFiles } from "@agentprint/launch";

import type { Surroundings } from "../surroundings.ts";
import { findInstalled } from "./installed-tree.ts";

/** The folder before `node_modules`, the name of the package, and the file in the package. */
const IN_PACKAGE = /^(.*?)(?:^|[/\\])node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\.@][^/\\]*)[/\\]/s;

/** Reads, with {@link readScript}, the packages of the scripts that a launch names. */
export async function readScripts(launch: Launch, surroundings: Surroundings): Promise<FoundArtifact[]> {
  const found = await Promise.all(launchedFiles(launch).map((file) => readScript(file, surroundings)));
  return found.filter((artifact) => artifact !== undefined);
}

/**
 * Reads, from the installation's package lock, the `node_modules` package that a launch's script belongs to.
 *
 * @returns `undefined` if the script belongs to no package, or no package lock has the package's integrity
 * @throws {@link ArtifactError} `unreadable` if a package lock cannot be read
 */
async function readScript(file: LaunchedFile, surroundings: Surroundings): Promise<FoundArtifact | undefined> {
  const { root, name } = packageOfScript(file, surroundings) ?? {};
  if (root === undefined || name === undefined) return undefined;
  const found = await findInstalled(root, name);
  if (found?.integrity === undefined) return undefined;
  const { version, integrity, dependencies } = found;
  const others = Object.keys(dependencies).length > 0 ? { dependencies } : {};
  return { pointer: file.pointer, kind: "npm", name, version, integrity, ...others, source: "installed" };
}

/**
 * Returns the `node_modules` package that a launch's script belongs to, and the folder that contains this
 * `node_modules`.
 */
export function packageOfScript(
  { path, folder = "." }: LaunchedFile,
  { cwd }: Pick<Surroundings, "cwd">,
): { readonly root: string; readonly name: string } | undefined {
  const [, root = "", written = ""] = IN_PACKAGE.exec(path) ?? [];
  if (written === "") return undefined;
  return {
    root: resolve(cwd, folder, root || (path.startsWith("/") ? "/" : ".")),
    name: written.replaceAll("\\", "/"),
  };
}
