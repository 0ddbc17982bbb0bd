import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isOfProject, type PreparedLaunch, prepareLaunch } from "@agentprint/artifacts";
import { type FoundArtifact, type Launch, type LockedArtifact, readInstallable } from "@agentprint/launch";
import { inheritedEnvironment, type StdioTarget } from "@agentprint/mcp-visit";
import { realPathOf, replaceFile } from "../files/replace-file.ts";
import { makePrivateFolder, packagesFolder } from "../files/state-folder.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";

/** A server with the packages that it runs, before it is started. */
export interface PreparedTarget {
  /** The artifacts of the packages; absent if nothing is known about them. */
  readonly artifacts?: readonly FoundArtifact[];
  /** The target to start: the path of its packages' program, if they could be installed. */
  readonly target: StdioTarget;
  /** The integrity of each package that the program can import, if they were installed. */
  readonly packages?: NonNullable<PreparedLaunch["installed"]>["packages"];
}

/** The lock for which the packages of a target are installed, and the install scripts that are allowed. */
export interface Preparation {
  /** The path of the lock. */
  readonly lock: string;
  /** The artifacts that the lock has for the launch. */
  readonly locked?: readonly LockedArtifact[] | undefined;
  /** The packages whose install scripts are allowed now; absent if no person decides. */
  readonly scripts?: readonly string[];
}

/**
 * Installs the packages of a launch outside the project, and returns the target that starts exactly those packages; if
 * the installation fails, returns the unchanged target, with the versions that its runner would choose.
 *
 * @throws {@link ArtifactError} each of its codes
 * @throws {@link CliError} `unwritable-output` if there is no folder for packages
 */
export async function prepareTarget(
  context: Context,
  target: StdioTarget,
  { lock, locked, scripts }: Preparation,
): Promise<PreparedTarget> {
  const { command, args, cwd, env } = target;
  const { pathOf, signal } = context;
  const launch: Launch = { type: "stdio", command, args: [...args], env: Object.keys(env) };
  const folder = resolve(cwd ?? pathOf("."));
  const surroundings = {
    cwd: folder,
    project: dirname(await realPathOf(context, lock)),
    env: { ...inheritedEnvironment(), ...env },
    ...(signal && { signal }),
  };
  const store = resolve(packagesFolder(context));
  if (readInstallable(launch) !== undefined) {
    if (isOfProject(store, surroundings)) throw insideProject(store);
    await makePrivateFolder(store);
  }
  const { artifacts, installed } = await prepareLaunch(launch, surroundings, {
    store,
    ...(locked && { locked }),
    ...(scripts && { scripts }),
  });
  if (installed === undefined) return { artifacts, target };
  await rememberLock(context, lock);
  const { packages, env: path, ...started } = installed;
  return { artifacts, packages, target: { ...target, ...started, env: { ...env, ...path } } };
}

/**
 * Returns the error for a package folder inside a launch's project, because anyone who can write to the project could
 * write to the packages.
 */
function insideProject(store: string): CliError {
  return new CliError(
    "unwritable-output",
    `packages are not installed into ${store}, which is in the project of the launch`,
    {
      expected: "a state folder outside of the project",
      fix: "set XDG_STATE_HOME to another folder",
    },
  );
}

function notesFolder(context: Pick<Context, "env">): string {
  return join(packagesFolder(context), "locks");
}

function noteOf(context: Pick<Context, "env">, path: string): string {
  return join(notesFolder(context), createHash("sha256").update(path).digest("hex").slice(0, 32));
}

/**
 * Records in the package folder that packages were installed for a lock, so that a clean-up finds every lock.
 *
 * @throws {@link CliError} `unwritable-output`
 */
async function rememberLock(context: Context, lock: string): Promise<void> {
  const path = await realPathOf(context, lock);
  const note = noteOf(context, path);
  if (existsSync(note)) return;
  await makePrivateFolder(notesFolder(context));
  await replaceFile(context, note, path, 0o600);
}

/** Returns the paths of the locks for which packages were installed. */
export async function knownLocks(context: Pick<Context, "env">): Promise<readonly string[]> {
  const notes = await readdir(notesFolder(context)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const own = notes.filter((name) => /^[0-9a-f]{32}$/.test(name));
  return Promise.all(own.map((name) => readFile(join(notesFolder(context), name), "utf8")));
}

/** Removes the record of a lock that no longer exists. */
export async function forgetLock(context: Pick<Context, "env">, path: string): Promise<void> {
  await rm(noteOf(context, path), { force: true });
}
