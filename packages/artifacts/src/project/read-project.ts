import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import type { Launch, LaunchedPackage } from "@agentprint/launch";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { ArtifactError } from "../errors.ts";
import { objectAt, readObject, readText, textAt, unreadable } from "../json-file.ts";
import { programOf, scriptOf } from "./program-of.ts";

/** The package that a repository publishes. */
export interface Project {
  /** Absent if the package is released on neither npm nor PyPI. */
  readonly kind?: Exclude<LaunchedPackage["kind"], "image">;
  readonly name: string;
  readonly version: string;
  /** The file that declares the version, relative to the project's folder. */
  readonly file: string;
  /** The command that starts the working tree; absent if no file names one. */
  readonly launch?: Extract<Launch, { type: "stdio" }>;
}

/**
 * Reads which package a server's repository publishes, from `package.json`, `pyproject.toml` or `server.json`, the
 * first that declares a name and a version.
 *
 * @throws {@link ArtifactError} `not-found` if no file declares one; `unreadable` if a file cannot be read
 */
export async function readProject(folder: string): Promise<Project> {
  for (const read of [readPackageJson, readPyproject, readServerJson]) {
    const found = await read(folder);
    if (found !== undefined) return found;
  }
  throw new ArtifactError("not-found", "no package.json, pyproject.toml or server.json declares a name and a version");
}

async function readPackageJson(folder: string): Promise<Project | undefined> {
  const file = "package.json";
  const manifest = await readObject(join(folder, file));
  const named = manifest && nameAndVersion(manifest);
  if (manifest === undefined || named === undefined) return undefined;
  const script = scriptOf(manifest, named.name);
  return { kind: "npm", ...named, file, ...(script !== undefined && started("node", script)) };
}

async function readPyproject(folder: string): Promise<Project | undefined> {
  const file = "pyproject.toml";
  const text = await readText(join(folder, file));
  const project = text === undefined ? undefined : projectTable(text, file);
  const named = project && nameAndVersion(project);
  if (project === undefined || named === undefined) return undefined;
  const [script] = programOf(objectAt(project, "scripts"), named.name) ?? [];
  return { kind: "python", ...named, file, ...(script !== undefined && started("uv", "run", "--quiet", script)) };
}

function projectTable(text: string, file: string): JsonObject {
  try {
    const value = getStaticTOMLValue(parseTOML(text)) as JsonObject;
    return objectAt(value, "project");
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The registries in `server.json` whose packages a launch can name. */
const KINDS: ReadonlyMap<string, NonNullable<Project["kind"]>> = new Map([
  ["npm", "npm"],
  ["pypi", "python"],
]);

async function readServerJson(folder: string): Promise<Project | undefined> {
  const file = "server.json";
  const server = await readObject(join(folder, file));
  const named = server && nameAndVersion(server);
  if (server === undefined || named === undefined) return undefined;
  const packages = Array.isArray(server["packages"]) ? server["packages"].filter(isJsonObject) : [];
  for (const each of packages) {
    const [kind, name] = [KINDS.get(textAt(each, "registryType") ?? ""), textAt(each, "identifier")];
    if (kind !== undefined && name !== undefined) return { ...named, kind, name, file };
  }
  return { ...named, file };
}

function nameAndVersion(value: JsonObject): Pick<Project, "name" | "version"> | undefined {
  const [name, version] = [textAt(value, "name"), textAt(value, "version")];
  return name === undefined || version === undefined ? undefined : { name, version };
}

function started(command: string, ...args: string[]): Pick<Project, "launch"> {
  return { launch: { type: "stdio", command, args, env: [] } };
}
