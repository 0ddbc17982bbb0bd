import type { PlannedFile } from "../files/planned-file.ts";
import { floatingPackage } from "../launch/floating-package.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";

/** Targets with exact versions, and the configurations in which these have to be written. */
interface ExactTargets {
  readonly targets: readonly ServerTarget[];
  readonly files: readonly PlannedFile[];
  /** The number of versions that could not be resolved. */
  readonly failed: number;
}

/**
 * Offers exact versions for the targets that fetch the newest, also in the project's entries with the same launch.
 *
 * @param options With `pinVersions`, the answer is yes; with `yes`, nothing is asked, and the answer is no
 */
export async function exactTargets(
  context: Context,
  targets: readonly ServerTarget[],
  options: { readonly lock: string; readonly pinVersions: boolean; readonly yes: boolean },
): Promise<ExactTargets> {
  if (!targets.some(({ launch }) => floatingPackage(launch))) return { targets, files: [], failed: 0 };
  // Loading the readers of all client formats takes longer than the commands that ask this.
  const [{ exactVersions }, { placesOf, projectServers }] = await Promise.all([
    import("./exact-versions.ts"),
    import("./pinned-places.ts"),
  ]);
  const configured = await projectServers(context, options.lock);
  const placed = targets.map((target) => ({ name: target.name, target, places: placesOf(target, configured) }));
  const { servers, files, failed } = await exactVersions(context, placed, options);
  return { targets: servers.map(({ target }) => target), files, failed };
}
