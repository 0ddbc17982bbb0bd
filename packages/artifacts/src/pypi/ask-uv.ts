import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import type { FetchedPackage } from "@agentprint/launch";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { ArtifactError } from "../errors.ts";
import { objectAt, textAt, unreadable } from "../json-file.ts";
import { type ProgramEnd, runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";

/** The files of a release, and the one that this machine installs. */
interface Release {
  readonly files: Readonly<Record<string, string>>;
  readonly chosen: string;
  readonly source: "cache" | "registry";
}

/** Options of the runner by which it finds or chooses files. */
const SHARED =
  /^(?:--(?:index|default-index|index-url|extra-index-url|index-strategy|python|prerelease|offline|no-config|native-tls|system-certs|keyring-provider|allow-insecure-host)|-i|-p)$/;

/**
 * Asks the index that the user's uv is set up with for the files of a version and their SHA-256; where it does not answer, the
 * cache of uv.
 *
 * @throws {@link ArtifactError} `not-found` when the index has no such version; `no-answer` when neither answers;
 * `no-program`, `unreadable`
 */
export async function askUv(
  requirement: string,
  { options, runner }: Pick<FetchedPackage, "options" | "runner">,
  surroundings: Surroundings,
): Promise<Release> {
  const shared = options
    .filter(([option]) => SHARED.test(option))
    .flatMap((words) => words.filter((word) => word !== undefined));
  const { env } = surroundings;
  // pipx asks the index that pip is set up with.
  const index = runner === "pipx" ? env["PIP_INDEX_URL"] : undefined;
  const set = { UV_HTTP_RETRIES: "1", ...(index !== undefined && { UV_DEFAULT_INDEX: index }) };
  const place = { ...surroundings, env: { ...env, ...set } };
  const ask = (...more: string[]): Promise<ProgramEnd> =>
    runProgram("uv", [...COMPILE, ...shared, ...more, "-"], place, `${requirement}\n`);
  const online = await ask("--universal");
  const isOffline = online.code !== 0 && !isMissing(online);
  if (isMissing(online)) throw new ArtifactError("not-found", `the index has no ${requirement}`);
  const all = isOffline ? await ask("--universal", "--offline") : online;
  const here = all.code === 0 ? await ask(...(isOffline ? ["--offline"] : [])) : all;
  if (all.code !== 0 || here.code !== 0) {
    const [reason = ""] = online.stderr.trim().split("\n");
    throw new ArtifactError("no-answer", `neither the index nor the cache of uv has ${requirement}: ${reason}`);
  }
  const [chosen] = filesIn(here.stdout, requirement);
  if (chosen === undefined)
    throw new ArtifactError("not-found", `the index has no file of ${requirement} for this machine`);
  const files = [...filesIn(all.stdout, requirement), chosen].sort(([a], [b]) => (a < b ? -1 : 1));
  return { files: Object.fromEntries(files), chosen: chosen[0], source: isOffline ? "cache" : "registry" };
}

const COMPILE = ["pip", "compile", "--no-deps", "--no-header", "--quiet", "--format", "pylock.toml"];

function isMissing({ code, stderr }: ProgramEnd): boolean {
  return (
    code !== 0 && /not found in the package registry|there is no version of|has no wheels|no matching/i.test(stderr)
  );
}

/** The files of a lock of Python (PEP 751), wheels first, each with its digest. */
function filesIn(text: string, requirement: string): [name: string, digest: string][] {
  const where = `what uv says of ${requirement}`;
  let lock: JsonValue;
  try {
    lock = getStaticTOMLValue(parseTOML(text)) as JsonValue;
  } catch (error) {
    throw unreadable(where, error);
  }
  const [own] = isJsonObject(lock) ? objectsAt(lock, "packages") : [];
  if (own === undefined) throw unreadable(where, new Error("it names no package"));
  const sdist = objectAt(own, "sdist");
  return [...objectsAt(own, "wheels"), ...(Object.keys(sdist).length > 0 ? [sdist] : [])].flatMap((file) => {
    const sha256 = textAt(objectAt(file, "hashes"), "sha256");
    const path = textAt(file, "name") ?? textAt(file, "url") ?? textAt(file, "path") ?? "";
    const name = decodeURIComponent(
      path
        .replace(/[?#].*$/s, "")
        .split("/")
        .at(-1) ?? "",
    );
    return sha256 === undefined || name === "" ? [] : [[name, `sha256:${sha256}`]];
  });
}

function objectsAt(value: JsonObject, name: string): JsonObject[] {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(member) ? member.filter(isJsonObject) : [];
}
