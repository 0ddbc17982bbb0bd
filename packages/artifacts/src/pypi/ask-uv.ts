import type { FetchedPackage } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { type ProgramEnd, runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import { packagesIn, type ReleasedPackage, titlesOf } from "./python-lock.ts";

/** The files of a release, the file that this machine installs, and the packages installed with it. */
interface Release {
  readonly files: Readonly<Record<string, string>>;
  readonly chosen: string;
  /** The digest of each file of another package that this machine may install; absent if there is none. */
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly source: "cache" | "registry";
}

/** A release, and what is installed with it. */
export interface Wanted {
  /** The normalized name. */
  readonly name: string;
  readonly version: string;
  /** The requirements that are resolved together with the release; absent if nothing is installed with it. */
  readonly together?: {
    readonly requirements: readonly string[];
    /** Whether the requirements are complete, so that their dependencies are not resolved. */
    readonly isWhole: boolean;
  };
}

/** The runner's options that decide how it finds and chooses files. */
const SHARED =
  /^(?:--(?:index|default-index|index-url|extra-index-url|index-strategy|no-index|python|python-platform|torch-backend|prerelease|resolution|fork-strategy|exclude-newer|exclude-newer-package|no-sources|offline|no-config|native-tls|system-certs|keyring-provider|allow-insecure-host)|-i|-p)$/;

/**
 * Gets the files of a version with their SHA-256, and the packages that uv would install with it now, from the user's
 * uv index, or from uv's cache if the index does not answer.
 *
 * @throws {@link ArtifactError} `not-found` if the index does not have the version; `no-answer` if neither has an
 * answer; `no-program`, `unreadable`
 */
export async function askUv(
  { name, version, together }: Wanted,
  { options, runner }: Pick<FetchedPackage, "options" | "runner">,
  surroundings: Surroundings,
): Promise<Release> {
  const requirement = `${name}==${version}`;
  const shared = options
    .filter(([option]) => SHARED.test(option))
    .flatMap((words) => words.filter((word) => word !== undefined));
  const { env } = surroundings;
  // pipx uses the index that pip is configured for.
  const index = runner === "pipx" ? env["PIP_INDEX_URL"] : undefined;
  const set = { UV_HTTP_RETRIES: "1", ...(index !== undefined && { UV_DEFAULT_INDEX: index }) };
  const place = { ...surroundings, env: { ...env, ...set } };
  const ask = (lines: readonly string[], ...more: string[]): Promise<ProgramEnd> =>
    runProgram("uv", [...COMPILE, ...shared, ...more, "-"], place, `${lines.join("\n")}\n`);
  const askOwn = (...more: string[]) => ask([requirement], "--no-deps", "--universal", ...more);
  const online = await askOwn();
  const isOffline = online.code !== 0 && !isMissing(online);
  if (isMissing(online)) throw new ArtifactError("not-found", `the index has no ${requirement}`);
  const all = isOffline ? await askOwn("--offline") : online;
  const { requirements, isWhole } = together ?? { requirements: [requirement], isWhole: true };
  const how = [...(isWhole ? ["--no-deps"] : []), ...(isOffline ? ["--offline"] : [])];
  const here = all.code === 0 ? await ask(requirements, ...how) : all;
  if (all.code !== 0 || here.code !== 0) {
    const [reason = ""] = (isOffline ? online : here).stderr.trim().split("\n");
    throw new ArtifactError("no-answer", `neither the index nor the cache of uv has ${requirement}: ${reason}`);
  }
  const resolved = packagesIn(here.stdout, requirement);
  const ownFiles = (packages: readonly ReleasedPackage[]) => packages.find((each) => each.name === name)?.files ?? [];
  const [chosen] = ownFiles(resolved);
  if (chosen === undefined)
    throw new ArtifactError("not-found", `the index has no file of ${requirement} for this machine`);
  const files = [...ownFiles(packagesIn(all.stdout, requirement)), chosen].sort(byName);
  const dependencies = resolved.flatMap((each) => (each.name === name ? [] : titlesOf(each)));
  return {
    files: Object.fromEntries(files),
    chosen: chosen[0],
    ...(dependencies.length > 0 && { dependencies: Object.fromEntries(dependencies.sort(byName)) }),
    source: isOffline ? "cache" : "registry",
  };
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** The arguments with which uv prints the packages that it would install. */
export const COMPILE: readonly string[] = ["pip", "compile", "--no-header", "--quiet", "--format", "pylock.toml"];

/** Returns whether uv reports that the index lacks the version, or has no file of it that fits this machine. */
export function isMissing({ code, stderr }: ProgramEnd): boolean {
  return (
    code !== 0 && /not found in the package registry|there is no version of|has no wheels|no matching/i.test(stderr)
  );
}
