import { ArtifactError } from "@agentprint/artifacts";
import type { JsonChange } from "@agentprint/canonical-json";
import { launchedPackages } from "@agentprint/launch";
import {
  compareArtifacts,
  coverageOfEntry,
  hasIntegrity,
  isPinnedLaunch,
  type LockedServer,
  unpinnedPackages,
} from "@agentprint/mcp-lock/lock";
import type { StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { CliError, OtherThanPinnedError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { type PreparedTarget, prepareTarget } from "./prepare-target.ts";

/** How artifacts are compared. */
export interface ArtifactDemands {
  /** The path of the lock. */
  readonly lock: string;
  /** Whether a launch without any digest of what runs is refused. */
  readonly requireIntegrity?: boolean;
}

/**
 * Prepares the target of a server. If the entry was pinned with this launch, requires that its packages have the bytes
 * that the entry records.
 *
 * @returns The target, without artifacts if the entry has none and they cannot be read
 * @throws {@link OtherThanPinnedError} `launch-changed` when bytes differ
 * @throws {@link CliError} `unreadable-input` when the entry's artifacts cannot be determined; `no-integrity` when
 * integrity is required, and the entry has none; `needs-scripts`
 */
export async function requireArtifacts(
  context: Context,
  entry: LockedServer | undefined,
  target: StdioTarget,
  { lock, requireIntegrity = false }: ArtifactDemands,
): Promise<PreparedTarget> {
  if (requireIntegrity && !isWhole(entry)) throw noIntegrity(entry);
  const locked = entry && isPinnedLaunch(entry, target.launch) ? entry.artifacts?.filter(hasIntegrity) : undefined;
  let prepared: PreparedTarget;
  try {
    prepared = await prepareTarget(context, target, { lock, locked });
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    refuseScripts(entry?.name ?? "the server", error, entry === undefined ? "pin" : "approve");
    if (entry === undefined || locked === undefined) return { target };
    throw cannotTell(entry, error.message, error);
  }
  if (entry === undefined || locked === undefined) return prepared;
  const { artifacts = [], packages = {} } = prepared;
  const { changes, untold } = compareArtifacts(locked, artifacts);
  const all = changes.length > 0 ? changes : unpinnedPackages(locked, packages);
  if (all.length > 0) throw artifactsChanged(entry.name, all);
  if (untold.length > 0) throw cannotTell(entry, `no integrity is known for ${untold.join(", ")} on this machine`);
  return prepared;
}

/** Returns whether an entry has a digest of everything that its launch names as code. */
function isWhole(entry: LockedServer | undefined): boolean {
  if (entry === undefined) return false;
  const { launch, artifacts = [] } = entry;
  if (launch.type === "http") return true;
  const known = new Set(artifacts.filter(hasIntegrity).map(({ pointer }) => pointer));
  const isFetched = launchedPackages(launch).every(({ pointer }) => known.has(pointer));
  return isFetched && coverageOfEntry(entry)?.state !== "not covered";
}

function noIntegrity(entry: LockedServer | undefined): CliError {
  const name = entry?.name ?? "the server";
  return new CliError("no-integrity", `the lock has no integrity for what ${name} runs, so it was not started`, {
    where: name,
    expected:
      "packages in exact versions that npx, npm exec, pnpm dlx, bunx, uvx or uv tool run starts, an image with a digest, or files with digests",
    fix: `write such a launch, then pin it: ${commandLine(["agentprint", "approve", name])}`,
  });
}

function cannotTell({ name }: LockedServer, reason: string, cause?: unknown): CliError {
  return new CliError("unreadable-input", `whether ${name} runs the bytes that were pinned: ${reason}`, {
    where: name,
    expected: "the installed package, the cache of its runner, or the registry",
    fix: "run the command again where the registry is reachable, or install the package",
    cause,
  });
}

/** Returns the error for a server that is not started because its launch resolves to bytes other than the pinned ones. */
export function artifactsChanged(name: string, artifacts: readonly JsonChange[]): OtherThanPinnedError {
  const message = `the launch of ${name} resolves to bytes other than those that were pinned`;
  const where = artifacts.map(
    ({ pointer, before, after }) => `${name}, launch at ${pointer}: ${before ?? "not pinned"} → ${after}`,
  );
  return new OtherThanPinnedError(
    "launch-changed",
    message,
    { artifacts },
    {
      where: where.join("\n"),
      expected: "the bytes whose integrity is in the lock",
      fix: `check who replaced them; if the change is intended, run ${commandLine(["agentprint", "approve", name])}`,
    },
  );
}

/** The command that allows install scripts; `this` if it is the running command. */
export type AllowingCommand = "this" | "pin" | "approve";

/**
 * Refuses a server whose packages have install scripts that nobody allowed or that failed, because its runner would run
 * them.
 *
 * @throws {@link CliError} `needs-scripts`
 */
export function refuseScripts(
  name: string,
  { code, message, packages }: ArtifactError,
  allowing: AllowingCommand,
): void {
  if (code === "script-failed") {
    throw new CliError("needs-scripts", `${name} was not started: ${message}`, {
      where: name,
      expected: "install scripts that end without an error",
      fix: "install what they need, such as a compiler, and run the command again",
    });
  }
  if (code !== "needs-scripts") return;
  const options = packages.flatMap((each) => ["--allow-scripts", each]);
  const lines = {
    this: `run this command again with ${commandLine(options)}`,
    pin: `allow them when you pin it: ${commandLine(["agentprint", "pin", ...options, "--name", name])} -- …`,
    approve: `allow them: ${commandLine(["agentprint", "approve", name, ...options])}`,
  };
  throw new CliError("needs-scripts", `${name} was not started: ${message}`, {
    where: name,
    expected: "packages without install scripts, or with scripts that someone allowed",
    fix: `review what these scripts do, then ${lines[allowing]}`,
  });
}
