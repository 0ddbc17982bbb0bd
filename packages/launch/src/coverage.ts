import { checkArgument, checkLaunch } from "./check-argument.ts";
import { isLoadingCode } from "./code-variables.ts";
import type { Launch, LaunchCoverage } from "./launch.ts";
import { readLaunch } from "./read-launch.ts";
import { type LaunchedEnvFile, pointerOf } from "./reader.ts";
import type { Word } from "./words.ts";

/**
 * Returns how far a launch's digests cover what it interprets: the state `files` if the lock pins each file that the
 * launch names as code, `artifact` if the launch names no such file and fetches a package or image in an exact version,
 * and `not covered` with the first word whose effect is unknown or the first package without an exact version. A server
 * at an address has no coverage.
 *
 * @example
 * ```ts
 * import { launchCoverage } from "@agentprint/launch";
 *
 * const launch = { type: "stdio", command: "node", args: ["--surprise", "server.js"], env: [] } as const;
 * console.log(launchCoverage({ ...launch, args: [...launch.args], env: [] }));
 * // { state: 'not covered', word: '--surprise', pointer: '/args/0' }
 * ```
 */
export function launchCoverage(launch: Launch): LaunchCoverage | undefined {
  checkLaunch("launch", launch);
  if (launch.type === "http") return undefined;
  const { gap, files, packages, envFiles } = readLaunch(launch);
  const named = envFiles.length === 0 ? {} : { envFiles: [...new Set(envFiles.map(({ path }) => path))] };
  if (gap !== undefined) return { ...notCovered(gap.word), ...named };
  // A package that a runner fetches runs even if its argument is a file.
  const floating = packages.find(({ specifier }) => specifier.version !== "exact");
  if (floating !== undefined) return { ...notCovered(floating.word), ...named };
  if (files.length > 0) return { state: "files", ...named };
  return packages.length > 0
    ? { state: "artifact", ...named }
    : { state: "not covered", word: launch.command, pointer: "/command", ...named };
}

function notCovered(word: Word): LaunchCoverage {
  return { state: "not covered", word: word.text, pointer: pointerOf(word) };
}

/**
 * Returns the coverage if only some files could be hashed: `not covered` with the first file that has no digest.
 *
 * @param digested The pointers to the files that have digests.
 */
export function coverageWithFiles(launch: Launch, digested: readonly string[]): LaunchCoverage | undefined {
  checkLaunch("launch", launch);
  checkArgument("digested", digested, "array");
  const coverage = launchCoverage(launch);
  if (launch.type === "http" || coverage?.state !== "files") return coverage;
  const files = readLaunch(launch).files;
  const missing = files.find(({ pointer }) => !digested.includes(pointer));
  const strange = digested.find((pointer) => !files.some((file) => file.pointer === pointer));
  if (missing === undefined && strange === undefined) return coverage;
  const pointer = missing?.pointer ?? (strange as string);
  return { ...coverage, state: "not covered", word: missing?.path ?? wordAt(launch, pointer), pointer };
}

function wordAt({ command, args }: Extract<Launch, { type: "stdio" }>, pointer: string): string {
  return pointer === "/command" ? command : (args[Number(pointer.slice("/args/".length))] ?? "");
}

/** Returns the files with variables that a launch names, relative to its folder. */
export function launchedEnvFiles(launch: Launch): readonly LaunchedEnvFile[] {
  checkLaunch("launch", launch);
  return launch.type === "http" ? [] : readLaunch(launch).envFiles;
}

/**
 * Returns the names of the variables that a launch's words set and that load code, with the pointers to these words.
 */
export function codeVariablesOfLaunch(launch: Launch): { readonly name: string; readonly pointer: string }[] {
  checkLaunch("launch", launch);
  if (launch.type === "http") return [];
  return readLaunch(launch)
    .variables.filter(({ name, value }) => isLoadingCode(name, value))
    .map(({ name, word }) => ({ name, pointer: pointerOf(word) }));
}
