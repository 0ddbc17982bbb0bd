import { entriesAt, readEntry } from "@agentprint/client-configs";
import { readClientConfig } from "../clients/read-client-config.ts";
import { recognizeGuardOf } from "../clients/recognize-guard.ts";
import { type WrappedConfig, wrappedFor } from "../clients/wrapped-state.ts";
import type { Context } from "../run/context.ts";
import { isExplained, isMissing } from "../run/errors.ts";

/** A wrapped entry that no longer starts the guard. */
export interface ReplacedGuard {
  /** The server's name in the configuration. */
  readonly name: string;
  /** The name of the server in the lock. */
  readonly server: string;
  /** The configuration, absolute. */
  readonly config: string;
  /** The current launch of the entry, or the reason why it cannot be read. */
  readonly reason: string;
  readonly couldNotTell?: true;
}

/**
 * Returns the entries that were wrapped with the guard of a lock on this machine, and that no longer start the guard
 * although they were not unwrapped. A missing or disabled entry starts nothing and is not among them.
 *
 * @throws {@link CliError} `unreadable-input` when the state of `wrap` cannot be read
 */
export async function replacedGuards(context: Context, lock: string): Promise<ReplacedGuard[]> {
  const found = (await wrappedFor(context, lock)).map((wrapped) => replacedIn(context, lock, wrapped));
  return (await Promise.all(found)).flat();
}

async function replacedIn(
  context: Context,
  lock: string,
  { config: path, entries }: WrappedConfig,
): Promise<ReplacedGuard[]> {
  try {
    const config = await readClientConfig(context, path, "regular");
    const addresses = new Set(entries.flatMap(({ at }) => at ?? []));
    const recognize = await recognizeGuardOf(context, lock, addresses);
    return entries.flatMap(({ name, server, member }): ReplacedGuard[] => {
      const replaced = { name, server, config: path };
      const found = entriesAt(config, member).find((entry) => entry.name === name);
      if (found === undefined || found.state !== "on") return [];
      const entry = readEntry(found.value, recognize);
      if (typeof entry === "string") return [{ ...replaced, reason: entry, couldNotTell: true }];
      if (entry.guardedAs !== undefined) return [];
      return [{ ...replaced, reason: entry.notGuarded ?? "it starts its server without the guard" }];
    });
  } catch (error) {
    if (!isExplained(error)) throw error;
    if (isMissing(error.cause)) return [];
    return entries.map(({ name, server }) => ({
      name,
      server,
      config: path,
      reason: error.message,
      couldNotTell: true,
    }));
  }
}
