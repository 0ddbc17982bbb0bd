import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type LockedServer, parseLock } from "../../../packages/mcp-lock/src/index.ts";
import { cachePath } from "./cache.ts";
import { run } from "./run.ts";
import { CORPUS, programOf, type Release } from "./servers.ts";

const CLI = fileURLToPath(new URL("../../apps/cli/src/main.ts", CORPUS));

/** A release with its entry in the lock that `agentprint pin` wrote. */
export interface PinnedRelease extends Release {
  readonly entry: LockedServer;
  readonly seconds: number;
}

/** A release that could not be pinned, and the error code. */
export interface UnreadRelease extends Release {
  readonly code: string;
  readonly stderr: string;
}

export interface PinOptions {
  /** The number of the visit; a release can be pinned more than once. */
  readonly visit: number;
  /** Whether the lock of an earlier run is used if there is one. */
  readonly isReused: boolean;
}

/**
 * Pins a release with the command as a user would, by running its package's program with Node in an empty folder. All
 * releases of a server have the same launch, as with `npx -y <package>`.
 */
export async function pinRelease(
  release: Release,
  { visit, isReused }: PinOptions,
): Promise<PinnedRelease | UnreadRelease> {
  const { name, alias, args, env = {} } = release;
  const lock = cachePath("locks", `${alias}.${visit}.lock`);
  const times = `${lock}.seconds`;
  if (isReused && existsSync(lock)) {
    return { ...release, entry: readEntry(lock), seconds: Number(readFileSync(times, "utf8")) };
  }
  const cwd = cachePath("runs", `${alias}.${visit}`, "home");
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  const link = `${cwd}/../server`;
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  symlinkSync(programOf(alias), link);
  rmSync(lock, { force: true });
  const passed = Object.keys(env).flatMap((variable) => ["--env", variable]);
  const { stderr, seconds } = await run(
    [
      process.execPath,
      "--conditions=@agentprint/source",
      CLI,
      ...["pin", "--name", name, "--lock", lock, ...passed, "--", "node", "../server", ...args],
    ],
    { cwd, env: { ...env, HOME: cwd } },
  );
  if (!existsSync(lock)) return { ...release, code: /code: +(\S+)/.exec(stderr)?.[1] ?? "no-lock", stderr };
  writeFileSync(times, String(seconds));
  return { ...release, entry: readEntry(lock), seconds };
}

function readEntry(lock: string): LockedServer {
  return parseLock(readFileSync(lock)).servers[0] as LockedServer;
}
