import { mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { JsonObject } from "@agentprint/canonical-json";
import type { Launch } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { readObject, readText } from "../json-file.ts";
import { lastLine } from "../npm/npm-settings.ts";
import { programOf, scriptOf } from "../project/program-of.ts";
import type { Project } from "../project/read-project.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import { installFromNpm } from "./install-npm.ts";

/** The time limit of an installation, in milliseconds. */
const TIME_LIMIT = 300_000;

/** An exact version of a package. */
export interface ExactPackage {
  readonly kind: NonNullable<Project["kind"]>;
  readonly name: string;
  readonly version: string;
}

/**
 * Installs a package into its own folder with the user's npm or uv, and returns how to start it. No script of the
 * package or its dependencies runs, and nothing is built.
 *
 * @param folder An existing empty folder; no registry settings are left in it
 * @param surroundings The folder whose `.npmrc` selects the registry, and the variables that the installer receives
 * @throws {@link ArtifactError} `no-answer` if the installer fails; `not-found` if the package declares no program,
 * or several; `no-program`, `unreadable`
 */
export async function installPackage(
  wanted: ExactPackage,
  folder: string,
  surroundings: Surroundings,
): Promise<Extract<Launch, { type: "stdio" }>> {
  if (!/^(@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*$/.test(wanted.name) || !/^[\w.!+-]+$/.test(wanted.version)) {
    throw new ArtifactError("not-found", `${wanted.name}@${wanted.version} is not a package in an exact version`);
  }
  const [command, ...args] = await (wanted.kind === "npm" ? byNpm : byUv)(wanted, folder, surroundings);
  return { type: "stdio", command, args, env: [] };
}

type Started = readonly [command: string, ...args: string[]];

async function byNpm({ name, version }: ExactPackage, folder: string, surroundings: Surroundings): Promise<Started> {
  await installFromNpm(folder, { packages: { [name]: version } }, surroundings);
  const own = join(folder, "node_modules", name);
  const script = scriptOf((await readObject(join(own, "package.json"))) ?? {}, name);
  if (script === undefined) throw noProgram(name, version);
  return [process.execPath, resolve(own, script)];
}

async function byUv({ name, version }: ExactPackage, folder: string, surroundings: Surroundings): Promise<Started> {
  const environment = join(folder, "venv");
  const { cwd } = surroundings;
  await install("uv", ["venv", "--quiet", environment], cwd, surroundings);
  const options = ["--quiet", "--only-binary", ":all:", "--python", environment];
  await install("uv", ["pip", "install", ...options, `${name}==${version}`], cwd, surroundings);
  const [program] = programOf(await consoleScripts(environment, name), name) ?? [];
  if (program === undefined) throw noProgram(name, version);
  return [join(environment, process.platform === "win32" ? "Scripts" : "bin", program)];
}

async function install(
  program: string,
  args: readonly string[],
  cwd: string,
  { env, signal }: Surroundings,
): Promise<void> {
  const surroundings = { cwd, env, ...(signal && { signal }) };
  const { code, stderr } = await runProgram(program, args, surroundings, "", TIME_LIMIT);
  if (code !== 0) throw new ArtifactError("no-answer", `${program} cannot install it: ${lastLine(stderr)}`);
}

/** Returns the programs that a Python package installs, according to its `entry_points.txt`. */
async function consoleScripts(environment: string, name: string): Promise<JsonObject> {
  const library = process.platform === "win32" ? ["Lib"] : ["lib", ...(await readdir(join(environment, "lib")))];
  const packages = join(environment, ...library, "site-packages");
  const normal = (text: string): string => text.replace(/[-_.]+/g, "_").toLowerCase();
  const installed = await readdir(packages);
  const own = installed.find((each) => each.endsWith(".dist-info") && normal(each).startsWith(`${normal(name)}_`));
  const text = own === undefined ? undefined : await readText(join(packages, own, "entry_points.txt"));
  const [, section = ""] = /^\[console_scripts\]$([^[]*)/m.exec(text ?? "") ?? [];
  return Object.fromEntries(
    [...section.matchAll(/^([\w.-]+)\s*=\s*(.+)$/gm)].map(([, key = "", value = ""]) => [key, value]),
  );
}

function noProgram(name: string, version: string): ArtifactError {
  return new ArtifactError(
    "not-found",
    `${name}@${version} declares no program, or several and none with its own name`,
  );
}

/**
 * Creates an empty home folder, and returns the variables that make a program use this folder instead of the user's,
 * without the user's name or shell.
 *
 * @param home The folder
 */
export async function emptyHome(home: string): Promise<Readonly<Record<string, string>>> {
  await mkdir(home, { recursive: true });
  const isWindows = process.platform === "win32";
  const names = isWindows ? ["USERPROFILE", "APPDATA", "LOCALAPPDATA"] : ["HOME"];
  const unsaid = isWindows ? ["USERNAME"] : ["LOGNAME", "SHELL", "TERM", "USER"];
  return Object.fromEntries([...names.map((name) => [name, home]), ...unsaid.map((name) => [name, ""])]);
}
