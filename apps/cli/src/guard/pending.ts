import { parseJson } from "@agentprint/canonical-json";
import type { Launch } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import { z } from "zod";
import { formatJson } from "../files/format-json.ts";
import { readRegularFile } from "../files/read-input.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";

/** A server that a guard did not start, because it is not pinned. */
export interface PendingServer {
  readonly name: string;
  /** The launch, without its secrets. */
  readonly launch: Launch;
}

/** In bytes. */
const MAX_PENDING_BYTES = 1024 * 1024;
/** The maximum number of pending servers to remember, because a client could ask for any number. */
const MAX_PENDING = 100;

const Launched: z.ZodType<Launch> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("stdio"),
    command: z.string(),
    args: z.array(z.string()),
    cwd: z.string().exactOptional(),
    env: z.array(z.string()),
  }),
  z.object({ type: z.literal("http"), url: z.string(), headers: z.array(z.string()) }),
]);
const Pending = z.object({
  pendingVersion: z.literal(1),
  servers: z.array(z.object({ name: z.string(), launch: Launched })),
});

/** Returns the path of the file next to a lock with the servers that await review. */
export function pendingFileOf(lock: string): string {
  return `${lock.replace(/\.lock$/, "")}.pending.json`;
}

/**
 * Reads the servers that await review.
 *
 * @throws {@link CliError} `unreadable-input` when the file cannot be read
 */
export async function readPending(context: Context, lock: string): Promise<readonly PendingServer[]> {
  const file = pendingFileOf(lock);
  const bytes = await readRegularFile(context, file, MAX_PENDING_BYTES).catch((error: unknown) => {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
  if (bytes === undefined) return [];
  try {
    return Pending.parse(parseJson(bytes)).servers;
  } catch (error) {
    throw new CliError("unreadable-input", `${file} is not a list of servers that await review`, {
      fix: `remove ${file}; the guard writes it again`,
      cause: error,
    });
  }
}

/**
 * Updates the servers that await review with `change`, one writer at a time, because a client starts all guards at
 * once. A file that cannot be read is treated as a file without servers.
 *
 * @throws {@link CliError} `lock-busy`, `unwritable-output` when the file cannot be written
 */
export async function updatePending(
  context: Context,
  lock: string,
  change: (servers: readonly PendingServer[]) => readonly PendingServer[],
): Promise<void> {
  const { withWriterMutex } = await import("../files/update-file.ts");
  const file = pendingFileOf(lock);
  await withWriterMutex(file, context.pathOf(file), async () => {
    const servers = change(await readPending(context, lock).catch(() => []));
    await replaceFile(context, file, formatJson({ pendingVersion: 1, servers }, 2));
  });
}

/**
 * Refuses to start a server that is not pinned, and records its launch.
 *
 * @throws {@link CliError} `not-reviewed` always
 */
export async function refuseUnpinned(
  context: Context,
  name: string,
  launched: readonly string[],
  lock: string,
): Promise<never> {
  const [command, ...args] = launched;
  if (command !== undefined) {
    const launch = redactLaunch({ type: "stdio", command, args, env: [] });
    await updatePending(context, lock, (before) => [
      ...before.filter((each) => each.name !== name).slice(-(MAX_PENDING - 1)),
      { name, launch },
    ]);
  }
  throw new CliError("not-reviewed", `${name} is not in ${lock}, so it is not started`, {
    expected: "a server that someone has pinned",
    fix:
      command === undefined
        ? `pin it: ${commandLine(["agentprint", "pin", "--name", name])} -- <command…>`
        : "review and pin it: agentprint approve --pending",
  });
}
