import { type FetchedPackage, type FoundArtifact, type Launch, launchedPackages } from "@agentprint/launch";

import { readNpm } from "./npm/read-npm.ts";
import { readScripts } from "./npm/read-script.ts";
import { readImage } from "./oci/read-image.ts";
import { readPypi } from "./pypi/read-pypi.ts";
import type { Surroundings } from "./surroundings.ts";

/** The name of a registry package; a repository or an address has another form. */
const REGISTRY_NAME = /^(@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*(?:\[[^\]]*\])?$/;

/**
 * Reads which packages and images a launch resolves to, in the form that would run on this machine now. Starts none of
 * them.
 *
 * A script in `node_modules` stands for its package, if a package lock has that package's integrity. Packages without
 * an exact version, from a repository or from an address are not included.
 *
 * @param launch The launch with its references resolved
 * @returns One artifact for each word that names a package or an image
 * @throws {@link ArtifactError} with any of its codes if an artifact cannot be read
 */
export async function readArtifacts(launch: Launch, surroundings: Surroundings): Promise<FoundArtifact[]> {
  const all = launchedPackages(launch);
  const read = Promise.all(all.map((each) => readOne(each, all, surroundings)));
  const [packages, scripts] = await Promise.all([read, readScripts(launch, surroundings)]);
  return [...packages.filter((artifact) => artifact !== undefined), ...scripts];
}

function readOne(
  fetched: FetchedPackage,
  all: readonly FetchedPackage[],
  surroundings: Surroundings,
): Promise<FoundArtifact | undefined> {
  const { kind, version, versionText } = fetched;
  if (kind === "image") {
    // The tag `latest` and a missing tag can refer to another image later.
    const isNamed = version !== "none" && versionText !== "latest";
    return isNamed ? readImage(fetched, surroundings) : Promise.resolve(undefined);
  }
  const isOfRegistry = version === "exact" && REGISTRY_NAME.test(fetched.package);
  if (!isOfRegistry) return Promise.resolve(undefined);
  if (kind === "npm") return readNpm(fetched, all, surroundings);
  return readPypi(fetched, all, surroundings);
}
