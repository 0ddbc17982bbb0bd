import { checkLaunch } from "./check-argument.ts";
import type { Launch } from "./launch.ts";
import type { LaunchedPackage } from "./launcher.ts";
import { readLaunch } from "./read-launch.ts";
import { type FoundPackage, pointerOf } from "./reader.ts";

/**
 * A package that a launch fetches, as the launch writes it, with the options of the program that fetches the package.
 */
export interface FetchedPackage extends LaunchedPackage {
  /** The complete argument, such as `my-server@1.2.3`. */
  readonly specifier: string;
  /** The options' names with their values; an option without a value has only a name. */
  readonly options: readonly (readonly [name: string, value?: string])[];
  /** Whether the word is also the command, so that the package is not named by an option. */
  readonly isCommand: boolean;
}

/**
 * Returns every package and image that a launch fetches: the command's package, and those that are installed with it.
 *
 * @example
 * ```ts
 * import { launchedPackages } from "@agentprint/launch";
 *
 * const launch = { type: "stdio", command: "npx", args: ["-p", "one@1.0.0", "-p", "two@2.0.0", "two"], env: [] } as const;
 * const packages = launchedPackages({ ...launch, args: [...launch.args], env: [] });
 * console.log(packages.map(({ specifier }) => specifier)); // [ 'one@1.0.0', 'two@2.0.0' ]
 * ```
 */
export function launchedPackages(launch: Launch): FetchedPackage[] {
  checkLaunch("launch", launch);
  return launch.type === "http" ? [] : readLaunch(launch).packages.map(fetched);
}

function fetched({ runner, word, specifier, options, isCommand = false }: FoundPackage): FetchedPackage {
  const { kind, package: name, version, versionText } = specifier;
  return {
    kind,
    runner,
    package: name,
    version,
    ...(versionText !== undefined && { versionText }),
    pointer: pointerOf(word),
    specifier: word.text,
    options: options.map(({ name, value }) => (value === undefined ? [name] : [name, value.text])),
    isCommand,
  };
}
