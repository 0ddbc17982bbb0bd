import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Client, ClientFile, Platform, SettingsFile } from "./client.ts";
import { CLIENTS } from "./client-table.ts";
import type { ConfigPath } from "./config-node.ts";

/** The surroundings that decide where clients keep their files. */
export interface Surroundings {
  /** The project's folder; a relative path starts at the process's working folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** A file in which a client looks for servers, whether or not it exists. */
export interface LocatedFile {
  readonly client: Client;
  readonly scope: ClientFile["scope"];
  /** Absolute. */
  readonly path: string;
  /** The keys that lead to the servers in the file. */
  readonly member: ConfigPath;
  /** Whether the servers belong to one of the client's agents. */
  readonly isOfOneAgent: boolean;
}

/**
 * Returns every file in which one of these clients looks for servers; for a folder, each existing file. A file that
 * several clients read belongs to the first one.
 */
export async function locateFiles(surroundings: Surroundings, clients: readonly Client[]): Promise<LocatedFile[]> {
  const project = resolve(surroundings.cwd);
  const located = clients.flatMap((client) =>
    client.files.map(async (file): Promise<LocatedFile[]> => {
      const member = file.member.map((name) => name.replace("{project}", () => project));
      const paths = await expandFolder(absolutePath(surroundings, pathOn(file, surroundings.platform)));
      return paths.map((path) => ({
        client,
        scope: file.scope,
        path,
        member,
        isOfOneAgent: file.isOfOneAgent === true,
      }));
    }),
  );
  const seen = new Set<string>();
  return (await Promise.all(located)).flat().filter(({ path, member }) => {
    const place = JSON.stringify([path, member]);
    return !seen.has(place) && seen.add(place);
  });
}

/** Returns the client that keeps servers in a file with this name, or `undefined` if no known client does. */
export function clientOfFile(path: string): Client | undefined {
  return CLIENTS.find(({ files }) => files.some((file) => isNamedAs(file, path)));
}

/**
 * Returns the settings files in which a client switches off servers of a configuration, with absolute paths, whether or
 * not they exist.
 */
export function settingsOf(surroundings: Surroundings, path: string, client: Client | undefined): SettingsFile[] {
  const files = client?.files.filter((file) => isNamedAs(file, path)) ?? [];
  const folder = dirname(resolve(surroundings.cwd, path));
  return files
    .flatMap(({ settings = [] }) => settings)
    .map((each) => ({ ...each, path: absolutePath({ ...surroundings, cwd: folder }, each.path) }));
}

function isNamedAs(file: ClientFile, path: string): boolean {
  const slashed = `/${path.replaceAll("\\", "/")}`;
  const folder = slashed.slice(0, slashed.lastIndexOf("/") + 1);
  return pathsOf(file).some((known) => {
    const [start = "", ending] = `/${known.replace(/^(~|\$\w+|%\w+%)\//, "")}`.split("*");
    return ending === undefined ? slashed.endsWith(start) : folder.endsWith(start) && slashed.endsWith(ending);
  });
}

function pathsOf({ path }: ClientFile): string[] {
  return typeof path === "string" ? [path] : Object.values(path);
}

/** Returns the path that the table gives for a file on a platform. */
function pathOn({ path }: ClientFile, platform: NodeJS.Platform): string {
  if (typeof path === "string") return path;
  return path[platform === "darwin" || platform === "win32" ? platform : ("linux" satisfies Platform)];
}

function absolutePath(surroundings: Surroundings, path: string): string {
  const [, base = "", rest = path] = /^(~|\$\w+|%\w+%)\/(.*)$/.exec(path) ?? [];
  return join(baseFolder(surroundings, base), rest);
}

/** Returns the home folder of this environment, as `os.homedir()` finds it. */
export function homeFolder({ env, platform }: Surroundings): string {
  return (platform === "win32" ? env["USERPROFILE"] : env["HOME"]) || homedir();
}

function baseFolder(surroundings: Surroundings, base: string): string {
  const { cwd, env } = surroundings;
  const home = homeFolder(surroundings);
  if (base === "~") return home;
  if (base === "$XDG_CONFIG_HOME") return env["XDG_CONFIG_HOME"] || join(home, ".config");
  if (base === "$CODEX_HOME") return env["CODEX_HOME"] || join(home, ".codex");
  if (base === "$COPILOT_HOME") return env["COPILOT_HOME"] || join(home, ".copilot");
  if (base === "%APPDATA%") return env["APPDATA"] || join(home, "AppData", "Roaming");
  return resolve(cwd);
}

/** Returns the files that match a last path segment with `*`, sorted by name. */
async function expandFolder(path: string): Promise<string[]> {
  const star = path.indexOf("*");
  if (star === -1) return [path];
  const [folder, ending] = [path.slice(0, star), path.slice(star + 1)];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));
}
