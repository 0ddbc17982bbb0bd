import { homedir } from "node:os";
import { resolve } from "node:path";
import { type PreparedLaunch, prepareLaunch } from "@agentprint/artifacts";
import { type FoundArtifact, type Launch, type LockedArtifact, readInstallable } from "@agentprint/launch";
import { inheritedEnvironment, type StdioTarget } from "@agentprint/mcp-visit";
import { isInside, makePrivateFolder, packagesFolder } from "../files/state-folder.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { rememberLock } from "./known-locks.ts";

/** A server with the packages that it runs, before it is started. */
export interface PreparedTarget {
  /** Absent where nothing is known of them. */
  readonly artifacts?: readonly FoundArtifact[];
  /** The target that is started: where its packages could be installed, their program by its path. */
  readonly target: StdioTarget;
  /** The integrity of each package that the program can import, where they were installed. */
  readonly packages?: NonNullable<PreparedLaunch["installed"]>["packages"];
}

/** What is known before the packages of a target are installed. */
export interface Preparation {
  /** The path of the lock for which they are installed. */
  readonly lock: string;
  /** The artifacts that the lock has for the launch. */
  readonly locked?: readonly LockedArtifact[] | undefined;
  /** The packages whose install scripts somebody allows now; absent where nobody decides. */
  readonly scripts?: readonly string[];
}

/**
 * Installs the packages of a launch outside of the project, and returns the target that starts exactly them; where they cannot be installed
 * so, the target as it is, with what its runner would pick.
 *
 * @throws {@link ArtifactError} each of its codes
 * @throws {@link CliError} `unwritable-output` where there is no folder for packages
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
  const surroundings = { cwd: folder, env: { ...inheritedEnvironment(), ...env }, ...(signal && { signal }) };
  const store = resolve(packagesFolder(context));
  if (readInstallable(launch) !== undefined) {
    await requireOutside(context, folder, store);
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

/** Requires that nobody who writes to the folder of a launch writes to the packages. A home folder, or one above it, is the user's own. */
async function requireOutside({ env }: Context, folder: string, store: string): Promise<void> {
  if (!isInside(folder, store) || isInside(folder, env["HOME"] || env["USERPROFILE"] || homedir())) return;
  throw new CliError(
    "unwritable-output",
    `packages are not installed into ${store}, which is in the folder of the launch`,
    {
      expected: "a folder for states outside of the project",
      fix: "name another folder for states with XDG_STATE_HOME",
    },
  );
}
