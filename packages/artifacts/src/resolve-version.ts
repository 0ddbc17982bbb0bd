import { type JsonValue, parseJson } from "@agentprint/canonical-json";
import type { LaunchedPackage } from "@agentprint/launch";
import { ArtifactError } from "./errors.ts";
import { unreadable } from "./json-file.ts";
import { errorCode } from "./npm/ask-npm.ts";
import { askImageRegistry } from "./oci/ask-registry.ts";
import { runProgram } from "./run-program.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Returns the newest version that a launch could fetch now, from the registry that the user's npm or uv is configured
 * for; for an image, the tag's current digest.
 *
 * @throws {@link ArtifactError} `not-found` for a package whose name is not a registry name, or that has no version;
 * `no-answer` if the program that queries the registry fails; `no-program`, `unreadable`
 */
export async function resolveVersion(
  { kind, package: name, version, versionText }: LaunchedPackage,
  surroundings: Surroundings,
): Promise<string> {
  if (kind === "image") {
    return (await askImageRegistry(name, versionText ?? "latest", surroundings.signal)).integrity;
  }
  if (!/^(@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*$/.test(name)) {
    throw new ArtifactError("not-found", `the version of ${name} cannot be requested`);
  }
  if (kind === "npm") {
    const spec = versionText === undefined ? name : `${name}@${versionText}`;
    return newest(await outputOf("npm", ["view", "--json", "--", spec, "version"], surroundings), name);
  }
  const requirement = version === "range" && versionText !== undefined ? `${name}${versionText}` : name;
  const args = ["pip", "compile", "--no-deps", "--no-header", "--no-annotate", "--quiet", "-"];
  const compiled = await outputOf("uv", args, surroundings, `${requirement}\n`);
  const [, found] = /^[^=\s]+==([\w.!+-]+)/m.exec(compiled) ?? [];
  return found ?? noVersion(name);
}

/**
 * Returns the newest version that npm printed: npm prints a single version, or for a range a list of all matching
 * versions, with the newest last.
 */
function newest(printed: string, name: string): string {
  if (printed.trim() === "") return noVersion(name);
  let versions: JsonValue;
  try {
    versions = parseJson(printed);
  } catch (error) {
    throw unreadable(`npm's answer about ${name}`, error);
  }
  const last = [versions].flat().at(-1);
  return typeof last === "string" ? last : noVersion(name);
}

function noVersion(name: string): never {
  throw new ArtifactError("not-found", `the registry names no version of ${name}`);
}

/** The text with which uv reports that an index does not have a package or version. */
const NOT_FOUND = /was not found in the package registry|there (?:is|are) no versions? of/;

async function outputOf(
  program: string,
  args: readonly string[],
  surroundings: Surroundings,
  input?: string,
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, surroundings, input);
  if (code === 0) return stdout;
  const isMissing = program === "npm" ? errorCode({ stdout }) === "E404" : NOT_FOUND.test(stderr);
  if (isMissing) throw new ArtifactError("not-found", `${program} cannot find the package or version`);
  const reason = code === null ? "it was ended" : stderr.trim().split("\n")[0] || `exit code ${code}`;
  throw new ArtifactError("no-answer", `${program} could not report the version: ${reason}`);
}
