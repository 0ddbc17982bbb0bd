import type { Readable } from "node:stream";
import type { PinnedServer } from "@agentprint/guard-proxy";
import { type RunningServer, startServer } from "@agentprint/mcp-visit";
import { type DigestedFile, findChangedFile } from "../launch/digest-files.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { printError } from "../terminal/report-error.ts";
import { guardedTarget, requirePinnedFiles } from "./guarded-target.ts";
import type { LoadedLock } from "./load-lock.ts";

/** The inputs of each start of a server. */
export interface PinnedLaunch {
  readonly name: string;
  /** The command after the guard's words in the client's configuration. */
  readonly launched: readonly string[];
  /** The path of the lock. */
  readonly lock: string;
  /** The lock in force at this moment. */
  readonly inForce: () => LoadedLock;
  readonly dryRun: boolean;
}

/** The maximum number of lock replacements to follow while the files are read. */
const MAX_ROUNDS = 5;

/**
 * Starts a server as the lock in force describes it. This is the only way in which the guard starts processes. The
 * files of the launch are compared with the lock before the start, and checked for changes since then before a byte of
 * the process's output is passed on.
 *
 * @throws {@link CliError} `launch-changed` when the launch or one of its files differs, or the lock has no entry;
 * `launch-loads-code`, `missing-variable`, `unreadable-input` when it cannot be compared
 * @throws {@link VisitError} `server-not-started` when the command cannot be run
 */
export async function startPinned(context: Context, launch: PinnedLaunch): Promise<PinnedServer> {
  const { name, launched, lock, inForce, dryRun } = launch;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const loaded = inForce();
    const entry = loaded.lock.servers.find((each) => each.name === name);
    if (entry === undefined) throw notStarted(name, "the lock has no entry for it any more");
    const target = await guardedTarget(context, entry, launched, lock);
    if (target.type !== "stdio") throw notStarted(name, "it is pinned at an address now");
    const required = await requirePinnedFiles(context, entry, target, { lock, policy: loaded.policy, dryRun });
    // The lock in force may have been replaced in the meantime.
    if (inForce() !== loaded) continue;
    const server = await startServer(required.target);
    return withChecks(context, name, server, () => findChangedFile(target, required.files));
  }
  throw notStarted(name, "the lock was replaced again and again");
}

function notStarted(name: string, why: string): CliError {
  return new CliError("launch-changed", `${name} was not started: ${why}`, {
    where: `agentprint guard ${name}`,
    expected: "a lock that contains the server's command",
    fix: commandLine(["agentprint", "status"]),
  });
}

function withChecks(
  context: Context,
  name: string,
  server: RunningServer,
  findChanged: () => Promise<DigestedFile | undefined>,
): PinnedServer {
  let isRefused = false;
  const check = async (stream: Readable): Promise<boolean> => {
    await isReadable(stream);
    const changed = isRefused ? undefined : await findChanged();
    if (changed === undefined || isRefused) return !isRefused;
    isRefused = true;
    printError(context, changedAtStart(name, changed));
    void server.close({ terminate: 0, kill: 0 });
    return false;
  };
  return { ...server, outputChecked: check(server.stdout), errorsChecked: check(server.stderr) };
}

/** Resolves when a stream has its first byte or has ended. */
function isReadable(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "close", "error"];
    const done = (): void => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.once(event, done);
  });
}

function changedAtStart(name: string, { pointer, path }: DigestedFile): CliError {
  return new CliError(
    "launch-changed",
    `a script or program of ${name} changed while it was being started, so none of its output was passed on`,
    {
      where: `${name}, launch at ${pointer}: ${path}`,
      expected: "the file whose digest is in the lock",
      fix: `review it, then run ${commandLine(["agentprint", "approve", name])}`,
    },
  );
}
