import type { LockedArtifact } from "./artifact.ts";
import { checkLaunch } from "./check-argument.ts";
import type { Launch, LaunchCoverage } from "./launch.ts";
import { type FetchedPackage, launchedPackages } from "./launched-packages.ts";
import { readLaunch } from "./read-launch.ts";
import { isRelative, programOf, type Word } from "./words.ts";

/** A launch whose packages can be installed beforehand, so that their program is started by its path. */
export interface InstallableLaunch {
  /** The kind of registry. */
  readonly kind: "npm" | "python";
  /** Packages from a registry, each with its name and an exact version. */
  readonly packages: readonly FetchedPackage[];
  /** The program's name; absent if it is the first package's program. */
  readonly program?: string;
  /** The words that are passed to the program. */
  readonly args: readonly string[];
  /** The runner's options that choose the registry, the network, and for Python the interpreter. */
  readonly options: readonly string[];
}

/** A runner whose packages can be installed without the runner. */
interface Family {
  readonly kind: "npm" | "python";
  /** Options that change neither which packages are installed nor how their program is started. */
  readonly plain: RegExp;
  /** Options that are also passed to the installer. */
  readonly shared: RegExp;
  /** Matches a name with a version after it, but not an alias, repository, address or path. */
  readonly specifier: RegExp;
  /** Names of programs that do not come from a package. */
  readonly foreign?: RegExp;
}

