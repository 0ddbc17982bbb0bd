import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { objectAt, objectsAt, textAt, unreadable } from "../json-file.ts";

/** A package in a Python lock. */
export interface ReleasedPackage {
  /** The normalized name. */
  readonly name: string;
  readonly version: string;
  /** The files, wheels first, each with its digest. */
  readonly files: readonly (readonly [name: string, digest: string])[];
}

/**
 * Returns the digests of a package's wheels by name and version, plus the tags of a wheel that does not fit every
 * machine; without wheels, the source's digest.
 */
export function titlesOf({ name, version, files }: ReleasedPackage): [title: string, digest: string][] {
  const wheels = files.filter(([file]) => file.endsWith(".whl"));
  return (wheels.length > 0 ? wheels : files).map(([file, digest]) => {
    const tags = /^[^-]+-[^-]+-(.+)\.whl$/.exec(file)?.[1] ?? "sdist";
    return [
      `${name}@${version}${/^py3-|^py2\.py3-/.test(tags) && tags.endsWith("-none-any") ? "" : `/${tags}`}`,
      digest,
    ];
  });
}

/**
 * Returns the packages of a Python lock (PEP 751). A lock for all machines can have several versions of a package.
 *
 * @param requirement The requirement that uv received, for error messages
 * @throws {@link ArtifactError} `unreadable` if the text is not such a lock
 */
export function packagesIn(text: string, requirement: string): ReleasedPackage[] {
  const where = `uv's answer about ${requirement}`;
  let lock: JsonValue;
  try {
    lock = getStaticTOMLValue(parseTOML(text)) as JsonValue;
  } catch (error) {
    throw unreadable(where, error);
  }
  const packages = isJsonObject(lock) ? objectsAt(lock, "packages") : [];
  if (packages.length === 0) throw unreadable(where, new Error("it names no package"));
  return packages.map((each) => ({
    name: textAt(each, "name") ?? "",
    version: textAt(each, "version") ?? "",
    files: filesOf(each),
  }));
}

function filesOf(own: JsonObject): [name: string, digest: string][] {
  const sdist = objectAt(own, "sdist");
  return [...objectsAt(own, "wheels"), ...(Object.keys(sdist).length > 0 ? [sdist] : [])].flatMap((file) => {
    const sha256 = textAt(objectAt(file, "hashes"), "sha256");
    const path = textAt(file, "name") ?? textAt(file, "url") ?? textAt(file, "path") ?? "";
    const [name = ""] = path
      .replace(/[?#].*$/s, "")
      .split("/")
      .slice(-1)
      .map(decodeURIComponent);
    return sha256 === undefined || name === "" ? [] : [[name, `sha256:${sha256}`]];
  });
}
