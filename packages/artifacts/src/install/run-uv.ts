import { delimiter, parse } from "node:path";
import { ArtifactError } from "../errors.ts";
import { isMissing } from "../pypi/ask-uv.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import { foreignTo, pathWithoutProject } from "./install-npm.ts";

/** The time limit of an installation, in milliseconds. */
const TIME_LIMIT = 300_000;
/**
 * Variables that uv needs to reach an index and find its own folders; any other uv variable may affect what is
 * installed.
 */
const NETWORK_VARIABLE =
  /^UV_(?:INDEX|INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|INDEX_STRATEGY|INDEX_\w+_(?:USERNAME|PASSWORD)|KEYRING_PROVIDER|INSECURE_HOST|NATIVE_TLS|SYSTEM_CERTS|HTTP_\w+|REQUEST_TIMEOUT|CONCURRENT_\w+|OFFLINE|CACHE_DIR|CREDENTIALS_DIR|PYTHON_DOWNLOADS|PYTHON_PREFERENCE|PYTHON_INSTALL_DIR|(?:NO_)?MANAGED_PYTHON)$/i;
/** Variables that select a different environment, interpreter or code folder. */
const CHOOSING_VARIABLE = /^(?:UV|PIP|PYTHON|CONDA|VIRTUAL_ENV)/i;
/** Variables for folders, which are kept only if the folder is outside the project. */
const FOLDER_VARIABLE = /^(?:UV_CACHE_DIR|UV_CREDENTIALS_DIR|UV_PYTHON_INSTALL_DIR|XDG_\w+_(?:HOME|DIRS)|NETRC)$/i;
/** The version or the name of an interpreter, but not a path. */
const INTERPRETER = /^[\w.@+-]+$/;
const ABSENT = /no usable wheels|has no wheels/i;

/**
 * Runs uv so that no file of the project affects it: outside the project's folder and the folders above it, without the
 * variables that uv, pip or Python use to choose packages, and without the project's programs. The user's own uv
 * settings apply, as they do for `uvx`. If the network fails, uv uses its cache.
 *
 * @param args The arguments of `uv`, with absolute paths
 * @returns The standard output
 * @throws {@link ArtifactError} `not-found` if the index lacks a version or a wheel for this machine; `no-answer` when
 * uv fails; `no-program`
 */
export async function runUv(args: readonly string[], surroundings: Surroundings, input = ""): Promise<string> {
  const { cwd, signal } = surroundings;
  // uv searches for settings in its working folder and in every folder above it.
  const own = { cwd: parse(cwd).root, env: uvEnvironment(surroundings), ...(signal && { signal }) };
  const online = await runProgram("uv", args, own, input, TIME_LIMIT);
  if (online.code === 0) return online.stdout;
  const reason = reasonIn(online.stderr);
  if (ABSENT.test(online.stderr)) {
    const why = "nothing is built, because a build runs code of the package";
    throw new ArtifactError("not-found", `a package has no wheel for this machine, and ${why}: ${reason}`);
  }
  if (isMissing(online)) throw new ArtifactError("not-found", `the index lacks a version: ${reason}`);
  const offline = await runProgram("uv", [...args, "--offline"], own, input, TIME_LIMIT);
  if (offline.code !== 0) throw new ArtifactError("no-answer", `uv cannot install it: ${reason}`);
  return offline.stdout;
}

function reasonIn(text: string): string {
  return text
    .replace(/[\s×╰─▶│├]+/g, " ")
    .trim()
    .slice(0, 600);
}

function uvEnvironment(surroundings: Surroundings): Record<string, string | undefined> {
  const isForeign = foreignTo(surroundings);
  const kept = Object.entries(surroundings.env).filter(([name, value = ""]) => {
    if (FOLDER_VARIABLE.test(name) && !value.split(delimiter).every(isForeign)) return false;
    if (/^UV_PYTHON$/i.test(name)) return INTERPRETER.test(value);
    return !CHOOSING_VARIABLE.test(name) || NETWORK_VARIABLE.test(name);
  });
  return { ...Object.fromEntries(kept), ...pathWithoutProject(surroundings), UV_HTTP_RETRIES: "1" };
}
