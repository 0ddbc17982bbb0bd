import { lstat, readdir, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isJsonObject } from "@agentprint/canonical-json";
import {
  type FetchedPackage,
  type FoundArtifact,
  type InstallableLaunch,
  type Launch,
  type LockedArtifact,
  readInstallable,
} from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { objectAt, readObject, textAt } from "../json-file.ts";
import { treeAt } from "../npm/installed-tree.ts";
import { exactVersion } from "../npm/read-npm.ts";
import { readScripts } from "../npm/read-script.ts";
import { readArtifacts } from "../read-artifacts.ts";
import type { Surroundings } from "../surroundings.ts";
import { installFromNpm, pathWithoutProject, withParents } from "./install-npm.ts";
import { runScripts, scriptsOf } from "./install-scripts.ts";
import { installedEntries } from "./installed-entries.ts";
import { type KeptFolder, keepFolder, nameOfFolder } from "./kept-folders.ts";
import { preparePython } from "./prepare-python.ts";
import { startOfShim } from "./windows-shim.ts";

/** The integrity of each package, by name and version. */
type PackageTitles = Readonly<Record<string, string>>;

/** Where and how packages are installed. */
export interface PrepareOptions {
  /** The folder that holds one folder for each set of packages; only the user can write to it. */
  readonly store: string;
  /** The artifacts of the lock. If the registry has these packages, no others are installed. */
  readonly locked?: readonly LockedArtifact[];
  /**
   * The names of the packages whose install scripts are allowed now, whatever their bytes are. Absent if no one
   * decides; the scripts of the locked artifacts then run, but only if every package has the locked bytes.
   */
  readonly scripts?: readonly string[];
}

/** The packages of a launch, and the command that starts the launch with exactly these packages. */
export interface PreparedLaunch {
  readonly artifacts: readonly FoundArtifact[];
  /** Absent if the launch's runner itself chooses what it runs. */
  readonly installed?: {
    /** The integrity of every package in the folder, by name and version. */
    readonly packages: PackageTitles;
    /** The path of the program, and its arguments. */
    readonly command: string;
    readonly args: readonly string[];
    /**
     * The variable `PATH`, with the packages' programs first and no program from the project; for Python, also a
     * variable that keeps the program from writing into the folder.
     */
    readonly env: Readonly<Record<string, string>>;
  };
}

/**
 * Installs the packages of a launch into a folder of the user named by their integrities, unless that folder already
 * exists with the installed files, and reads which packages it contains. If the launch cannot be installed in this way,
 * reads what its runner would choose.
 *
 * @param launch The launch with its references resolved
 * @throws {@link ArtifactError} with any of its codes
 */
export async function prepareLaunch(
  launch: Launch,
  surroundings: Surroundings,
  options: PrepareOptions,
): Promise<PreparedLaunch> {
  const installable = readInstallable(launch);
  if (installable === undefined) return { artifacts: await readArtifacts(launch, surroundings) };
  const [path, rest = ""] = Object.entries(pathWithoutProject(surroundings))[0] ?? ["PATH"];
  const foldersWith = (bin: string): readonly string[] => [bin, ...rest.split(delimiter).filter(Boolean)];
  if (installable.kind === "python") {
    const { store, locked } = options;
    const { artifacts, packages, bin, program } = await preparePython(installable, surroundings, store, locked);
    // Python writes compiled code next to the modules.
    const env = { [path]: foldersWith(bin).join(delimiter), PYTHONDONTWRITEBYTECODE: "1" };
    return { artifacts, installed: { packages, command: join(bin, program), args: installable.args, env } };
  }
  await requireNothingAbove(options.store, surroundings);
  const { folder, isNew, scripts } = await folderOf(installable, surroundings, options);
  const artifacts = await artifactsIn(folder, installable.packages, scripts, isNew ? "registry" : "installed");
  const program = await programOf(folder, installable);
  const bin = join(folder, "node_modules", ".bin");
  const folders = foldersWith(bin);
  const isWindows = process.platform === "win32";
  const start = isWindows
    ? await startOfShim(bin, program, folders)
    : { command: join(bin, program), args: [], env: {} };
  return {
    artifacts: [...artifacts, ...(await readScripts(launch, surroundings))],
    installed: {
      packages: await packagesIn(folder),
      command: start.command,
      args: [...start.args, ...installable.args],
      env: { ...start.env, [path]: folders.join(delimiter) },
    },
  };
}

/**
 * Requires that Node.js find no package outside the folders of a store. Node.js searches `node_modules` in each folder
 * above a program, and two folders in the home folder.
 * https://nodejs.org/api/modules.html#loading-from-node_modules-folders
 */
async function requireNothingAbove(store: string, { env }: Surroundings): Promise<void> {
  const home = env["HOME"] || env["USERPROFILE"];
  const ofHome = home === undefined ? [] : [".node_modules", ".node_libraries"].map((name) => join(home, name));
  const above = withParents(await realpath(store).catch(() => store)).map((folder) => join(folder, "node_modules"));
  for (const folder of [...above, ...ofHome]) {
    const names = await readdir(folder).catch(({ code }: NodeJS.ErrnoException) =>
      code === "ENOENT" || code === "ENOTDIR" ? [] : ["unreadable"],
    );
    // npm and other tools store notes and caches in such hidden folders.
    if (names.every((name) => name.startsWith("."))) continue;
    const fix = "remove it, or set XDG_STATE_HOME to another folder";
    const message = `a program would also find the packages in ${folder}, which are not pinned; ${fix}`;
    throw new ArtifactError("unreadable", message);
  }
}

