import { homedir } from "node:os";
import { join } from "node:path";
import type { Context } from "../run/context.ts";

/** The folder in which the user's programs keep what they remember between their runs. */
export function stateFolder({ env }: Pick<Context, "env">): string {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  return join(env["XDG_STATE_HOME"] || join(home, ".local", "state"), "agentprint");
}

/** The folder below it with one folder for each configuration that `wrap` put the guard into. */
export function wrappedFolder(context: Pick<Context, "env">): string {
  return join(stateFolder(context), "wrapped");
}
