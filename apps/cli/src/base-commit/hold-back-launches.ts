import { isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock";
import { loadsCode } from "../launch/loading-variables.ts";
import { launchWith, type ServerTarget } from "../launch/server-target.ts";
import { CliError } from "../run/errors.ts";
import type { Base } from "./read-base.ts";

/**
 * Returns the targets, but fails those whose launch differs from the one that the base has pinned before they start: an
 * unreviewed change must not choose the started program. A target with a variable that chooses the loaded code fails as
 * well, because the value can name a file of the change.
 */
export function holdBackLaunches(targets: readonly ServerTarget[], { name: base, lock }: Base): ServerTarget[] {
  const entries = new Map(lock?.servers.map((entry) => [entry.name, entry]));
  return targets.map((target): ServerTarget => {
    const { name, launch } = target;
    const entry = entries.get(name);
    return {
      ...target,
      readValues: async () => {
        if (entry === undefined) throw heldBack(`${name} is not pinned in ${base}`);
        const isOther = () => heldBack(`the launch of ${name} is not the one that is pinned in ${base}`);
        if (!isPinnedLaunch(entry, withNamesOf(entry, launch))) throw isOther();
        // The names in an `envFile` are known only at this point.
        const values = await target.readValues();
        if (!isPinnedLaunch(entry, launchWith(launch, values))) throw isOther();
        const loading = launch.type === "stdio" ? Object.keys(values).filter(loadsCode) : [];
        if (loading.length > 0)
          throw heldBack(`${name} gets ${loading.join(", ")}, whose value chooses which code is loaded`);
        return values;
      },
    };
  });
}

/** A launch with the names of the variables or headers that an entry has. */
function withNamesOf({ launch: pinned }: LockedServer, launch: ServerTarget["launch"]): ServerTarget["launch"] {
  if (launch.type === "stdio") return { ...launch, env: pinned.type === "stdio" ? pinned.env : launch.env };
  return { ...launch, headers: pinned.type === "http" ? pinned.headers : launch.headers };
}

/** The error for a launch that was not started because a change chose a part of it. */
export function heldBack(message: string): CliError {
  return new CliError("launch-changed", `${message}, so that it was not started`, {
    expected: "the launch that is pinned in the base",
    fix: "review the launch, then check where it may run: with --allow-changed-launch",
  });
}
