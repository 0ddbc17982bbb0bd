import type { FetchedPackage, FoundArtifact } from "@agentprint/launch";

import { ArtifactError } from "../errors.ts";
import type { ReadOptions, Surroundings } from "../surroundings.ts";
import { askUv } from "./ask-uv.ts";
import { cachedWheels } from "./uv-cache.ts";

/**
 * Reads what an exact package of an index of Python would run: the wheel that uv has unpacked, or else the file that the index
 * offers for this machine.
 *
 * @throws {@link ArtifactError} each of its codes
 */
export async function readPypi(
  fetched: FetchedPackage,
  surroundings: Surroundings,
  { isWhole = false }: ReadOptions,
): Promise<FoundArtifact> {
  const { pointer, runner, versionText = "" } = fetched;
  // PEP 503: the names of an index are compared in this form.
  const name = fetched.package
    .replace(/\[.*$/s, "")
    .replace(/[-_.]+/g, "-")
    .toLowerCase();
  const version = versionText.replace(/^v/, "");
  const own = { pointer, kind: "pypi", name, version } as const;
  const cached = runner === "pipx" ? [] : await cachedWheels(name, version, surroundings);
  const files = Object.fromEntries(cached.map(({ name: file, digest }) => [file, digest]));
  if (new Set(cached.map(({ digest }) => digest)).size > 1) {
    throw new ArtifactError("unreadable", `the cache of uv has several files of ${name}==${version}`);
  }
  const [first] = cached;
  const installed = first && ({ ...own, files, chosen: first.name, source: "installed" } as const);
  if (installed !== undefined && !isWhole) return installed;
  const asked = askUv(`${name}==${version}`, fetched, surroundings);
  if (installed === undefined) return { ...own, ...(await asked) };
  const release = await asked;
  return { ...installed, files: { ...release.files, ...files } };
}
