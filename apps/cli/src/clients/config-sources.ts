import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import {
  type Client,
  type ConfigPath,
  type ConfigScope,
  clientOfFile,
  homeFolder,
  locateFiles,
  type ParsedConfig,
  type Surroundings,
} from "@agentprint/client-configs";
import { readClientConfig } from "../clients/read-client-config.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** Configurations in folders other than the project's. */
export interface OtherConfigs {
  /** The folder in which the listed files have to be. */
  readonly folder: string;
  /** The files that agentprint's configuration lists; they have to exist. */
  readonly listed: readonly string[];
  /** The files that are read if they exist. */
  readonly recorded: readonly string[];
}

/** Where configurations are looked for. */
export interface SourceOptions {
  readonly clients: readonly Client[];
  readonly scopes: readonly ConfigScope[];
  /** Configurations to read instead of those that clients keep. */
  readonly files: readonly string[];
  /** Configurations of other folders to read as well. */
  readonly others?: OtherConfigs;
}

/** A file in which servers are looked for. */
export interface Source {
  readonly client: Client | undefined;
  readonly scope: ConfigScope;
  readonly path: string;
  /** The path as it is shown. */
  readonly file: string;
  /** The member with the servers; absent if every member that may hold servers is read. */
  readonly member?: ConfigPath;
  /**
   * The precedence of the file among those of its client: the first wins. Absent for a file in another folder and for
   * one agent's file.
   */
  readonly rank?: number;
  /** Whether a person named the file, which then must exist and may be a pipe. */
  readonly isGiven?: true;
  /** The folder in which the file must be after all links are resolved; the file must then exist. */
  readonly inside?: string;
}

/** @throws {@link CliError} `unreadable-input` when a listed file cannot be read, or a link leads out of the folder */
export async function readSource(context: Context, { path, file, isGiven, inside }: Source): Promise<ParsedConfig> {
  if (inside !== undefined) {
    // A file that is missing is reported when it is read.
    const [real = "", folder] = await Promise.all([realpath(path).catch(() => undefined), realpath(inside)]);
    if (real !== "" && !real.startsWith(`${folder}${sep}`)) {
      throw new CliError("unreadable-input", `a link leads from ${file} out of the folder of the lock`, {
        where: file,
        expected: "a configuration below the lock's folder, listed under /configurations in agentprint.config.json",
        fix: "leave it out of the list, or put the file itself there",
      });
    }
  }
  return readClientConfig(context, path, isGiven ? "any" : "regular");
}

/** Returns the configurations to read, those of the project first. */
export async function sourcesOf(
  surroundings: Surroundings,
  { clients, scopes, files, others }: SourceOptions,
): Promise<Source[]> {
  const ofFile = (path: string): Source => ({ path, file: path, client: clientOfFile(path), scope: "project" });
  if (files.length > 0) return files.map((path) => ({ ...ofFile(path), isGiven: true }));
  const { folder = "", listed = [], recorded = [] } = others ?? {};
  const whole = new Set<string>();
  const located = (await locateFiles(surroundings, clients))
    .map(({ isOfOneAgent, ...file }, rank) => ({ ...file, ...(!isOfOneAgent && { rank }) }))
    .filter(({ scope }) => scopes.includes(scope))
    .flatMap(({ member, ...file }) => {
      // A nested member, such as one for each project, does not hold servers in every file.
      if (member.length > 1 || !listed.includes(file.path)) return { ...file, member };
      return whole.has(file.path) ? [] : whole.add(file.path) && file;
    });
  const inOrder = [
    ...located.filter(({ scope }) => scope === "project"),
    ...located.filter(({ scope }) => scope === "user"),
  ];
  const known = new Set(located.map(({ path }) => path));
  const isNew = (path: string): boolean => !known.has(path) && known.add(path).has(path);
  return [
    ...inOrder,
    ...listed.filter(isNew).map((path) => ({ ...ofFile(path), inside: folder })),
    ...recorded.filter(isNew).map(ofFile),
  ].map((source) => ({ ...source, file: shownPath(surroundings, source.path) }));
}

/** Returns a path as it is shown: below the project without the project's folder, below the home folder with `~`. */
export function shownPath(surroundings: Surroundings, path: string): string {
  const project = resolve(surroundings.cwd) + sep;
  if (path.startsWith(project)) return path.slice(project.length);
  const home = homeFolder(surroundings) + sep;
  return path.startsWith(home) ? `~/${path.slice(home.length)}` : path;
}
