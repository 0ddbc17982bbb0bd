import { isJsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import type { FetchedPackage, FoundArtifact } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { textAt, unreadable } from "../json-file.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import { askImageRegistry } from "./ask-registry.ts";

/**
 * Reads which image a launch would run: the local one, or else the registry's for the tag or digest.
 *
 * @throws {@link ArtifactError} with any of its codes
 */
export async function readImage(
  { pointer, runner, package: name, versionText = "", specifier, options }: FetchedPackage,
  surroundings: Surroundings,
): Promise<FoundArtifact> {
  const own = { pointer, kind: "oci", name, version: versionText } as const;
  const isFetched = options.some(([option, value]) => option === "--pull" && (value === "always" || value === "newer"));
  const local = isFetched ? undefined : await localDigest(runner, specifier, surroundings);
  if (local !== undefined) return { ...own, integrity: local, source: "installed" };
  return { ...own, ...(await askImageRegistry(name, versionText, surroundings.signal)), source: "registry" };
}

/**
 * Returns the digest that a local image was fetched by, or `undefined` if there is no such image.
 *
 * @throws {@link ArtifactError} `unreadable` if the image was built here, so that no registry has assigned it a digest,
 * or if the program does not print JSON; `no-program`; `no-answer` if the program or its service does not answer
 */
async function localDigest(runner: string, specifier: string, surroundings: Surroundings): Promise<string | undefined> {
  const { stdout, stderr, code } = await runProgram(runner, ["image", "inspect", specifier], surroundings);
  if (code !== 0) {
    if (/no such image|image not known|not found/i.test(stderr)) return undefined;
    throw new ArtifactError(
      "no-answer",
      `${runner} does not report which images it has: ${stderr.trim().split("\n")[0] ?? ""}`,
    );
  }
  const where = `${runner}'s answer about ${specifier}`;
  const list = listIn(stdout, where);
  const [image] = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const repoDigests = image?.["RepoDigests"];
  const digests = Array.isArray(repoDigests) ? repoDigests.flatMap((each) => String(each).split("@")[1] ?? []) : [];
  const [digest = image && textAt(image, "Digest")] = digests;
  if (digest === undefined) throw unreadable(where, new Error("no registry has assigned a digest to the image"));
  return digest;
}

function listIn(text: string, where: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw unreadable(where, error);
  }
}
