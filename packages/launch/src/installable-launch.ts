import type { LockedArtifact } from "./artifact.ts";
import { checkLaunch } from "./check-argument.ts";
import type { Launch, LaunchCoverage } from "./launch.ts";
import { type FetchedPackage, launchedPackages } from "./launched-packages.ts";
import { readLaunch } from "./read-launch.ts";
import { isRelative, programOf, type Word } from "./words.ts";

/** A launch whose packages can be installed before it, so that their program is started by its path. */
export interface InstallableLaunch {
  /** Packages of a registry of npm, each by its name in an exact version. */
  readonly packages: readonly FetchedPackage[];
  /** The name of the program; absent where it is the one of the only package. */
  readonly program?: string;
  /** The words that the program gets. */
  readonly args: readonly string[];
  /** The options of the runner that choose the registry and the network. */
  readonly options: readonly string[];
}

/** By runner, the word behind it that makes it fetch. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  pnpx: [],
  bunx: [],
  npm: ["exec", "x"],
  pnpm: ["dlx"],
  bun: ["x"],
};
/** Options that change neither which packages are installed, nor how their program is started. */
const PLAIN =
  /^(?:-y|--yes|-q|--quiet|--silent|-s|--verbose|-d|--ignore-existing|--ignore-scripts|--no-(?:audit|fund|update-notifier|progress)|--loglevel|--reporter|-p|--package)$/;
/** Options that the installer gets, too. */
const SHARED = /^--(?:registry|offline|prefer-offline|prefer-online|legacy-peer-deps)$/;
/** Names that `bunx` takes for those of other packages, unless `--package` says them. */
const RENAMED_BY_BUN = ["tsc", "claude"];
/** A name of npm, and a version behind it: no alias, no repository, no address. */
const SPECIFIER = /^(?:@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*@[v=]?\d[\w.+-]*$/;

/**
 * Returns the packages and the program of a launch whose packages can be installed from a registry of npm before it, and its program started
 * without the runner: `npx`, `npm exec`, `bunx`, `bun x`, `pnpx` and `pnpm dlx` with exact versions and options of the
 * registry or the output alone. `undefined` for every other launch, such as one behind another program, with `-c`, or with a workspace.
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
  const verbs = VERBS[programOf(runner.command)];
  if (verbs === undefined || (verbs.length > 0 && !verbs.includes(launch.args[0] ?? ""))) return undefined;
  const { options, program, wanted, words } = runner;
  if (!options.every(({ name }) => PLAIN.test(name) || SHARED.test(name))) return undefined;
  const packages = launchedPackages(launch);
  const isExact = ({ version, specifier }: FetchedPackage): boolean => version === "exact" && SPECIFIER.test(specifier);
  // A program of these packages that is itself a runner fetches others.
  if (packages.length !== wanted.length || !packages.every(isExact)) return undefined;
  const isRenamed = RENAMED_BY_BUN.includes(packages[0]?.package ?? "") && program === undefined;
  if (isRenamed && programOf(runner.command).startsWith("bun")) return undefined;
  if (program !== undefined && !/^[\w@.~-]+$/.test(program.text)) return undefined;
  return {
    packages,
    ...(program && { program: program.text }),
    args: words.map(({ text }) => text),
    options: options.flatMap(({ name, value }) => (SHARED.test(name) ? [name, ...textOf(value)] : [])),
  };
}

function textOf(value: Word | undefined): string[] {
  return value === undefined ? [] : [value.text];
}

/**
 * The coverage of a launch where the bytes of what a runner fetches count, too: `not covered` with the first package that the runner
 * itself picks when it starts, because {@link readInstallable} does not know the launch, or with the first one whose install scripts run.
 *
 * @param artifacts The packages of the launch, where they are known
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
