import { join } from "node:path";
import type { FetchedPackage, FoundArtifact } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import type { Surroundings } from "../surroundings.ts";
import { askUv } from "./ask-uv.ts";
import { type CachedWheel, cachedWheels } from "./uv-cache.ts";

/** A package of an index of Python, by its normalized name. */
interface Exact {
  readonly name: string;
  readonly version: string;
}

/**
 * Reads what an exact package of an index of Python would run: the file that the index offers for this machine. uv asks the index
 * before it takes what it has unpacked, and fetches anew where the index has other bytes; only where no index answers, the unpacked
 * file decides.
 *
 * @throws {@link ArtifactError} each of its codes
 */
export async function readPypi(fetched: FetchedPackage, surroundings: Surroundings): Promise<FoundArtifact> {
  const { pointer, runner } = fetched;
  const { name, version } = exactOf(fetched);
  const own = { pointer, kind: "pypi", name, version } as const;
  try {
    return { ...own, ...(await askUv(`${name}==${version}`, fetched, surroundings)) };
  } catch (error) {
    if (!(error instanceof ArtifactError) || error.code !== "no-answer" || runner === "pipx") throw error;
    const wheel = await unpackedWheel({ name, version }, surroundings);
    if (wheel === undefined) throw error;
    return { ...own, files: { [wheel.name]: wheel.digest }, chosen: wheel.name, source: "installed" };
  }
}

/**
 * Returns the folder of the module that has the name of a package, in the wheel of an exact version that uv has unpacked; `undefined` where
 * there is none, or wheels of several digests are there, or uv does not run the package.
 *
 * @throws {@link ArtifactError} `no-program`, `unreadable`
 */
export async function unpackedModule(fetched: FetchedPackage, surroundings: Surroundings): Promise<string | undefined> {
  if (fetched.runner === "pipx") return undefined;
  const exact = exactOf(fetched);
  const wheel = await unpackedWheel(exact, surroundings);
  return wheel && join(wheel.folder, exact.name.replaceAll("-", "_"));
}

function exactOf({ package: name, versionText = "" }: FetchedPackage): Exact {
  return {
    // PEP 503: the names of an index are compared in this form.
    name: name
      .replace(/\[.*$/s, "")
      .replace(/[-_.]+/g, "-")
      .toLowerCase(),
    version: versionText.replace(/^v/, ""),
  };
}

/** The wheel that uv has unpacked; `undefined` where there is none, or they have several digests. */
async function unpackedWheel({ name, version }: Exact, surroundings: Surroundings): Promise<CachedWheel | undefined> {
  const [wheel, ...others] = await cachedWheels(name, version, surroundings);
  return others.some(({ digest }) => digest !== wheel?.digest) ? undefined : wheel;
}
