import { isJsonObject } from "@agentprint/canonical-json";
import type { FetchedPackage } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { objectAt, objectIn, textAt } from "../json-file.ts";
import { type ProgramEnd, runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import { lastLine } from "./npm-settings.ts";

/** A registry's description of a package version. */
interface DescribedPackage {
  readonly integrity?: string;
  readonly source: "cache" | "registry";
}

/** The runner's options that npm also has: they choose the registry, or forbid the network. */
const SHARED = new Set(["--registry", "--offline", "--prefer-offline", "--prefer-online"]);

/**
 * Gets the integrity of a version from the registry that the user's npm is configured for, or from npm's cache if the
 * registry does not answer.
 *
 * @throws {@link ArtifactError} `not-found` if the registry does not have the version; `no-answer` if neither has an
 * answer; `no-program`, `unreadable`
 */
export async function askNpm(
  { package: name, options }: Pick<FetchedPackage, "package" | "options">,
  version: string,
  surroundings: Surroundings,
): Promise<DescribedPackage> {
  const shared = options
    .filter(([option]) => SHARED.has(option))
    .flatMap((words) => words.filter((word) => word !== undefined));
  const asked = ["view", "--json", "--fetch-retries=1", "--fetch-retry-mintimeout=500", ...shared];
  const ask = (...more: string[]): Promise<ProgramEnd> =>
    runProgram("npm", [...asked, ...more, "--", `${name}@${version}`, "name", "version", "dist"], surroundings);
  const online = await ask();
  const isOffline = shared.includes("--offline");
  if (online.code === 0) return described(online, name, version, isOffline ? "cache" : "registry");
  const code = errorCode(online);
  if (code === "E404" || code === "ETARGET") throw notFound(name, version);
  const cached = isOffline ? online : await ask("--offline");
  if (cached.code === 0) return described(cached, name, version, "cache");
  throw new ArtifactError(
    "no-answer",
    `neither the registry nor the cache of npm has ${name}@${version}: ${lastLine(online.stderr)}`,
  );
}

function described(
  { stdout }: ProgramEnd,
  name: string,
  version: string,
  source: DescribedPackage["source"],
): DescribedPackage {
  // npm prints nothing for a version that does not exist.
  if (stdout.trim() === "") throw notFound(name, version);
  const found = objectIn(stdout, `npm's answer about ${name}@${version}`);
  if (textAt(found, "name") !== name || textAt(found, "version") !== version) throw notFound(name, version);
  const dist = objectAt(found, "dist");
  const [integrity, shasum] = [textAt(dist, "integrity"), textAt(dist, "shasum")];
  const known = integrity ?? (shasum && `sha1-${Buffer.from(shasum, "hex").toString("base64")}`);
  return { ...(known && { integrity: known }), source };
}

function notFound(name: string, version: string): ArtifactError {
  return new ArtifactError("not-found", `the registry has no ${name}@${version}`);
}

/** Returns the code of an error that npm printed as JSON, such as `E404`. */
export function errorCode({ stdout }: Pick<ProgramEnd, "stdout">): string | undefined {
  if (!stdout.trimStart().startsWith("{")) return undefined;
  const { error } = objectIn(stdout, "npm's error");
  return isJsonObject(error ?? null) ? textAt(error as never, "code") : undefined;
}
