import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FetchedPackage, FoundArtifact, InstallableLaunch, LockedArtifact } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { COMPILE } from "../pypi/ask-uv.ts";
import { packagesIn, type ReleasedPackage, titlesOf } from "../pypi/python-lock.ts";
import { type Exact, exactOf } from "../pypi/read-pypi.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import { pathWithoutProject } from "./install-npm.ts";
import { runUv } from "./run-uv.ts";

/** The packages of a Python environment, each with the files that uv could choose from. */
export interface PythonPackages {
  /** Every package, with the wheels for this machine whose digests uv required. */
  readonly installed: readonly ReleasedPackage[];
  /** The artifacts of the packages that the launch names, in the launch's order, without the words that name them. */
  readonly artifacts: readonly Omit<FoundArtifact, "pointer" | "source">[];
  /** The names of the packages' programs. */
  readonly programs: readonly string[];
  /** Whether the lock has each of the wheels. */
  readonly isPinned: boolean;
}

/** uv options that choose an interpreter or an index, or affect what is resolved. */
const PYTHON = /^(?:-p|--python|--(?:no-)?managed-python|--no-python-downloads)$/;
const RESOLUTION = /^--(?:prerelease|resolution|exclude-newer|exclude-newer-package|fork-strategy)$/;
/**
 * The tags of CPython wheels for common processors; a wheel for any other processor is found only on a machine that has
 * it.
 */
const COMMON_TAGS =
  /^[^/]*(?:$|\/(?:[^-]+-)?(?:cp3|py)[\w.]*-(?:cp3\d+|abi3|none)(?:\.\w+)*-(?!ios|android|pyodide|emscripten|wasi)[\w.]*(?:any|x86_64|amd64|aarch64|arm64|universal2)[\w.]*$)/;

/** Returns the folder that holds an environment's programs. */
export function programsIn(environment: string): string {
  return join(environment, process.platform === "win32" ? "Scripts" : "bin");
}

/** Returns the interpreter of an environment. */
export function interpreterIn(environment: string): string {
  return join(programsIn(environment), process.platform === "win32" ? "python.exe" : "python");
}

/** Returns the options that determine which interpreter a launch gets. */
export function interpreterOptions({ options }: Pick<InstallableLaunch, "options">): string[] {
  return chosen(options, (name) => PYTHON.test(name));
}

/**
 * Creates a Python environment with the packages of a launch, using the user's uv: only wheels, each with a digest that
 * was passed to uv. No code of a package runs. If the lock has a wheel for each package, no others are used.
 *
 * @param environment An absolute path where nothing exists
 * @param pinned The artifacts of the lock
 * @throws {@link ArtifactError} `not-found`, `no-answer`, `no-program`, `unreadable`
 */
export async function installFromIndex(
  environment: string,
  { packages, options }: Pick<InstallableLaunch, "packages" | "options">,
  pinned: readonly LockedArtifact[] | undefined,
  surroundings: Surroundings,
): Promise<PythonPackages> {
  const named = packages.map(exactOf);
  const requirements = packages.map(requirementOf);
  const index = chosen(options, (name) => !PYTHON.test(name) && !RESOLUTION.test(name));
  const resolving = chosen(options, (name) => RESOLUTION.test(name));
  const python = ["--python", interpreterIn(environment)];
  const constraints = `${environment}.txt`;
  const resolve = async (versions: readonly string[], ...more: string[]): Promise<ReleasedPackage[]> => {
    await writeFile(constraints, versions.join("\n"));
    const words = [...python, "--only-binary", ":all:", "--constraints", constraints, ...index, ...resolving, ...more];
    const text = await runUv([...COMPILE, ...words, "-"], surroundings, `${requirements.join("\n")}\n`);
    return packagesIn(text, requirements.join(" ")).map(onlyWheels);
  };
  try {
    await runUv(
      ["venv", "--quiet", "--no-project", "--relocatable", ...interpreterOptions({ options }), environment],
      surroundings,
    );
    const empty = new Set(await readdir(programsIn(environment)));
    const known = digestsOf(pinned ?? []);
    const here = await resolve(exactVersions([...known.keys()]));
    const agreed = here.map((each) => ({ ...each, files: each.files.filter((file) => isIn(known, each, file)) }));
    const isPinned = agreed.every(({ files }) => files.length > 0);
    const all = isPinned ? agreed : await resolve(exactVersions([...known.keys()]), "--universal");
    const titles = all.map(({ name, version }) => `${name}@${version}`);
    const installed = isPinned ? agreed : await resolve(exactVersions(titles));
    await writeFile(constraints, installed.map(withHashes).join("\n"));
    const how = ["--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--link-mode", "copy"];
    // A wheel can contain code that runs whenever the interpreter of its environment starts.
    await runUv(
      ["pip", "install", ...python, ...how, "--no-compile-bytecode", ...index, "-r", constraints],
      surroundings,
    );
    await compileAll(environment, surroundings);
    const artifacts = named.map((own, at) => artifactOf(own, at === 0, [...all, ...installed], installed));
    const programs = (await readdir(programsIn(environment))).filter((each) => !empty.has(each));
    return { installed, artifacts, programs, isPinned };
  } finally {
    await rm(constraints, { force: true });
  }
}

