import type { FetchedPackage, FoundArtifact } from "@agentprint/launch";

import { ArtifactError } from "../errors.ts";
import type { Surroundings } from "../surroundings.ts";
import { askUv } from "./ask-uv.ts";
import { cachedWheels } from "./uv-cache.ts";

/**
 * Reads what an exact package of an index of Python would run: the file that the index offers for this machine. uv asks the index
 * before it takes what it has unpacked, and fetches anew where the index has other bytes; only where no index answers, the unpacked
 * file decides.
 *
 * @throws {@link ArtifactError} each of its codes
 */
export async function readPypi(fetched: FetchedPackage, surroundings: Surroundings): Promise<FoundArtifact> {
  const { pointer, runner, versionText = "" } = fetched;
  // PEP 503: the names of an index are compared in this form.
  const name = fetched.package
    .replace(/\[.*$/s, "")
    .replace(/[-_.]+/g, "-")
    .toLowerCase();
  const version = versionText.replace(/^v/, "");
  const own = { pointer, kind: "pypi", name, version } as const;
  try {
    return { ...own, ...(await askUv(`${name}==${version}`, fetched, surroundings)) };
  } catch (error) {
    if (!(error instanceof ArtifactError) || error.code !== "no-answer" || runner === "pipx") throw error;
    const [wheel, ...others] = await cachedWheels(name, version, surroundings);
    if (wheel === undefined || others.some(({ digest }) => digest !== wheel.digest)) throw error;
    return { ...own, files: { [wheel.name]: wheel.digest }, chosen: wheel.name, source: "installed" };
  }
}
