import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sync as spawnSync } from "cross-spawn";

export const REPOSITORY: string = fileURLToPath(new URL("../../../", import.meta.url));

const { npm_execpath: caller = "" } = process.env;
/**
 * The words that start pnpm: the pnpm that runs this script, or else the one that `npx` finds, which takes seconds
 * each time.
 */
export const PNPM: readonly [program: string, ...words: string[]] = /[\\/]pnpm(?:\.exe)?$/.test(caller)
  ? [caller]
  : ["npx", "--yes", "pnpm@12"];

/** The members of a `package.json` that are read. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly engines?: { readonly node: string };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The folders of all packages that are published or included in one that is, by their names. */
export function workspacePackages(): Map<string, string> {
  const patterns = ["packages/*/package.json", "apps/*/package.json", "fixtures/package.json"];
  const folders = globSync(patterns, { cwd: REPOSITORY }).map((path) => dirname(path));
  return new Map(folders.map((folder) => [manifestIn(folder).name, folder]));
}

/** The folders of all packages that are published, by their names. */
export function publicPackages(): Map<string, string> {
  return new Map([...workspacePackages()].filter(([, folder]) => !manifestIn(folder).private));
}

/** The names of packages and of all those of the workspace that they depend on. */
export function withDependencies(names: Iterable<string>, packages: ReadonlyMap<string, string>): Set<string> {
  const found = new Set(names);
  // A set continues with what is added while it is read.
  for (const name of found) {
    const { dependencies, optionalDependencies } = manifestIn(packages.get(name) as string);
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (packages.has(dependency)) found.add(dependency);
    }
  }
  return found;
}

/** The file next to tarballs that has their paths by the names of their packages. */
const TARBALLS_INDEX = "tarballs.json";

/**
 * Gives the paths of the tarballs of packages that are built by their names. They come from the folder that `AGENTPRINT_TARBALLS` names, where
 * `pack.ts` has packed every package once, or else are packed into `folder` as they would be published.
 */
export function packPackages(names: Iterable<string>, folder: string): Map<string, string> {
  const { AGENTPRINT_TARBALLS: packed } = process.env;
  if (packed === undefined) return pack(names, folder);
  const paths = JSON.parse(readFileSync(join(packed, TARBALLS_INDEX), "utf8")) as Record<string, string>;
  return new Map(
    Array.from(names, (name) => {
      const path = paths[name];
      if (path === undefined) throw new Error(`${name}: expected a tarball in ${packed}`);
      return [name, path];
    }),
  );
}

/** Packs every public package into `folder`, and writes the index that `AGENTPRINT_TARBALLS` needs next to them. */
export function packAll(folder: string): number {
  const tarballs = pack(publicPackages().keys(), folder);
  writeFileSync(join(folder, TARBALLS_INDEX), JSON.stringify(Object.fromEntries(tarballs)));
  return tarballs.size;
}

function pack(names: Iterable<string>, folder: string): Map<string, string> {
  const filters = Array.from(names, (name) => `--filter=${name}`);
  if (filters.length === 0) return new Map();
  const [program, ...first] = PNPM;
  const words = [...first, ...filters, "pack", "--json", "--pack-destination", folder];
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: REPOSITORY, encoding: "utf8" });
  if (status !== 0) throw new Error(`pnpm pack of ${filters.join(" ")} ended with ${status}: ${stderr}`);
  // Of one package it is an object, of several a list.
  const packed = [JSON.parse(stdout) as Packed | Packed[]].flat();
  return new Map(packed.map(({ name, filename }) => [name, resolve(folder, filename)]));
}

/** The description that pnpm prints of a tarball that it wrote. */
interface Packed {
  readonly name: string;
  readonly filename: string;
}

/** The manifest of the package in a folder, which begins at the root of the repository unless it is absolute. */
export function manifestIn(folder: string): PackageManifest {
  return JSON.parse(readFileSync(resolve(REPOSITORY, folder, "package.json"), "utf8")) as PackageManifest;
}