/** Returns the digests of artifacts: of packages by title, and of files by package name and file name. */
export function digestsOf(artifacts: readonly LockedArtifact[]): ReadonlyMap<string, string> {
  return new Map(
    artifacts.flatMap(({ name, files = {}, dependencies = {} }) => [
      ...Object.entries(dependencies),
      ...Object.entries(files).map(([file, digest]) => [`${name}/${file}`, digest] as const),
    ]),
  );
}

function isIn(
  known: ReadonlyMap<string, string>,
  own: ReleasedPackage,
  file: ReleasedPackage["files"][number],
): boolean {
  const [name, digest] = file;
  const [[title = ""] = []] = titlesOf({ ...own, files: [file] });
  return [title, `${own.name}/${name}`].some((key) => known.get(key) === digest);
}

function onlyWheels({ files, ...own }: ReleasedPackage): ReleasedPackage {
  const wheels = files.filter(([file]) => file.endsWith(".whl"));
  if (wheels.length > 0) return { ...own, files: wheels };
  throw new ArtifactError("not-found", `the index has no wheel with a SHA-256 for ${own.name}==${own.version}`);
}

/**
 * Returns the requirements that limit each package to the version in its title; none for a package with several
 * versions.
 */
function exactVersions(titles: readonly string[]): string[] {
  const versions = new Map<string, Set<string>>();
  for (const title of titles) {
    const [, name = "", version = ""] = /^([^@/]+)@([^/]+)/.exec(title) ?? [];
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return [...versions].flatMap(([name, all]) => (all.size === 1 && name !== "" ? [`${name}==${[...all][0]}`] : []));
}

function withHashes({ name, version, files }: ReleasedPackage): string {
  return [`${name}==${version}`, ...files.map(([, digest]) => `--hash=${digest}`)].join(" ");
}

/** Returns the requirement for a word: `uvx` accepts `name@1.2.3` for `name==1.2.3`. */
function requirementOf(fetched: FetchedPackage): string {
  return `${fetched.package}==${exactOf(fetched).version}`;
}

function artifactOf(
  { name, version }: Exact,
  isFirst: boolean,
  all: readonly ReleasedPackage[],
  installed: readonly ReleasedPackage[],
): PythonPackages["artifacts"][number] {
  const files = all.flatMap((each) => (each.name === name ? each.files : []));
  const [file] = installed.find((each) => each.name === name)?.files ?? [];
  if (file === undefined) throw new ArtifactError("not-found", `uv installs no ${name}==${version}`);
  const here = new Set(installed.flatMap(titlesOf).map(([title]) => title));
  const others = all
    .flatMap((each) => (isFirst && each.name !== name ? titlesOf(each) : []))
    .filter(([title]) => here.has(title) || COMMON_TAGS.test(title));
  const dependencies = others.length > 0 ? { dependencies: sorted(others) } : {};
  return { kind: "pypi", name, version, files: sorted(files), chosen: file[0], ...dependencies };
}

function sorted(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the folders of an environment that hold `site-packages`. */
export async function librariesIn(environment: string): Promise<string[]> {
  if (process.platform === "win32") return [join(environment, "Lib")];
  return (await readdir(join(environment, "lib"))).map((python) => join(environment, "lib", python));
}

/**
 * Compiles the modules of an environment, so that starting its programs never writes into it. Files that are not valid
 * Python for the environment's version are left unchanged.
 */
async function compileAll(environment: string, surroundings: Surroundings): Promise<void> {
  // `-S`: no code of the packages runs.
  const words = ["-I", "-S", "-m", "compileall", "-qq", "-j", "0", "--invalidation-mode", "unchecked-hash"];
  const { signal } = surroundings;
  const own = { cwd: environment, env: pathWithoutProject(surroundings), ...(signal && { signal }) };
  await runProgram(interpreterIn(environment), [...words, "."], own, "", 300_000);
}

/** Returns the options with these names, each with its values. */
function chosen(options: readonly string[], isMeant: (name: string) => boolean): string[] {
  const isName = (word: string): boolean => word.startsWith("-");
  return options.flatMap((word, at) => {
    if (isName(word)) return isMeant(word) ? [word] : [];
    return isMeant(options[at - 1] ?? "") ? [word] : [];
  });
}
