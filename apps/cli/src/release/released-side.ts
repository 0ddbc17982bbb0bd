import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ArtifactError,
  type ExactPackage,
  emptyHome,
  installPackage,
  type Project,
  resolveVersion,
} from "@agentprint/artifacts";
import { type Launch, type LaunchedPackage, launchedFiles } from "@agentprint/launch";
import type { LockedServer } from "@agentprint/mcp-lock";
import { VisitError } from "@agentprint/mcp-visit/errors";
import { surroundingsOf } from "../artifacts/surroundings-of.ts";
import { entryOf } from "../diff/compare-sides.ts";
import { isFile, sideInFile } from "../diff/read-side.ts";
import { openCommit } from "../git/open-commit.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { MAX_LOCK_BYTES, parseLockText } from "../lock/read-lock.ts";
import type { VisitOptions } from "../options/visit-options.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { planPin } from "../visit/visit-plan.ts";
import { visitTarget } from "../visit/visit-servers.ts";

/** The file in a server's repository with the lock of its own tools. */
export const SNAPSHOT = "agentprint.server.lock";

/** The previous release. */
export interface ReleasedSide {
  readonly entry: LockedServer;
  readonly version: string;
  /** The source and the launch, one sentence each. */
  readonly said: readonly string[];
}

type StdioLaunch = Extract<Launch, { type: "stdio" }>;

/**
 * Reads the release to compare with: a file with a lock or a visit, a package in a version, the snapshot in a commit, or else the newest
 * release in the registry that is not newer than the declared version.
 *
 * @param launch The launch of the working tree, whose arguments the previous release gets as well
 * @returns `undefined` before the first release, if the registry says that it has no such package
 * @throws {@link CliError} `usage` if no option selects the release; `unreadable-input` if a registry or a file does
 * not have it; the errors of a visit and of a commit
 */
export async function releasedSide(
  context: Context,
  project: Project,
  launch: StdioLaunch,
  { against, ...visiting }: VisitOptions & { readonly against?: string },
): Promise<ReleasedSide | undefined> {
  if (against === undefined) {
    const last = await lastRelease(context, project);
    return last && packageSide(context, last, launch, visiting);
  }
  if (await isFile(context, against)) return lockSide(entryOf(await sideInFile(context, against)), against);
  const wanted = packageIn(against, project);
  if (wanted !== undefined) return packageSide(context, wanted, launch, visiting);
  const commit = await openCommit(context, against, "--against");
  const text = await commit.read(SNAPSHOT, MAX_LOCK_BYTES);
  if (text !== undefined) {
    const entry = entryOf({ lock: parseLockText(text, `${SNAPSHOT} in ${against}`) });
    return lockSide(entry, `${SNAPSHOT} of ${commit.name}`, /\d+\.\d.*$/.exec(against)?.[0]);
  }
  throw new CliError("usage", `${against} has no ${SNAPSHOT}`, {
    where: "--against",
    expected: "a commit with a snapshot of the tools",
    fix: "give the release as package@version; agentprint release --init writes a snapshot for the next one",
  });
}

/** Returns the package that `npm:name@1.2.3`, `pypi:name@1.2.3`, `name@1.2.3` or `name==1.2.3` names. */
function packageIn(text: string, { kind = "npm" }: Project): ExactPackage | undefined {
  const [, registry, name, version] = /^(?:(npm|pypi):)?(@?[^@=\s]+)(?:@|==)v?(\d[^@\s]*)$/.exec(text) ?? [];
  if (name === undefined || version === undefined) return undefined;
  const named = registry === undefined ? undefined : registry === "npm" ? "npm" : "python";
  return { kind: named ?? (text.includes("==") ? "python" : kind), name, version };
}

async function lastRelease(context: Context, { kind, name, version }: Project): Promise<ExactPackage | undefined> {
  const fix = "give the previous release with --against <package@version, tag or lock>";
  if (kind === undefined) {
    throw new CliError("usage", `it is unknown where the releases of ${name} are`, {
      expected: "package.json, pyproject.toml, or a package of npm or PyPI in server.json",
      fix,
    });
  }
  const asked = { kind, package: name, runner: kind === "npm" ? "npx" : "uvx", pointer: "" };
  try {
    const range = { ...asked, version: "range", versionText: `<=${version}` } as const;
    return { kind, name, version: await resolveVersion(range, surroundingsOf(context)) };
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    if (error.code === "not-found" && (await isUnknown(context, { ...asked, version: "none" }))) return undefined;
    throw new CliError("unreadable-input", `there is no release of ${name} up to ${version}: ${error.message}`, {
      fix,
      cause: error,
    });
  }
}

/** Returns whether the registry has no version of a package at all. */
function isUnknown(context: Context, asked: LaunchedPackage): Promise<boolean> {
  return resolveVersion(asked, surroundingsOf(context)).then(
    () => false,
    (error: unknown) => error instanceof ArtifactError && error.code === "not-found",
  );
}

function lockSide(entry: LockedServer, where: string, named?: string): ReleasedSide {
  const info = entry.parts.find(({ part }) => part === "serverInfo")?.value;
  const version = named ?? (info as { readonly version?: unknown } | undefined)?.version;
  return { entry, version: String(version), said: [`Compared with ${where}; nothing from that release was started`] };
}

/** Visits a release in its own folder, which is removed after the visit. */
async function packageSide(
  context: Context,
  wanted: ExactPackage,
  launch: StdioLaunch,
  visiting: VisitOptions,
): Promise<ReleasedSide> {
  const name = `${wanted.name}@${wanted.version}`;
  const folder = await mkdtemp(join(tmpdir(), "agentprint-release-"));
  try {
    const installed = await installPackage(wanted, folder, surroundingsOf(context));
    const values = await emptyHome(join(folder, "home"));
    const cwd = join(folder, "work");
    await mkdir(cwd);
    const started = { ...installed, args: [...installed.args, ...ownArguments(launch)], cwd };
    const target = { name, launch: started, readValues: () => values };
    const entry = lockVisited(context, name, await visitTarget(context, target, planPin(visiting), visiting));
    return { entry, version: wanted.version, said: [ranAs(name)] };
  } catch (error) {
    const fix = "compare with a snapshot of that release, which starts nothing: --against <tag or lock>";
    if (error instanceof VisitError) throw error.with({ where: `${name}, which got no variable of yours`, fix });
    if (!(error instanceof ArtifactError)) throw error;
    throw new CliError("unreadable-input", `${name}: ${error.message}`, { fix, cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function ranAs(name: string): string {
  return `Compared with ${name}, which ran here without any variable or token of yours: with PATH, an empty home folder, no install scripts, and no sandbox`;
}

/** Returns the arguments after the script or program of a launch; none if they cannot be identified. */
function ownArguments(launch: StdioLaunch): readonly string[] {
  const { command, args } = launch;
  const places = launchedFiles(launch).map(({ pointer }) => Number(/^\/args\/(\d+)$/.exec(pointer)?.[1] ?? -1));
  if (command === "uv") places.push(args.findIndex((word, index) => index > 0 && !word.startsWith("-")));
  return places.length === 0 ? [] : args.slice(Math.max(...places) + 1);
}
