import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FetchedPackage, FoundArtifact } from "@agentprint/launch";

import type { Surroundings } from "../surroundings.ts";
import { askNpm } from "./ask-npm.ts";
import type { InstalledPackage } from "./installed-package.ts";
import { findInstalled } from "./installed-tree.ts";
import { npmFolders, npmRoot } from "./npm-settings.ts";
import { findInDlxCache } from "./pnpm-dlx.ts";

/**
 * Reads which copy of an exact npm package would run: the installed copy that the runner finds first, or else the
 * registry's.
 *
 * @param all All packages of the launch: `npx` has a folder for each set of packages
 * @throws {@link ArtifactError} with any of its codes
 */
export async function readNpm(
  fetched: FetchedPackage,
  all: readonly FetchedPackage[],
  surroundings: Surroundings,
): Promise<FoundArtifact> {
  const { pointer, package: name } = fetched;
  const version = exactVersion(fetched);
  const own = { pointer, kind: "npm", name, version } as const;
  const installed = await findByRunner(fetched, version, all, surroundings);
  if (installed === undefined) return { ...own, ...(await askNpm(fetched, version, surroundings)) };
  const { integrity, dependencies } = installed;
  return {
    ...own,
    ...(integrity !== undefined && { integrity }),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    source: "installed",
  };
}

/** Returns the version of an exact package without the characters that npm allows before it. */
export function exactVersion({ versionText = "" }: Pick<FetchedPackage, "versionText">): string {
  return versionText.replace(/^[v=]+/, "");
}

function findByRunner(
  fetched: FetchedPackage,
  version: string,
  all: readonly FetchedPackage[],
  surroundings: Surroundings,
): Promise<InstalledPackage | undefined> {
  const { runner, package: name } = fetched;
  if (runner === "npx" || runner === "npm") return findByNpx(fetched, version, all, surroundings);
  if (runner === "pnpm" || runner === "pnpx") return findInDlxCache(name, version, surroundings);
  return Promise.resolve(undefined);
}

/**
 * Finds a package where `npx` does: in the project, among the global packages, or in `npx`'s own folder, in this order.
 */
export async function findByNpx(
  { package: name, isCommand, specifier }: FetchedPackage,
  version: string,
  all: readonly FetchedPackage[],
  surroundings: Surroundings,
): Promise<(InstalledPackage & { readonly folder: string }) | undefined> {
  const findIn = async (root: string) => {
    const found = await findInstalled(root, name, version);
    return found && { ...found, folder: join(root, "node_modules", name) };
  };
  const isByName = specifier === `${name}@${version}`;
  const inProject = isByName ? await findIn(npmRoot(surroundings.cwd)) : undefined;
  if (inProject !== undefined) return inProject;
  const { cache, global } = await npmFolders(surroundings);
  const isGlobal = isCommand && isByName;
  const inGlobal = isGlobal ? await findIn(global) : undefined;
  return inGlobal ?? findIn(join(cache, "_npx", folderName(all)));
}

/** Returns the name of the folder that `npx` uses for a set of packages. */
function folderName(packages: readonly FetchedPackage[]): string {
  const words = packages.map(({ specifier }) => specifier).sort((a, b) => a.localeCompare(b, "en"));
  return createHash("sha512").update(words.join("\n")).digest("hex").slice(0, 16);
}
