import { requireHttpUrl } from "../launch/server-target.ts";
import { expandVariables } from "../launch/variables.ts";
import { findEntry } from "../lock/find-entry.ts";
import { readLock } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/**
 * Returns the address of a server, which is named by its address or by its name in the lock.
 *
 * @throws {@link CliError} `usage` when the server is started by a command, or the address is not HTTP
 */
export async function serverAddress(context: Context, lock: string, server: string): Promise<string> {
  if (/^https?:/i.test(server)) return requireHttpUrl(server, "<server>");
  const { launch } = findEntry((await readLock(context, lock)).lock, server, lock);
  if (launch.type === "http") return requireHttpUrl(expandVariables(context, launch.url, server), server, launch.url);
  throw new CliError("usage", `${server} is started by a command, and has no login`, {
    where: server,
    expected: "the address of a server, or the name of a pinned server over HTTP",
  });
}
