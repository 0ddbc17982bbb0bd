import { askRegistry, type LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import type { PackageManifest } from "../packed-packages.ts";

/** The manifest of one version of a package in a registry. */
export type PublishedManifest = PackageManifest & { readonly dist: { readonly tarball: string } };

/** Scripts that npm runs on the machine of anyone who installs a package. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];

/** Returns the registry's manifests of the versions, by package name. */
export async function readPublished(
  { url }: LocalRegistry,
  versions: ReadonlyMap<string, string>,
): Promise<Map<string, PublishedManifest>> {
  const found = new Map<string, PublishedManifest>();
  for (const [name, version] of versions) {
    const answer = await askRegistry(new URL(`${name}/${version}`, url));
    found.set(name, JSON.parse(answer.toString()) as PublishedManifest);
  }
  return found;
}

/**
 * Throws if a published package requires a different version of one of this repository's packages than the one
 * published with it, or requires an unpublished package, or runs a script when it is installed.
 */
export function checkManifests(published: ReadonlyMap<string, PublishedManifest>): void {
  const problems: string[] = [];
  for (const [name, { scripts = {}, dependencies, optionalDependencies, peerDependencies }] of published) {
    for (const script of INSTALL_SCRIPTS) if (script in scripts) problems.push(`${name} has the script ${script}`);
    for (const [wanted, range] of Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const isOurs = wanted === "agentprint" || wanted.startsWith("@agentprint/");
      const expected = `^${published.get(wanted)?.version}`;
      if (isOurs && range !== expected) problems.push(`${name} wants ${wanted} ${range}, expected ${expected}`);
      if (/^(workspace|file|link):/.test(range)) problems.push(`${name} wants ${wanted} ${range}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const versions = [...new Set(Array.from(published.values(), ({ version }) => version))].join(", ");
  console.log(
    `${published.size} packages of version ${versions}; each wants the others as they are, and none runs a script`,
  );
}
