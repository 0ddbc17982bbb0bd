import { dirname, join } from "node:path";
import type { JsonObject } from "@agentprint/canonical-json";
import { objectAt, readObject, textAt } from "../json-file.ts";
import type { InstalledPackage } from "./installed-package.ts";
import { readPnpmTree } from "./pnpm-tree.ts";

/**
 * Finds a package in a folder's `node_modules`, using the package lock that describes the installed packages: npm's or
 * pnpm's own lock in `node_modules`, or the folder's `package-lock.json`.
 *
 * @param version The exact version; any if it is absent
 * @returns `undefined` if this version of the package is not installed there
 * @throws {@link ArtifactError} `unreadable` if a package lock cannot be read
 */
export async function findInstalled(
  folder: string,
  name: string,
  version?: string,
): Promise<InstalledPackage | undefined> {
  const manifest = await readObject(join(folder, "node_modules", name, "package.json"));
  const installed = manifest && textAt(manifest, "version");
  const isTop = installed !== undefined && (version === undefined || installed === version);
  const pnpm = isTop ? await readPnpmTree(folder, name, installed) : undefined;
  if (pnpm !== undefined) return pnpm;
  const hidden = await readObject(join(folder, "node_modules", ".package-lock.json"));
  const lock = hidden ?? (await readObject(join(folder, "package-lock.json")));
  const packages = lock && objectAt(lock, "packages");
  const place = packages && findPlace(packages, name, version);
  if (packages !== undefined && place !== undefined) {
    const own = isTop || (await isInstalledAt(folder, place, packages)) ? treeAt(packages, place) : undefined;
    if (own !== undefined && (!isTop || own.version === installed)) return own;
  }
  return isTop ? { version: installed, dependencies: {} } : undefined;
}

/** Returns whether a package's folder has the version that the package lock states. */
async function isInstalledAt(folder: string, place: string, packages: JsonObject): Promise<boolean> {
  const manifest = await readObject(join(folder, place, "package.json"));
  return manifest !== undefined && textAt(manifest, "version") === textAt(objectAt(packages, place), "version");
}

/** Returns the nearest place of a package in the tree: `node_modules/name`, or a place nested in another package. */
function findPlace(packages: JsonObject, name: string, version: string | undefined): string | undefined {
  const fits = (place: string): boolean =>
    (place === `node_modules/${name}` || place.endsWith(`/node_modules/${name}`)) &&
    (version === undefined || textAt(objectAt(packages, place), "version") === version);
  return Object.keys(packages)
    .filter(fits)
    .sort((a, b) => a.length - b.length)[0];
}

/** Returns the package at a place in a package lock, with everything that it can import. */
export function treeAt(packages: JsonObject, place: string): InstalledPackage | undefined {
  const own = objectAt(packages, place);
  const version = textAt(own, "version");
  if (version === undefined) return undefined;
  const integrity = textAt(own, "integrity");
  return { version, ...(integrity !== undefined && { integrity }), dependencies: dependenciesOf(packages, place) };
}

/** Follows a package's dependencies through the tree, as Node.js would find them. */
function dependenciesOf(packages: JsonObject, start: string): Record<string, string> {
  const found = new Map<string, string>();
  const seen = new Set([start]);
  const open = [start];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const from = objectAt(packages, place);
    const names = ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) =>
      Object.keys(objectAt(from, kind)),
    );
    for (const name of names) {
      const next = resolvePlace(packages, place, name);
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      open.push(next);
      const integrity = textAt(objectAt(packages, next), "integrity");
      if (integrity !== undefined) found.set(titleAt(packages, next, name), integrity);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function titleAt(packages: JsonObject, place: string, alias: string): string {
  const { name = alias, version = "" } = objectAt(packages, place);
  return `${String(name)}@${String(version)}`;
}

/**
 * Returns the place where Node.js finds a package that another one imports: in the importing package's `node_modules`,
 * or in one above it.
 */
function resolvePlace(packages: JsonObject, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = folder === "." ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (!folder.endsWith("node_modules") && Object.hasOwn(packages, place)) return place;
    if (folder === ".") return undefined;
  }
}
