import { ArtifactError } from "@agentprint/artifacts";
import type { FoundArtifact } from "@agentprint/launch";
import { compareArtifacts, hasIntegrity, isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock/lock";
import type { StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { ArtifactsChangedError } from "./artifacts-changed-error.ts";
import { readFound } from "./read-found.ts";

/** The way in which artifacts are compared. */
export interface ArtifactDemands {
  /** Whether a launch without any digest of what runs is refused. */
  readonly requireIntegrity?: boolean;
}

/**
 * Reads the artifacts of a server, and requires that their bytes are those of its entry, where the launch is that of the entry.
 *
 * @returns `undefined` where the entry has none, and they cannot be read
 * @throws {@link ArtifactsChangedError} when bytes differ
 * @throws {@link CliError} `unreadable-input` when nothing can be said about what the entry has; `no-integrity` when integrity is
 * required, and the entry has none
 */
export async function requireArtifacts(
  context: Context,
  entry: LockedServer | undefined,
  target: StdioTarget,
  { requireIntegrity = false }: ArtifactDemands = {},
): Promise<readonly FoundArtifact[] | undefined> {
  if (requireIntegrity && !isWhole(entry)) throw noIntegrity(entry);
  const locked = entry && isPinnedLaunch(entry, target.launch) ? entry.artifacts?.filter(hasIntegrity) : undefined;
  let found: FoundArtifact[];
  try {
    found = await readFound(context, target);
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    if (entry === undefined || locked === undefined) return undefined;
    throw cannotTell(entry, error.message, error);
  }
  if (entry === undefined || locked === undefined) return found;
  const { changes, untold } = compareArtifacts(locked, found);
  if (changes.length > 0) throw new ArtifactsChangedError(entry.name, changes);
  if (untold.length > 0) throw cannotTell(entry, `no integrity is known of ${untold.join(", ")} on this machine`);
  return found;
}

/** Whether an entry has a digest of everything that its launch names as code. */
function isWhole(entry: LockedServer | undefined): boolean {
  if (entry?.launch.type === "http") return true;
  if (entry?.coverage?.state === "files") return true;
  const { artifacts = [] } = entry ?? {};
  return entry?.coverage?.state === "artifact" && artifacts.length > 0 && artifacts.every(hasIntegrity);
}

function noIntegrity(entry: LockedServer | undefined): CliError {
  const name = entry?.name ?? "the server";
  return new CliError("no-integrity", `the lock has no integrity of what ${name} runs, so that it was not started`, {
    where: name,
    expected: "a package or image in an exact version with its integrity, or files with their digests",
    fix: `write an exact version into the launch, then pin it: ${commandLine(["agentprint", "approve", name])}`,
  });
}

function cannotTell({ name }: LockedServer, reason: string, cause?: unknown): CliError {
  return new CliError("unreadable-input", `whether ${name} runs the bytes that were pinned: ${reason}`, {
    where: name,
    expected: "the installed package, the cache of its runner, or the registry",
    fix: "run the command again where the registry answers, or install the package",
    cause,
  });
}
