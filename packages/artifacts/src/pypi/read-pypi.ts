import { join } from "node:path";
import type { FetchedPackage, FoundArtifact } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import type { Surroundings } from "../surroundings.ts";
import { askUv, type Wanted } from "./ask-uv.ts";
import { toolRequirements } from "./tool-environment.ts";
import { type CachedWheel, cachedWheels } from "./uv-cache.ts";

/** A package in a Python index, with its normalized name. */
export type Exact = Pick<Wanted, "name" | "version">;

/** Options that make a file or folder affect what uv installs. */
const UNREAD = /^(?:--with-.*|-c|--constraints|-b|--build-constraints|--overrides|-f|--find-links)$/;

/**
 * Reads which file of an exact package from a Python index would run: the one that the index offers for this machine.
 * uv queries the index before it uses an unpacked file, and fetches again if the index has different bytes; the
 * unpacked file decides only if no index answers.
 *
 * The first package of `uvx` is returned with its dependencies: the versions that `uv tool install` has installed, or
 * else those that uv resolves now, as it does before each start.
 *
 * @param all All packages of the launch, because uv resolves them together
 * @throws {@link ArtifactError} with any of its codes
 */
export async function readPypi(
  fetched: FetchedPackage,
  all: readonly FetchedPackage[],
  surroundings: Surroundings,
): Promise<FoundArtifact> {
  const { pointer, runner } = fetched;
  const { name, version } = exactOf(fetched);
  const own = { pointer, kind: "pypi", name, version } as const;
  try {
    const together = await installedTogether(fetched, all, { name, version }, surroundings);
    return { ...own, ...(await askUv({ name, version, ...(together && { together }) }, fetched, surroundings)) };
  } catch (error) {
    if (!(error instanceof ArtifactError) || error.code !== "no-answer" || runner === "pipx") throw error;
    const wheel = await unpackedWheel({ name, version }, surroundings);
    if (wheel === undefined) throw error;
    return { ...own, files: { [wheel.name]: wheel.digest }, chosen: wheel.name, source: "installed" };
  }
}

/**
 * Returns the folder of the module named like a package, in the wheel of an exact version that uv has unpacked;
 * `undefined` if there is no such folder, if the unpacked wheels have different digests, or if uv does not run the
 * package.
 *
 * @throws {@link ArtifactError} `no-program`, `unreadable`
 */
export async function unpackedModule(fetched: FetchedPackage, surroundings: Surroundings): Promise<string | undefined> {
  if (fetched.runner === "pipx") return undefined;
  const exact = exactOf(fetched);
  const wheel = await unpackedWheel(exact, surroundings);
  return wheel && join(wheel.folder, exact.name.replaceAll("-", "_"));
}

/** Returns the normalized name of a Python package, and its version. */
export function exactOf({ package: name, versionText = "" }: FetchedPackage): Exact {
  return {
    // Package names are compared in this form (PEP 503).
    name: name
      .replace(/\[.*$/s, "")
      .replace(/[-_.]+/g, "-")
      .toLowerCase(),
    version: versionText.replace(/^v/, ""),
  };
}

/**
 * Returns the wheel that uv has unpacked, or `undefined` if there is none or the unpacked wheels have different
 * digests.
 */
async function unpackedWheel({ name, version }: Exact, surroundings: Surroundings): Promise<CachedWheel | undefined> {
  const [wheel, ...others] = await cachedWheels(name, version, surroundings);
  return others.some(({ digest }) => digest !== wheel?.digest) ? undefined : wheel;
}

/**
 * Returns the requirements that uv installs into one environment for a tool; `undefined` for a package that is
 * installed with another one.
 */
async function installedTogether(
  fetched: FetchedPackage,
  all: readonly FetchedPackage[],
  { name, version }: Exact,
  surroundings: Surroundings,
): Promise<Wanted["together"]> {
  const { runner, isCommand, options } = fetched;
  const isTool =
    runner === "uvx" || (runner === "uv" && (isCommand || options.some(([option]) => option === "--from")));
  const isBeside = (option: string): boolean => option === "--with" || option === "-w";
  const beside = options.flatMap(([option, list = ""]) => (isBeside(option) ? listed(list) : [])).length;
  // A requirements file would affect the resolution, but it is not read.
  const isReadable = all.length === 1 + beside && !options.some(([option]) => UNREAD.test(option));
  if (!isTool || !isReadable || all[0] !== fetched) return undefined;
  const isAlone = beside === 0 && !options.some(([option]) => option === "--isolated");
  const installed = isAlone ? await toolRequirements(name, version, surroundings) : undefined;
  if (installed !== undefined) return { requirements: installed, isWhole: true };
  return { requirements: all.map(requirementOf), isWhole: false };
}

/** Returns the requirement for a package: `uvx` accepts `name@1.2.3` for `name==1.2.3`. */
function requirementOf({ specifier, package: name, version, versionText }: FetchedPackage): string {
  return version === "exact" ? `${name}==${versionText?.replace(/^v/, "")}` : specifier;
}

/** Splits a list after `--with`: commas between extras and between version bounds do not split it. */
function listed(list: string): string[] {
  return list.split(/,\s*(?=[A-Za-z][^\]]*(?:\[|$))/);
}
