import { resolve } from "node:path";
import { ArtifactError, readArtifacts } from "@agentprint/artifacts";
import type { JsonChange } from "@agentprint/canonical-json";
import type { FoundArtifact, Launch } from "@agentprint/launch";
import { compareArtifacts, hasIntegrity, isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock/lock";
import { inheritedEnvironment, type StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { CliError, OtherThanPinnedError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";

/** The way in which artifacts are compared. */
export interface ArtifactDemands {
  /** Whether a launch without any digest of what runs is refused. */
  readonly requireIntegrity?: boolean;
}

/**
 * Reads the artifacts of a server, and requires that their bytes are those of its entry, where the launch is that of the entry.
 *
 * @returns `undefined` where the entry has none, and they cannot be read
 * @throws {@link OtherThanPinnedError} `launch-changed` when bytes differ
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
  if (changes.length > 0) throw artifactsChanged(entry.name, changes);
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

/** The artifacts that a target would run on this machine now, before it is started. */
export function readFound(
  { pathOf, signal }: Context,
  { command, args, cwd, env }: StdioTarget,
): Promise<FoundArtifact[]> {
  const launch: Launch = { type: "stdio", command, args: [...args], env: Object.keys(env) };
  const folder = resolve(cwd ?? pathOf("."));
  const surroundings = { cwd: folder, env: { ...inheritedEnvironment(), ...env }, ...(signal && { signal }) };
  return readArtifacts(launch, surroundings);
}

/** The error for a server that is not started, because its launch resolves to other bytes than those that were pinned. */
export function artifactsChanged(name: string, artifacts: readonly JsonChange[]): OtherThanPinnedError {
  const message = `the launch of ${name} resolves to other bytes than those that were pinned`;
  const where = artifacts.map(({ pointer, before, after }) => `${name}, launch at ${pointer}: ${before} → ${after}`);
  return new OtherThanPinnedError(
    "launch-changed",
    message,
    { artifacts },
    {
      where: where.join("\n"),
      expected: "the bytes whose integrity is in the lock",
      fix: `look who replaced them; if they are meant, run ${commandLine(["agentprint", "approve", name])}`,
    },
  );
}