const NPM: Family = {
  kind: "npm",
  plain:
    /^(?:-y|--yes|-q|--quiet|--silent|-s|--verbose|-d|--ignore-existing|--ignore-scripts|--no-(?:audit|fund|update-notifier|progress)|--loglevel|--reporter|-p|--package)$/,
  shared: /^--(?:registry|offline|prefer-offline|prefer-online|legacy-peer-deps)$/,
  specifier: /^(?:@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*@[v=]?\d[\w.+-]*$/,
};
/**
 * https://docs.astral.sh/uv/reference/cli/#uv-tool-run. If a package is named like an interpreter, `uvx` fetches that
 * interpreter.
 */
const UV: Family = {
  kind: "python",
  plain:
    /^(?:-q|--quiet|-v|--verbose|--isolated|--no-progress|--color|--refresh|--refresh-package|-U|--upgrade|-P|--upgrade-package|--reinstall|--reinstall-package|--link-mode|--compile-bytecode|--no-env-file|--no-build|--show-resolution|-w|--with|--from)$/,
  shared:
    /^(?:-p|--python|--(?:no-)?managed-python|--no-python-downloads|--index|--default-index|-i|--index-url|--extra-index-url|--index-strategy|--keyring-provider|--allow-insecure-host|--native-tls|--system-certs|--offline|--no-config|--prerelease|--resolution|--exclude-newer|--exclude-newer-package|--fork-strategy)$/,
  specifier:
    /^(?!(?:python|pythonw|cpython|pypy|graalpy|pyodide)[\d.]*(?:\W|$))[A-Za-z0-9][\w.-]*(?:\[[\w.,\s-]*\])?\s*(?:==|@)\s*v?\d[\w.!+-]*$/i,
  foreign: /^(?:python|pythonw|cpython|pypy|graalpy|pyodide)[\d.]*$/i,
};

/** For each runner, the words after it that make it fetch a package. */
const RUNNERS: Readonly<Record<string, Family & { readonly verbs: readonly (readonly string[])[] }>> = {
  npx: { ...NPM, verbs: [[]] },
  pnpx: { ...NPM, verbs: [[]] },
  bunx: { ...NPM, verbs: [[]] },
  npm: { ...NPM, verbs: [["exec"], ["x"]] },
  pnpm: { ...NPM, verbs: [["dlx"]] },
  bun: { ...NPM, verbs: [["x"]] },
  uvx: { ...UV, verbs: [[]] },
  uv: { ...UV, verbs: [["tool", "run"]] },
};
/** Names that `bunx` mistakes for other packages' names, unless `--package` names them. */
const RENAMED_BY_BUN = ["tsc", "claude"];

/**
 * Returns the packages and the program of a launch whose packages can be installed from a registry beforehand and whose
 * program can be started without the runner: `npx`, `npm exec`, `bunx`, `bun x`, `pnpx`, `pnpm dlx`, `uvx` or `uv tool
 * run`, with exact versions and only options for the registry, the interpreter or the output. Returns `undefined` for
 * every other launch, such as one behind another program, with `-c`, with a workspace, or with a requirements file.
 *
 * @example
 * ```ts
 * import { readInstallable } from "@agentprint/launch";
 *
 * const launch = { type: "stdio", command: "npx", args: ["-y", "my-server@1.2.3", "--all"], env: [] } as const;
 * const installable = readInstallable({ ...launch, args: [...launch.args], env: [] });
 * console.log(installable?.packages[0]?.specifier, installable?.args); // my-server@1.2.3 [ '--all' ]
 * ```
 */
export function readInstallable(launch: Launch): InstallableLaunch | undefined {
  checkLaunch("launch", launch);
  if (launch.type === "http") return undefined;
  const { runner } = readLaunch(launch);
  if (runner === undefined || runner.command.argument !== -1 || isRelative(runner.command)) return undefined;
  const name = programOf(runner.command);
  const family = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (family === undefined || !family.verbs.some((words) => words.every((word, at) => launch.args[at] === word)))
    return undefined;
  const { kind, plain, shared, specifier, foreign } = family;
  const { options, program, wanted, beside, words } = runner;
  if (!options.every(({ name, role }) => role !== "gap" && (plain.test(name) || shared.test(name)))) return undefined;
  const packages = launchedPackages(launch);
  const isExact = (each: FetchedPackage): boolean => each.version === "exact" && specifier.test(each.specifier);
  // If the packages' program is itself a runner, it fetches other packages.
  if (packages.length !== wanted.length + beside.length || !packages.every(isExact)) return undefined;
  if (kind === "python" && !isOneTool(packages, wanted.length)) return undefined;
  const isRenamed = RENAMED_BY_BUN.includes(packages[0]?.package ?? "") && program === undefined;
  if (isRenamed && name.startsWith("bun")) return undefined;
  if (program !== undefined && (!/^[\w@.~-]+$/.test(program.text) || foreign?.test(program.text))) return undefined;
  return {
    kind,
    packages,
    ...(program && { program: program.text }),
    args: words.map(({ text }) => text),
    options: options.flatMap(({ name, value }) => (shared.test(name) ? [name, ...textOf(value)] : [])),
  };
}

/**
 * Returns whether uv treats the first package as the tool and identifies the others by name: `name@1.2.3` after
 * `--with` is a path.
 */
function isOneTool([, ...beside]: readonly FetchedPackage[], wanted: number): boolean {
  const isNamed = ({ specifier }: FetchedPackage): boolean => !specifier.includes("@");
  return wanted === 1 && beside.every(isNamed) && new Set(beside.map(({ pointer }) => pointer)).size === beside.length;
}

function textOf(value: Word | undefined): string[] {
  return value === undefined ? [] : [value.text];
}

/**
 * Returns a launch's coverage if the bytes that a runner fetches must be covered, too: `not covered` with the first
 * package that the runner itself chooses at start, because {@link readInstallable} does not support the launch, or with
 * the first package whose install scripts run.
 *
 * @param artifacts The launch's packages, if they are known
 */
export function coverageWithPackages(
  launch: Launch,
  coverage: LaunchCoverage,
  artifacts: readonly LockedArtifact[] = [],
): LaunchCoverage {
  checkLaunch("launch", launch);
  const built = artifacts.find(({ scripts = [] }) => scripts.length > 0);
  if (built !== undefined && coverage.state !== "not covered") {
    return { ...coverage, state: "not covered", word: built.scripts?.[0] ?? "", pointer: built.pointer };
  }
  if (coverage.state === "not covered" || readInstallable(launch) !== undefined) return coverage;
  const picked = launchedPackages(launch).find(({ kind }) => kind !== "image");
  return picked === undefined
    ? coverage
    : { ...coverage, state: "not covered", word: picked.specifier, pointer: picked.pointer };
}
