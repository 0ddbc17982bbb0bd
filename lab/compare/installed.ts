import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, matchesGlob, relative } from "node:path";
import type { Installed } from "./compared.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const BYTES_PER_KB = 1024;

/** Returns the version of an installed package; this repository's packages are those of the measured commit. */
export function versionOf(name: string, from: string): string {
  const { folder, version } = manifestOf(name, from);
  return isOwn(folder) ? "this commit" : version;
}

const isOwn = (folder: string): boolean => !folder.includes("node_modules");

/** Reads the manifest of a package in a folder's `node_modules`. */
function manifestOf(name: string, from: string): Manifest & { readonly folder: string } {
  const folder = folderOf(name, from);
  return { ...(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest), folder };
}

function folderOf(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
    if (folder === dirname(folder)) throw new Error(`${name} is not installed for ${from}`);
  }
}

/** Counts a package and its dependencies, each folder once, and without optional dependencies and peers. */
export function installedWith(name: string, from: string): Installed {
  const folders = new Map<string, number>();
  const visit = (each: string, parent: string): void => {
    const { folder, files, dependencies = {} } = manifestOf(each, parent);
    if (folders.has(folder)) return;
    // For a workspace package, only the files that would be packed are counted.
    folders.set(folder, isOwn(folder) ? sizeOfAll(folder, files ?? []) : sizeOf(folder));
    for (const dependency of Object.keys(dependencies)) visit(dependency, folder);
  };
  visit(name, from);
  const bytes = [...folders.values()].reduce((all, size) => all + size, 0);
  return { packages: folders.size, kilobytes: Math.round(bytes / BYTES_PER_KB) };
}

/**
 * Returns the total size in bytes of the files that would be packed, according to the list in the package's manifest.
 */
function sizeOfAll(folder: string, list: readonly string[]): number {
  const leftOut = list.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const isKept = (path: string): boolean => !leftOut.some((pattern) => matchesGlob(relative(folder, path), pattern));
  const existing = list.map((path) => join(folder, path)).filter(existsSync);
  return existing.reduce((all, path) => all + sizeOf(path, isKept), 0);
}

function sizeOf(path: string, isKept: (path: string) => boolean = () => true): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  const own = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== "node_modules" && !entry.isSymbolicLink())
    .map(({ name }) => join(path, name));
  return own.filter(isKept).reduce((all, each) => all + sizeOf(each, isKept), 0);
}