async function folderOf(
  installable: InstallableLaunch,
  surroundings: Surroundings,
  { store, locked, scripts: allowedNow }: PrepareOptions,
): Promise<KeptFolder & { readonly scripts: readonly string[] }> {
  const { packages, options: shared } = installable;
  const pinned = locked?.filter(({ kind }) => kind === "npm");
  const titles = titlesOf(pinned ?? []);
  const pinnedScripts = scriptNames(pinned ?? []);
  let scripts = pinnedScripts;
  const kept = await keepFolder(store, pinned && nameOf(pinned), async (folder) => {
    const wanted = Object.fromEntries(packages.map((each) => [each.package, exactVersion(each)]));
    // A version that the lock names has not changed since, so the cache is as good as the registry.
    const options = pinned === undefined ? shared : ["--prefer-offline", ...shared];
    await installFromNpm(folder, { packages: wanted, others: Object.keys(titles), options }, surroundings);
    const isPinned =
      pinned !== undefined && Object.entries(await packagesIn(folder)).every(([title, own]) => titles[title] === own);
    scripts = [...new Set([...(isPinned ? pinnedScripts : []), ...(allowedNow ?? [])])];
    // If bytes differ from the locked ones, none of them run until a person approves them.
    if (isPinned || pinned === undefined || allowedNow !== undefined) await runScripts(folder, scripts, surroundings);
    await programOf(folder, installable);
    const found = await artifactsIn(folder, packages, scripts, "registry");
    const isAsPinned = isPinned && scriptNames(found).every((name) => pinnedScripts.includes(name));
    return nameOf(isAsPinned ? pinned : found);
  });
  return { ...kept, scripts };
}

/**
 * Returns the folder name for packages, which depends on the versions and integrities of all of them and on the install
 * scripts that may have run.
 */
export function nameOf(artifacts: readonly LockedArtifact[]): string {
  return nameOfFolder(artifacts.map(titleOf), titlesOf(artifacts), scriptNames(artifacts));
}

function scriptNames(artifacts: readonly LockedArtifact[]): readonly string[] {
  return [...new Set(artifacts.flatMap(({ scripts = [] }) => scripts))];
}

async function artifactsIn(
  folder: string,
  packages: readonly FetchedPackage[],
  allowed: readonly string[],
  source: FoundArtifact["source"],
): Promise<FoundArtifact[]> {
  const lock = objectAt((await readObject(join(folder, "package-lock.json"))) ?? {}, "packages");
  const all = packages.map(async (fetched): Promise<FoundArtifact> => {
    const { pointer, package: name } = fetched;
    const found = treeAt(lock, `node_modules/${name}`);
    if (found?.integrity === undefined) throw unclear(`${name}@${exactVersion(fetched)}`);
    const { version, integrity, dependencies } = found;
    const others = Object.keys(dependencies).length > 0 ? { dependencies } : {};
    const scripts = await scriptsOf(folder, allowed, [titleOf({ name, version }), ...Object.keys(dependencies)]);
    const own = scripts.length > 0 ? { scripts } : {};
    return { pointer, kind: "npm", name, version, integrity, ...others, ...own, source };
  });
  return Promise.all(all);
}

function titleOf({ name, version }: Pick<LockedArtifact, "name" | "version">): string {
  return `${name}@${version}`;
}

function titlesOf(artifacts: readonly LockedArtifact[]): PackageTitles {
  return Object.fromEntries(
    artifacts.flatMap((artifact) => [
      ...Object.entries(artifact.dependencies ?? {}),
      [titleOf(artifact), artifact.integrity ?? ""],
    ]),
  );
}

/**
 * Returns the packages that npm has put into a folder, according to npm. npm has verified each package against the
 * integrity that it recorded.
 */
async function packagesIn(folder: string): Promise<PackageTitles> {
  const packages = await installedEntries(folder);
  return Object.fromEntries(
    packages.flatMap(({ title, own }) => {
      const integrity = textAt(own, "integrity");
      // The bytes of a bundled package belong to the package that contains it.
      if (own["inBundle"] === true && integrity === undefined && textAt(own, "resolved") === undefined) return [];
      if (integrity === undefined || own["link"] === true) throw unclear(title);
      return [[title, integrity]];
    }),
  );
}

/**
 * Returns the program that npm starts, as named in the launch. If the launch names none, this is the package's only
 * program, or the program with the package's name.
 */
async function programOf(folder: string, { packages, program }: InstallableLaunch): Promise<string> {
  const [{ package: name } = { package: "" }] = packages;
  if (program !== undefined) return requireProgram(folder, program);
  const manifest = (await readObject(join(folder, "node_modules", name, "package.json"))) ?? {};
  const bin = Object.hasOwn(manifest, "bin") ? manifest["bin"] : undefined;
  const own = name.replace(/^@[^/]+\//, "");
  const programs = isJsonObject(bin) ? bin : { [own]: bin };
  const [first] = Object.keys(programs);
  const isOne = new Set(Object.values(programs)).size === 1;
  const found = isOne ? first : Object.keys(programs).find((each) => each === own);
  if (found === undefined || bin === undefined) throw noProgram(name);
  return requireProgram(folder, found);
}

/** Returns the name of a program if the packages in a folder have that program. */
async function requireProgram(folder: string, name: string): Promise<string> {
  const isThere = await lstat(join(folder, "node_modules", ".bin", name)).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new ArtifactError("not-found", `none of the packages has a program named ${name}`);
  return name;
}

function noProgram(name: string): ArtifactError {
  return new ArtifactError("not-found", `${name} declares no program, or several and none with its own name`);
}

/** Returns the error for a package that does not come from a registry archive, so that its bytes have no integrity. */
function unclear(title: string): ArtifactError {
  return new ArtifactError("unreadable", `npm records no integrity for ${title}`);
}
