import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sync as spawnSync } from "cross-spawn";

export const REPOSITORY: string = fileURLToPath(new URL("../../../", import.meta.url));

const { npm_execpath: caller = "" } = process.env;
/**
 * The command that starts pnpm: the pnpm that runs this script, or else the one that `npx` finds, which takes seconds
 * each time.
 */
export const PNPM: readonly [program: string, ...words: string[]] = /[\\/]pnpm(?:\.exe)?$/.test(caller)
  ? [caller]
  : ["npx", "--yes", "pnpm@12"];

/** The members of a `package.json` that this module reads. */
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

/** Returns the folders of all packages that are published, or included in a published one, by name. */
export function workspacePackages(): Map<string, string> {
  const patterns = ["packages/*/package.json", "apps/*/package.json", "fixtures/package.json"];
  const folders = globSync(patterns, { cwd: REPOSITORY }).map((path) => dirname(path));
  return new Map(folders.map((folder) => [manifestIn(folder).name, folder]));
}

/** Returns the folders of all published packages, by name. */
export function publicPackages(): Map<string, string> {
  return new Map([...workspacePackages()].filter(([, folder]) => !manifestIn(folder).private));
}

/** Returns the names of packages and of all workspace packages that they depend on. */
export function withDependencies(names: Iterable<string>, packages: ReadonlyMap<string, string>): Set<string> {
  const found = new Set(names);
  // Iterating over a set also visits what is added meanwhile.
  for (const name of found) {
    const { dependencies, optionalDependencies } = manifestIn(packages.get(name) as string);
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (packages.has(dependency)) found.add(dependency);
    }
  }
  return found;
}

/** The file next to the tarballs that maps package names to their paths. */
const TARBALLS_INDEX = "tarballs.json";

/**
 * Returns the paths of the built packages' tarballs, by package name. They come from the folder that
 * `AGENTPRINT_TARBALLS` names, where `pack.ts` has packed every package once; without it they are packed into `folder`,
 * as for publication.
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

/** Packs every public package into `folder`, and writes the index that `AGENTPRINT_TARBALLS` needs next to the tarballs. */
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
  // For one package pnpm prints an object, for several a list.
  const packed = [JSON.parse(stdout) as Packed | Packed[]].flat();
  return new Map(packed.map(({ name, filename }) => [name, resolve(folder, filename)]));
}

/** The description that pnpm prints for each tarball that it writes. */
interface Packed {
  readonly name: string;
  readonly filename: string;
}

/** Returns the manifest of the package in a folder, which is relative to the root of the repository unless it is absolute. */
export function manifestIn(folder: string): PackageManifest {
  return JSON.parse(readFileSync(resolve(REPOSITORY, folder, "package.json"), "utf8")) as PackageManifest;
}
